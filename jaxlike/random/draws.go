package random

import (
	"fmt"
	"math"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// named applies f as a jit that stays visible in jaxprs.
func named(name, static string, f func(xs []array.Array) array.Array, args ...array.Array) array.Array {
	vs := make([]core.Value, len(args))
	for i, a := range args {
		vs[i] = a.Value()
	}
	return array.New(lax.Named(name, static, func(in []core.Value) []core.Value {
		xs := make([]array.Array, len(in))
		for i, v := range in {
			xs[i] = array.New(v)
		}
		return []core.Value{f(xs).Value()}
	}, vs...)[0])
}

func value(x any) array.Array {
	v, ok := array.ToValue(x)
	if !ok {
		core.TypeErrorf("random functions take arrays and numbers, got %T", x)
	}
	return array.New(v)
}

// floatType is the type of an option, the default float without one.
func floatType(name string, s kw.Set) dtype.DType {
	d := core.UserDType("", s.DType)
	if d == dtype.Invalid {
		d = dtype.DefaultFloat(core.X64())
	}
	if !d.IsFloat() {
		core.ValueErrorf("dtype argument to `%s` must be a float dtype, got %s", name, d)
	}
	return d
}

func shapeKey(shape []int, d dtype.DType) string { return fmt.Sprint(shape, d) }

// Bits gives random bits as unsigned integers: uint32, or kw.DType.
func Bits(key any, opts ...kw.DrawOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("bits", key, false)
	d := core.UserDType("", s.DType)
	if d == dtype.Invalid {
		d = dtype.DefaultUint(core.X64())
	}
	if !d.IsUnsigned() {
		core.ValueErrorf("dtype argument to `bits` must be an unsigned int dtype, got %s", d)
	}
	return lax.RandomBits(k, d.Bits(), s.Shape)
}

// Uniform draws numbers between kw.MinVal (0) and kw.MaxVal (1).
func Uniform(key any, opts ...kw.UniformOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("uniform", key, false)
	lo, hi := s.MinVal, s.MaxVal
	if lo == nil {
		lo = 0.0
	}
	if hi == nil {
		hi = 1.0
	}
	return uniform(k, s.Shape, floatType("uniform", s), value(lo), value(hi))
}

func toRank(x array.Array, rank int) array.Array {
	if n := rank - x.NDim(); n > 0 {
		return lax.Broadcast(x, slices.Repeat([]int{1}, n))
	}
	return x
}

// uniform fills the mantissa of numbers between 1 and 2 with random bits.
func uniform(k array.Array, shape []int, d dtype.DType, lo, hi array.Array) array.Array {
	return named("_uniform", shapeKey(shape, d), func(xs []array.Array) array.Array {
		key, lo, hi := xs[0], lax.ConvertElementType(xs[1], d), lax.ConvertElementType(xs[2], d)
		lo, hi = toRank(lo, len(shape)), toRank(hi, len(shape))
		bits, mant := d.Bits(), dtype.MantissaBits(d)
		draw := bits
		if mant < 8 {
			draw = 8
		}
		u := map[int]dtype.DType{8: dtype.Uint8, 16: dtype.Uint16, 32: dtype.Uint32, 64: dtype.Uint64}[bits]
		r := lax.RandomBits(key, draw, shape)
		if draw != bits {
			r = lax.ConvertElementType(r, u)
		}
		r = lax.ShiftRightLogical(r, lax.Number(float64(draw-mant), u, false))
		r = lax.Or(r, word(oneBits(d), u))
		f := lax.BitcastConvertType(r, d).Sub(lax.Number(1, d, false))
		return lax.Max(lo, lax.Reshape(f.Mul(hi.Sub(lo)).Add(lo), shape))
	}, k, lo, hi)
}

// oneBits are the bits of 1 in a floating-point type.
func oneBits(d dtype.DType) uint64 {
	buf := make([]byte, d.Size())
	d.PutFloat(buf, 1)
	v := uint64(0)
	for i, b := range buf {
		v |= uint64(b) << (8 * i)
	}
	return v
}

func word(v uint64, d dtype.DType) array.Array { return array.New(core.NewScalar(v, d, false)) }

// Normal draws from the standard normal distribution.
func Normal(key any, opts ...kw.DrawOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("normal", key, false)
	d := core.UserDType("", s.DType)
	if d == dtype.Invalid {
		d = dtype.DefaultFloat(core.X64())
	}
	if !d.IsInexact() {
		core.ValueErrorf("dtype argument to `normal` must be a float or complex dtype, got %s", d)
	}
	return named("_normal", shapeKey(s.Shape, d), func(xs []array.Array) array.Array {
		if !d.IsComplex() {
			return normalReal(xs[0], s.Shape, d)
		}
		ks := lax.Unstack(lax.RandomSplit(xs[0], []int{2}), 0)
		re, im := jnp.AsType(normalReal(ks[0], s.Shape, d.Real()), d), jnp.AsType(normalReal(ks[1], s.Shape, d.Real()), d)
		return re.Add(jnp.Multiply(1i, im)).Div(lax.Number(math.Sqrt2, d, false))
	}, k)
}

func normalReal(k array.Array, shape []int, d dtype.DType) array.Array {
	return named("_normal_real", shapeKey(shape, d), func(xs []array.Array) array.Array {
		lo := lax.Number(math.Ldexp(1, -dtype.MantissaBits(d)-1)-1, d, false)
		u := uniform(xs[0], shape, d, lo, lax.Number(1, d, false))
		return lax.Mul(lax.Number(math.Sqrt2, d, false), lax.ErfInv(u))
	}, k)
}

// Bernoulli draws true with probability kw.P (0.5).
func Bernoulli(key any, opts ...kw.BernoulliOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("bernoulli", key, false)
	var given any = 0.5
	if s.P != nil {
		given = s.P
	}
	p := value(given)
	if !p.DType().IsFloat() {
		core.TypeErrorf("bernoulli probability `p` must have a floating dtype, got %s.", p.DType())
	}
	p = lax.ConvertElementType(p, p.DType())
	return named("_bernoulli", fmt.Sprint(s.Shape, s.Shape == nil), func(xs []array.Array) array.Array {
		shape := s.Shape
		if shape == nil {
			shape = xs[1].Shape()
		}
		return uniform(xs[0], shape, xs[1].DType(), value(0.0), value(1.0)).Lt(xs[1])
	}, k, p)
}

// RandInt draws integers from minval up to, but not including, maxval.
func RandInt(key any, shape []int, minval, maxval any, opts ...kw.RandIntOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("randint", key, false)
	d := core.UserDType("", s.DType)
	if d == dtype.Invalid {
		d = dtype.DefaultInt(core.X64())
	}
	if !d.IsInt() {
		core.TypeErrorf("randint only accepts integer dtypes, got %s", d)
	}
	lo, hi, work := value(minval), value(maxval), d
	if d.Bits() < 32 {
		work = dtype.Int32
		min, max := dtype.IntRange(d)
		lo = jnp.Clip(jnp.AsType(lo, work), kw.Min(int(min)), kw.Max(int(max)))
		hi = jnp.Clip(jnp.AsType(hi, work), kw.Min(int(min)), kw.Max(int(max)+1))
	}
	return jnp.AsType(randInt(k, shape, lo, hi, work), d)
}

func randInt(k array.Array, shape []int, lo, hi array.Array, d dtype.DType) array.Array {
	return named("_randint", shapeKey(shape, d), func(xs []array.Array) array.Array {
		lo, hi := wholeNumbers(xs[1]), wholeNumbers(xs[2])
		_, top := dtype.IntRange(d)
		beyond := lax.Gt(hi, clipTo(hi.DType(), intNumber(top, d)))
		lo, hi = clipTo(d, lo), clipTo(d, hi)
		lo, hi = toRank(lo, len(shape)), toRank(hi, len(shape))
		ks := lax.Unstack(lax.RandomSplit(xs[0], []int{2}), 0)
		high, low := lax.RandomBits(ks[0], d.Bits(), shape), lax.RandomBits(ks[1], d.Bits(), shape)
		u := high.DType()
		span := lax.ConvertElementType(hi.Sub(lo), u)
		none := hi.Le(lo)
		span = lax.Select(none, lax.FullLike(span, 1, dtype.Invalid), span)
		all := beyond.And(hi.Gt(lo))
		span = lax.Select(broadcast(all, span.Shape()), lax.Add(span, lax.ConstLike(span, 1)), span)
		m := lax.Rem(lax.ConstLike(span, math.Ldexp(1, d.Bits()/2)), span)
		m = lax.Rem(lax.Mul(m, m), span)
		off := lax.Add(lax.Mul(lax.Rem(high, span), m), lax.Rem(low, span))
		off = lax.Rem(off, span)
		return lax.Add(lo, lax.ConvertElementType(off, d))
	}, k, lo, hi)
}

func number(v float64, d dtype.DType) array.Array { return lax.Number(v, d, false) }

func intNumber(v uint64, d dtype.DType) array.Array {
	if d.IsUnsigned() {
		return word(v, d)
	}
	return array.New(core.NewScalar(int64(v), d, false))
}

func broadcast(x array.Array, shape []int) array.Array {
	if x.NDim() == len(shape) {
		return x
	}
	return jnp.BroadcastTo(x, shape)
}

func wholeNumbers(x array.Array) array.Array {
	if x.DType().IsInt() {
		return x
	}
	return jnp.AsType(x, dtype.DefaultInt(core.X64()))
}

// clipTo limits integers to the range of a type and converts them.
func clipTo(d dtype.DType, x array.Array) array.Array {
	lo1, hi1 := dtype.IntRange(d)
	lo2, hi2 := dtype.IntRange(x.DType())
	as := func(v int64, u uint64, unsigned bool) array.Array {
		if x.DType().IsUnsigned() {
			if !unsigned {
				u = uint64(max(0, v))
			}
			return array.New(core.NewScalar(u, x.DType(), x.WeakType()))
		}
		if unsigned {
			v = int64(u)
		}
		return array.New(core.NewScalar(v, x.DType(), x.WeakType()))
	}
	return lax.ConvertElementType(jnp.Clip(x, kw.Min(as(max(lo1, lo2), 0, false)), kw.Max(as(0, min(hi1, hi2), true))), d)
}

// Exponential draws from the exponential distribution.
func Exponential(key any, opts ...kw.DrawOption) array.Array {
	return draw("exponential", key, kw.Collect(opts), func(k array.Array, shape []int, d dtype.DType) array.Array {
		u := uniform(k, shape, d, value(0.0), value(1.0))
		return lax.Neg(lax.Log1p(lax.Neg(u)))
	})
}

// draw is a distribution with a jit of its name.
func draw(name string, key any, s kw.Set, f func(k array.Array, shape []int, d dtype.DType) array.Array) array.Array {
	k, _ := takeKey(name, key, false)
	d := floatType(name, s)
	return named("_"+name, shapeKey(s.Shape, d), func(xs []array.Array) array.Array { return f(xs[0], s.Shape, d) }, k)
}

// tiny is the smallest normal number of a type, eps the gap above 1.
func tiny(d dtype.DType) float64 {
	if d == dtype.Float16 {
		return math.Ldexp(1, -14)
	}
	if d == dtype.Float64 {
		return math.Ldexp(1, -1022)
	}
	return math.Ldexp(1, -126)
}

func eps(d dtype.DType) float64 { return math.Ldexp(1, -dtype.MantissaBits(d)) }

// Gumbel draws from the Gumbel distribution.
func Gumbel(key any, opts ...kw.DrawOption) array.Array {
	return draw("gumbel", key, kw.Collect(opts), gumbel)
}

func gumbel(k array.Array, shape []int, d dtype.DType) array.Array {
	u := uniform(k, shape, d, number(tiny(d), d), value(1.0))
	return jnp.Log(jnp.Log(u).Neg()).Neg()
}

// Laplace draws from the Laplace distribution.
func Laplace(key any, opts ...kw.DrawOption) array.Array {
	return draw("laplace", key, kw.Collect(opts), func(k array.Array, shape []int, d dtype.DType) array.Array {
		u := uniform(k, shape, d, number(-1+eps(d)/2, d), value(1.0))
		return lax.Mul(lax.Sign(u), lax.Log1p(lax.Neg(lax.Abs(u))))
	})
}

// Logistic draws from the logistic distribution.
func Logistic(key any, opts ...kw.DrawOption) array.Array {
	return draw("logistic", key, kw.Collect(opts), func(k array.Array, shape []int, d dtype.DType) array.Array {
		u := uniform(k, shape, d, number(tiny(d), d), value(1.0))
		return lax.Sub(lax.Log(u), lax.Log1p(lax.Neg(u)))
	})
}

// Cauchy draws from the Cauchy distribution.
func Cauchy(key any, opts ...kw.DrawOption) array.Array {
	return draw("cauchy", key, kw.Collect(opts), func(k array.Array, shape []int, d dtype.DType) array.Array {
		u := uniform(k, shape, d, number(eps(d), d), value(1.0))
		pi := lax.ConstLike(u, math.Pi)
		return lax.Tan(lax.Mul(pi, lax.Sub(u, lax.ConstLike(u, 0.5))))
	})
}

// Rademacher draws -1 and 1.
func Rademacher(key any, opts ...kw.DrawOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("rademacher", key, false)
	d := core.UserDType("", s.DType)
	if d == dtype.Invalid {
		d = dtype.DefaultInt(core.X64())
	}
	return named("_rademacher", shapeKey(s.Shape, d), func(xs []array.Array) array.Array {
		b := jnp.AsType(Bernoulli(xs[0], kw.P(0.5), kw.Shape(s.Shape...)), d)
		return jnp.AsType(jnp.Multiply(2, b).Sub(1), d)
	}, k)
}

// Permutation shuffles the numbers below n, or an array along kw.Axis.
func Permutation(key, x any, opts ...kw.PermutationOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("permutation", key, false)
	axis := 0
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	if n, ok := x.(int); ok {
		return shuffle(k, jnp.Arange(n), 0)
	}
	a := value(x)
	if a.NDim() == 0 {
		core.TypeErrorf("x must be an integer or at least 1-dimensional")
	}
	axis = core.CanonicalAxis(axis, a.NDim())
	if s.Independent || a.NDim() == 1 {
		return shuffle(k, a, axis)
	}
	return jnp.Take(a, shuffle(k, jnp.Arange(a.Shape()[axis]), 0), kw.Axis(axis), kw.UniqueIndices(true))
}

// shuffle sorts by random keys, often enough that equal keys do not matter.
func shuffle(k, x array.Array, axis int) array.Array {
	return named("_shuffle", fmt.Sprint(axis), func(xs []array.Array) array.Array {
		key, x := xs[0], xs[1]
		rounds := int(math.Ceil(3 * math.Log(math.Max(1, float64(x.Size()))) / math.Log(math.MaxUint32)))
		for range rounds {
			ks := lax.Unstack(lax.RandomSplit(key, []int{2}), 0)
			key = ks[0]
			_, x = lax.SortKeyVal(lax.RandomBits(ks[1], 32, x.Shape()), x, axis, true)
		}
		return x
	}, k, x)
}

// Categorical draws positions along kw.Axis with the probabilities whose
// logarithms, up to a constant, are logits.
func Categorical(key, logits any, opts ...kw.CategoricalOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("categorical", key, false)
	x := value(logits)
	axis := -1
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	if axis >= 0 {
		axis -= x.NDim()
	}
	at := axis + x.NDim()
	batch := slices.Delete(x.Shape(), at, at+1)
	shape := s.Shape
	if shape == nil {
		shape = batch
	}
	prefix := shape[:len(shape)-len(batch)]
	if s.Replace != nil && !*s.Replace {
		return categoricalOnce(k, x, at, shape, prefix)
	}
	full := slices.Concat(prefix, slices.Insert(slices.Clone(shape[len(prefix):]), at, x.Shape()[at]))
	noise := named("_gumbel", shapeKey(full, x.DType()), func(xs []array.Array) array.Array { return gumbel(xs[0], full, x.DType()) }, k)
	if n := len(prefix); n > 0 {
		lead := make([]int, n)
		for i := range lead {
			lead[i] = i
		}
		x = lax.ExpandDims(x, lead)
	}
	return jnp.ArgMax(noise.Add(x), kw.Axis(axis))
}

// categoricalOnce draws positions of which none comes twice.
func categoricalOnce(k, x array.Array, at int, shape, prefix []int) array.Array {
	all, n := x.Shape(), 1
	for _, d := range prefix {
		n *= d
	}
	if n > all[at] {
		core.ValueErrorf("Number of samples without replacement (%d) cannot exceed number of categories (%d).", n, all[at])
	}
	x = x.Add(named("_gumbel", shapeKey(all, x.DType()), func(xs []array.Array) array.Array { return gumbel(xs[0], all, x.DType()) }, k))
	_, index := lax.TopK(jnp.MoveAxis(x, at, -1), n)
	dims := []int{index.NDim() - 1}
	for i := range index.NDim() - 1 {
		dims = append(dims, i)
	}
	return lax.ReshapeOrdered(index, shape, dims)
}

// Choice draws elements of a (or numbers below a, if it is a number): kw.Shape,
// kw.P, kw.Replace(false), kw.Axis.
func Choice(key, a any, opts ...kw.ChoiceOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("choice", key, false)
	x := value(a)
	axis, n := 0, 0
	if x.NDim() == 0 {
		n, _ = a.(int)
	} else {
		if s.Axis != nil {
			axis = (s.Axis[0] + x.NDim()) % x.NDim()
		}
		n = x.Shape()[axis]
	}
	draws := 1
	for _, d := range s.Shape {
		draws *= d
	}
	replace := s.Replace == nil || *s.Replace
	switch {
	case draws == 0:
		return jnp.Zeros(s.Shape, kw.DType(x.DType()))
	case n <= 0:
		core.ValueErrorf("a must be greater than 0 unless no samples are taken")
	case !replace && draws > n:
		core.ValueErrorf("Cannot take a larger sample (size %d) than population (size %d) when 'replace=False'", draws, n)
	}
	out := chosen(k, x, n, axis, draws, replace, s)
	shape := s.Shape
	if x.NDim() > 0 {
		shape = slices.Concat(x.Shape()[:axis], s.Shape, x.Shape()[axis+1:])
	}
	return jnp.Reshape(out, append([]int{}, shape...))
}

func chosen(k, x array.Array, n, axis, draws int, replace bool, s kw.Set) array.Array {
	take := func(at array.Array) array.Array {
		if x.NDim() == 0 {
			return at
		}
		return jnp.Take(x, at, kw.Axis(axis))
	}
	i32 := dtype.DefaultInt(core.X64())
	if s.P == nil {
		if replace {
			return take(randInt(k, s.Shape, value(0), value(n), i32))
		}
		var p any = n
		if x.NDim() > 0 {
			p = x
		}
		index := make([]any, axis+1)
		for i := range axis {
			index[i] = jnp.Range{}
		}
		index[axis] = jnp.Slice(draws)
		return Permutation(k, p, kw.Axis(axis)).Index(index...)
	}
	p := value(s.P)
	p = lax.Convert(p, p.DType().ToInexact(), p.WeakType())
	if !slices.Equal(p.Shape(), []int{n}) {
		core.ValueErrorf("p must be None or a 1D vector with the same size as a.shape[axis]. p has shape %s and a.shape[axis] is %d.", core.PyRepr(core.NewInts(p.Shape()...)), n)
	}
	if replace {
		sums := jnp.CumSum(p)
		u := uniform(k, s.Shape, sums.DType(), value(0.0), value(1.0))
		r := sums.Index(-1).Mul(jnp.Subtract(1, u))
		return take(jnp.AsType(jnp.SearchSorted(sums, r), i32))
	}
	d := p.DType()
	g := named("_gumbel", shapeKey([]int{n}, d), func(xs []array.Array) array.Array { return gumbel(xs[0], []int{n}, d) }, k)
	_, at := lax.TopK(g.Add(jnp.Log(p)), draws)
	return take(jnp.AsType(at, i32))
}

// TruncatedNormal draws from the normal distribution between two numbers.
func TruncatedNormal(key, lower, upper any, opts ...kw.DrawOption) array.Array {
	s := kw.Collect(opts)
	k, _ := takeKey("truncated_normal", key, false)
	d := floatType("truncated_normal", s)
	return named("_truncated_normal", shapeKey(s.Shape, d)+fmt.Sprint(s.Shape == nil), func(xs []array.Array) array.Array {
		shape := s.Shape
		if shape == nil {
			shape = lax.BroadcastShapes(xs[1].Shape(), xs[2].Shape())
		}
		root := number(math.Sqrt2, d)
		lo, hi := lax.ConvertElementType(xs[1], d), lax.ConvertElementType(xs[2], d)
		a, b := lax.Erf(lo.Div(root)), lax.Erf(hi.Div(root))
		out := root.Mul(lax.ErfInv(uniform(xs[0], shape, d, a, b)))
		return jnp.Clip(out, kw.Min(lax.NextAfter(lax.StopGradient(lo), number(math.Inf(1), d))), kw.Max(lax.NextAfter(lax.StopGradient(hi), number(math.Inf(-1), d))))
	}, k, value(lower), value(upper))
}
