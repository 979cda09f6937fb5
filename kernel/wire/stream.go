package wire

// Stream is text on stdout or stderr.
var Stream = Event[StreamContent]{"stream"}

// StreamContent is the content of stream.
type StreamContent struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Error shows how a cell failed.
var Error = Event[ErrorContent]{"error"}

// ErrorContent is the content of error.
type ErrorContent struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}
