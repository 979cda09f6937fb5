package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// The scatters that combine old and new elements.
var (
	// ScatterAddP adds the updates.
	ScatterAddP = core.NewPrimitive("scatter-add")
	// ScatterSubP subtracts the updates.
	ScatterSubP = core.NewPrimitive("scatter-sub")
	// ScatterMulP multiplies by the updates.
	ScatterMulP = core.NewPrimitive("scatter-mul")
	// ScatterMinP takes the smaller elements.
	ScatterMinP = core.NewPrimitive("scatter-min")
	// ScatterMaxP takes the larger elements.
	ScatterMaxP = core.NewPrimitive("scatter-max")
)

func init() {
	for _, p := range []*core.Primitive{ScatterAddP, ScatterSubP} {
		p.Define(core.Rules{AbstractEval: evalScatter, JVP: jvpScatterAdd(p), Transpose: transposeScatterAdd(p), Batch: batchScatter(p), Lower: lowerScatter})
	}
	ScatterMulP.Define(core.Rules{
		AbstractEval: evalScatter,
		JVP: ad.Std(ScatterMulP,
			func(t, _ core.Value, in []core.Value, p core.Params) core.Value {
				return ScatterMulP.Bind1(p, t, in[1], in[2])
			}, nil,
			func(t, _ core.Value, in []core.Value, p core.Params) core.Value {
				s := scatterOf(p)
				needUnique(s)
				return mul(in[0], scatter(ScatterAddP, zeros(in[0]), in[1], t, s))
			}),
		Transpose: func(cts, args []core.Value, p core.Params) []core.Value {
			s := scatterOf(p)
			return transposeScatterOf(cts, args, func(ct core.Value) core.Value {
				return scatter(ScatterMulP, ct, args[1], args[2], s)
			}, func(ct core.Value) core.Value {
				needUnique(s)
				return s.undo(mul(ct, args[0]), args[1], args[2].Aval(), GatherParams{Mode: s.mode, Fill: 0})
			})
		},
		Batch: batchScatter(ScatterMulP),
		Lower: lowerScatter,
	})
	for _, p := range []*core.Primitive{ScatterMinP, ScatterMaxP} {
		p.Define(core.Rules{AbstractEval: evalScatter, JVP: jvpScatterChooser(p), Batch: batchScatter(p), Lower: lowerScatter})
	}
}

func needUnique(s scatterParams) {
	if !s.unique {
		core.Raise("NotImplementedError", "scatter_mul gradients are only implemented if `unique_indices=True`")
	}
}

func jvpScatterAdd(prim *core.Primitive) ad.JVPRule {
	return func(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
		out := prim.Bind(p, in...)
		if core.IsZero(ts[0]) && core.IsZero(ts[2]) {
			return out, []core.Value{ad.ZeroOf(out[0])}
		}
		return out, prim.Bind(p, ad.Instantiate(ts[0]), in[1], ad.Instantiate(ts[2]))
	}
}

func transposeScatterAdd(prim *core.Primitive) ad.TransposeRule {
	return func(cts, args []core.Value, p core.Params) []core.Value {
		s := scatterOf(p)
		return transposeScatterOf(cts, args, func(ct core.Value) core.Value { return ct }, func(ct core.Value) core.Value {
			out := s.undo(ct, args[1], args[2].Aval(), GatherParams{Mode: s.mode, Fill: 0})
			if prim == ScatterSubP {
				out = neg(out)
			}
			return out
		})
	}
}

// jvpScatterChooser is the rule of minimum and maximum: updates that contend
// for a place share its tangent (_scatter_extremal_jvp).
func jvpScatterChooser(prim *core.Primitive) ad.JVPRule {
	return func(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
		x, indices, updates := in[0], in[1], in[2]
		out := prim.Bind1(p, in...)
		if core.IsZero(ts[0]) && core.IsZero(ts[2]) {
			return []core.Value{out}, []core.Value{ad.ZeroOf(out)}
		}
		s := scatterOf(p)
		tx, tu := ad.Instantiate(ts[0]), ad.Instantiate(ts[2])
		read := func(v core.Value) core.Value {
			return s.undo(v, indices, updates.Aval(), GatherParams{Mode: s.mode, Unique: s.unique, Sorted: s.sorted})
		}
		count := func(u func() core.Value) core.Value {
			z := zeros(x)
			return read(scatter(ScatterAddP, z, indices, u(), s))
		}
		before, after := read(x), read(out)
		successful, retained := array.New(updates).Eq(array.New(after)).Value(), array.New(before).Eq(array.New(after)).Value()
		n := count(func() core.Value {
			one := ones(updates)
			return selectBool(successful, one, zeros(updates))
		})
		refs := count(func() core.Value { return ones(updates) })
		share := func(v core.Value) core.Value {
			return array.New(scalarConst(1, dtype.DefaultFloat(core.X64()), true)).Div(array.New(v)).Value()
		}
		more := func() core.Value { return share(array.New(n).Add(1).Value()) }
		norm := selectBool(retained, more(), share(n))
		updCoef := selectBool(successful, norm, zeros(updates))
		opNorm := selectBool(retained, more(), zeros(n))
		opCoef := array.New(scalarConst(-1, dtype.DefaultFloat(core.X64()), true)).Add(array.New(opNorm)).Div(array.New(refs))
		target := read(tx)
		tangent := array.New(target).Mul(opCoef).Add(array.New(tu).Mul(array.New(updCoef)))
		return []core.Value{out}, []core.Value{scatter(ScatterAddP, tx, indices, tangent.Value(), s)}
	}
}
