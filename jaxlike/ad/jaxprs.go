package ad

import (
	"strconv"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// JVPOf is a jaxpr's forward-mode jaxpr: inputs, then the tangents that are not
// zero; outputs, then their tangents that are not zero.
type JVPOf struct {
	Jaxpr *core.Jaxpr
	OutNZ []bool
}

// JVPJaxpr derives j's JVP for the given non-zero tangents. instantiate forces
// outputs to have tangents (nil: none). The result is shared.
func JVPJaxpr(j *core.Jaxpr, nz, instantiate []bool) JVPOf {
	return j.Memo("jvp:"+core.BoolKey(nz)+":"+core.BoolKey(instantiate)+ContextKey(), func() any {
		return jvpJaxpr(j, nz, instantiate)
	}).(JVPOf)
}

func jvpJaxpr(j *core.Jaxpr, nz, instantiate []bool) JVPOf {
	avals := j.InAvals()
	for i, a := range j.InAvals() {
		if nz[i] {
			avals = append(avals, a.Tangent())
		}
	}
	var outNZ []bool
	f := func(args []core.Value) []core.Value {
		primals := args[:len(j.In)]
		rest := args[len(j.In):]
		tangents := make([]core.Value, len(primals))
		for i, p := range primals {
			tangents[i] = ZeroOf(p)
			if nz[i] {
				tangents[i], rest = rest[0], rest[1:]
			}
		}
		out, outT := JVP(func(vs []core.Value) []core.Value { return core.EvalJaxpr(j, vs) }, primals, tangents, false, false)
		for i := range instantiate {
			if instantiate[i] {
				outT[i] = Instantiate(outT[i])
			}
		}
		outNZ = nonZero(outT)
		return append(out, filter(outT, outNZ)...)
	}
	return JVPOf{Jaxpr: derive(f, avals, j), OutNZ: outNZ}
}

// ContextKey is the part of a memo key that stands for the ambient context:
// equations that a derivation adds carry the metadata context around it.
func ContextKey() string { return core.Current().Metadata.Key() }

// Derive stages f as a jaxpr that came from j, outside of any ambient trace.
func Derive(f partialeval.Fun, avals []*core.ShapedArray, j *core.Jaxpr) *core.Jaxpr {
	return derive(f, avals, j)
}

// derive is Derive.
func derive(f partialeval.Fun, avals []*core.ShapedArray, j *core.Jaxpr) *core.Jaxpr {
	debug := &core.DebugInfo{}
	if j.Debug != nil {
		debug.FuncName, debug.TracedFor, debug.FuncSource = j.Debug.FuncName, j.Debug.TracedFor, j.Debug.FuncSource
	}
	var out *core.Jaxpr
	core.WithTrace(core.Eval, func() { out = partialeval.TraceToJaxpr(f, avals, debug) })
	return out
}

// LinearOf is a linearized jaxpr. Forward computes the outputs, then NumRes
// residuals. Tangent takes the residuals, then the non-zero tangents, and gives
// the non-zero tangents of the outputs. ResFwd tells, per residual that Tangent
// takes, the value among constants and inputs that it is (-1: it is one of
// Forward's residuals).
type LinearOf struct {
	Forward, Tangent *core.Jaxpr
	NumRes           int
	OutNZ            []bool
	ResFwd           []int
}

// LinearizeJaxpr derives j's linearization for the given non-zero tangents. The
// result is shared, apart for linear programs to be run backwards and forwards.
func LinearizeJaxpr(j *core.Jaxpr, nz, instantiate []bool) LinearOf {
	return LinearizeJaxprFwd(j, nz, instantiate, nil)
}

// LinearizeJaxprFwd is LinearizeJaxpr with a say in which residuals may come
// from outside: allow marks constants, then inputs (nil: all).
func LinearizeJaxprFwd(j *core.Jaxpr, nz, instantiate, allow []bool) LinearOf {
	reverse := core.Current().Reverse
	key := "lin:" + strconv.FormatBool(reverse) + core.BoolKey(nz) + ":" + core.BoolKey(instantiate) + ":" + core.BoolKey(allow) + ContextKey()
	return j.Memo(key, func() any { return linearizeJaxpr(j, nz, instantiate, allow, reverse) }).(LinearOf)
}

func linearizeJaxpr(j *core.Jaxpr, nz, instantiate, allow []bool, reverse bool) LinearOf {
	debug := &core.DebugInfo{}
	if j.Debug != nil {
		debug.FuncName, debug.TracedFor, debug.FuncSource = j.Debug.FuncName, j.Debug.TracedFor, j.Debug.FuncSource
	}
	fwd := partialeval.NewDynamicTrace(core.Eval, debug, false)
	var t *LinearizeTrace
	var l LinearOf
	partialeval.Under(core.Eval, func() {
		t = newLinearizeTrace(fwd, debug, reverse)
		inPrimals := make([]core.Value, len(j.In))
		in := make([]core.Value, len(j.In))
		for i, v := range j.In {
			inPrimals[i] = fwd.NewArg(v.Aval())
			in[i] = inPrimals[i]
			if nz[i] {
				in[i] = &LinearizeTracer{t, inPrimals[i], t.tangent.NewArg(v.Aval().Tangent())}
			}
		}
		l = t.finish(fwd, j, inPrimals, in, instantiate, allow, debug)
	})
	return l
}

func (t *LinearizeTrace) finish(fwd *partialeval.DynamicTrace, j *core.Jaxpr, inPrimals, in []core.Value, instantiate, allow []bool, debug *core.DebugInfo) LinearOf {
	var outs, outT []core.Value
	core.WithTrace(t, func() {
		outs, outT = t.pairs(core.EvalJaxpr(j, in))
	})
	core.WithTrace(t.parent, func() {
		for i := range instantiate {
			if instantiate[i] {
				outT[i] = Instantiate(outT[i])
			}
		}
	})
	l := LinearOf{OutNZ: nonZero(outT)}
	tangent := partialeval.DCEConsts(t.tangent.Finish(filter(outT, l.OutNZ), debug))
	var res []core.Value
	l.Tangent, res = tangent.SeparateConsts()
	l.ResFwd = make([]int, len(res))
	inputs := map[core.Value]int{}
	for i, c := range append(append([]core.Value{}, j.Consts...), inPrimals...) {
		if allow == nil || allow[i] {
			inputs[c] = i
		}
	}
	all := append([]core.Value{}, outs...)
	for i, r := range res {
		l.ResFwd[i] = -1
		if k, ok := inputs[r]; ok {
			l.ResFwd[i] = k
			continue
		}
		all = append(all, r)
		l.NumRes++
	}
	l.Forward = partialeval.DCEConsts(fwd.Finish(fwd.Tracers(all), debug))
	return l
}

// Repr is a value as it prints inside a tracer's repr.
func Repr(v core.Value) string {
	switch x := v.(type) {
	case core.Tracer:
		return x.Repr()
	case *core.Const:
		return ConstRepr(x)
	case core.Zero:
		return "Zero(" + x.Of.Long() + ")"
	}
	return "?"
}

// ConstRepr prints a concrete value inside a tracer's repr; package jaxlike
// replaces it by the array printer.
var ConstRepr = func(c *core.Const) string { return c.Aval().Long() }
