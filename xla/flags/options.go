package flags

import (
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// The keys of compiler_options that are no XLA flags: two levels and two fields
// of the compile options (get_compile_options and create_compile_options in JAX
// 0.12.0.1).
const (
	KeyOptimizationLevel  = "optimization_level"
	KeyMemoryFittingLevel = "memory_fitting_level"
	KeyProfile            = "fdo_profile"
	KeyDefinedOutputs     = "individually_defined_output_indices"
)

var special = []string{KeyOptimizationLevel, KeyMemoryFittingLevel, KeyProfile, KeyDefinedOutputs}

// Options is the outcome of Merge: what goes into a compilation.
type Options struct {
	// Overrides are env_option_overrides: string, bool, int64 or float64.
	Overrides map[string]any
	// Optimization and MemoryFitting are the levels.
	Optimization, MemoryFitting Level
	// Profile is a profile for feedback-directed optimisation.
	Profile []byte
	// DefinedOutputs are results that have buffers of their own; no CPU
	// program looks at them.
	DefinedOutputs []int
	// From tells for each key which layer it came from, counted from 0.
	From map[string]int
	// Order lists the keys of Overrides: those of the first layer that has them
	// before later ones, each layer's by name.
	Order []string
}

// Merge joins option layers, later ones over earlier ones, above the
// process-wide levels in o. Errors come in JAX's order: special keys first,
// then values of a kind that no option takes, in key order. Whether XLA knows
// a key, and takes its value, is for the compilation to say.
func (o Options) Merge(layers ...map[string]any) (Options, error) {
	merged := map[string]any{}
	from := map[string]int{}
	var order []string
	for i, layer := range layers {
		for _, k := range slices.Sorted(maps.Keys(layer)) {
			if _, seen := from[k]; !seen && !slices.Contains(special, k) {
				order = append(order, k)
			}
			merged[k], from[k] = layer[k], i
		}
	}
	out := Options{Optimization: o.Optimization, MemoryFitting: o.MemoryFitting, From: from, Order: order}
	err := out.special(merged)
	if err != nil {
		return Options{}, err
	}
	out.Overrides = make(map[string]any, len(merged))
	for _, k := range slices.Sorted(maps.Keys(merged)) {
		if out.Overrides[k], err = Value(merged[k]); err != nil {
			return Options{}, err
		}
	}
	return out, nil
}

// special takes the keys that are no XLA flags out of merged.
func (o *Options) special(merged map[string]any) (err error) {
	if v := merged[KeyProfile]; v != nil {
		profile, ok := v.([]byte)
		if !ok {
			return &TypeError{Value: v, takes: "bytes", of: "ExecutableBuildOptions"}
		}
		o.Profile = profile
	}
	if v, ok := merged[KeyDefinedOutputs]; ok {
		if o.DefinedOutputs, ok = wholeNumbers(v); !ok {
			return &TypeError{Value: v, takes: "collections.abc.Sequence[int]", of: "CompileOptions"}
		}
	}
	if v, ok := merged[KeyOptimizationLevel]; ok {
		if o.Optimization, err = ParseLevel(v); err != nil {
			return err
		}
	}
	if v, ok := merged[KeyMemoryFittingLevel]; ok {
		if o.MemoryFitting, err = ParseLevel(v); err != nil {
			return err
		}
	}
	for _, k := range special {
		delete(merged, k)
	}
	return nil
}

// wholeNumbers are the entries of a tuple of ints.
func wholeNumbers(v any) (out []int, ok bool) {
	rv := reflect.ValueOf(v)
	if !isTuple(rv) {
		return nil, false
	}
	for i := range rv.Len() {
		n, ok := rv.Index(i).Interface().(int)
		if !ok {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

// isTuple tells the slices that stand for tuples, which are hashable, from those
// that stand for lists.
func isTuple(rv reflect.Value) bool { return rv.Kind() == reflect.Slice && rv.Type().Name() == "Tuple" }

// Merge joins option layers above JAX's default levels.
func Merge(layers ...map[string]any) (Options, error) {
	return Options{Optimization: DefaultOptimization, MemoryFitting: DefaultMemoryFitting}.Merge(layers...)
}

// TypeError is an option value of a kind that the compile options cannot
// carry. JAX raises it as TypeError.
type TypeError struct {
	Value any
	// takes and of are what a special key takes and whose it is.
	takes, of string
}

// Error is the text of the binding that JAX calls (jaxlib 0.12.0.1).
func (e *TypeError) Error() string {
	takes, given := "collections.abc.Sequence[tuple[str, str | bool | int | float]]", "CompileOptions, list"
	if e.takes != "" {
		takes, given = e.takes, e.of+", "+pyType(e.Value)
	}
	return `(): incompatible function arguments. The following argument types are supported:
    1. (self, arg: ` + takes + `, /) -> None

Invoked with types: jaxlib._jax.` + given
}

// UnhashableError is a slice or map as option value: JAX keys its cache by the
// options. It raises TypeError.
type UnhashableError struct{ Value any }

// Error is Python's text.
func (e *UnhashableError) Error() string {
	return fmt.Sprintf("unhashable type: '%s'", pyType(e.Value))
}

// Value brings an option's value to one of the four kinds that the compile
// options carry: string, bool, int64, float64.
func Value(v any) (any, error) {
	if _, ok := v.(Level); ok {
		return nil, &TypeError{Value: v} // an effort member is no plain number in JAX
	}
	if n, ok := v.(*big.Int); ok {
		if n.IsInt64() {
			return n.Int64(), nil
		}
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, nil // as JAX hands on what int64 cannot hold
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.String:
		return rv.String(), nil
	case reflect.Bool:
		return rv.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return rv.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := rv.Uint(); n >= 1<<63 {
			return float64(n), nil // as JAX hands on what int64 cannot hold
		}
		return int64(rv.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return rv.Float(), nil
	case reflect.Slice:
		if _, bytes := v.([]byte); !bytes && !isTuple(rv) {
			return nil, &UnhashableError{v}
		}
	case reflect.Map:
		return nil, &UnhashableError{v}
	}
	return nil, &TypeError{Value: v}
}

// Key is a text that is the same for equal options whatever order they were
// given in; it is part of cache keys.
func (o Options) Key() string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(o.Overrides)) {
		fmt.Fprintf(&b, "%q=%T:%v;", k, o.Overrides[k], o.Overrides[k])
	}
	fmt.Fprintf(&b, "O%d,M%d", int(o.Optimization), int(o.MemoryFitting))
	if len(o.Profile) > 0 || len(o.DefinedOutputs) > 0 {
		fmt.Fprintf(&b, ",%q,%v", o.Profile, o.DefinedOutputs)
	}
	return b.String()
}
