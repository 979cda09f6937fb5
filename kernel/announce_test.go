package kernel

import (
	"sync/atomic"
	"testing"
)

// TestAnnounced: what a cell says before its busy is published waits for it.
func TestAnnounced(t *testing.T) {
	p := newIOPub(nil)
	for cell := int64(1); cell <= 200; cell++ {
		p.announce(cell, emptyHeader, false, true)
		var busy atomic.Bool
		early := make(chan bool)
		for _, say := range []func(){
			func() { p.stream(cell, "stdout", []byte("x")) },
			func() { p.native("stderr", []byte("x")) },
			func() { p.flush(cell) },
		} {
			go func() {
				say()
				early <- !busy.Load()
			}()
		}
		p.begin(cell)
		busy.Store(true)
		p.begun(cell)
		for range 3 {
			if <-early {
				t.Fatalf("cell %d spoke before it had begun", cell)
			}
		}
		p.end(cell)
	}
}
