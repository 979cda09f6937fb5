package wire

import "encoding/json"

// The comm messages go both ways: on shell to the kernel, on iopub from it.
var (
	CommOpen  = Event[CommOpenContent]{"comm_open"}
	CommMsg   = Event[CommMsgContent]{"comm_msg"}
	CommClose = Event[CommMsgContent]{"comm_close"}
)

// CommOpenContent is the content of comm_open.
type CommOpenContent struct {
	CommID     string          `json:"comm_id"`
	TargetName string          `json:"target_name"`
	Data       json.RawMessage `json:"data"`
}

// CommMsgContent is the content of comm_msg and comm_close.
type CommMsgContent struct {
	CommID string          `json:"comm_id"`
	Data   json.RawMessage `json:"data"`
}

// CommInfo asks which comms are open.
var CommInfo = Request[CommInfoRequest, CommInfoReply]{"comm_info_request"}

// CommInfoRequest is the content of comm_info_request.
type CommInfoRequest struct {
	TargetName string `json:"target_name"`
}

// CommInfoReply is the content of comm_info_reply.
type CommInfoReply struct {
	ReplyStatus
	Comms map[string]CommTarget `json:"comms"`
}

// CommTarget names the target of an open comm.
type CommTarget struct {
	TargetName string `json:"target_name"`
}
