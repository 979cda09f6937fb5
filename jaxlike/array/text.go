package array

import (
	"fmt"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/arraytext"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
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
// other verbs as Go prints numbers of their type: %d of a float is %!d(float32=2.5).
// Only %f, %e and %g take integers too, as Python's do.
func (a Array) Format(f fmt.State, verb rune) {
	c, known := a.v.(*core.Const)
	if known {
		if err := c.View(func([]byte) error { return nil }); err != nil {
			fmt.Fprint(f, err) // fmt would print a panic as one, so that no error can come out of here
			return
		}
	}
	switch {
	case verb == 'v' || verb == 's':
		s := a.String()
		if verb == 'v' && (f.Flag('+') || f.Flag('#')) {
			s = a.Repr()
		}
		fmt.Fprintf(f, stringFormat(f), s)
	case !strings.ContainsRune("dboOxXcqUeEfFgGt", verb) || known && c.Aval().DType.IsExtended():
		fmt.Fprintf(f, "%%!%c(jax.Array=%s)", verb, a.String())
	case !known: // a tracer, or several results
		fmt.Fprintf(f, stringFormat(f), a.String())
	default:
		a.view(func(aval *core.ShapedArray, data []byte) { formatElements(f, verb, aval.DType, aval.Shape, data) })
	}
}

// formatElements prints every element with the verb, in the brackets that Go
// gives slices of slices.
func formatElements(f fmt.State, verb rune, dt dtype.DType, dims []int, data []byte) {
	if len(dims) == 0 {
		fmt.Fprintf(f, fmt.FormatString(f, verb), goNumber(dt, data, strings.ContainsRune("eEfFgG", verb)))
		return
	}
	size := len(data) / max(dims[0], 1)
	fmt.Fprint(f, "[")
	for i := range dims[0] {
		if i > 0 {
			fmt.Fprint(f, " ")
		}
		formatElements(f, verb, dt, dims[1:], data[i*size:(i+1)*size])
	}
	fmt.Fprint(f, "]")
}

// goNumber is an element as a number of Go, floats in the precision that they
// have; a verb for floats makes floats of integers and bools.
func goNumber(dt dtype.DType, data []byte, float bool) any {
	switch x := dt.Get(data).(type) {
	case float64:
		if dt.Bits() <= 32 {
			return float32(x)
		}
		return x
	case complex128:
		if dt == dtype.Complex64 {
			return complex64(x)
		}
		return x
	default:
		if float {
			return float64(dt.GetInt(data))
		}
		return x
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
