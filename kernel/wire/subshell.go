package wire

// The subshell requests of protocol 5.5, on control.
var (
	CreateSubshell = Request[Empty, CreateSubshellReply]{"create_subshell_request"}
	DeleteSubshell = Request[DeleteSubshellRequest, ReplyStatus]{"delete_subshell_request"}
	ListSubshell   = Request[Empty, ListSubshellReply]{"list_subshell_request"}
)

// CreateSubshellReply is the content of create_subshell_reply.
type CreateSubshellReply struct {
	ReplyStatus
	SubshellID string `json:"subshell_id"`
}

// DeleteSubshellRequest is the content of delete_subshell_request.
type DeleteSubshellRequest struct {
	SubshellID string `json:"subshell_id"`
}

// ListSubshellReply is the content of list_subshell_reply.
type ListSubshellReply struct {
	ReplyStatus
	SubshellID []string `json:"subshell_id"`
}
