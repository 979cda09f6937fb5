package wire

// Interrupt stops the running cell.
var Interrupt = Request[Empty, ReplyStatus]{"interrupt_request"}
