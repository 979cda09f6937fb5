package wire

// Connect asks for the ports (deprecated in the protocol, still answered).
var Connect = Request[Empty, ConnectReply]{"connect_request"}

// ConnectReply is the content of connect_reply.
type ConnectReply struct {
	ReplyStatus
	ShellPort   int `json:"shell_port"`
	IOPubPort   int `json:"iopub_port"`
	StdinPort   int `json:"stdin_port"`
	ControlPort int `json:"control_port"`
	HBPort      int `json:"hb_port"`
}
