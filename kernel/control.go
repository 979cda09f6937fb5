package kernel

import (
	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

// controlRows is what the control channel handles, also while a cell runs.
var controlRows = table(
	on(wire.KernelInfo, (*call).kernelInfo),
	interruptRow,
	on(wire.Shutdown, (*call).shutdown),
	on(wire.Connect, (*call).connect),
	on(wire.History, (*call).history),
	on(wire.IsComplete, (*call).isComplete),
	on(wire.CommInfo, (*call).commInfo),
	on(wire.Debug, (*call).debug),
	withSubshells(on(wire.CreateSubshell, (*call).createSubshell)),
	withSubshells(on(wire.DeleteSubshell, (*call).deleteSubshell)),
	withSubshells(on(wire.ListSubshell, (*call).listSubshell)),
)

// interruptRow stops the running cell; when none runs nothing happens.
var interruptRow = atOnce(
	func(c *call) { c.sup.Interrupt() },
	on(wire.Interrupt, func(*call, wire.Empty) (wire.ReplyStatus, error) { return wire.OK, nil }),
)

// shutdown ends the kernel once its reply is queued; Close lets it out. With
// restart, the client starts a new process.
func (c *call) shutdown(req wire.ShutdownContent) (wire.ShutdownReply, error) {
	reply := wire.ShutdownReply{ReplyStatus: wire.OK, Restart: req.Restart}
	c.iopub.mu.Lock()
	c.iopub.encodeAndPublish(wire.Shutdown.ReplyName(), c.msg.RawHeader, reply, transport.Must)
	c.iopub.mu.Unlock()
	if !req.Restart {
		c.session.mu.Lock()
		c.session.journal.end()
		c.session.mu.Unlock()
	}
	defer c.stop()
	c.reply(wire.Shutdown.ReplyName(), reply)
	return reply, errReplied
}

// debug answers truthfully that there is no debugger.
func (c *call) debug(req wire.DebugRequest) (wire.DebugReply, error) {
	return wire.DebugReply{
		Type: "response", RequestSeq: req.Seq, Command: req.Command,
		Message: "this kernel has no debugger",
	}, nil
}
