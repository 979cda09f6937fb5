package lax

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/kw"
)

// AssociativeScan combines elements along an axis with an associative function
// of two arguments, in parallel: result i is the combination of elements 0 to i.
// elems may be a tree. Options: Reverse, Axis.
func AssociativeScan(f, elems any, opts ...kw.AssociativeScanOption) array.Array {
	fn := callable(f, "lax.associative_scan: fn argument should be callable.")
	s := kw.Collect(opts)
	axis := 0
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	x := takeApart(elems, place(fn, "associative_scan", 0))
	vals := slices.Clone(x.vals)
	if s.Reverse {
		for i, v := range vals {
			vals[i] = revDim(v, axis)
		}
	}
	axis = core.CanonicalAxis(axis, vals[0].Aval().NDim())
	n := vals[0].Aval().Shape[axis]
	var shapes []string
	same := true
	for _, v := range vals {
		shapes = append(shapes, shapeText(v.Aval().Shape))
		same = same && v.Aval().Shape[axis] == n
	}
	if !same {
		core.ValueErrorf("Array inputs to associative_scan must have the same first dimension. (saw: [%s])", strings.Join(shapes, ", "))
	}
	a := &assocScan{axis: axis, combine: func(l, r []core.Value) []core.Value {
		out, _ := fn.FlattenResult(apply1(fn, treeOf(x.def, l), treeOf(x.def, r)), "associative_scan")
		return out
	}}
	out := a.scan(vals)
	if s.Reverse {
		for i, v := range out {
			out[i] = revDim(v, axis)
		}
	}
	return result(x.def, out)
}

// assocScan is a scan along an axis with a function of two lists of elements.
type assocScan struct {
	combine func(x, y []core.Value) []core.Value
	axis    int
	depth   int
}

// part slices all elements along the axis; negative limits count from the end.
func (a *assocScan) part(xs []core.Value, start, limit, stride int) []core.Value {
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		l := limit
		switch n := x.Aval().Shape[a.axis]; {
		case l == atEnd:
			l = n
		case l < 0:
			l += n
		}
		out[i] = sliceInDim(x, start, l, stride, a.axis)
	}
	return out
}

// atEnd is the limit of a part that goes to the end.
const atEnd = 1 << 60

// maxDepth is more halvings than any length has: a function whose results do not
// have the length of its operands would be asked without end.
const maxDepth = 64

// scan halves the problem: odd results are a scan of combined pairs, even ones
// follow from them.
func (a *assocScan) scan(xs []core.Value) []core.Value {
	n := xs[0].Aval().Shape[a.axis]
	if n < 2 {
		return xs
	}
	if a.depth++; a.depth > maxDepth {
		core.Raise("RecursionError", "maximum recursion depth exceeded")
	}
	reduced := a.combine(a.part(xs, 0, -1, 2), a.part(xs, 1, atEnd, 2))
	odd := a.scan(reduced)
	before := odd
	if n%2 == 0 {
		before = a.part(odd, 0, -1, 1)
	}
	even := a.combine(before, a.part(xs, 2, atEnd, 2))
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = concatenate([]core.Value{sliceInDim(x, 0, 1, 1, a.axis), even[i]}, a.axis)
	}
	for i := range out {
		out[i] = interleaveDim(out[i], odd[i], a.axis)
	}
	return out
}

func revDim(x core.Value, axis int) core.Value {
	return RevP.Bind1(core.P("dimensions", core.NewInts(axis)), x)
}

// interleaveDim takes elements of x and y in turn.
func interleaveDim(x, y core.Value, axis int) core.Value {
	a := x.Aval()
	px, py := make([]PadDim, a.NDim()), make([]PadDim, a.NDim())
	equal := a.Shape[axis] == y.Aval().Shape[axis]
	px[axis].Interior.V, py[axis].Interior.V, py[axis].Low.V = 1, 1, 1
	if equal {
		px[axis].High.V = 1
	} else {
		py[axis].High.V = 1
	}
	xp, yp := pad(x, constLike(x, 0), px), pad(y, constLike(y, 0), py)
	if a.DType.IsBool() {
		return or(xp, yp)
	}
	return add(xp, yp)
}
