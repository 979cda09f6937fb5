package cells

import (
	"fmt"
	"os"

	"gopherlo/display"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// Show prints the value of a cell's last expression as the notebook's text.
func Show(values ...any) {
	keep(values)
	if len(values) != 1 {
		fmt.Println(Values(values))
		return
	}
	v := values[0]
	if a, ok := v.(array.Array); ok && a.IsNone() {
		return
	}
	text, ok := Text(v)
	if !ok {
		text, ok = display.Of(v)["text/plain"].(string)
	}
	if ok {
		fmt.Println(text)
	}
}

// Lit is a number as an Array; it keeps its weak type.
func Lit(x any) array.Array {
	v, ok := array.ToValue(x)
	if !ok {
		core.TypeErrorf("%T is no number", x)
	}
	return array.New(v)
}

// each converts a value that may be an Array.
func each[T any](x any) (y T) {
	if v, ok := x.(T); ok {
		return v
	}
	if err := array.IntoAny(x, &y); err != nil {
		core.TypeErrorf("%s", err)
	}
	return y
}

// Note tells of something in the cell that is Go but hardly what was meant.
func Note(text string) { warn("note: %s", text) }

// warn writes to the standard error.
func warn(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
