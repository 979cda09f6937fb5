package wire

// Input asks the user, on the stdin channel, for a line. Unlike all other
// requests it goes from the kernel to the client.
var Input = Request[InputRequest, InputReply]{"input_request"}

// InputRequest is the content of input_request.
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// InputReply is the content of input_reply.
type InputReply struct {
	Value string `json:"value"`
}
