package wire

// Status says whether the kernel works on the parent of the message.
var Status = Event[StatusContent]{"status"}

// StatusContent is the content of status: "starting", "busy" or "idle".
type StatusContent struct {
	ExecutionState string `json:"execution_state"`
}

// Welcome answers a subscription to iopub.
var Welcome = Event[WelcomeContent]{"iopub_welcome"}

// WelcomeContent is the content of iopub_welcome.
type WelcomeContent struct {
	Subscription string `json:"subscription"`
}
