package hloconv

import (
	"math"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// maxFold is the number of elements above which some folds stop
// (fold-op-element-limit).
const maxFold = 65536

func bitsOf(e hlo.PrimitiveType) int {
	if e.IsPred() {
		return 1
	}
	return e.Bits()
}

// num is an element: a float or the bits of an integer.
type num struct {
	f float64
	i int64 // sign- or zero-extended as the type says
}

// elementFn computes an element of type e; false means not to fold.
type (
	unaryFn  func(e hlo.PrimitiveType, x num) (num, bool)
	binaryFn func(e hlo.PrimitiveType, x, y num) (num, bool)
)

func load(d *stablehlo.Dense, i int64) num {
	if d.Type.Elem.IsFloat() {
		return num{f: d.Float(i)}
	}
	return num{i: d.Int(i)}
}

func store(buf []byte, e hlo.PrimitiveType, n num) []byte {
	if e.IsFloat() {
		return stablehlo.AppendElem(buf, e, n.f)
	}
	return stablehlo.AppendElem(buf, e, n.i)
}

// isNumeric reports whether the folders compute on the type; complex numbers
// they leave alone.
func isNumeric(e hlo.PrimitiveType) bool {
	return e.IsFloat() || e.IsInteger() || e.IsPred()
}

// mapElems makes a constant of type t from n elements, one when all is splat.
func mapElems(t stablehlo.Type, splat bool, elem func(i int64) (num, bool)) *stablehlo.Dense {
	n := t.Size()
	if splat {
		n = min(n, 1)
	}
	var data []byte
	for i := range n {
		v, ok := elem(i)
		if !ok {
			return nil
		}
		data = store(data, t.Elem, v)
	}
	return densify(t, splat, data)
}

func densify(t stablehlo.Type, splat bool, data []byte) *stablehlo.Dense {
	if splat && t.Size() > 0 {
		return &stablehlo.Dense{Type: t, Splat: true, Data: data}
	}
	d, err := stablehlo.NewDense(t, data)
	if err != nil {
		return nil
	}
	return d
}

// foldUnary folds an op of one constant.
func foldUnary(fn unaryFn) pattern {
	return func(r *rewriter, o *op) bool {
		d := o.in(0).isConst()
		if d == nil || !isNumeric(d.Type.Elem) || !isNumeric(o.out().typ.Elem) {
			return false
		}
		return r.fold(o, mapElems(o.out().typ, d.Splat, func(i int64) (num, bool) { return fn(d.Type.Elem, load(d, i)) }))
	}
}

// foldBinary folds an op of two constants.
func foldBinary(fn binaryFn) pattern {
	return func(r *rewriter, o *op) bool {
		x, y := o.in(0).isConst(), o.in(1).isConst()
		if x == nil || y == nil || !isNumeric(x.Type.Elem) {
			return false
		}
		return r.fold(o, binary(x, y, o.out().typ, fn))
	}
}

func binary(x, y *stablehlo.Dense, t stablehlo.Type, fn binaryFn) *stablehlo.Dense {
	e := x.Type.Elem
	return mapElems(t, x.Splat && y.Splat, func(i int64) (num, bool) {
		a, b := load(x, i), load(y, i)
		r, ok := fn(e, a, b)
		if r.f != r.f && a.f == a.f && b.f == b.f {
			r.f = math.NaN() // positive, as APFloat's; a processor's is negative
		}
		return r, ok
	})
}

// mathElem is a function on floats, computed as float64.
func mathElem(fn func(float64) (float64, bool)) unaryFn {
	return func(e hlo.PrimitiveType, x num) (num, bool) {
		if !e.IsFloat() {
			return num{}, false
		}
		v, ok := fn(x.f)
		return num{f: v}, ok
	}
}

func cosine(x float64) (float64, bool)      { return math.Cos(x), true }
func sine(x float64) (float64, bool)        { return math.Sin(x), true }
func tangent(x float64) (float64, bool)     { return math.Tan(x), true }
func tanh(x float64) (float64, bool)        { return math.Tanh(x), true }
func exponential(x float64) (float64, bool) { return math.Exp(x), true }
func erf(x float64) (float64, bool)         { return math.Erf(x), true }
func logistic(x float64) (float64, bool)    { return 1 / (1 + math.Exp(-x)), true }
func logarithm(x float64) (float64, bool)   { return math.Log(x), x > 0 }
func rsqrt(x float64) (float64, bool)       { return 1 / math.Sqrt(x), x > 0 }
func squareRoot(x float64) (float64, bool)  { return math.Sqrt(x), x >= 0 }
func roundAway(x float64) (float64, bool)   { return math.Round(x), true }
func roundEven(x float64) (float64, bool)   { return math.RoundToEven(x), true }

func absElem(e hlo.PrimitiveType, x num) (num, bool) {
	if !e.IsFloat() && signExtend(e, x.i) < 0 {
		return num{i: -x.i}, true
	}
	return num{f: math.Abs(x.f), i: x.i}, true
}

func negElem(_ hlo.PrimitiveType, x num) (num, bool) { return num{f: -x.f, i: -x.i}, true }

func notElem(e hlo.PrimitiveType, x num) (num, bool) {
	if e.IsPred() {
		return num{i: x.i ^ 1}, true
	}
	return num{i: ^x.i}, !e.IsFloat()
}

func signElem(e hlo.PrimitiveType, x num) (num, bool) {
	switch {
	case e.IsFloat() && x.f != x.f, e.IsUnsigned():
		return num{}, false
	case e.IsFloat() && x.f == 0:
		return num{}, true
	case e.IsFloat():
		return num{f: math.Copysign(1, x.f)}, true
	}
	v := signExtend(e, x.i)
	switch {
	case v < 0:
		return num{i: -1}, true
	case v > 0:
		return num{i: 1}, true
	}
	return num{}, true
}

// signExtend reads the type's bits as a signed number.
func signExtend(e hlo.PrimitiveType, v int64) int64 {
	sh := 64 - bitsOf(e)
	return v << sh >> sh
}

func addElem(e hlo.PrimitiveType, x, y num) (num, bool) {
	return num{f: x.f + y.f, i: wrapPred(e, x.i+y.i)}, true
}

func subElem(e hlo.PrimitiveType, x, y num) (num, bool) {
	return num{f: x.f - y.f, i: wrapPred(e, x.i-y.i)}, true
}

func mulElem(e hlo.PrimitiveType, x, y num) (num, bool) {
	return num{f: x.f * y.f, i: wrapPred(e, x.i*y.i)}, true
}

// wrapPred keeps the one bit that arithmetic on PRED has.
func wrapPred(e hlo.PrimitiveType, v int64) int64 {
	if e.IsPred() {
		return v & 1
	}
	return v
}

func divElem(e hlo.PrimitiveType, x, y num) (num, bool) {
	switch {
	case e.IsFloat():
		return num{f: x.f / y.f}, true
	case y.i == 0:
		return num{}, false
	case e.IsUnsigned():
		return num{i: int64(uint64(x.i) / uint64(y.i))}, true
	case e.IsPred() || y.i == -1:
		return num{i: wrapPred(e, -x.i)}, true
	}
	return num{i: x.i / y.i}, true
}

func remElem(e hlo.PrimitiveType, x, y num) (num, bool) {
	switch {
	case e.IsFloat():
		return num{f: math.Mod(x.f, y.f)}, true
	case y.i == 0:
		return num{}, false
	case e.IsUnsigned():
		return num{i: int64(uint64(x.i) % uint64(y.i))}, true
	case e.IsPred() || y.i == -1:
		return num{}, true
	}
	return num{i: x.i % y.i}, true
}

// less compares as the type does; PRED is unsigned.
func less(e hlo.PrimitiveType, x, y num) bool {
	switch {
	case e.IsFloat():
		return x.f < y.f
	case e.IsSigned():
		return x.i < y.i
	}
	return uint64(x.i) < uint64(y.i)
}

// maxElem and minElem give NaN when one operand is NaN and order the zeros, as
// math.Max and llvm::maximum do.
func maxElem(e hlo.PrimitiveType, x, y num) (num, bool) {
	if e.IsFloat() {
		return num{f: math.Max(x.f, y.f)}, true
	}
	if less(e, x, y) {
		return y, true
	}
	return x, true
}

func minElem(e hlo.PrimitiveType, x, y num) (num, bool) {
	if e.IsFloat() {
		return num{f: math.Min(x.f, y.f)}, true
	}
	if less(e, y, x) {
		return y, true
	}
	return x, true
}

func andElem(e hlo.PrimitiveType, x, y num) (num, bool) { return num{i: x.i & y.i}, !e.IsFloat() }
func orElem(e hlo.PrimitiveType, x, y num) (num, bool)  { return num{i: x.i | y.i}, !e.IsFloat() }
func xorElem(e hlo.PrimitiveType, x, y num) (num, bool) { return num{i: x.i ^ y.i}, !e.IsFloat() }

// isAnyZero accepts splats of an integer zero or of a float zero of any sign.
func isAnyZero(d *stablehlo.Dense) bool {
	if d.Type.Elem.IsFloat() {
		return d.Splat && d.Float(0) == 0
	}
	return isIntZero(d)
}

func isIntZero(d *stablehlo.Dense) bool {
	return d.Splat && isInt(d.Type.Elem) && d.Int(0) == 0
}

func isAnyOne(d *stablehlo.Dense) bool {
	if d.Type.Elem.IsFloat() {
		return d.Splat && d.Float(0) == 1
	}
	return d.Splat && isInt(d.Type.Elem) && d.Int(0) == 1
}

func isAllOnes(d *stablehlo.Dense) bool {
	return d.Splat && isInt(d.Type.Elem) && signedInt(d) == -1
}

func isInt(e hlo.PrimitiveType) bool { return e.IsInteger() || e.IsPred() }

// foldCompare compares two constants.
func foldCompare(r *rewriter, o *op) bool {
	x, y := o.in(0).isConst(), o.in(1).isConst()
	if x == nil || y == nil || !isNumeric(x.Type.Elem) {
		return false
	}
	e, dir := x.Type.Elem, o.attrs.Enum("comparison_direction")
	signed := o.attrs.Enum("compare_type") == "SIGNED"
	return r.fold(o, mapElems(o.out().typ, x.Splat && y.Splat, func(i int64) (num, bool) {
		a, b := load(x, i), load(y, i)
		if signed && !e.IsFloat() {
			return boolNum(compare(dir, signExtend(e, a.i), signExtend(e, b.i))), true
		}
		if e.IsFloat() {
			return boolNum(compare(dir, a.f, b.f)), true
		}
		if e.IsSigned() {
			return boolNum(compare(dir, a.i, b.i)), true
		}
		return boolNum(compare(dir, uint64(a.i), uint64(b.i))), true
	}))
}

func boolNum(b bool) num {
	if b {
		return num{i: 1}
	}
	return num{}
}

func compare[T int64 | uint64 | float64](dir string, x, y T) bool {
	switch dir {
	case "EQ":
		return x == y
	case "NE":
		return x != y
	case "LT":
		return x < y
	case "LE":
		return x <= y
	case "GT":
		return x > y
	}
	return x >= y
}

func foldClamp(r *rewriter, o *op) bool {
	lo, x, hi := o.in(0).isConst(), o.in(1).isConst(), o.in(2).isConst()
	if lo == nil || x == nil || hi == nil || !isNumeric(x.Type.Elem) ||
		!lo.Type.Equal(x.Type) || !hi.Type.Equal(x.Type) {
		return false
	}
	m := binary(lo, x, o.out().typ, maxElem)
	if m == nil {
		return false
	}
	return r.fold(o, binary(hi, m, o.out().typ, minElem))
}

// pick gives the elements of t where p holds, else those of f.
func pick(p, t, f *stablehlo.Dense, typ stablehlo.Type) *stablehlo.Dense {
	var data []byte
	for i := range typ.Size() {
		if p.Int(min(i, p.Size()-1)) != 0 {
			data = append(data, t.Elem(i)...)
		} else {
			data = append(data, f.Elem(i)...)
		}
	}
	return densify(typ, false, data)
}

func foldSelect(r *rewriter, o *op) bool {
	p, t, f := o.in(0).isConst(), o.in(1).isConst(), o.in(2).isConst()
	typ := o.out().typ
	if p == nil || t == nil || f == nil || !isNumeric(typ.Elem) {
		return false
	}
	if p.Splat {
		if p.Int(0) != 0 {
			return r.fold(o, t)
		}
		return r.fold(o, f)
	}
	if typ.Elem.IsFloat() || typ.Size() > maxFold {
		return false
	}
	return r.fold(o, pick(p, t, f, typ))
}

// foldConvert converts a constant. Floats outside the integer type's range,
// infinities and minus zero do not fold.
func foldConvert(r *rewriter, o *op) bool {
	d, t := o.in(0).isConst(), o.out().typ
	if d == nil || !isNumeric(d.Type.Elem) || !isNumeric(t.Elem) || t.Size() > maxFold {
		return false
	}
	return r.fold(o, mapConvert(d, t))
}

func mapConvert(d *stablehlo.Dense, t stablehlo.Type) *stablehlo.Dense {
	from := d.Type.Elem
	return mapElems(t, d.Splat, func(i int64) (num, bool) {
		x := load(d, i)
		switch {
		case from.IsFloat() && t.Elem.IsFloat():
			return x, true
		case from.IsFloat() && t.Elem.IsPred():
			return boolNum(x.f != 0), true
		case from.IsFloat():
			return floatToInt(x.f, t.Elem)
		case t.Elem.IsFloat():
			return num{f: intToFloat(x.i, from, t.Elem)}, true
		case t.Elem.IsPred():
			return boolNum(x.i != 0), true
		}
		return x, true
	})
}

func floatToInt(f float64, e hlo.PrimitiveType) (num, bool) {
	if f != f || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		return num{}, false
	}
	t, bits := math.Trunc(f), bitsOf(e)
	if e.IsUnsigned() {
		if t < 0 || t >= math.Ldexp(1, bits) {
			return num{}, false
		}
		return num{i: int64(uint64(t))}, true
	}
	if t < -math.Ldexp(1, bits-1) || t >= math.Ldexp(1, bits-1) {
		return num{}, false
	}
	return num{i: int64(t)}, true
}

// intToFloat rounds once for f32, which a way through float64 would not.
func intToFloat(v int64, from, to hlo.PrimitiveType) float64 {
	unsigned := !from.IsSigned()
	switch {
	case to == hlo.F32 && unsigned:
		return float64(float32(uint64(v)))
	case to == hlo.F32:
		return float64(float32(v))
	case unsigned:
		return float64(uint64(v))
	}
	return float64(v)
}
