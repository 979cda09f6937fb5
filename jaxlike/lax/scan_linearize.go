package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// isHostArray tells NumPy's arrays, which residuals are not forwarded from.
func isHostArray(v core.Value) bool {
	c, ok := v.(*core.Const)
	return ok && c.HostMade && c.Py == nil
}

// linearizeScan runs the scan with residuals as further ys, and gives the
// linear scan that takes them (_scan_linearize in JAX). Residuals that are
// constants or xs come from outside, and what depends on constants only is
// computed once, before the loop.
func linearizeScan(nz []bool, primals []core.Value, p core.Params) core.Linearized {
	s := linearizeScanBody(nz, primals, p)
	j, n := s.p.Jaxpr("jaxpr"), s.nOut
	known, consts, isHoisted, hoisted := hoistKnown(s.lin.Forward, primals[:s.nConst], n)
	// Residuals that are not scanned over stay in front, the others go behind
	// the tangents.
	move := movedResiduals(s.lin.ResFwd, isHoisted, len(j.Consts)+s.nConst+s.nCarry)
	tangent := moveToBack(s.lin.Tangent, move)
	stacked := make([]bool, n)
	for i := s.nCarry; i < n; i++ {
		stacked[i] = true
	}
	known, resFwd := partialeval.DedupOutputsWhere(known, stacked)
	var outs []core.Value
	if len(known.Out) > 0 {
		in, out := ftIn(p), ftOut(p)
		outs = ScanP.Bind(scanParams(p, known, ftPack(ftNones(len(consts)), in.kid(1), in.kid(2)),
			ftPack(in.kid(1), ftPack(out.kid(1), ftNones(len(known.Out)-n)))), append(slices.Clone(consts), primals[s.nConst:]...)...)
	}
	outs = partialeval.Subs(resFwd, outs, outs)
	out, ext := outs[:n:n], outs[n:]
	pool := append(slices.Clone(j.Consts), primals...)
	res := partialeval.Subs(s.lin.ResFwd, pool, mergeLists(isHoisted, ext, hoisted))
	return core.Linearized{Out: out, NZ: s.lin.OutNZ, Linear: func(ts []core.Value) []core.Value {
		return s.linear(tangent, res, move, ts, out)
	}}
}

// scanLin is a scan whose body was linearized.
type scanLin struct {
	p                    core.Params
	lin                  ad.LinearOf
	nz                   []bool // of the operands, after the fixpoint
	nConst, nCarry, nOut int
}

func linearizeScanBody(nz []bool, primals []core.Value, p core.Params) *scanLin {
	j, in, out := p.Jaxpr("jaxpr"), ftIn(p), ftOut(p)
	parts := ftParts(in, nz)
	nYs := out.kids[1].count()
	s := &scanLin{p: p, nConst: len(parts[0]), nCarry: len(parts[1]), nOut: len(j.Out)}
	allow := trues(len(j.Consts))
	for i, x := range primals {
		isCarry := i >= s.nConst && i < s.nConst+s.nCarry
		allow = append(allow, !isCarry && !isHostArray(x))
	}
	fixpoint(parts[1], func(c []bool) []bool {
		s.nz = slices.Concat(parts[0], c, parts[2])
		s.lin = ad.LinearizeJaxprFwd(j, s.nz, slices.Concat(c, make([]bool, nYs)), allow)
		return s.lin.OutNZ[:len(c)]
	})
	return s
}

// linear binds the linear scan under the tangent trace.
func (s *scanLin) linear(tangent *core.Jaxpr, res []core.Value, move []bool, ts, primalsOut []core.Value) []core.Value {
	var intRes, extRes, nzTs []core.Value
	for i, r := range res {
		if move[i] {
			extRes = append(extRes, r)
		} else {
			intRes = append(intRes, r)
		}
	}
	for i, t := range ts {
		if s.nz[i] {
			nzTs = append(nzTs, ad.Instantiate(t))
		}
	}
	in := ftIn(s.p).filter(s.nz)
	ftin := ftPack(ftPack(ftNones(len(intRes)), in.kid(0)), in.kid(1), ftPack(in.kid(2), ftNones(len(extRes))))
	outs := ScanP.Bind(scanParams(s.p, tangent, ftin, ftOut(s.p).filter(s.lin.OutNZ)), slices.Concat(intRes, nzTs, extRes)...)
	return spread(outs, s.lin.OutNZ, primalsOut)
}

// moveToBack moves the marked ones of the leading binders behind all others.
func moveToBack(j *core.Jaxpr, move []bool) *core.Jaxpr {
	return j.Memo("moveback:"+core.BoolKey(move), func() any {
		var front, back []*core.Var
		for i, v := range j.In {
			if i < len(move) && move[i] {
				back = append(back, v)
			} else {
				front = append(front, v)
			}
		}
		return j.Replace(append(front, back...), j.Out, j.Eqns)
	}).(*core.Jaxpr)
}

// moveToFront moves the marked binders before all others.
func moveToFront(j *core.Jaxpr, move []bool) *core.Jaxpr {
	return j.Memo("movefront:"+core.BoolKey(move), func() any {
		var front, back []*core.Var
		for i, v := range j.In {
			if i < len(move) && move[i] {
				front = append(front, v)
			} else {
				back = append(back, v)
			}
		}
		return j.Replace(append(front, back...), j.Out, j.Eqns)
	}).(*core.Jaxpr)
}

// mergeLists takes an element of b where which is set, else one of a.
func mergeLists[T any](which []bool, a, b []T) []T {
	out := make([]T, len(which))
	for i, w := range which {
		if w {
			out[i], b = b[0], b[1:]
		} else {
			out[i], a = a[0], a[1:]
		}
	}
	return out
}

// hoistKnown computes what the body j computes from its constants alone, once
// and now, if a residual is among it: the outputs after the first nOut. It gives
// the body that is left, its constants, which residuals were hoisted and their
// values (_scan_known_hoisting in JAX).
func hoistKnown(j *core.Jaxpr, consts []core.Value, nOut int) (rest *core.Jaxpr, restConsts []core.Value, isHoisted []bool, hoisted []core.Value) {
	var pt *partialeval.PartialTrace
	core.With(func(s *core.State) { s.Names = nil }, func() { pt = partialeval.NewPartialTrace(core.CurrentTrace()) })
	args := slices.Clone(consts)
	var unknown []*partialeval.PartialTracer
	for _, v := range j.In[len(consts):] {
		u := pt.Unknown(v.Aval())
		unknown = append(unknown, u)
		args = append(args, u)
	}
	var outs []core.Value
	core.With(func(s *core.State) { s.Trace, s.Names = pt, nil }, func() { outs = core.EvalJaxpr(j, args) })
	var left []core.Value
	for i, o := range outs {
		known := i >= nOut && !pt.IsUnknown(o)
		if i >= nOut {
			isHoisted = append(isHoisted, known)
		}
		if known {
			hoisted = append(hoisted, o)
		} else {
			left = append(left, o)
		}
	}
	rest, restConsts = pt.ToJaxpr(unknown, left, j.Debug)
	return rest, restConsts, isHoisted, hoisted
}
