package wire

// IsComplete asks whether code can be run as it is.
var IsComplete = Request[IsCompleteRequest, IsCompleteReply]{"is_complete_request"}

// IsCompleteRequest is the content of is_complete_request.
type IsCompleteRequest struct {
	Code string `json:"code"`
}

// IsCompleteReply is the content of is_complete_reply; Status is "complete",
// "incomplete", "invalid" or "unknown".
type IsCompleteReply struct {
	Status string `json:"status"`
	Indent string `json:"indent"`
}
