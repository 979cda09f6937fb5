package array

import (
	"fmt"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/arraytext"
	"gopherlo/jaxlike/core"
)

func init() { ad.ConstRepr = constRepr }

func constRepr(c *core.Const) string {
	if c.Aval().NDim() == 0 {
		return textOf(c, false)
	}
	return textOf(c, true)
}

func textOf(c *core.Const, repr bool) string {
	a := c.Aval()
	var text string
	err := c.View(func(data []byte) error {
		t := arraytext.Array{DType: a.DType, Shape: a.Shape, Weak: a.Weak, Data: data}
		if repr {
			text = t.Repr()
		} else {
			text = t.Str()
		}
		return nil
	})
	if err != nil {
		panic(err) // printing a deleted array is an error in JAX too
	}
	return text
}

// String is the array as JAX's str prints it: the elements alone. Several
// results print as a tuple or dict of their reprs.
func (a Array) String() string { return a.text(false) }

// Repr is the array as JAX's repr prints it: Array([1., 2.], dtype=float32).
func (a Array) Repr() string { return a.text(true) }

func (a Array) text(repr bool) string {
	switch {
	case a.many != nil:
		texts := make([]string, len(a.many.Leaves))
		for i, l := range a.many.Leaves {
			texts[i] = New(l).Repr()
		}
		return a.many.Def.Fill(texts)
	case a.v == nil:
		return "Array(<unset>)"
	}
	switch v := a.v.(type) {
	case *core.Const:
		return textOf(v, repr)
	case core.Tracer:
		return v.Repr()
	}
	return fmt.Sprint(a.v)
}

// Format prints %v and %s as str, %+v and %#v as repr, and elements with the
// verbs of numbers.
func (a Array) Format(f fmt.State, verb rune) {
	if c, ok := a.v.(*core.Const); ok {
		if err := c.View(func([]byte) error { return nil }); err != nil {
			fmt.Fprint(f, err) // fmt would print a panic as one, so that no error can come out of here
			return
		}
	}
	switch verb {
	case 'v', 's':
		s := a.String()
		if verb == 'v' && (f.Flag('+') || f.Flag('#')) {
			s = a.Repr()
		}
		fmt.Fprintf(f, stringFormat(f), s)
	case 'd', 'b', 'o', 'x', 'X', 'c', 'U', 'e', 'E', 'f', 'F', 'g', 'G', 't':
		if _, ok := a.v.(*core.Const); !ok { // a tracer, or several results
			fmt.Fprintf(f, stringFormat(f), a.String())
			return
		}
		a.formatElements(f, verb)
	default:
		fmt.Fprintf(f, "%%!%c(jax.Array=%s)", verb, a.String())
	}
}

// formatElements prints every element with the verb, in the brackets that Go
// gives slices of slices.
func (a Array) formatElements(f fmt.State, verb rune) {
	shape := a.Shape()
	if len(shape) == 0 {
		a.formatOne(f, verb)
		return
	}
	fmt.Fprint(f, "[")
	for i := range shape[0] {
		if i > 0 {
			fmt.Fprint(f, " ")
		}
		a.part(i).formatElements(f, verb)
	}
	fmt.Fprint(f, "]")
}

// part is one row of a concrete array, on the host.
func (a Array) part(i int) Array {
	aval, data := a.host(core.RaiseArray)
	n := len(data) / aval.Shape[0]
	return New(core.NewHostConst(core.NewAval(aval.DType, aval.Shape[1:]...), data[i*n:(i+1)*n]))
}

func (a Array) formatOne(f fmt.State, verb rune) {
	switch verb {
	case 'd', 'b', 'o', 'x', 'X', 'c', 'U':
		fmt.Fprintf(f, fmt.FormatString(f, verb), a.Int())
	case 'e', 'E', 'f', 'F', 'g', 'G':
		fmt.Fprintf(f, fmt.FormatString(f, verb), a.Float())
	case 't':
		fmt.Fprintf(f, fmt.FormatString(f, verb), a.Bool())
	}
}

func stringFormat(f fmt.State) string {
	s := "%"
	if f.Flag('-') {
		s += "-"
	}
	if w, ok := f.Width(); ok {
		s += fmt.Sprint(w)
	}
	return s + "s"
}

// MIMEBundle is how a cell shows the array.
func (a Array) MIMEBundle() map[string]any { return map[string]any{"text/plain": a.Repr()} }
