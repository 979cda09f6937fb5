package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
)

// scanBack is a linear scan that is run backwards (_scan_transpose_fancy in
// JAX): cotangents of constants are carries, those of xs are ys.
type scanBack struct {
	j                      *core.Jaxpr
	intRes, extRes         []core.Value
	consts, carry, xs      []core.Value // linear operands: accumulators
	ctConsts, ctCarry, cys []core.Value
}

func transposeScan(cts, args []core.Value, p core.Params) {
	parts := ftParts(ftIn(p), args)
	s := &scanBack{carry: parts[1]}
	s.intRes, s.consts = splitLinear(parts[0])
	s.extRes, s.xs = splitLinear(parts[2])
	s.j = transposeOrder(p.Jaxpr("jaxpr"), linearFlags(parts[0]), len(s.carry), linearFlags(parts[2]))
	nCarry := len(s.carry)
	for _, ct := range cts[:nCarry] {
		s.ctCarry = append(s.ctCarry, ad.Instantiate(ct))
	}
	for _, ct := range cts[nCarry:] {
		if core.IsZero(ct) {
			ct = core.Zero{Of: unleading(ct.Aval())}
		}
		s.cys = append(s.cys, ct)
	}
	for _, c := range s.consts {
		s.ctConsts = append(s.ctConsts, zerosOf(c.Aval()))
	}
	in := slices.Concat(s.intRes, s.ctConsts, s.ctCarry, prune(s.cys), s.extRes)
	ftin := ftPyPack(ftPyPack(ftPyNones(len(s.intRes)), ftPyNones(0)), ftPyPack(ftPyNones(len(s.ctConsts)), ftPyNones(nCarry)),
		ftPyPack(ftPyNones(0), ftPyCotangents(s.cys), ftPyNones(len(s.extRes))))
	ftout := ftPack(ftPyPack(ftPyNones(len(s.ctConsts)), ftPyNones(nCarry)), ftPack(ftPyNones(len(s.xs)), ftNones(0)))
	q := scanParams(p, s.body(in), ftin, ftout).With("reverse", !p.Bool("reverse"))
	outs := ScanP.Bind(q, in...)
	for i, a := range slices.Concat(s.consts, s.carry, s.xs) {
		if acc, ok := a.(core.Accum); ok {
			acc.Accumulate(outs[i])
		}
	}
}

// ftPyCotangents is a pytree: a list of cotangents, some of which are zeros.
func ftPyCotangents(cts []core.Value) *ftree {
	t := ftPyNones(len(cts))
	for i, ct := range cts {
		if core.IsZero(ct) {
			t.kids[i] = &ftree{pytree: ftPyZero, zero: "ShapedArray(" + ct.Aval().Long() + ")"}
		}
	}
	return t
}

func splitLinear(vs []core.Value) (values, linear []core.Value) {
	for _, v := range vs {
		if _, ok := v.(core.Accum); ok {
			linear = append(linear, v)
		} else {
			values = append(values, v)
		}
	}
	return values, linear
}

func linearFlags(vs []core.Value) []bool {
	out := make([]bool, len(vs))
	for i, v := range vs {
		_, out[i] = v.(core.Accum)
	}
	return out
}

// transposeOrder brings the binders into the order: values among the constants,
// linear constants, carries, linear xs, values among the xs.
func transposeOrder(j *core.Jaxpr, consts []bool, nCarry int, xs []bool) *core.Jaxpr {
	return j.Memo("transposeorder:"+core.BoolKey(consts)+":"+core.BoolKey(xs), func() any {
		pick := func(vs []*core.Var, flags []bool, want bool) []*core.Var {
			var out []*core.Var
			for i, v := range vs {
				if flags[i] == want {
					out = append(out, v)
				}
			}
			return out
		}
		cv, rest := j.In[:len(consts)], j.In[len(consts):]
		kv, xv := rest[:nCarry], rest[nCarry:]
		return j.Replace(slices.Concat(pick(cv, consts, false), pick(cv, consts, true), kv, pick(xv, xs, true), pick(xv, xs, false)), j.Out, j.Eqns)
	}).(*core.Jaxpr)
}

// body is the transposed body: values among the constants, cotangents of
// constants and carries, of ys, values among the xs; it gives the cotangents of
// constants, carries, xs.
func (s *scanBack) body(in []core.Value) *core.Jaxpr {
	n := len(s.intRes) + len(s.ctConsts) + len(s.ctCarry)
	avals := make([]*core.ShapedArray, len(in))
	for i, v := range in {
		avals[i] = v.Aval()
		if i >= n {
			avals[i] = unleading(avals[i])
		}
	}
	xs := make([]*core.ShapedArray, len(s.xs))
	for i, x := range s.xs {
		xs[i] = unleading(x.Aval())
	}
	key := "transposescan:" + core.AvalsKey(avals) + ":" + core.AvalsKey(xs) + ":" + core.BoolKey(nonZeroFlags(s.cys)) +
		core.PyRepr(core.NewInts(len(s.intRes), len(s.ctConsts), len(s.ctCarry))) + ad.ContextKey()
	cys, nRes, nConsts, nCarry, nExt := s.cys, len(s.intRes), len(s.ctConsts), len(s.ctCarry), len(s.extRes)
	return s.j.Memo(key, func() any {
		return ad.Derive(func(vals []core.Value) []core.Value {
			take := func(n int) []core.Value {
				out := vals[:n:n]
				vals = vals[n:]
				return out
			}
			primals := slices.Clone(take(nRes))
			var accs []*ad.Accum
			add := func(a *core.ShapedArray, v core.Value) {
				acc := ad.NewAccum(a)
				acc.Accumulate(v)
				accs, primals = append(accs, acc), append(primals, acc)
			}
			for _, v := range take(nConsts) {
				add(v.Aval(), v)
			}
			cts := slices.Clone(take(nCarry))
			for _, v := range cts {
				add(v.Aval(), nil)
			}
			for _, a := range xs {
				add(a, nil)
			}
			for _, ct := range cys {
				if !core.IsZero(ct) {
					ct = take(1)[0]
				}
				cts = append(cts, ct)
			}
			primals = append(primals, take(nExt)...)
			ad.BackwardPass(s.j, false, s.j.Consts, primals, cts)
			out := make([]core.Value, len(accs))
			for i, a := range accs {
				out[i] = ad.Instantiate(a.Value())
			}
			return out
		}, avals, s.j)
	}).(*core.Jaxpr)
}
