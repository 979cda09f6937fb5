package core

import (
	"strconv"
	"strings"

	"gopherlo/jaxlike/dtype"
)

// Param is one named parameter of an equation.
type Param struct {
	Name string
	Val  any
}

// Params are an equation's parameters in the order in which they were bound.
// Values are int, float64, bool, string, nil (None), [Ints], [Tuple], [List],
// dtype.DType, *Jaxpr, []*Jaxpr, or a type that prints itself ([PyReprer]).
type Params []Param

// Int is an element of an integer list. NP marks an integer that JAX's rule
// computes with NumPy and that therefore prints as np.int64(1).
type Int struct {
	V  int
	NP bool
}

// Ints is a Python tuple of ints.
type Ints []Int

// NewInts makes a tuple of plain ints.
func NewInts(vs ...int) Ints {
	out := make(Ints, len(vs))
	for i, v := range vs {
		out[i].V = v
	}
	return out
}

// NPInts makes a tuple of ints that all print as NumPy ints.
func NPInts(vs ...int) Ints {
	out := make(Ints, len(vs))
	for i, v := range vs {
		out[i] = Int{v, true}
	}
	return out
}

// Values are the plain numbers.
func (t Ints) Values() []int {
	out := make([]int, len(t))
	for i, v := range t {
		out[i] = v.V
	}
	return out
}

// Tuple is a Python tuple, List a Python list, of parameter values.
type (
	Tuple []any
	List  []any
)

// PyReprer is a parameter value that knows how Python prints it.
type PyReprer interface{ PyRepr() string }

// P makes Params from alternating names and values.
func P(kv ...any) Params {
	out := make(Params, 0, len(kv)/2)
	for i := 0; i+1 < len(kv); i += 2 {
		out = append(out, Param{kv[i].(string), kv[i+1]})
	}
	return out
}

// Get is the value named name; nil when there is none.
func (p Params) Get(name string) any {
	for i := range p {
		if p[i].Name == name {
			return p[i].Val
		}
	}
	return nil
}

// With is a copy of p in which name has the value val (added last when new).
func (p Params) With(name string, val any) Params {
	out := make(Params, len(p), len(p)+1)
	copy(out, p)
	for i := range out {
		if out[i].Name == name {
			out[i].Val = val
			return out
		}
	}
	return append(out, Param{name, val})
}

// Ints is the integer tuple named name as plain ints (nil for None).
func (p Params) Ints(name string) []int {
	t, _ := p.Get(name).(Ints)
	if t == nil {
		return nil
	}
	return t.Values()
}

// IntTuple is the integer tuple named name with its NumPy marks.
func (p Params) IntTuple(name string) Ints {
	t, _ := p.Get(name).(Ints)
	return t
}

// Int is the integer named name.
func (p Params) Int(name string) int {
	switch v := p.Get(name).(type) {
	case int:
		return v
	case Int:
		return v.V
	}
	return 0
}

// Bool, Str, DType and Jaxpr give the value named name in its type.
func (p Params) Bool(name string) bool { b, _ := p.Get(name).(bool); return b }

// Str is the string named name.
func (p Params) Str(name string) string { s, _ := p.Get(name).(string); return s }

// DType is the element type named name.
func (p Params) DType(name string) dtype.DType { d, _ := p.Get(name).(dtype.DType); return d }

// Jaxpr is the sub-jaxpr named name.
func (p Params) Jaxpr(name string) *Jaxpr { j, _ := p.Get(name).(*Jaxpr); return j }

// Key is a string that equal parameter lists share; sub-jaxprs count by identity.
func (p Params) Key() string {
	var b strings.Builder
	for _, q := range p {
		b.WriteString(q.Name)
		b.WriteByte('=')
		writeKey(&b, q.Val)
		b.WriteByte(';')
	}
	return b.String()
}

func writeKey(b *strings.Builder, v any) {
	switch v := v.(type) {
	case *Jaxpr:
		b.WriteString("jaxpr#")
		b.WriteString(strconv.FormatInt(v.id(), 10))
	case []*Jaxpr:
		for _, j := range v {
			writeKey(b, j)
			b.WriteByte(',')
		}
	case JaxprHolder:
		writeKey(b, v.Jaxprs())
	default:
		b.WriteString(PyRepr(v))
	}
}
