package lax

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// abstractEval is the shape of an AbstractEval slot.
type abstractEval = func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray

// accepted is a set of element types with the name that error texts give it.
type accepted struct {
	name string
	has  func(dtype.DType) bool
}

// The sets that primitives accept. The names are those of NumPy's abstract
// types, in the order in which JAX lists them.
var (
	acceptInexact   = accepted{"floating, complexfloating", dtype.DType.IsInexact}
	acceptFloat     = accepted{"floating", dtype.DType.IsFloat}
	acceptComplex   = accepted{"complexfloating", dtype.DType.IsComplex}
	acceptInt       = accepted{"integer", dtype.DType.IsInt}
	acceptNum       = accepted{"integer, complexfloating, floating", func(d dtype.DType) bool { return d.IsInt() || d.IsInexact() }}
	acceptIntFloat  = accepted{"integer, floating", func(d dtype.DType) bool { return d.IsInt() || d.IsFloat() }}
	acceptAny       = accepted{"integer, bool, complexfloating, floating", func(d dtype.DType) bool { return d.IsInt() || d.IsInexact() || d.IsBool() }}
	acceptBoolOrInt = accepted{"integer, bool", func(d dtype.DType) bool { return d.IsInt() || d.IsBool() }}
	acceptOrdered   = accepted{"integer, bool, floating", func(d dtype.DType) bool { return d.IsInt() || d.IsFloat() || d.IsBool() }}
	acceptSigned    = accepted{"floating, complexfloating, signedinteger", func(d dtype.DType) bool { return d.IsSigned() || d.IsInexact() }}
	acceptRealParts = accepted{"float32, float64", func(d dtype.DType) bool { return d == dtype.Float32 || d == dtype.Float64 }}
)

const float0Text = "float0s do not support any operations by design, because they are not compatible with non-trivial vector spaces. " +
	"No implicit dtype conversion is done. You can use np.zeros_like(arr, dtype=np.float) to cast a float0 array to a regular zeros array. \n" +
	"If you didn't expect to get a float0 you might have accidentally taken a gradient with respect to an integer argument."

// unop is the type rule of elementwise primitives with one operand.
func unop(name string, accept accepted, result func(dtype.DType) dtype.DType) abstractEval {
	return func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
		d := in[0].DType
		if d == dtype.Float0 {
			core.TypeErrorf("Called %s with a float0 array. %s", name, float0Text)
		}
		if !accept.has(d) {
			core.TypeErrorf("%s does not accept dtype %s. Accepted dtypes are subtypes of %s.", name, d, accept.name)
		}
		return []*core.ShapedArray{in[0].WithDType(result(d), in[0].Weak)}
	}
}

// same and toBool are the result types of most elementwise primitives.
func same(d dtype.DType) dtype.DType { return d }

func toBool(dtype.DType) dtype.DType { return dtype.Bool }

// nary is the type rule of elementwise primitives with several operands, which
// broadcast scalars and dimensions of size 1.
func nary(name string, result func(dtype.DType) dtype.DType, accept ...accepted) abstractEval {
	return func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
		shape := broadcastOperands(name, in)
		checkAccepted(name, in, accept)
		checkSameDTypes(name, in)
		return []*core.ShapedArray{{Shape: shape, DType: result(in[0].DType), Weak: allWeak(in)}}
	}
}

func checkAccepted(name string, in []*core.ShapedArray, accept []accepted) {
	for i, a := range in {
		switch {
		case accept[i].has(a.DType):
		case a.DType == dtype.Float0:
			core.TypeErrorf("Called %s with a float0 at position %d. %s", name, i, float0Text)
		case a.DType.IsExtended() && (name == "eq" || name == "ne"):
		default:
			core.TypeErrorf("%s does not accept dtype %s at position %d. Accepted dtypes at position %d are subtypes of %s.",
				name, a.DType, i, i, accept[i].name)
		}
	}
}

func allWeak(in []*core.ShapedArray) bool {
	for _, a := range in {
		if !a.Weak {
			return false
		}
	}
	return true
}

// jnpNames are the jnp functions that do what a lax function does with
// promotion of types; errors point to them (lax.py, _JNP_FUNCTION_EQUIVALENTS).
var jnpNames = map[string]string{
	"abs": "fabs", "acos": "arccos", "acosh": "arccosh", "add": "add", "asin": "arcsin", "asinh": "arcsinh",
	"atan": "arctan", "atan2": "arctan2", "atanh": "arctanh", "cbrt": "cbrt", "ceil": "ceil",
	"concatenate": "concatenate", "cos": "cos", "cosh": "cosh", "div": "divide", "eq": "equal", "exp": "exp",
	"expm1": "expm1", "floor": "floor", "log": "log", "log1p": "log1p", "max": "maximum", "min": "minimum",
	"mul": "multiply", "ne": "not_equal", "neg": "negative", "nextafter": "nextafter", "pow": "float_power",
	"round": "round", "select": "where", "shift_left": "left_shift", "shift_right_logical": "right_shift",
	"shift_right_arithmetic": "right_shift", "sign": "sign", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt",
	"sub": "subtract", "tan": "tan", "tanh": "tanh",
}

func checkSameDTypes(name string, in []*core.ShapedArray) {
	names := make([]string, len(in))
	differ := false
	for i, a := range in {
		if a.DType.IsExtended() {
			return
		}
		names[i] = a.DType.String()
		differ = differ || a.DType != in[0].DType
	}
	if !differ {
		return
	}
	msg := fmt.Sprintf("lax.%s requires arguments to have the same dtypes, got %s.", name, strings.Join(names, ", "))
	if equiv := jnpNames[name]; equiv != "" {
		msg += fmt.Sprintf(" (Tip: jnp.%s is a similar function that does automatic type promotion on inputs).", equiv)
	}
	core.Raise("TypeError", "%s", msg)
}

// broadcastOperands gives the common shape of operands that are scalars or of
// equal rank.
func broadcastOperands(name string, in []*core.ShapedArray) []int {
	var shapes [][]int
	for _, a := range in {
		if a.NDim() > 0 {
			shapes = append(shapes, a.Shape)
		}
	}
	if len(shapes) == 0 {
		return []int{}
	}
	return tryBroadcast(name, shapes)
}

func tryBroadcast(name string, shapes [][]int) []int {
	ranks := map[int]bool{}
	for _, s := range shapes {
		ranks[len(s)] = true
	}
	if len(ranks) > 1 {
		core.TypeErrorf("%s: arrays must have the same number of dimensions, got {%s}", name, joinSorted(ranks))
	}
	out := make([]int, len(shapes[0]))
	for i := range out {
		out[i] = 1
		for _, s := range shapes {
			if d := s[i]; d != out[i] && d != 1 {
				if out[i] != 1 {
					core.TypeErrorf("%s got incompatible shapes for broadcasting: %s.", name, joinShapes(shapes))
				}
				out[i] = d
			}
		}
	}
	return out
}

func joinSorted(set map[int]bool) string {
	var vs []int
	for v := range set {
		vs = append(vs, v)
	}
	slices.Sort(vs)
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = strconv.Itoa(v)
	}
	return strings.Join(parts, ", ")
}

func joinShapes(shapes [][]int) string {
	parts := make([]string, len(shapes))
	for i, s := range shapes {
		parts[i] = shapeText(s)
	}
	return strings.Join(parts, ", ")
}

// shapeText prints a shape as a Python tuple.
func shapeText(shape []int) string { return core.PyRepr(core.NewInts(shape...)) }

// BroadcastShapes gives the shape that NumPy's broadcasting makes of several;
// it raises a ValueError when there is none.
func BroadcastShapes(shapes ...[]int) []int {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	padded := make([][]int, len(shapes))
	for i, s := range shapes {
		padded[i] = append(slices.Repeat([]int{1}, rank-len(s)), s...)
	}
	if rank == 0 {
		return []int{}
	}
	for i := range rank {
		size := 1
		for _, s := range padded {
			if s[i] != 1 && size != 1 && s[i] != size {
				core.ValueErrorf("Incompatible shapes for broadcasting: shapes=[%s]", joinShapes(shapes))
			}
			if s[i] != 1 {
				size = s[i]
			}
		}
	}
	return tryBroadcast("broadcast_shapes", padded)
}

// hide makes a PrintParams slot that leaves out parameters.
func hide(names ...string) func(e *core.Eqn) core.Params {
	return func(e *core.Eqn) core.Params { return core.SortedParams(e.Params, names...) }
}
