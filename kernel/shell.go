package kernel

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"gopherlo/kernel/wire"
	"gopherlo/kernel/worker"
)

// shellRows is what the shell channel handles.
var shellRows = table(
	quiet(row{name: wire.Execute.Name, run: queueCell}),
	on(wire.KernelInfo, (*call).kernelInfo),
	beside(on(wire.Complete, (*call).complete)),
	beside(on(wire.Inspect, (*call).inspect)),
	on(wire.IsComplete, (*call).isComplete),
	on(wire.History, (*call).history),
	on(wire.CommInfo, (*call).commInfo),
	on(wire.Connect, (*call).connect),
	on(wire.Shutdown, (*call).shutdown), // control's since 5.4; older clients send it here
	interruptRow,
	onEvent(wire.CommOpen, (*call).commOpen),
	onEvent(wire.CommMsg, (*call).commMsg),
	onEvent(wire.CommClose, (*call).commClose),
)

// queueCell queues an execute_request; its status and reply come when it runs.
func queueCell(c *call) {
	req, err := wire.Execute.Decode(c.msg)
	if err != nil {
		c.iopub.status(c.msg.RawHeader, "busy")
		c.reply(wire.Execute.ReplyName(), wire.Failed("ProtocolError", err))
		c.iopub.idle(c.msg.RawHeader)
		return
	}
	l := c.session.laneOf(c.msg)
	if l == nil || !l.add(&cellJob{call: c, req: req}) {
		c.iopub.status(c.msg.RawHeader, "busy")
		err := errors.New("the kernel is shutting down")
		if id := c.msg.Header.SubshellID; id != nil {
			err = noSubshell(*id)
		}
		c.reply(wire.Execute.ReplyName(), wire.Failed("KernelError", err))
		c.iopub.idle(c.msg.RawHeader)
	}
}

// kernelInfo answers without the worker.
func (c *call) kernelInfo(wire.Empty) (wire.KernelInfoReply, error) {
	info := c.opts.Text.Info()
	links := c.opts.HelpLinks
	if links == nil {
		links = []wire.HelpLink{}
	}
	features := []string{}
	if c.opts.Subshells {
		features = append(features, "kernel subshells")
	}
	return wire.KernelInfoReply{
		ReplyStatus: wire.OK, ProtocolVersion: wire.ProtocolVersion,
		Implementation: c.opts.Implementation, ImplementationVersion: c.opts.Version,
		LanguageInfo: wire.LanguageInfo{
			Name: info.Name, Version: info.Version, MIMEType: info.MIMEType, FileExtension: info.FileExtension,
			PygmentsLexer: info.PygmentsLexer, CodeMirrorMode: info.CodeMirrorMode,
		},
		Banner: info.Banner, HelpLinks: links, SupportedFeatures: features,
	}, nil
}

// queryTime bounds the wait for completions and the like: a front end waits
// for the reply with the user.
const queryTime = 10 * time.Second

// cursor returns the position asked for, the end of the code when there is
// none or it lies outside.
func cursor(code string, at *int) int {
	n := utf8.RuneCountInString(code)
	if at == nil || *at < 0 || *at > n {
		return n
	}
	return *at
}

func (c *call) complete(req wire.CompleteRequest) (wire.CompleteReply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), queryTime)
	defer cancel()
	at := cursor(req.Code, req.CursorPos)
	got, err := c.sup.Complete(ctx, req.Code, at)
	reply := wire.CompleteReply{ReplyStatus: wire.OK, Matches: []string{}, CursorStart: at, CursorEnd: at, Metadata: map[string]any{}}
	if err != nil {
		return reply, unlessDead(err)
	}
	if got.Matches != nil {
		reply.Matches, reply.CursorStart, reply.CursorEnd = got.Matches, got.Start, got.End
	}
	if got.Types != nil {
		reply.Metadata["_jupyter_types_experimental"] = got.Types
	}
	return reply, nil
}

// unlessDead drops the error of a worker that died: there is then nothing to
// complete, and the cell that died has shown why.
func unlessDead(err error) error {
	var d *worker.Death
	if errors.As(err, &d) {
		return nil
	}
	return err
}

func (c *call) inspect(req wire.InspectRequest) (wire.InspectReply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), queryTime)
	defer cancel()
	got, err := c.sup.Inspect(ctx, req.Code, cursor(req.Code, req.CursorPos), req.DetailLevel)
	reply := wire.InspectReply{ReplyStatus: wire.OK, Data: map[string]any{}, Metadata: map[string]any{}}
	if err != nil {
		return reply, unlessDead(err)
	}
	reply.Found = got.Found
	if got.Data != nil {
		reply.Data = got.Data
	}
	if got.Metadata != nil {
		reply.Metadata = got.Metadata
	}
	return reply, nil
}

func (c *call) isComplete(req wire.IsCompleteRequest) (wire.IsCompleteReply, error) {
	got := c.opts.Text.IsComplete(req.Code)
	return wire.IsCompleteReply{Status: got.Status, Indent: got.Indent}, nil
}

func (c *call) history(req wire.HistoryRequest) (wire.HistoryReply, error) {
	items, err := c.session.history.find(req)
	if err != nil {
		return wire.HistoryReply{}, err
	}
	return wire.HistoryReply{ReplyStatus: wire.OK, History: items}, nil
}

func (c *call) connect(wire.Empty) (wire.ConnectReply, error) {
	return wire.ConnectReply{
		ReplyStatus: wire.OK, ShellPort: c.conn.ShellPort, IOPubPort: c.conn.IOPubPort,
		StdinPort: c.conn.StdinPort, ControlPort: c.conn.ControlPort, HBPort: c.conn.HBPort,
	}, nil
}

func (c *call) commInfo(req wire.CommInfoRequest) (wire.CommInfoReply, error) {
	reply := wire.CommInfoReply{ReplyStatus: wire.OK, Comms: map[string]wire.CommTarget{}}
	for id, target := range c.session.comms.List(req.TargetName) {
		reply.Comms[id] = wire.CommTarget{TargetName: target}
	}
	return reply, nil
}

func (c *call) commOpen(m wire.CommOpenContent) {
	c.session.comms.Open(m.CommID, m.TargetName)
	c.queueComm(wire.CommOpen.Name, m.TargetName)
}

func (c *call) commMsg(m wire.CommMsgContent) {
	c.queueComm(wire.CommMsg.Name, c.session.comms.Target(m.CommID))
}

func (c *call) commClose(m wire.CommMsgContent) {
	target := c.session.comms.Target(m.CommID)
	c.session.comms.Close(m.CommID)
	c.queueComm(wire.CommClose.Name, target)
}
