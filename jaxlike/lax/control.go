package lax

import (
	"reflect"
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// The functions of control flow take Go functions over pytrees. Values that
// change from one iteration to the next must be Arrays (or trees of them); a
// field of plain Go type, such as n int, keeps its value, as under jit.

// operand is an argument of a loop or branch, taken apart.
type operand struct {
	raw   []any
	vals  []core.Value
	avals []*core.ShapedArray
	def   *tree.Def
}

// operandOptions is how operands are taken apart: as arguments of jit are.
var operandOptions = tree.Options{Static: true, HostArrays: true, Expand: array.Expand}

// takeApart flattens x, an argument of the place that f declares.
func takeApart(x any, place reflect.Type) *operand {
	o := &operand{}
	o.raw, o.def = tree.FlattenWith(x, place, operandOptions)
	for _, l := range o.raw {
		v, ok := array.ToValue(l)
		if !ok {
			core.TypeErrorf("Value %s with type %s is not a valid JAX type", tree.ClassLiteral(l), tree.ClassOf(l))
		}
		o.vals, o.avals = append(o.vals, v), append(o.avals, v.Aval())
	}
	return o
}

// tree gives the operand as an Array or tree of Arrays.
func (o *operand) tree() any { return treeOf(o.def, o.vals) }

func treeOf(def *tree.Def, vals []core.Value) any {
	arrays := make([]any, len(vals))
	for i, v := range vals {
		arrays[i] = array.New(v)
	}
	return def.Unflatten(arrays)
}

// place is the declared type of parameter i, if values can vary there: an array
// or container.
func place(f *stages.Callable, api string, i int) reflect.Type {
	t := f.Place(i)
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Interface:
		return t
	}
	core.TypeErrorf("%s: parameter %d of %s has the Go type %s, which is fixed while tracing; declare it as an Array", api, i, f.Name, t)
	return nil
}

// callable makes a Callable of f or raises message.
func callable(f any, message string) *stages.Callable {
	if !stages.IsCallable(f) {
		core.TypeErrorf("%s", message)
	}
	return stages.NewCallable(f)
}

// body is a staged function of a loop or branch: its constants are leading
// inputs.
type body struct {
	jaxpr  *core.Jaxpr
	consts []core.Value
	def    *tree.Def
	avals  []*core.ShapedArray
}

// stage stages f for arguments of the given types and structures. names are the
// arguments' names for error texts (nil: f's own).
func stage(f *stages.Callable, api string, names []string, args ...*operand) *body {
	a := &stages.Args{Count: len(args), Names: names}
	defs := make([]*tree.Def, len(args))
	for i, o := range args {
		defs[i] = o.def
		a.Avals = append(a.Avals, o.avals...)
	}
	a.Def = tree.TupleDef(defs...)
	if len(f.In) > 0 { // the user's own, not one made around it
		f.CheckCount(len(args))
	}
	t := f.TraceArgs(a, api)
	b := &body{jaxpr: t.Jaxpr, consts: t.Consts, def: t.OutDef, avals: t.Jaxpr.OutAvals()}
	if len(b.consts) == 0 && len(b.jaxpr.Consts) > 0 {
		b.consts = b.jaxpr.Consts
		b.jaxpr = t.Jaxpr.Memo("separate", func() any {
			j, _ := t.Jaxpr.SeparateConsts()
			return j
		}).(*core.Jaxpr)
	}
	return b
}

// retyped is the operand with other values.
func (o *operand) retyped(vals []core.Value) *operand {
	n := &operand{raw: o.raw, def: o.def, vals: vals}
	for _, v := range vals {
		n.avals = append(n.avals, v.Aval())
	}
	return n
}

// promoteWeak converts weak initial values to what the body gives back, where
// that is another type; it tells whether any was.
func (o *operand) promoteWeak(out []*core.ShapedArray) (*operand, bool) {
	vals := slices.Clone(o.vals)
	changed := false
	for i, a := range o.avals {
		if !a.Weak || a.SameType(out[i]) {
			continue
		}
		t, err := dtype.Promote(core.X64(), dtype.Type{DType: a.DType, Weak: true}, dtype.Type{DType: out[i].DType, Weak: out[i].Weak})
		if err != nil {
			core.Raise("TypePromotionError", "%s", err)
		}
		vals[i], changed = convert(vals[i], t.DType, false), true
	}
	return o.retyped(vals), changed
}

// checkCarry raises JAX's errors for a body that gives back another structure
// or other types than it took (_check_carry_type in loops.py).
func checkCarry(name, param string, in *operand, outDef *tree.Def, out []*core.ShapedArray) {
	component := func(p tree.Path) string {
		switch {
		case param != "":
			return "the input carry component " + param + p.String()
		case len(p) > 0:
			return "the input carry at path " + p.String()
		}
		return "the input carry"
	}
	if param != "" {
		whole := component
		component = func(p tree.Path) string {
			if len(p) == 0 {
				return "the input carry " + param
			}
			return whole(p)
		}
	}
	if ms := in.def.Mismatches(outDef); len(ms) > 0 {
		diffs := make([]string, len(ms))
		for i, m := range ms {
			diffs[i] = component(m.Path) + " is a " + avalClass(m.Seen) + " but the corresponding component of the carry output is a " + avalClass(m.Given) + ", so " + m.Why
		}
		core.TypeErrorf("%s function carry input and carry output must have the same pytree structure, but they differ:\n\n%s\nRevise the function so that the carry output has the same pytree structure as the carry input.",
			name, bullets(diffs, ";\n"))
	}
	var diffs []string
	paths := in.def.Paths()
	for i, a := range in.avals {
		if !a.SameType(out[i]) {
			diffs = append(diffs, component(paths[i])+" has type "+a.Long()+" but the corresponding output carry component has type "+out[i].Long()+a.Mismatch(out[i]))
		}
	}
	if len(diffs) > 0 {
		core.TypeErrorf("%s function carry input and carry output must have equal types, but they differ:\n\n%s\nRevise the function so that all output types match the corresponding input types.",
			name, bullets(diffs, ";\n"))
	}
}

// bullets lists differences: one as a sentence, several as a list.
func bullets(diffs []string, end string) string {
	if len(diffs) == 1 {
		return capitalize(diffs[0]) + ".\n"
	}
	var b strings.Builder
	for i, d := range diffs {
		switch {
		case i < len(diffs)-1:
			b.WriteString("  * " + d + end)
			if end == ";\n" {
				b.WriteByte('\n')
			}
		case end == ";\n":
			b.WriteString("  * " + d + ".\n")
		default:
			b.WriteString("\n  * " + d + ".\n")
		}
	}
	return b.String()
}

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func avalTexts(as []*core.ShapedArray) []string {
	out := make([]string, len(as))
	for i, a := range as {
		out[i] = a.PyText()
	}
	return out
}

func firstParam(f *stages.Callable) string {
	if len(f.Params) > 0 {
		return f.Params[0]
	}
	return ""
}

// result puts values together in the form that the function gave.
func result(def *tree.Def, vals []core.Value) array.Array { return array.NewResults(vals, def) }

// apply1 calls f with trees of Arrays and gives its result.
func apply1(f *stages.Callable, args ...any) any { return f.Apply(args) }

// avalClass words a leaf as the class that it has in trees of types.
func avalClass(thing string) string {
	if thing == "pytree leaf" {
		return "<class 'jax._src.core.ShapedArray'>"
	}
	return thing
}
