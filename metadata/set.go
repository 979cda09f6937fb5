package metadata

import (
	"reflect"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla/stablehlo"
)

// ValueP tags the operation that gave its operand. Parameter: xla_metadata_kvs.
var ValueP = core.NewPrimitive("xla_metadata_value")

func init() {
	ValueP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray { return in },
		JVP:          ad.LinearJVP(ValueP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, _ core.Params) []core.Value {
			return []core.Value{ct}
		}),
		Batch:        batching.Vectorized(ValueP),
		Lower:        lowerValue,
		LowerInPlace: true,
	})
}

// lowerValue tags the operation where it is in the same region or inlined
// function: JAX lowers equations with bodies apart, so values from outside have
// no operation there.
func lowerValue(c *core.LowerCtx, args []*stablehlo.Value, p core.Params) []*stablehlo.Value {
	var kvs []core.KV
	for _, kv := range p.Get("xla_metadata_kvs").(core.Tuple) {
		pair := kv.(core.Tuple)
		kvs = append(kvs, core.KV{Key: pair[0].(string), Val: pair[1]})
	}
	if c.B.Owns(args[0]) {
		args[0].Tag(core.AttributeTexts(kvs))
	}
	return args
}

// Set tags the operation that gives x, or those that give the arrays of the
// tree x, and returns x. A key that the operation has already stays as it is.
// Parameters and loop carries have no operation; their tag has no effect.
func Set[T any](x T, attrs Attrs) T {
	out, ok := SetAny(x, attrs).(T)
	if !ok {
		core.TypeErrorf("set_xla_metadata gives an Array, which a value of type %T cannot hold; use SetAny", x)
	}
	return out
}

// SetAny is Set for callers without type parameters.
func SetAny(x any, attrs Attrs) any {
	kvs := core.Tuple{}
	for _, kv := range attrs.sortedKVs() {
		kvs = append(kvs, core.Tuple{kv.Key, kv.Val})
	}
	params := core.P("xla_metadata_kvs", kvs)
	leaves, def := tree.FlattenWith(x, nil, tree.Options{HostArrays: true, Expand: array.Expand})
	vals := make([]core.Value, len(leaves))
	for i, l := range leaves {
		v, ok := array.ToValue(l)
		if !ok {
			core.TypeErrorf("Error interpreting argument to xla_metadata_value as a JAX value. The problematic value is of type %s and was passed to xla_metadata_value at position 0.", tree.ClassOf(l))
		}
		checkHashable(kvs, v)
		vals[i] = ValueP.Bind1(params, v)
	}
	return rebuild(x, def, vals)
}

// rebuild gives the tagged values in the form of x.
func rebuild(x any, def *tree.Def, vals []core.Value) any {
	if _, ok := x.(array.Array); ok {
		return array.NewResults(vals, def)
	}
	if len(vals) == 0 {
		return x
	}
	arrays := make([]any, len(vals))
	for i, v := range vals {
		arrays[i] = array.New(v)
	}
	t := reflect.TypeOf(x)
	if def.IsLeaf() || t == nil {
		return arrays[0]
	}
	if v, err := def.Build(t, arrays, array.ConvertLeaf); err == nil {
		return v.Interface()
	}
	return def.Unflatten(arrays)
}

// checkHashable refuses attributes that cannot be part of an equation, or of the
// key of the program that tags v now.
func checkHashable(kvs core.Tuple, v core.Value) {
	class := core.Unhashable(kvs)
	switch {
	case class == "":
	case core.CurrentTrace() == core.Eval && core.TracerClass(v) == "":
		core.TypeErrorf("unhashable type: '%s'", class)
	default:
		core.TypeErrorf("As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to primitive xla_metadata_value, the value of parameter xla_metadata_kvs was not hashable: %s", core.PyRepr(kvs))
	}
}
