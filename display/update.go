package display

import (
	"crypto/rand"
	"fmt"
	"os"
)

// clearer is an [Output] that can take back what a cell has shown. A kernel's
// language.Host is one.
type clearer interface {
	Clear(wait bool)
}

// Clear takes back what the running cell has shown, with wait only when the
// next output comes, so that nothing flickers.
func Clear(wait bool) {
	if o := output.Load(); o != nil {
		if c, ok := (*o).(clearer); ok {
			c.Clear(wait)
		}
	}
}

// Handle is a place in the output whose content can be replaced.
type Handle struct {
	id   string
	note bool
}

// ShowHandle shows a value and gives the place, for [Handle.Update].
func ShowHandle(v any) *Handle {
	h := &Handle{id: rand.Text()}
	h.display(v, false)
	return h
}

// ShowNote is ShowHandle for what is told about a cell's run and is no output of
// the cell, such as the time of a compilation: its metadata say
// {"gopherlo": {"note": true}}, so that who compares outputs can leave it out.
func ShowNote(v any) *Handle {
	h := &Handle{id: rand.Text(), note: true}
	h.display(v, false)
	return h
}

// Update shows another value in the place, wherever it is shown, also from a
// later cell.
func (h *Handle) Update(v any) { h.display(v, true) }

func (h *Handle) display(v any, update bool) {
	bundle := Of(v)
	if o := output.Load(); o != nil {
		metadata := map[string]any{}
		if h.note {
			metadata["gopherlo"] = map[string]any{"note": true}
		}
		(*o).Display(bundle, metadata, map[string]any{"display_id": h.id}, update)
		return
	}
	fmt.Fprintln(os.Stdout, bundle[mimeText])
}
