package interp

import (
	"context"

	"gopherlo/display"
	"gopherlo/kernel/language"
)

var (
	_ language.CommHandler = (*Interp)(nil)
	_ language.CommBeside  = (*Interp)(nil)
)

// HandleComm runs the cells' functions for a comm message, as if it were a cell
// of its own.
func (in *Interp) HandleComm(_ context.Context, msg language.CommMessage, host language.Host) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.rt.Begin(host)
	display.SetOutput(host)
	in.rt.Guard(func() { display.HandleComm(msg.Kind, msg.Content, msg.Buffers) })()
	in.rt.Drain()
}

// HandleCommBeside answers widgets, which run no code of a cell.
func (in *Interp) HandleCommBeside(_ context.Context, msg language.CommMessage, _ language.Host) {
	display.HandleComm(msg.Kind, msg.Content, msg.Buffers)
}
