package jaxlike

import (
	"fmt"
	"sort"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// Vmap maps f over a dimension of its arguments. Options: InAxes, OutAxes,
// AxisName, AxisSize.
func Vmap(f any, opts ...Option) Func {
	s := gather("vmap", opts, "in_axes", "out_axes", "axis_name", "axis_size")
	fn := stages.NewCallable(f)
	checkAxes(s.inAxes)
	info := &funcInfo{fn: fn}
	info.call = func(args []any) Array { return vmapCall(fn, s, args) }
	return newFunc(info)
}

// checkAxes refuses at once what can be no specification of arguments' axes.
func checkAxes(spec any) {
	switch spec.(type) {
	case nil, int, Tuple:
	default:
		core.TypeErrorf("vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, but got %s.", specText(spec))
	}
	leaves, _ := tree.FlattenWith(spec, nil, tree.Options{})
	for _, l := range leaves {
		if _, ok := l.(int); !ok && l != nil {
			core.TypeErrorf("vmap in_axes must be an int, None, or (nested) container with those types as leaves, but got %s.", tree.ClassLiteral(spec))
		}
	}
}

// specText is a specification as Python prints it: bare strings without quotes.
func specText(spec any) string {
	if s, ok := spec.(string); ok {
		return s
	}
	return tree.ClassLiteral(spec)
}

func vmapCall(fn *stages.Callable, s *settings, args []any) Array {
	if t, ok := s.inAxes.(Tuple); ok && len(t) != len(args) {
		core.ValueErrorf("vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, but got len(in_axes)=%d, len(args)=%d.", len(t), len(args))
	}
	a := fn.Flatten(args, nil, "vmap")
	dims := axes("vmap in_axes", s.inAxes, a.Def, func(i int) []int { return a.Avals[i].Shape })
	size := mappedSize(fn, a, dims, s)
	var def *tree.Def
	outs := batching.Batch(func(vals []core.Value) []core.Value {
		var o []core.Value
		o, def = fn.Run(a, vals, "vmap")
		return o
	}, core.AxisData{Name: s.axisName, Size: size}, a.Leaves, dims, func(srcs []int) []int {
		return axes("vmap out_axes", s.outAxes, def, nil)
	})
	return array.NewResults(outs, def)
}

// axes broadcasts an axis specification to the leaves of a tree, in which a map
// may stand for a struct; shape gives the shape of a leaf, for negative axes (nil:
// they stay).
func axes(name string, spec any, def *tree.Def, shape func(i int) []int) []int {
	spec, err := tree.ForFields(name, spec, def)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	vals, err := tree.BroadcastPrefix(name, spec, def, false)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	out := make([]int, len(vals))
	for i, v := range vals {
		switch v := v.(type) {
		case nil:
			out[i] = core.NotMapped
		case int:
			switch {
			case v >= 0:
				out[i] = v
			case shape == nil:
				out[i] = batching.FromEnd(v)
			case v+len(shape(i)) < 0:
				wrongRank(v, -v, shape(i))
			default:
				out[i] = v + len(shape(i))
			}
		default:
			core.TypeErrorf("%s must be an int, None, or (nested) container with those types as leaves, but got %v.", name, v)
		}
	}
	return out
}

func wrongRank(axis, min int, shape []int) {
	core.ValueErrorf("vmap was requested to map its argument along axis %d, which implies that its rank should be at least %d, but is only %d (its shape is %s)", axis, min, len(shape), core.PyRepr(core.NewInts(shape...)))
}

// mappedSize is the size of the mapped axis, on which all arguments must agree.
func mappedSize(fn *stages.Callable, a *stages.Args, dims []int, s *settings) int {
	if len(a.Leaves) == 0 {
		if s.axisSize > 0 {
			return s.axisSize
		}
		panic(&core.Error{
			Name:    "ValueError",
			Message: "vmap wrapped function must be passed at least one argument containing an array or axis_size must be specified, got empty *args=() and **kwargs={}",
			Advice:  argsAdvice(fn, a.Def),
		})
	}
	sizes := make([]int, len(dims))
	counts := map[int]int{}
	var order []int
	for i, d := range dims {
		sizes[i] = -1
		if d == core.NotMapped {
			continue
		}
		sh := a.Avals[i].Shape
		if d >= len(sh) {
			core.ValueErrorf("vmap was requested to map its argument along axis %d, which implies that its rank should be at least %d, but is only %d (its shape is %s)", d, d+1, len(sh), shapeText(a.Avals[i]))
		}
		sizes[i] = sh[d]
		if counts[sh[d]] == 0 {
			order = append(order, sh[d])
		}
		counts[sh[d]]++
	}
	if s.axisSize > 0 && counts[s.axisSize] == 0 {
		order = append(order, s.axisSize)
	}
	switch len(order) {
	case 0:
		core.ValueErrorf("vmap must have at least one non-None value in in_axes or axis_size must be specified")
	case 1:
		return order[0]
	}
	raiseSizes(fn, a, dims, sizes, counts, order, s)
	return 0
}

// raiseSizes words the disagreement of sizes as JAX does: the commonest size
// first, each with an example.
func raiseSizes(fn *stages.Callable, a *stages.Args, dims, sizes []int, counts map[int]int, order []int, s *settings) {
	var b strings.Builder
	b.WriteString("vmap got inconsistent sizes for array axes to be mapped:\n")
	if s.axisSize > 0 {
		fmt.Fprintf(&b, "  * the `axis_size` argument was %d;\n", s.axisSize)
	}
	seen := order[:0:0]
	for _, n := range order {
		if counts[n] > 0 {
			seen = append(seen, n)
		}
	}
	sort.SliceStable(seen, func(i, j int) bool { return counts[seen[i]] > counts[seen[j]] })
	names := fn.ArgumentPaths(a)
	for k, n := range seen {
		i := indexOf(sizes, n)
		ex := fmt.Sprintf("axis %d of %s of type %s", dims[i], names[i], a.Avals[i].Long())
		switch ct := counts[n]; {
		case ct == 1:
			fmt.Fprintf(&b, "  * one axis had size %d: %s;\n", n, ex)
		case k == 0:
			fmt.Fprintf(&b, "  * most axes (%d of them) had size %d, e.g. %s;\n", ct, n, ex)
		default:
			fmt.Fprintf(&b, "  * some axes (%d of them) had size %d, e.g. %s;\n", ct, n, ex)
		}
	}
	core.ValueErrorf("%s", strings.TrimSuffix(b.String(), ";\n"))
}

func indexOf(xs []int, x int) int {
	for i, v := range xs {
		if v == x {
			return i
		}
	}
	return -1
}
