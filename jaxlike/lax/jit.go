package lax

import (
	"strconv"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/stablehlo"
)

// Jit applies a jaxpr as a unit: compiled when run, a call when staged
// (jit_p in jax/_src/pjit.py). Parameters: jaxpr, donated_invars, name,
// keep_unused, inline, compiler_options_kvs.
var Jit = core.NewPrimitive("jit")

// InlineMode says what a jit inside a traced function becomes.
type InlineMode string

// The inline modes: an equation and a call (auto), an equation whose body is
// copied while lowering (late), or no equation at all (early).
const (
	InlineAuto  InlineMode = "auto"
	InlineLate  InlineMode = "late"
	InlineEarly InlineMode = "early"
)

// String is the mode's name.
func (m InlineMode) String() string { return string(m) }

func init() {
	Jit.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return p.Jaxpr("jaxpr").OutAvals()
		},
		JVP:            ad.JVPCall(Jit),
		Linearize:      ad.LinearizeCall(Jit, ad.CallOptions{ForwardOuts: true}),
		FancyTranspose: ad.TransposeCall(bindTransposed),
		Batch:          batching.Call(Jit),
		Lower:          lowerJit,
		LowerInPlace:   true,
		Stage:          stageJit,
		DCE:            partialeval.DCECall("jaxpr"),
		SplitPolicy:    partialeval.SplitPolicyCall("jaxpr"),
		PrintParams:    jitParams,
		SharesNames:    true,
	})
}

// JitParams makes the primitive's parameters.
func JitParams(j *core.Jaxpr, name string, mode InlineMode) core.Params {
	return core.P("jaxpr", j, "donated_invars", nil, "name", name, "keep_unused", false,
		"inline", mode, "compiler_options_kvs", core.Tuple(nil))
}

func bindTransposed(j *core.Jaxpr, args []core.Value, p core.Params) []core.Value {
	return Jit.Bind(p.With("jaxpr", j).With("donated_invars", nil), args...)
}

func jitParams(e *core.Eqn) core.Params {
	hide := []string{"inline", "name"}
	if e.Params.Get("donated_invars") == nil {
		hide = append(hide, "donated_invars")
	}
	if !e.Params.Bool("keep_unused") {
		hide = append(hide, "keep_unused")
	}
	if kvs, _ := e.Params.Get("compiler_options_kvs").(core.Tuple); len(kvs) == 0 {
		hide = append(hide, "compiler_options_kvs")
	}
	return append(core.P("name", e.Params.Get("name")), core.SortedParams(e.Params, hide...)...)
}

// stageJit refuses compiler options below the top level, copies the body of
// early ones into the caller, and records the others. Linear programs for a
// backward pass keep every call.
func stageJit(t core.Trace, args []core.Value, p core.Params) []core.Value {
	d := t.(*partialeval.DynamicTrace)
	if d.Units {
		return d.Default(Jit, args, p)
	}
	if kvs, _ := p.Get("compiler_options_kvs").(core.Tuple); len(kvs) > 0 {
		core.ValueErrorf("`compiler_options` can only be passed to top-level `jax.jit`. Got compiler_options=%s specified on a nested jit with name: %s and source info: %s",
			kvsAsDict(kvs), p.Str("name"), core.CurrentSource().Summary())
	}
	if mode, _ := p.Get("inline").(InlineMode); mode == InlineEarly {
		return d.Inline(p.Jaxpr("jaxpr"), args)
	}
	return d.Default(Jit, args, p)
}

func kvsAsDict(kvs core.Tuple) string {
	parts := make([]string, len(kvs))
	for i, kv := range kvs {
		pair := kv.(core.Tuple)
		parts[i] = core.PyRepr(pair[0]) + ": " + core.PyRepr(pair[1])
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func lowerJit(c *core.LowerCtx, args []*stablehlo.Value, p core.Params) []*stablehlo.Value {
	name := p.Str("name")
	names := c.Names.Extend("jit(" + name + ")")
	prev := c.B.SetLoc(c.Module.Loc(c, names))
	defer c.B.SetLoc(prev)
	if p.Get("inline") == InlineLate {
		return inlineLate(c, names, p.Jaxpr("jaxpr"), args)
	}
	_, out := c.Module.Call(c, name, p.Jaxpr("jaxpr"), args)
	return out
}

// inlined caches the jaxprs of functions applied by Inline and Named
// (docs/architecture.md, Caches).
var inlined = core.NewCache[string, *core.Jaxpr](maxInlined)

const maxInlined = 4096

// Inline applies f as JAX applies its own functions that are jitted with early
// inlining: run at once it is one compiled unit; staged, its equations go into
// the caller; differentiated or batched outside of jit it is one unit, which
// decides the order of equations (facts of jaxprs: "units"). static is a key
// that tells calls of the same name with other settings apart.
func Inline(name, static string, f partialeval.Fun, args ...core.Value) []core.Value {
	if t, ok := core.CurrentTrace().(*partialeval.DynamicTrace); ok {
		return f(t.Tracers(args))
	}
	return Jit.Bind(JitParams(cachedJaxpr(name, static, f, args), name, InlineEarly), args...)
}

// Named applies f as JAX applies its own functions that stay visible as
// jit[name=...] in jaxprs.
func Named(name, static string, f partialeval.Fun, args ...core.Value) []core.Value {
	return Jit.Bind(JitParams(cachedJaxpr(name, static, f, args), name, InlineAuto), args...)
}

func cachedJaxpr(name, static string, f partialeval.Fun, args []core.Value) *core.Jaxpr {
	avals := make([]*core.ShapedArray, len(args))
	for i, a := range args {
		avals[i] = a.Aval()
	}
	key := name + "|" + static + "|" + core.AvalsKey(avals) + "|" + strconv.FormatBool(core.X64()) + ad.ContextKey()
	if j, ok := inlined.Get(key); ok {
		return j
	}
	var j *core.Jaxpr
	core.WithTrace(core.Eval, func() {
		j = partialeval.TraceToJaxpr(f, avals, &core.DebugInfo{TracedFor: "jit", FuncName: name, FuncSource: name})
	})
	return inlined.GetOrPut(key, j)
}
