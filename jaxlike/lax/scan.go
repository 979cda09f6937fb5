package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// ScanP runs a body over the leading dimension of arrays, with carries (scan_p
// in jax/_src/lax/control_flow/loops.py). Operands: constants, carries, xs.
// Results: carries, stacked ys. Parameters: ft_in, ft_out, jaxpr, length,
// reverse, unroll.
var ScanP = core.NewPrimitive("scan")

func init() {
	ScanP.Define(core.Rules{
		Multi:          true,
		AbstractEval:   evalScan,
		JVP:            jvpScan,
		Linearize:      linearizeScan,
		FancyTranspose: transposeScan,
		Batch:          batchScan,
		DCE:            dceScan,
		Partial:        partialScan,
		SplitPolicy:    splitScan,
		Lower:          lowerScan,
	})
}

func scanParams(p core.Params, j *core.Jaxpr, in, out *ftree) core.Params {
	return p.With("jaxpr", j).With("ft_in", in).With("ft_out", out)
}

func newScanParams(j *core.Jaxpr, in, out *ftree, length int, reverse bool, unroll int) core.Params {
	return core.P("reverse", reverse, "length", length, "jaxpr", j, "ft_in", in, "ft_out", out, "unroll", unroll)
}

func ftIn(p core.Params) *ftree  { t, _ := p.Get("ft_in").(*ftree); return t }
func ftOut(p core.Params) *ftree { t, _ := p.Get("ft_out").(*ftree); return t }

// leading is the type with a leading dimension of size n.
func leading(a *core.ShapedArray, n int) *core.ShapedArray {
	return a.With(append([]int{n}, a.Shape...))
}

// unleading is the type without its leading dimension.
func unleading(a *core.ShapedArray) *core.ShapedArray { return a.With(a.Shape[1:]) }

func evalScan(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	out := slices.Clone(p.Jaxpr("jaxpr").OutAvals())
	for i := ftOut(p).kids[0].count(); i < len(out); i++ {
		out[i] = leading(out[i], p.Int("length"))
	}
	return out
}

func jvpScan(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
	j, in, out := p.Jaxpr("jaxpr"), ftIn(p), ftOut(p)
	parts := ftParts(in, nonZeroFlags(tangents))
	constNZ, initNZ, xsNZ := parts[0], parts[1], parts[2]
	nYs := out.kids[1].count()
	var d ad.JVPOf
	carryNZ := fixpoint(initNZ, func(c []bool) []bool {
		d = ad.JVPJaxpr(j, slices.Concat(constNZ, c, xsNZ), slices.Concat(c, make([]bool, nYs)))
		return d.OutNZ[:len(c)]
	})
	nz := slices.Concat(constNZ, carryNZ, xsNZ)
	var ts []core.Value
	for i, t := range tangents {
		if nz[i] {
			ts = append(ts, ad.Instantiate(t))
		}
	}
	inT, outT := in.filter(nz), out.filter(d.OutNZ)
	jj := d.Jaxpr.Replace(zipParts(in, inT, d.Jaxpr.In), zipParts(out, outT, d.Jaxpr.Out), d.Jaxpr.Eqns)
	outs := ScanP.Bind(scanParams(p, jj, zipTrees(in, inT), zipTrees(out, outT)), zipParts(in, inT, slices.Concat(primals, ts))...)
	ps, tsOut := unzipParts(out, outT, outs)
	return ps, spread(tsOut, d.OutNZ, ps)
}

// zipTrees pairs the parts of two trees.
func zipTrees(a, b *ftree) *ftree {
	t := &ftree{}
	for i := range a.kids {
		t.kids = append(t.kids, ftPack(a.kid(i), b.kid(i)))
	}
	return t
}

// zipParts brings a list, all values of tree a, then all of tree b, into the
// order of zipTrees(a, b).
func zipParts[T any](a, b *ftree, xs []T) []T {
	n := a.count()
	pa, pb := ftParts(a, xs[:n]), ftParts(b, xs[n:])
	var out []T
	for i := range pa {
		out = append(append(out, pa[i]...), pb[i]...)
	}
	return out
}

// unzipParts undoes zipParts.
func unzipParts[T any](a, b *ftree, xs []T) (as, bs []T) {
	for i := range a.kids {
		n, m := a.kids[i].count(), b.kids[i].count()
		as, bs = append(as, xs[:n]...), append(bs, xs[n:n+m]...)
		xs = xs[n+m:]
	}
	return as, bs
}

func batchScan(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	j, in, out := p.Jaxpr("jaxpr"), ftIn(p), ftOut(p)
	vals, ds := ftParts(in, args), ftParts(in, dims)
	consts, init, xs := vals[0], vals[1], vals[2]
	nYs := out.kids[1].count()
	xsAxes := axisFlags(mapped(ds[2]), 0)
	var b batching.Batched
	carry := fixpoint(mapped(ds[1]), func(c []bool) []bool {
		b = batching.JaxprAxes(j, axis, slices.Concat(ds[0], axisFlags(c, 0), xsAxes),
			batching.ZeroIf(slices.Concat(c, make([]bool, nYs))))
		return mapped(b.OutDims)[:len(c)]
	})
	newInit, newXs := slices.Clone(init), slices.Clone(xs)
	for i, x := range init {
		if carry[i] {
			newInit[i] = batching.Match(axis, ds[1][i], 0, x)
		}
	}
	for i, x := range xs {
		if ds[2][i] != core.NotMapped {
			newXs[i] = batching.Moveaxis(x, ds[2][i], 1)
		}
	}
	outs := ScanP.Bind(p.With("jaxpr", b.Jaxpr), slices.Concat(consts, newInit, newXs)...)
	return outs, slices.Concat(axisFlags(carry, 0), axisFlags(mapped(b.OutDims)[len(carry):], 1))
}

func dceScan(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
	p := e.Params
	j, in, out := p.Jaxpr("jaxpr"), ftIn(p), ftOut(p)
	nConst, nXs := in.kids[0].count(), in.kids[2].count()
	parts := ftParts(out, used)
	var small *core.Jaxpr
	var usedIn []bool
	carry := fixpoint(parts[0], func(c []bool) []bool {
		small, usedIn = partialeval.DCE(j, slices.Concat(c, parts[1]), slices.Concat(make([]bool, nConst), c, make([]bool, nXs)))
		return usedIn[nConst : nConst+len(c)]
	})
	usedOut := slices.Concat(carry, parts[1])
	if small == j && allTrue(usedIn) && allTrue(usedOut) {
		return usedIn, e
	}
	ne := *e
	ne.In, ne.Out = partialeval.KeepAtoms(e.In, usedIn), partialeval.KeepVars(e.Out, usedOut)
	ne.Params = scanParams(p, small, in.filter(usedIn), out.filter(usedOut))
	return usedIn, &ne
}
