package jaxlike

import (
	"fmt"
	"reflect"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

type (
	// Array is an n-dimensional array, a tracer, or the results of a call with
	// several results.
	Array = array.Array
	// Error is an error with JAX's class and words.
	Error = core.Error
	// Jaxpr is a staged program; it prints as JAX prints it.
	Jaxpr = core.Jaxpr
	// Traced, Lowered and Compiled are the stages of ahead-of-time compilation.
	Traced   = stages.Traced
	Lowered  = stages.Lowered
	Compiled = stages.Compiled
	// CacheInfo and Explanation are what Func's Cache and Explain give.
	CacheInfo   = stages.CacheInfo
	Explanation = stages.Explanation
	// Tuple is a sequence that counts as a tuple.
	Tuple = tree.Tuple
)

// Func is what every transformation gives: it is called like a function and
// has methods. Arguments are Arrays, numbers, slices, maps, structs.
type Func func(args ...any) Array

// Decorator takes a function and gives its transformed form.
type Decorator func(f any) Func

// String is the decorator's type: it has no name, and %v of a func is an address.
func (d Decorator) String() string { return "func(f any) Func" }

// funcInfo is what a Func's closure holds.
type funcInfo struct {
	fn   *stages.Callable
	call func(args []any) Array
	jit  *jitInfo
	// around runs the stages' methods in a context of its own.
	around func(body func())
}

// inside is the question that a Func answers with its inner part.
type inside struct{}

// newFunc makes a Func.
func newFunc(info *funcInfo) Func {
	return func(args ...any) Array {
		if len(args) == 1 {
			if _, ok := args[0].(inside); ok {
				return array.WithInfo(info)
			}
		}
		return info.call(args)
	}
}

func (f Func) inside() *funcInfo {
	if f == nil {
		core.TypeErrorf("Expected a callable value, got None")
	}
	info, ok := ask(f).(*funcInfo)
	if !ok {
		g := f
		fn := &stages.Callable{}
		*fn = *stages.NewCallable((func(...any) Array)(g))
		return &funcInfo{fn: fn, call: func(args []any) Array { return g(args...) }}
	}
	return info
}

// ask puts the question; a function of the user's own that does not know it
// may panic, which means no.
func ask(f Func) (info any) {
	defer func() {
		if recover() != nil {
			info = nil
		}
	}()
	return f(inside{}).Info()
}

// Callable makes a Func usable wherever functions are transformed.
func (f Func) Callable() *stages.Callable {
	info := f.inside()
	w := info.fn.Wrap(info, func(args []any) []any { return []any{info.call(args)} })
	w.Jitted = info.jit != nil
	return w
}

// Name is the function's name as texts show it.
func (f Func) Name() string { return f.inside().fn.Name }

// Try calls f and gives what it raises as an error value.
func (f Func) Try(args ...any) (out Array, err error) {
	err = Catch(func() { out = f(args...) })
	return out, err
}

// Catch runs body and gives an error that it raises; other panics pass.
func Catch(body func()) (err error) { return core.Catch(body) }

// ClearCache forgets what was traced and compiled for the function.
func (f Func) ClearCache() { f.inside().fn.ClearTraces() }

// Cache lists what is cached for the function and how often this jit has traced
// and compiled.
func (f Func) Cache() CacheInfo {
	info := f.jitted("cache")
	return info.jit.cache.Info(info.fn)
}

// Explain says whether a call with these arguments would trace or compile
// again, and which part of the cache key differs from the nearest entry:
// "retrace: shape of x: float32[3] -> float32[4]".
func (f Func) Explain(args ...any) (e Explanation) {
	info := f.jitted("explain")
	info.run(func() { e = info.fn.Explain(args, &info.jit.opts) })
	return e
}

// Trace stages the function at the types of the arguments.
func (f Func) Trace(args ...any) *Traced {
	info := f.jitted("trace")
	var t *Traced
	info.run(func() { t = info.jit.trace(info.fn, args) })
	return t
}

// Lower stages the function and makes its module, without compiling it.
func (f Func) Lower(args ...any) *Lowered {
	info := f.jitted("lower")
	var l *Lowered
	info.run(func() { l = info.jit.trace(info.fn, args).Lower() })
	return l
}

// jitted is what f is, a jit; others lack the method.
func (f Func) jitted(method string) *funcInfo {
	info := f.inside()
	if info.jit == nil {
		panic(&core.Error{
			Name: "AttributeError", Message: "'function' object has no attribute '" + method + "'",
			Advice: "it is a method of jitted functions: jit(f)",
		})
	}
	return info
}

func (i *funcInfo) run(body func()) {
	if i.around != nil {
		i.around(body)
		return
	}
	body()
}

// String names the function.
func (f Func) String() string {
	info := f.inside()
	if info.jit != nil {
		return "<PjitFunction of " + stages.FunctionRepr(info.fn) + ">"
	}
	return stages.FunctionRepr(info.fn)
}

// NamedFunc is a function with its names in the source; the front end of cells
// makes it, and Named does in compiled Go.
type NamedFunc = stages.NamedFunc

// Named gives a function the name and parameter names that texts show:
// jax.Jit(jax.Named(func(x jax.Array) jax.Array {...}, "f", "x")).
func Named(f any, name string, params ...string) NamedFunc {
	n := NamedFunc{F: f, Name: name}
	if len(params) > 0 {
		n.Params = params
	}
	return n
}

// As makes a function of Go type F from f: arguments and results are converted,
// several results become several Go results or one error is raised.
func As[F any](f any) F {
	var token F
	return AsAny(f, &token).(F)
}

// AsAny is As for callers without type parameters: token is a pointer to the
// function type.
func AsAny(f, token any) any {
	t := reflect.TypeOf(token)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Func {
		core.TypeErrorf("As needs a function type, not %v", t)
	}
	t = t.Elem()
	c := stages.NewCallable(f)
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		args := make([]any, 0, len(in))
		for i, v := range in {
			if t.IsVariadic() && i == len(in)-1 {
				for k := range v.Len() {
					args = append(args, v.Index(k).Interface())
				}
				continue
			}
			args = append(args, v.Interface())
		}
		n := t.NumOut()
		if n == 0 || t.Out(n-1) != errorType {
			return results(c, c.Apply(args), t, n)
		}
		return tryResults(c, args, t)
	}).Interface()
}

var errorType = reflect.TypeFor[error]()

// tryResults is for a type whose last result is an error: what f raises goes
// there.
func tryResults(c *stages.Callable, args []any, t reflect.Type) (out []reflect.Value) {
	n := t.NumOut() - 1
	failure := reflect.New(errorType).Elem()
	if err := Catch(func() { out = results(c, c.Apply(args), t, n) }); err != nil {
		out = make([]reflect.Value, n)
		for i := range out {
			out[i] = reflect.Zero(t.Out(i))
		}
		failure.Set(reflect.ValueOf(err))
	}
	return append(out, failure)
}

// results converts a result to the first n result types of t.
func results(c *stages.Callable, res any, t reflect.Type, n int) []reflect.Value {
	out := make([]reflect.Value, n)
	ptrs := make([]any, n)
	for i := range out {
		p := reflect.New(t.Out(i))
		out[i], ptrs[i] = p.Elem(), p.Interface()
	}
	if len(ptrs) > 0 {
		if err := array.IntoAny(res, ptrs...); err != nil {
			core.TypeErrorf("%s: %s", c.Name, err)
		}
	}
	return out
}

// Update sets a configuration value as jax.config.update does: jax_enable_x64,
// jax_optimization_level, jax_memory_fitting_level.
func Update(name string, value any) {
	switch name {
	case "jax_enable_x64":
		on, ok := value.(bool)
		if n, isInt := value.(int); isInt {
			on, ok = n != 0, true
		}
		if !ok {
			core.ValueErrorf("new enum value must be a bool, got %v of type %s.", core.PyStr(value), tree.ClassOf(value))
		}
		core.SetX64(on)
	case "jax_optimization_level", "jax_memory_fitting_level":
		stages.SetDefaultLevel(name, value)
	default:
		core.Raise("AttributeError", "Unrecognized config option: %s", name)
	}
}

// DisableJit runs body with jit switched off: jitted functions run as they are.
func DisableJit(body func()) {
	core.With(func(s *core.State) { s.NoJit = true }, body)
}

func mustCount(api string, got, want int) {
	if got != want {
		core.TypeErrorf("%s", fmt.Sprintf("%s takes %d arguments but %d were given", api, want, got))
	}
}

// MakeFunc makes a Func with fn's names whose calls go to call; packages that
// add transformations use it.
func MakeFunc(fn *stages.Callable, call func(args []any) Array) Func {
	return newFunc(&funcInfo{fn: fn, call: call})
}

// Within is f in a context: calls, and the stages of a jitted f, run inside
// around.
//
// A function that is in a context stays in that one alone: JAX's wrapper takes
// over the attributes of the one that it wraps, its context among them
// (_XlaMetadataWrapper in jax/_src/xla_metadata.py).
func (f Func) Within(around func(body func())) Func {
	info := f.inside()
	if info.around != nil {
		return f
	}
	w := &funcInfo{fn: info.fn, jit: info.jit}
	w.around = func(body func()) { around(func() { info.run(body) }) }
	w.call = func(args []any) (out Array) {
		around(func() { out = info.call(args) })
		return out
	}
	return newFunc(w)
}

// FuncOf makes a plain Func of any function: it is called as it is.
func FuncOf(f any) Func {
	if g, ok := f.(Func); ok {
		return g
	}
	fn := stages.NewCallable(f)
	return newFunc(&funcInfo{fn: fn, call: func(args []any) Array {
		return array.NewResults(fn.FlattenResult(fn.Apply(args), "call"))
	}})
}

// At sets the place in a cell that the calling goroutine has reached, for the
// source lines in HLO; the front end of cells calls it.
func At(file, fn string, line, col, endLine, endCol int) {
	core.At(core.Frame{File: file, Func: fn, Line: line, Col: col, EndLine: endLine, EndCol: endCol})
}

// EndAt forgets the calling goroutine's place.
func EndAt() { core.EndShadow() }
