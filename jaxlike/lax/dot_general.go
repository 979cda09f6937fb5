package lax

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/xla/stablehlo"
)

// DotDims are the dimension numbers of a dot product: which dimensions of the
// operands are summed over, and which are paired as batches.
type DotDims struct {
	LHSContract, RHSContract, LHSBatch, RHSBatch []int
}

// PyRepr prints the numbers as a jaxpr shows them.
func (d DotDims) PyRepr() string {
	l := func(vs []int) string { return core.PyRepr(core.List(anys(vs))) }
	return fmt.Sprintf("((%s, %s), (%s, %s))", l(d.LHSContract), l(d.RHSContract), l(d.LHSBatch), l(d.RHSBatch))
}

// Precision asks the compiler for more exact products: DEFAULT, HIGH or HIGHEST.
type Precision string

// The precisions.
const (
	PrecisionDefault Precision = "DEFAULT"
	PrecisionHigh    Precision = "HIGH"
	PrecisionHighest Precision = "HIGHEST"
)

// PyRepr prints a precision as the pair that JAX makes of it.
func (p Precision) PyRepr() string {
	return fmt.Sprintf("(Precision.%s, Precision.%s)", string(p), string(p))
}

// DotGeneralP sums products over contracted dimensions.
var DotGeneralP = core.NewPrimitive("dot_general")

func init() {
	DotGeneralP.Define(core.Rules{
		AbstractEval: evalDot,
		JVP:          ad.BilinearJVP(DotGeneralP),
		Transpose: ad.Bilinear(
			func(ct, x, y core.Value, p core.Params) core.Value { return transposeDot(ct, x, y, p, false) },
			func(ct, x, y core.Value, p core.Params) core.Value {
				d := dotDims(p)
				swapped := DotDims{d.RHSContract, d.LHSContract, d.RHSBatch, d.LHSBatch}
				return transposeDot(ct, y, x, p.With("dimension_numbers", swapped), true)
			},
		),
		Batch: batchDot,
		Lower: lowerDot,
		PrintParams: func(e *core.Eqn) core.Params {
			hidden := []string{"out_sharding"}
			for _, q := range e.Params {
				if q.Val == nil {
					hidden = append(hidden, q.Name)
				}
			}
			return core.SortedParams(e.Params, hidden...)
		},
	})
}

// DotGeneral gives the dot product; out is the element type of the result, or
// dtype.Invalid for the operands' own.
func DotGeneral(x, y any, dims DotDims, precision Precision, out dtype.DType) array.Array {
	var pr, pet any
	if precision != "" {
		pr = precision
	}
	if out != dtype.Invalid {
		pet = out
	}
	p := core.P("dimension_numbers", dims, "precision", pr, "preferred_element_type", pet, "out_sharding", nil)
	return array.New(DotGeneralP.Bind1(p, toValue("dot_general", x, 0), toValue("dot_general", y, 1)))
}

// Dot gives the product of vectors and matrices: over the last dimension of x and
// the first of y. kw.Precision and kw.PreferredElementType are as in jnp.Dot.
func Dot(x, y any, opts ...kw.DotOption) array.Array {
	a, b := toValue("dot_general", x, 0), toValue("dot_general", y, 1)
	s, sa, sb := kw.Collect(opts), a.Aval().Shape, b.Aval().Shape
	plain := func(shape []int) bool { return len(shape) == 1 || len(shape) == 2 }
	if !plain(sa) || !plain(sb) || sa[len(sa)-1] != sb[0] {
		core.ValueErrorf("jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched matrix-matrix, matrix-vector, or vector-vector products; got lhs_shape=%s rhs_shape=%s",
			core.PyRepr(core.NewInts(sa...)), core.PyRepr(core.NewInts(sb...)))
	}
	return DotGeneral(array.New(a), array.New(b), DotDims{LHSContract: []int{len(sa) - 1}, RHSContract: []int{0}}, Precision(strings.ToUpper(s.Precision)), s.PreferredElementType)
}

// BatchMatMul gives the products of matrices, one for each place in the leading
// dimensions.
func BatchMatMul(x, y any, opts ...kw.DotOption) array.Array {
	a, b := toValue("dot_general", x, 0), toValue("dot_general", y, 1)
	n := a.Aval().NDim()
	if n < 2 || b.Aval().NDim() < 2 {
		core.ValueErrorf("Arguments to batch_matmul must be at least 2D, got %d, %d", n, b.Aval().NDim())
	}
	if n != b.Aval().NDim() {
		core.ValueErrorf("Arguments to batch_matmul must have same ndim, got %d, %d", n, b.Aval().NDim())
	}
	s, batch := kw.Collect(opts), upToDims(n-2)
	dims := DotDims{LHSContract: []int{n - 1}, RHSContract: []int{n - 2}, LHSBatch: batch, RHSBatch: batch}
	return DotGeneral(array.New(a), array.New(b), dims, Precision(strings.ToUpper(s.Precision)), s.PreferredElementType)
}

func dotDims(p core.Params) DotDims {
	d, _ := p.Get("dimension_numbers").(DotDims)
	return d
}

func pick(shape, dims []int) []int {
	out := make([]int, len(dims))
	for i, d := range dims {
		out[i] = shape[d]
	}
	return out
}

func evalDot(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, y, d := in[0], in[1], dotDims(p)
	checkDotDims("lhs", x, d.LHSBatch, d.LHSContract)
	checkDotDims("rhs", y, d.RHSBatch, d.RHSContract)
	if len(d.LHSBatch) != len(d.RHSBatch) {
		core.TypeErrorf("dot_general requires equal numbers of lhs_batch and rhs_batch dimensions, got lhs_batch %s and rhs_batch %s.", shapeText(d.LHSBatch), shapeText(d.RHSBatch))
	}
	if a, b := pick(x.Shape, d.LHSBatch), pick(y.Shape, d.RHSBatch); !slices.Equal(a, b) {
		core.TypeErrorf("dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got %s and %s.", shapeText(a), shapeText(b))
	}
	if a, b := pick(x.Shape, d.LHSContract), pick(y.Shape, d.RHSContract); !slices.Equal(a, b) {
		core.TypeErrorf("dot_general requires contracting dimensions to have the same shape, got %s and %s.", shapeText(a), shapeText(b))
	}
	return []*core.ShapedArray{{Shape: dotShape(x.Shape, y.Shape, d), DType: dotType(x.DType, y.DType, p.DType("preferred_element_type")), Weak: allWeak(in)}}
}

func checkDotDims(side string, a *core.ShapedArray, batch, contract []int) {
	for _, d := range append(slices.Clone(batch), contract...) {
		if d < 0 || d >= a.NDim() {
			core.TypeErrorf("dot_general requires %s dimension numbers to be nonnegative and less than the number of axes of the %s value, got %s_batch of %s and %s_contracting of %s for %s of rank %d",
				side, side, side, shapeText(batch), side, shapeText(contract), side, a.NDim())
		}
	}
	for i, d := range contract {
		if slices.Contains(batch, d) {
			core.TypeErrorf("dot_general requires %s batch dimensions to be disjoint from contracting dimensions, got %s_batch %s and %s_contracting %s.", side, side, shapeText(batch), side, shapeText(contract))
		}
		if slices.Contains(contract[:i], d) {
			core.TypeErrorf("dot_general requires %s contracting dimensions to be distinct, got %s_contracting %s.", side, side, shapeText(contract))
		}
	}
}

func dotShape(x, y []int, d DotDims) []int {
	shape := pick(x, d.LHSBatch)
	shape = append(shape, pick(x, remaining(len(x), d.LHSBatch, d.LHSContract))...)
	return append(shape, pick(y, remaining(len(y), d.RHSBatch, d.RHSContract))...)
}

// dotType follows XLA's choice of the higher precision.
func dotType(x, y, preferred dtype.DType) dtype.DType {
	out := x
	switch c := slices.Compare(typeRank(x), typeRank(y)); {
	case c < 0:
		out = y
	case c == 0 && x != y:
		core.TypeErrorf("lax.dot_general argument type error: %s, %s", x, y)
	}
	if preferred == dtype.Invalid || preferred == out {
		return out
	}
	if !out.IsFloat() && preferred.Bits() < out.Bits() {
		core.TypeErrorf("`preferred_element_type` must not be narrower than the original type, got preferred_element_type of %s for result type of %s.", preferred, out)
	}
	return preferred
}

func typeRank(d dtype.DType) []int {
	c, r := 0, d.Real()
	if d.IsComplex() {
		c = 1
	}
	exp, man := -1, -1
	if r.IsFloat() {
		exp, man = dtype.ExponentBits(r), dtype.MantissaBits(r)
	}
	signed := 1
	if r.IsUnsigned() {
		signed = 0
	}
	bits := r.Bits()
	if r.IsBool() {
		bits = 1
	}
	return []int{c, exp, man, bits, signed}
}

// transposeDot gives the cotangent of x, the operand that dimension_numbers
// calls the left one; swapped says that it stood right.
func transposeDot(ct, x, y core.Value, p core.Params, swapped bool) core.Value {
	d, xa := dotDims(p), x.Aval()
	xKept := remaining(xa.NDim(), d.LHSContract, d.LHSBatch)
	yKept := remaining(y.Aval().NDim(), d.RHSContract, d.RHSBatch)
	nb := len(d.LHSBatch)
	first := nb
	if !swapped {
		first = nb + len(xKept)
	}
	dims := DotDims{LHSContract: count(first, len(yKept)), RHSContract: yKept, LHSBatch: count(0, nb), RHSBatch: d.RHSBatch}
	byY := slices.Clone(d.LHSContract)
	order := count(0, len(byY))
	sort.SliceStable(order, func(i, j int) bool { return d.RHSContract[order[i]] < d.RHSContract[order[j]] })
	for i, o := range order {
		byY[i] = d.LHSContract[o]
	}
	axes := append(append(slices.Clone(d.LHSBatch), xKept...), byY...)
	bar := transpose(DotGeneralP.Bind1(p.With("dimension_numbers", dims), ct, y), inverse(axes))
	if bar.Aval().DType != xa.DType {
		bar = convert(bar, xa.DType, xa.Weak)
	}
	return bar
}

func count(from, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}

func bump(dims []int, b int) []int {
	out := slices.Clone(dims)
	for i, d := range out {
		if d >= b {
			out[i]++
		}
	}
	return out
}

func batchDot(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	d, lb, rb := dotDims(p), dims[0], dims[1]
	nx := args[0].Aval().NDim()
	out := core.NotMapped
	less := func(ds []int, b int) int {
		n := 0
		for _, v := range ds {
			if v < b {
				n++
			}
		}
		return n
	}
	switch {
	case lb != core.NotMapped && rb != core.NotMapped:
		d = DotDims{
			bump(d.LHSContract, lb), bump(d.RHSContract, rb),
			append([]int{lb}, bump(d.LHSBatch, lb)...), append([]int{rb}, bump(d.RHSBatch, rb)...),
		}
		out = 0
	case lb != core.NotMapped:
		out = len(d.LHSBatch) + less(remaining(nx, d.LHSBatch, d.LHSContract), lb)
		d.LHSBatch, d.LHSContract = bump(d.LHSBatch, lb), bump(d.LHSContract, lb)
	case rb != core.NotMapped:
		out = nx - len(d.LHSContract) + less(remaining(args[1].Aval().NDim(), d.RHSBatch, d.RHSContract), rb)
		d.RHSBatch, d.RHSContract = bump(d.RHSBatch, rb), bump(d.RHSContract, rb)
	}
	return DotGeneralP.Bind(p.With("dimension_numbers", d), args...), []int{out}
}

func lowerDot(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	x, y, d := args[0], args[1], dotDims(p)
	if c.In[0].DType != c.In[1].DType { // the CPU backend wants equal types
		t := elem(c.Out[0].DType)
		x, y = c.B.Convert(x, t), c.B.Convert(y, t)
	}
	precision := "DEFAULT"
	if pr, ok := p.Get("precision").(Precision); ok {
		precision = string(pr)
	}
	dims := &stablehlo.DotDims{
		LHSBatch: int64s(d.LHSBatch), RHSBatch: int64s(d.RHSBatch),
		LHSContracting: int64s(d.LHSContract), RHSContracting: int64s(d.RHSContract),
	}
	return []hloValue{c.B.DotGeneral(x, y, typeOf(c.Out[0]), dims, []string{precision, precision}, nil)}
}
