package jaxlike

import (
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// LinearTranspose transposes a function that is linear in its arguments: it
// gives the function that maps a cotangent of the result to the tuple of
// cotangents of the arguments. Only the arguments' types matter.
func LinearTranspose(f any, primals ...any) Func {
	fn := stages.NewCallable(f)
	a := fn.Flatten(primals, nil, "linear_transpose")
	t := &linearFunc{fn: fn, args: a}
	t.stage()
	return newFunc(&funcInfo{fn: fn.Renamed("transposed_fun", nil), call: func(args []any) Array {
		mustCount("the function that linear_transpose gives", len(args), 1)
		return t.transpose(args[0])
	}})
}

// linearFunc is a staged linear function with its constants.
type linearFunc struct {
	fn     *stages.Callable
	args   *stages.Args
	def    *tree.Def
	jaxpr  *core.Jaxpr
	consts []core.Value
}

func (l *linearFunc) stage() {
	pt := partialeval.NewPartialTrace(core.CurrentTrace())
	in := make([]*partialeval.PartialTracer, len(l.args.Avals))
	vals := make([]core.Value, len(in))
	for i, a := range l.args.Avals {
		in[i] = pt.Unknown(a)
		vals[i] = in[i]
	}
	var outs []core.Value
	core.WithTrace(pt, func() { outs, l.def = l.fn.Run(l.args, vals, "linear_transpose") })
	l.jaxpr, l.consts = pt.ToJaxpr(in, outs, &core.DebugInfo{TracedFor: "linear_transpose", FuncName: l.fn.Name, FuncSource: l.fn.Source()})
	l.checkTypes()
}

// checkTypes allows functions between inexact types, or between integers.
func (l *linearFunc) checkTypes() {
	inexact, integer := true, true
	texts := [2][]string{}
	for k, avals := range [2][]*core.ShapedArray{l.args.Avals, l.jaxpr.OutAvals()} {
		for _, a := range avals {
			d := a.DType
			inexact = inexact && (d == dtype.Float0 || d.IsInexact())
			integer = integer && (d == dtype.Float0 || d.IsInt())
			texts[k] = append(texts[k], "dtype('"+d.String()+"')")
		}
	}
	if !inexact && !integer {
		core.TypeErrorf("linear_transpose only supports [float, complex, or float0] -> [float, complex, or float0], and integer -> integer functions, but got [%s] -> [%s].",
			strings.Join(texts[0], ", "), strings.Join(texts[1], ", "))
	}
}

func (l *linearFunc) transpose(ct any) Array {
	leaves, def := tree.FlattenWith(ct, nil, tree.Options{HostArrays: true, Expand: array.Expand})
	if len(l.def.Mismatches(def)) > 0 {
		core.TypeErrorf("cotangent tree does not match function output, expected %s but got %s", l.def, def)
	}
	want := l.jaxpr.OutAvals()
	cts := make([]core.Value, len(leaves))
	for i, leaf := range leaves {
		v, ok := array.ToValue(leaf)
		if !ok || !v.Aval().SameType(want[i]) {
			core.TypeErrorf("cotangent type does not match function output, expected %s but got %s", avalList(want), valueList(leaves))
		}
		cts[i] = v
		if want[i].DType == dtype.Float0 {
			cts[i] = core.Zero{Of: want[i]}
		}
	}
	n := len(l.consts)
	args := append([]core.Value{}, l.consts...)
	for _, v := range l.jaxpr.In[n:] {
		args = append(args, ad.NewAccum(v.Aval()))
	}
	ad.BackwardPass(l.jaxpr, true, nil, args, cts)
	out := make([]core.Value, len(args)-n)
	for i, acc := range args[n:] {
		out[i] = ad.Instantiate(acc.(*ad.Accum).Value())
	}
	return array.NewResults(out, l.args.Def)
}

func avalList(as []*core.ShapedArray) string {
	texts := make([]string, len(as))
	for i, a := range as {
		texts[i] = a.PyText()
	}
	if len(texts) == 1 {
		return "(" + texts[0] + ",)"
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func valueList(leaves []any) string { return tree.ClassLiteral(leaves) }
