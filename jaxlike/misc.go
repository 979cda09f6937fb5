package jaxlike

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla"
)

// ShapeDtypeStruct is the type of an array without its values.
type ShapeDtypeStruct = array.ShapeDtypeStruct

// EvalShape gives the types of f's results without computing anything: one
// ShapeDtypeStruct, or a tree of them.
func EvalShape(f any, args ...any) any {
	g, ok := f.(Func)
	if !ok || g.inside().jit == nil {
		g = Jit(f)
	}
	t := g.Trace(args...).Trace
	structs := make([]any, len(t.Jaxpr.Out))
	for i, o := range t.Jaxpr.OutAvals() {
		structs[i] = array.StructOf(o)
	}
	return t.OutDef.Unflatten(structs)
}

// NamedCall runs f in a scope of that name: it shows in the op_name of its
// operations.
func NamedCall(f any, name string) Func {
	fn := stages.NewCallable(f)
	return MakeFunc(fn, func(args []any) (out Array) {
		core.With(func(s *core.State) { s.Names = s.Names.Extend(name) }, func() {
			out = array.NewResults(fn.FlattenResult(fn.Apply(args), "named_call"))
		})
		return out
	})
}

// NamedScope runs body in a scope of that name.
func NamedScope(name string, body func()) {
	core.With(func(s *core.State) { s.Names = s.Names.Extend(name) }, body)
}

// DevicePut puts the arrays and numbers of a tree on the device and gives the
// tree back.
func DevicePut[T any](x T) T {
	v := DevicePutAny(x)
	out, ok := v.(T)
	if !ok { // the numbers of a Go slice, say
		if err := array.IntoAny(v, &out); err != nil {
			core.TypeErrorf("%s", err)
		}
	}
	return out
}

// DevicePutAny is DevicePut for callers without type parameters; a number
// becomes an Array.
func DevicePutAny(x any) any {
	return mapArrays(x, func(v core.Value) core.Value {
		if c, ok := v.(*core.Const); ok {
			return stages.OnDevice(c)
		}
		return v
	})
}

// BlockUntilReady waits for the arrays of a tree and gives the tree back.
func BlockUntilReady[T any](x T) T {
	BlockUntilReadyAny(x)
	return x
}

// BlockUntilReadyAny is BlockUntilReady for callers without type parameters.
func BlockUntilReadyAny(x any) any {
	leaves, _ := tree.FlattenWith(x, nil, tree.Options{Expand: array.Expand})
	for _, l := range leaves {
		if a, ok := l.(Array); ok {
			a.BlockUntilReady()
		}
	}
	return x
}

// mapArrays applies f to the values of a tree of arrays and numbers.
func mapArrays(x any, f func(core.Value) core.Value) any {
	leaves, def := tree.FlattenWith(x, nil, tree.Options{HostArrays: true, Expand: array.Expand})
	vals := make([]core.Value, len(leaves))
	arrays := make([]any, len(leaves))
	for i, l := range leaves {
		v := valueOf(l)
		vals[i] = f(v)
		arrays[i] = array.New(vals[i])
	}
	if _, ok := x.(Array); ok {
		return array.NewResults(vals, def)
	}
	return def.Unflatten(arrays)
}

// Devices lists the devices of the platform, as jax.devices().
func Devices() []xla.Device { return stages.Client().Devices() }

// DeviceCount is the number of devices.
func DeviceCount() int { return len(Devices()) }

// LocalDevices lists the devices of this process: all of them.
func LocalDevices() []xla.Device { return Devices() }

// LocalDeviceCount is the number of devices of this process.
func LocalDeviceCount() int { return DeviceCount() }

// DefaultBackend is the platform that programs run on: "cpu", "gpu" or "tpu".
func DefaultBackend() string {
	if p := stages.Client().Platform(); p != "cuda" && p != "rocm" {
		return p
	}
	return "gpu"
}

// ProcessCount is the number of processes that share the devices: there is one.
func ProcessCount() int { return 1 }

// ProcessIndex is the number of this process.
func ProcessIndex() int { return 0 }

// Typeof is the type of an array or number as JAX prints it: "~float32[]".
func Typeof(x any) string {
	v := valueOf(x)
	return v.Aval().LongWeak()
}

// valueOf is an array or a number as a value; anything else raises JAX's error.
func valueOf(x any) core.Value {
	v, ok := array.ToValue(x)
	if !ok {
		core.TypeErrorf("Argument '%v' of type %s is not a valid JAX type", x, tree.ClassOf(x))
	}
	return v
}
