package wire

// Debug carries requests of the Debug Adapter Protocol.
var Debug = Request[DebugRequest, DebugReply]{"debug_request"}

// DebugRequest is the part of a debug request that names it.
type DebugRequest struct {
	Seq     int    `json:"seq"`
	Command string `json:"command"`
}

// DebugReply is a response of the Debug Adapter Protocol.
type DebugReply struct {
	Type       string `json:"type"`
	RequestSeq int    `json:"request_seq"`
	Success    bool   `json:"success"`
	Command    string `json:"command"`
	Message    string `json:"message,omitempty"`
}
