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
type Handle struct{ id string }

// ShowHandle shows a value and gives the place, for [Handle.Update].
func ShowHandle(v any) *Handle {
	h := &Handle{id: rand.Text()}
	h.display(v, false)
	return h
}

// Update shows another value in the place, wherever it is shown, also from a
// later cell.
func (h *Handle) Update(v any) { h.display(v, true) }

func (h *Handle) display(v any, update bool) {
	bundle := Of(v)
	if o := output.Load(); o != nil {
		(*o).Display(bundle, map[string]any{}, map[string]any{"display_id": h.id}, update)
		return
	}
	fmt.Fprintln(os.Stdout, bundle[mimeText])
}
