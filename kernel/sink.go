package kernel

import (
	"encoding/json"

	"gopherlo/kernel/wire"
	"gopherlo/kernel/worker"
)

// sink is the kernel as its worker sees it.
type sink Kernel

var _ worker.Sink = (*sink)(nil)

// Stream implements [worker.Sink].
func (s *sink) Stream(cell int64, name string, text []byte) { s.iopub.stream(cell, name, text) }

// Native implements [worker.Sink].
func (s *sink) Native(name string, text []byte) {
	if s.opts.NativeFilter != nil {
		text = filterLines(name, text, s.opts.NativeFilter)
	}
	s.iopub.native(name, text)
}

// filterLines leaves out the whole lines that drop names.
func filterLines(name string, text []byte, drop func(string, []byte) bool) []byte {
	var kept []byte
	for len(text) > 0 {
		end := len(text)
		for i, c := range text {
			if c == '\n' {
				end = i + 1
				break
			}
		}
		if !drop(name, text[:end]) {
			kept = append(kept, text[:end]...)
		}
		text = text[end:]
	}
	return kept
}

// Output implements [worker.Sink]. Comms that cells open and close are noted.
func (s *sink) Output(cell int64, msgType string, content, metadata json.RawMessage, buffers [][]byte) {
	switch msgType {
	case wire.ExecuteResult.Name:
		defer s.session.keepResult(cell, content) // once it is on its way
	case wire.CommOpen.Name:
		var c wire.CommOpenContent
		if json.Unmarshal(content, &c) == nil {
			s.session.comms.Open(c.CommID, c.TargetName)
		}
	case wire.CommClose.Name:
		var c wire.CommMsgContent
		if json.Unmarshal(content, &c) == nil {
			s.session.comms.Close(c.CommID)
		}
	}
	s.iopub.output(cell, msgType, content, metadata, buffers)
}

// Input implements [worker.Sink]. It must not hold up the pipe.
func (s *sink) Input(cell int64, content json.RawMessage) {
	go (*Kernel)(s).askInput(cell, content)
}

// Died implements [worker.Sink]: the worker ended between cells. The note goes
// to the last cell, whose goroutines are the likely cause.
func (s *sink) Died(d *worker.Death) {
	s.session.comms.Clear()
	s.session.lose(nil)
	place := ""
	if d.Place != "" {
		place = " (" + d.Place + ")"
	}
	if d.Asked {
		s.iopub.native("stdout", []byte("a fresh worker runs the next cell: the values of the session are gone, %env and the working directory are kept; %replay runs its cells again\n"))
		return
	}
	s.iopub.native("stderr", []byte("gopherlo: the worker ended between cells: "+d.Reason+place+
		"; the state of the session is lost, the next cell runs in a fresh worker\n"))
}
