package wire

import "encoding/json"

// Execute runs code.
var Execute = Request[ExecuteRequest, ExecuteReply]{"execute_request"}

// ExecuteRequest is the content of execute_request.
type ExecuteRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"` // default: not silent
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      *bool             `json:"allow_stdin"`   // default: true
	StopOnError     *bool             `json:"stop_on_error"` // default: true
}

// ExecuteReply is the content of execute_reply; Status "aborted" means that
// the code was not run.
type ExecuteReply struct {
	ReplyStatus
	ExecutionCount  int                        `json:"execution_count"`
	UserExpressions map[string]json.RawMessage `json:"user_expressions,omitempty"`
	Payload         []json.RawMessage          `json:"payload,omitempty"`
}

// ExecuteInput tells all clients what is run.
var ExecuteInput = Event[ExecuteInputContent]{"execute_input"}

// ExecuteInputContent is the content of execute_input.
type ExecuteInputContent struct {
	Code           string `json:"code"`
	ExecutionCount int    `json:"execution_count"`
}

// ExecuteResult shows the value of a cell.
var ExecuteResult = Event[ExecuteResultContent]{"execute_result"}

// ExecuteResultContent is the content of execute_result.
type ExecuteResultContent struct {
	ExecutionCount int                        `json:"execution_count"`
	Data           map[string]json.RawMessage `json:"data"`
	Metadata       map[string]json.RawMessage `json:"metadata"`
}
