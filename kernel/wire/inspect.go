package wire

// Inspect asks what is known about the code at a cursor.
var Inspect = Request[InspectRequest, InspectReply]{"inspect_request"}

// InspectRequest is the content of inspect_request.
type InspectRequest struct {
	Code        string `json:"code"`
	CursorPos   *int   `json:"cursor_pos"`
	DetailLevel int    `json:"detail_level"`
}

// InspectReply is the content of inspect_reply.
type InspectReply struct {
	ReplyStatus
	Found    bool           `json:"found"`
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
}
