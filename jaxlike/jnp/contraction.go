package jnp

import (
	"fmt"
	"slices"
	"strings"

	"gopherlo/jaxlike/array"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// dotType gives the type that products are summed in, and whether the result
// is weak.
func dotType(a, b array.Array, s kw.Set) (dtype.DType, bool) {
	if s.PreferredElementType != dtype.Invalid {
		return s.PreferredElementType.Canonical(core.X64()), false
	}
	t := resultType(a, b)
	return t.DType, t.Weak
}

func precision(s kw.Set) lax.Precision { return lax.Precision(strings.ToUpper(s.Precision)) }

func contraction(name string, a, b any, opts []kw.DotOption, f func(a, b array.Array, s kw.Set) array.Array) array.Array {
	s := kw.Collect(opts)
	return inline(name, fmt.Sprint(s.Precision, s.PreferredElementType), func(xs []array.Array) array.Array {
		return f(xs[0], xs[1], s)
	}, value(name, "a", a), value(name, "b", b))
}

// Dot gives the dot product as NumPy's: over the last dimension of a and the
// last but one of b.
func Dot(a, b any, opts ...kw.DotOption) array.Array { return contraction("dot", a, b, opts, dot) }

func dot(a, b array.Array, s kw.Set) array.Array {
	d, weak := dotType(a, b, s)
	var dims lax.DotDims
	if na, nb := a.NDim(), b.NDim(); na > 0 && nb > 0 {
		dims.LHSContract = []int{na - 1}
		dims.RHSContract = []int{max(0, nb-2)}
	}
	return lax.Convert(lax.DotGeneral(a, b, dims, precision(s), d), d, weak)
}

// VDot gives the dot product of a and b taken as vectors.
func VDot(a, b any, opts ...kw.DotOption) array.Array {
	return contraction("vdot", a, b, opts, func(a, b array.Array, s kw.Set) array.Array {
		if a.DType().IsComplex() {
			a = Conj(a)
		}
		return contraction("dot", Ravel(a), Ravel(b), opts, dot)
	})
}

// MatMul gives the matrix product, with leading dimensions as batches.
func MatMul(a, b any, opts ...kw.DotOption) array.Array {
	return contraction("matmul", a, b, opts, matmul)
}

func matmul(a, b array.Array, s kw.Set) array.Array {
	for i, x := range []array.Array{a, b} {
		if x.NDim() < 1 {
			core.ValueErrorf("matmul input operand %d must have ndim at least 1, but it has ndim %d", i, x.NDim())
		}
	}
	d, weak := dotType(a, b, s)
	p := planMatmul(a, b)
	x, y := lax.Squeeze(a, p.aSqueeze), lax.Squeeze(b, p.bSqueeze)
	dims := lax.DotDims{
		LHSContract: []int{x.NDim() - 1}, RHSContract: []int{max(0, y.NDim()-2)},
		LHSBatch: p.aBatch, RHSBatch: p.bBatch,
	}
	if b.NDim() == 1 {
		dims.RHSContract[0] = y.NDim() - 1
	}
	out := lax.Transpose(lax.DotGeneral(x, y, dims, precision(s), d), p.perm())
	if len(p.bothSqueeze) > 0 {
		out = lax.ExpandDims(out, p.bothSqueeze)
	}
	return lax.Convert(out, d, weak)
}

// matmulPlan says which dimensions of a matrix product are batches, which are
// dropped because they have size 1, and where the others go (jnp.matmul).
type matmulPlan struct {
	aSqueeze, bSqueeze, bothSqueeze []int
	aBatch, bBatch                  []int
	batch, aOther, bOther           []int
}

func planMatmul(a, b array.Array) *matmulPlan {
	p := &matmulPlan{aBatch: []int{}, bBatch: []int{}}
	ab, bb := batchDims(a), batchDims(b)
	n := max(len(ab), len(bb))
	for i := range n {
		ia, ib := i-(n-len(ab)), i-(n-len(bb))
		if ia < 0 {
			p.bOther = append(p.bOther, i)
			continue
		}
		if ib < 0 {
			p.aOther = append(p.aOther, i)
			continue
		}
		p.pair(i, ab[ia], bb[ib], a, b)
	}
	if a.NDim() > 1 {
		p.aOther = append(p.aOther, n)
		n++
	}
	if b.NDim() > 1 {
		p.bOther = append(p.bOther, n)
	}
	return p
}

func (p *matmulPlan) pair(i, da, db int, a, b array.Array) {
	dropA := func() { p.aSqueeze = append(p.aSqueeze, len(p.batch)+len(p.aOther)+len(p.aSqueeze)) }
	dropB := func() { p.bSqueeze = append(p.bSqueeze, len(p.batch)+len(p.bOther)+len(p.bSqueeze)) }
	switch {
	case da == 1 && db == 1:
		dropA()
		dropB()
		p.bothSqueeze = append(p.bothSqueeze, i)
	case da == 1:
		p.bOther = append(p.bOther, i)
		dropA()
	case db == 1:
		p.aOther = append(p.aOther, i)
		dropB()
	case da == db:
		p.aBatch = append(p.aBatch, len(p.batch)+len(p.aOther))
		p.bBatch = append(p.bBatch, len(p.batch)+len(p.bOther))
		p.batch = append(p.batch, i)
	default:
		core.ValueErrorf("Incompatible types for matmul arguments: %s and %s", a.Aval().Long(), b.Aval().Long())
	}
}

func batchDims(x array.Array) []int {
	if x.NDim() <= 2 {
		return nil
	}
	return x.Shape()[:x.NDim()-2]
}

// perm sorts the result's dimensions from the order that dot_general gives.
func (p *matmulPlan) perm() []int {
	order := slices.Concat(p.batch, p.aOther, p.bOther)
	perm := make([]int, len(order))
	for i := range perm {
		perm[i] = i
	}
	slices.SortStableFunc(perm, func(i, j int) int { return order[i] - order[j] })
	return perm
}

// Outer gives the products of all pairs of elements.
func Outer(a, b any) array.Array {
	return inline("outer", "", func(xs []array.Array) array.Array {
		p := promoteTypes(same, xs...)
		return Multiply(lax.ExpandDims(Ravel(p[0]), []int{1}), lax.ExpandDims(Ravel(p[1]), []int{0}))
	}, value("outer", "a", a), value("outer", "b", b))
}
