package wire

// Shutdown ends the kernel process.
var Shutdown = Request[ShutdownContent, ShutdownReply]{"shutdown_request"}

// ShutdownContent is the content of shutdown_request. Restart says that the
// client will start the kernel again.
type ShutdownContent struct {
	Restart bool `json:"restart"`
}

// ShutdownReply is the content of shutdown_reply, which also goes to iopub.
type ShutdownReply struct {
	ReplyStatus
	Restart bool `json:"restart"`
}
