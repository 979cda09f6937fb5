package stages

import (
	"fmt"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla/hlo"
)

// ArgInfo is what a staged program knows of one array of its arguments.
type ArgInfo struct {
	Aval    *core.ShapedArray
	Donated bool
}

// String is the info as JAX prints it.
func (i ArgInfo) String() string {
	return "ArgInfo(_aval=" + i.Aval.PyRepr() + ", donated=" + core.PyRepr(i.Donated) + ")"
}

// ResultInfo is the type of one array of a compiled program's results, with its
// place and its layout in memory.
type ResultInfo struct {
	array.ShapeDtypeStruct
	Device       string
	MajorToMinor []int
}

// String is the info as JAX prints it.
func (i ResultInfo) String() string {
	return "ShapeDtypeStruct(shape=" + core.PyRepr(core.NewInts(i.Shape...)) + ", dtype=" + i.DType.String() +
		", sharding=SingleDeviceSharding(device=" + i.Device + ", memory_kind=device)" +
		", format=Layout(major_to_minor=" + core.PyRepr(core.NewInts(i.MajorToMinor...)) + ", tiling=(), sub_byte_element_size_in_bits=0))"
}

// signature is the structure of a call: positional arguments and, as in JAX,
// keyword arguments, which Go has none of.
func (a *Args) signature(leaves []any) any {
	return tree.Tuple{a.Def.Unflatten(leaves), map[string]any{}}
}

func (a *Args) tree() *tree.Def {
	leaves := make([]any, a.Def.NumLeaves())
	for i := range leaves {
		leaves[i] = i
	}
	_, def := tree.Flatten(a.signature(leaves))
	return def
}

// FunName is the name of the traced function.
func (t *Traced) FunName() string { return t.Fn.Name }

// InTree is the structure of the arguments: the positional ones and no keywords.
func (t *Traced) InTree() *tree.Def { return t.Args.tree() }

// OutTree is the structure of the results.
func (t *Traced) OutTree() *tree.Def { return t.Trace.OutDef }

// InAvals are the types of the arguments, in their structure.
func (t *Traced) InAvals() any {
	leaves := make([]any, len(t.Args.Avals))
	for i, a := range t.Args.Avals {
		leaves[i] = a
	}
	return t.Args.signature(leaves)
}

// ArgsInfo tells of every argument its type and whether it is donated.
func (t *Traced) ArgsInfo() any {
	donated := t.DonateArgnums()
	leaves := make([]any, len(t.Args.Avals))
	for i, a := range t.Args.Avals {
		leaves[i] = ArgInfo{Aval: a, Donated: slices.Contains(donated, i)}
	}
	return t.Args.signature(leaves)
}

// DonateArgnums are the indices of the donated arrays among all arrays of the
// arguments.
func (t *Traced) DonateArgnums() []int {
	var out []int
	for i, is := range t.Opts.donation(t.Args) {
		if is {
			out = append(out, i)
		}
	}
	return out
}

// OutInfo are the types of the results, in their structure.
func (t *Traced) OutInfo() any { return t.outInfo(true) }

func (t *Traced) outInfo(weak bool) any {
	avals := t.Trace.Jaxpr.OutAvals()
	leaves := make([]any, len(avals))
	for i, a := range avals {
		s := array.StructOf(a)
		s.WeakType = s.WeakType && weak
		leaves[i] = s
	}
	return t.Trace.OutDef.Unflatten(leaves)
}

// InAvals are the types of the arguments, in their structure.
func (l *Lowered) InAvals() any { return l.traced.InAvals() }

// ArgsInfo tells of every argument its type and whether it is donated.
func (l *Lowered) ArgsInfo() any { return l.traced.ArgsInfo() }

// DonateArgnums are the indices of the donated arrays among all arrays of the
// arguments.
func (l *Lowered) DonateArgnums() []int { return l.traced.DonateArgnums() }

// OutInfo are the types of the results, in their structure. Whether a type was
// weak does not show in a lowered program.
func (l *Lowered) OutInfo() any { return l.traced.outInfo(false) }

// InAvals are the types of the arguments, in their structure.
func (f Compiled) InAvals() any { return f.inside().traced.InAvals() }

// ArgsInfo tells of every argument its type and whether it is donated.
func (f Compiled) ArgsInfo() any { return f.inside().traced.ArgsInfo() }

// DonateArgnums are the indices of the donated arrays among all arrays of the
// arguments.
func (f Compiled) DonateArgnums() []int { return f.inside().traced.DonateArgnums() }

// OutInfo are the types of the results with their device and layout, in their
// structure.
func (f Compiled) OutInfo() any {
	t := f.inside().traced
	shapes, device := f.resultShapes(), fmt.Sprintf("%#v", Client().Devices()[0])
	avals := t.Trace.Jaxpr.OutAvals()
	leaves := make([]any, len(avals))
	for i, a := range avals {
		s := array.StructOf(a)
		s.WeakType = false
		leaves[i] = ResultInfo{s, device, majorToMinor(shapes, i, len(a.Shape))}
	}
	return t.Trace.OutDef.Unflatten(leaves)
}

// resultShapes are the shapes of the results as they lie in memory.
func (f Compiled) resultShapes() []hlo.Shape {
	m := f.HLO()
	if m.Config == nil || m.Config.EntryComputationLayout == nil {
		return nil
	}
	s := m.Config.EntryComputationLayout.Result
	if s.ElementType == hlo.Tuple {
		return s.Tuple
	}
	return []hlo.Shape{s}
}

// majorToMinor are the dimensions of result i in the order of memory, slowest
// first: that of rows where the program says nothing else.
func majorToMinor(shapes []hlo.Shape, i, rank int) []int {
	out := make([]int, rank)
	for d := range out {
		out[d] = d
	}
	if i >= len(shapes) || shapes[i].Layout == nil || len(shapes[i].Layout.MinorToMajor) != rank {
		return out
	}
	for d, dim := range shapes[i].Layout.MinorToMajor {
		out[rank-1-d] = int(dim)
	}
	return out
}
