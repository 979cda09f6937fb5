package core

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/petermattis/goid"
)

// Trace says what applying a primitive means: run it, record it, or apply a
// transformation's rule for it.
type Trace interface {
	// Process applies p to args, which may be values of any trace.
	Process(p *Primitive, args []Value, params Params) []Value
	// CustomJVP and CustomVJP apply functions with rules of their own.
	CustomJVP(c *CustomJVP, args []Value) []Value
	CustomVJP(c *CustomVJP, args []Value) []Value
	// Parent is the trace below, nil for the base traces.
	Parent() Trace
}

// CustomJVP is a call of a function with a user-given JVP rule. Fun and Rule
// work on flat lists; Rule takes primals then tangents and gives primal
// results then tangent results.
type CustomJVP struct {
	Prim          *Primitive
	Fun, Rule     func([]Value) []Value
	SymbolicZeros bool
	Name          string // of Fun
	RuleName      string
	Debug         *DebugInfo
}

// CustomVJP is a call of a function with user-given forward and backward
// rules. Fwd gives residuals, then the primal results.
type CustomVJP struct {
	Prim             *Primitive
	Fun, Fwd         func([]Value) []Value
	Bwd              func(residualsAndCts []Value) []Value
	NumRes           func() int
	SymbolicZeros    bool
	Name             string
	FwdName, BwdName string
	Debug            *DebugInfo
}

// State is the ambient state of one goroutine: the current trace, the
// metadata context, the name stack and the source position. It is never
// changed in place; [With] installs a changed copy for the time of a call.
type State struct {
	Trace    Trace
	Metadata *Metadata
	Names    NameStack
	// Replay, when Replaying, is the source place of the equation that is being
	// evaluated again (nil: none of the user's); new equations inherit it.
	Replay    *Frames
	Replaying bool
	// Base is the place that the function being traced was called from; the
	// places of its equations stop there.
	Base *Frames
	// Axes are the named axes in scope, innermost last.
	Axes []AxisData
	// Reverse tells linearization rules that the linear program will be run
	// backwards (is_vjp in JAX).
	Reverse bool
	// NoJit makes jit run its function as it is (disable_jit).
	NoJit bool
}

var (
	states       sync.Map // goid -> *State
	inStates     atomic.Int64
	defaultState = &State{}
)

// Current is the calling goroutine's state. Goroutines that were started
// inside a transformed function inherit nothing, as threads in JAX.
func Current() *State {
	if inStates.Load() == 0 { // of no goroutine: what a warm call finds
		return defaultState
	}
	if s, ok := states.Load(goid.Get()); ok {
		return s.(*State)
	}
	return defaultState
}

// Goroutine tells the calling goroutine apart from others.
func Goroutine() int64 { return goid.Get() }

// Plain tells whether nothing ambient changes what a call means: no trace, no
// metadata context, no named axes, jit switched on.
func (s *State) Plain() bool {
	return s.Trace == nil && s.Metadata == nil && len(s.Axes) == 0 && !s.NoJit
}

// CurrentTrace is the trace that primitives are applied under.
func CurrentTrace() Trace {
	if t := Current().Trace; t != nil {
		return t
	}
	return Eval
}

// With runs body under a copy of the current state that change has altered,
// and restores the state afterwards, also when body panics.
func With(change func(*State), body func()) {
	id := goid.Get()
	prev, had := states.Load(id)
	next := *defaultState
	if had {
		next = *prev.(*State)
	}
	change(&next)
	states.Store(id, &next)
	if !had {
		inStates.Add(1)
	}
	defer func() {
		if had {
			states.Store(id, prev)
		} else {
			states.Delete(id)
			inStates.Add(-1)
		}
	}()
	body()
}

// WithTrace runs body with t as the current trace.
func WithTrace(t Trace, body func()) {
	With(func(s *State) { s.Trace = t }, body)
}

// evalTrace runs primitives on concrete values.
type evalTrace struct{}

// Eval is the base trace: primitives run at once.
var Eval Trace = evalTrace{}

// Runtime compiles and runs; package stages provides it.
type Runtime interface {
	// Apply runs one primitive on concrete values.
	Apply(p *Primitive, params Params, args []*Const) []Value
}

var installed Runtime

// SetRuntime installs the runtime; called once, from an init.
func SetRuntime(r Runtime) { installed = r }

func (evalTrace) Parent() Trace { return nil }

func (evalTrace) Process(p *Primitive, args []Value, params Params) []Value {
	if p.Impl != nil {
		return p.Impl(args, params)
	}
	return ApplyCompiled(p, args, params)
}

// ApplyCompiled runs p alone through the runtime.
func ApplyCompiled(p *Primitive, args []Value, params Params) []Value {
	return installed.Apply(p, params, Concrete(args))
}

// Concrete asserts that all args are constants; a tracer here has outlived
// its trace.
func Concrete(args []Value) []*Const {
	out := make([]*Const, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case *Const:
			out[i] = v
		case Tracer:
			if c, ok := v.FullLower().(*Const); ok {
				out[i] = c
				continue
			}
			RaiseEscaped(v)
		case Abstract:
			Raise("TypeError", "Argument 'ShapeDtypeStruct(shape=%s, dtype=%s)' of type <class 'jax._src.core.ShapeDtypeStruct'> is not a valid JAX type", PyRepr(NewInts(v.Of.Shape...)), v.Of.DType)
		default:
			Raise("TypeError", "cannot run a primitive on %T", a)
		}
	}
	return out
}

func (evalTrace) CustomJVP(c *CustomJVP, args []Value) []Value { return c.Fun(args) }
func (evalTrace) CustomVJP(c *CustomVJP, args []Value) []Value { return c.Fun(args) }

// RaiseEscaped raises UnexpectedTracerError for a tracer used after its trace.
func RaiseEscaped(t Tracer) {
	Raise("UnexpectedTracerError", "%s", escapedText(t))
}

func escapedText(t Tracer) string {
	return "Encountered an unexpected tracer. A function transformed by JAX had a side effect, " +
		"allowing for a reference to an intermediate value with type " + t.Aval().Long() +
		" wrapped in a " + tracerType(t) + " to escape the scope of the transformation.\n" +
		"JAX transformations require that functions explicitly return their outputs, and disallow saving intermediate values to global state." +
		leakOrigin(t) +
		"\nTo catch the leak earlier, try setting the environment variable JAX_CHECK_TRACER_LEAKS or using the `jax.checking_leaks` context manager." +
		"\nSee " + errorsPage + "UnexpectedTracerError"
}

// leakOrigin says where a staged value came from (escaped_tracer_error in
// jax/_src/core.py).
func leakOrigin(t Tracer) string {
	staged, ok := t.(interface {
		DebugInfo() *DebugInfo
		CreatedAt() *Frames
	})
	if !ok {
		return ""
	}
	var b strings.Builder
	if d := staged.DebugInfo(); d != nil {
		b.WriteString("\nThe function being traced when the value leaked was " + d.FuncSource + " traced for " + d.TracedFor + ".")
	}
	const divider, shown = "\n------------------------------\n", 5
	var places []string // none for an argument
	for at := staged.CreatedAt(); at != nil && len(places) < shown; at = at.Caller {
		places = append(places, at.Frame.Summary())
	}
	last := strings.Join(places[:min(1, len(places))], "")
	slices.Reverse(places)
	b.WriteString(divider + "The leaked intermediate value was created on line " + last + ". " + divider +
		"When the value was created, the final 5 stack frames (most recent last) excluding JAX-internal frames were:" + divider +
		strings.Join(places, "\n") + divider)
	return b.String()
}

func tracerType(t Tracer) string {
	if n, ok := t.(interface{ TypeName() string }); ok {
		return n.TypeName()
	}
	return "Tracer"
}

// tracerModules are the Python modules of JAX's tracer classes (0.12.0.1).
var tracerModules = map[string]string{
	"DynamicJaxprTracer": "jax._src.interpreters.partial_eval.",
	"JVPTracer":          "jax._src.interpreters.ad.",
	"LinearizeTracer":    "jax._src.interpreters.ad.",
	"BatchTracer":        "jax._src.interpreters.batching.",
}

// TracerClass is the class of a traced value in JAX, "" for other values.
func TracerClass(v Value) string {
	if t, ok := v.(interface{ TypeName() string }); ok {
		return tracerModules[t.TypeName()] + t.TypeName()
	}
	return ""
}
