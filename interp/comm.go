package interp

import (
	"context"

	"gopherlo/display"
	"gopherlo/internal/cellid"
	"gopherlo/kernel/language"
)

var (
	_ language.CommHandler = (*Interp)(nil)
	_ language.CommBeside  = (*Interp)(nil)
)

// HandleComm runs the cells' functions for a comm message, as if it were a cell
// of its own.
func (in *Interp) HandleComm(ctx context.Context, msg language.CommMessage, host language.Host) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.comm(ctx, msg, host, true)
}

// HandleCommOfSubshell does so beside cells.
func (in *Interp) HandleCommOfSubshell(ctx context.Context, msg language.CommMessage, host language.Host) {
	in.comm(ctx, msg, host, false)
}

func (in *Interp) comm(ctx context.Context, msg language.CommMessage, host language.Host, foreground bool) {
	defer in.values.callbacks.Add(-1)
	in.names.Lock()
	in.values.callbacks.Add(1) // under the lock: whoever reads variables has seen it
	in.names.Unlock()
	cell, _ := cellid.Current()
	run := in.rt.Begin(ctx, cell, host, foreground)
	defer run.End()
	display.SetOutput(output{in.rt, in.session.FileText})
	in.rt.Guard(func() { display.HandleComm(msg.Kind, msg.Content, msg.Buffers) })()
	in.rt.Drain()
}

// HandleCommBeside answers widgets, which run no code of a cell.
func (in *Interp) HandleCommBeside(_ context.Context, msg language.CommMessage, _ language.Host) {
	display.HandleComm(msg.Kind, msg.Content, msg.Buffers)
}
