package wire

// Complete asks for completions at a cursor.
var Complete = Request[CompleteRequest, CompleteReply]{"complete_request"}

// CompleteRequest is the content of complete_request. CursorPos counts code
// points; when absent it is the end of the code.
type CompleteRequest struct {
	Code      string `json:"code"`
	CursorPos *int   `json:"cursor_pos"`
}

// CompleteReply is the content of complete_reply.
type CompleteReply struct {
	ReplyStatus
	Matches     []string       `json:"matches"`
	CursorStart int            `json:"cursor_start"`
	CursorEnd   int            `json:"cursor_end"`
	Metadata    map[string]any `json:"metadata"`
}
