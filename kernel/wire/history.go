package wire

// History asks for earlier input.
var History = Request[HistoryRequest, HistoryReply]{"history_request"}

// HistoryRequest is the content of history_request. HistAccessType is "range",
// "tail" or "search".
type HistoryRequest struct {
	Output         bool   `json:"output"`
	Raw            bool   `json:"raw"`
	HistAccessType string `json:"hist_access_type"`
	Session        int    `json:"session"` // range: 0 is this one, -1 the one before
	Start          int    `json:"start"`
	Stop           *int   `json:"stop"`
	N              int    `json:"n"`
	Pattern        string `json:"pattern"`
	Unique         bool   `json:"unique"`
}

// HistoryReply is the content of history_reply: [session, line, input], where
// input is [input, output] when outputs were asked for.
type HistoryReply struct {
	ReplyStatus
	History [][3]any `json:"history"`
}
