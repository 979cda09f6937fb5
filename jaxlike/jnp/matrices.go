package jnp

import (
	"fmt"
	"math"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// Eye gives a matrix with ones on a diagonal (kw.K): n rows, and as many
// columns unless kw.M is given.
func Eye(n int, opts ...kw.EyeOption) array.Array {
	s := kw.Collect(opts)
	checkSize(n, s.M)
	return eye(n, columns(n, s), s.K, typeOr("eye", s, dtype.DefaultFloat(core.X64())))
}

// Identity gives the unit matrix.
func Identity(n int, opts ...kw.CreationOption) array.Array {
	checkSize(n, nil)
	return eye(n, n, 0, typeOr("identity", kw.Collect(opts), dtype.DefaultFloat(core.X64())))
}

func checkSize(n int, m *int) {
	if n >= 0 && (m == nil || *m >= 0) {
		return
	}
	if m == nil {
		core.ValueErrorf("negative dimensions are not allowed, got %d and None", n)
	}
	core.ValueErrorf("negative dimensions are not allowed, got %d and %d", n, *m)
}

func columns(n int, s kw.Set) int {
	if s.M != nil {
		return *s.M
	}
	return n
}

func eye(n, m, k int, d dtype.DType) array.Array {
	i32 := dtype.DefaultInt(core.X64())
	i, j := lax.BroadcastedIota(i32, []int{n, m}, 0), lax.BroadcastedIota(i32, []int{n, m}, 1)
	return AsType(i.Add(AsArray(k)).Eq(j), d)
}

// Tri gives a matrix with ones on and below a diagonal (kw.K).
func Tri(n int, opts ...kw.TriOption) array.Array {
	s := kw.Collect(opts)
	return tri(n, columns(n, s), s.K, typeOr("tri", s, dtype.DefaultFloat(core.X64())))
}

func tri(n, m, k int, d dtype.DType) array.Array {
	i := lax.BroadcastedIota(dtype.Int32, []int{n, m}, 0)
	low := lax.Add(i, lax.ConvertElementType(k, dtype.Int32))
	return lax.ConvertElementType(lax.Ge(low, lax.BroadcastedIota(dtype.Int32, []int{n, m}, 1)), d)
}

// TriL keeps the elements on and below a diagonal (kw.K) of matrices.
func TriL(m any, opts ...kw.TriangleOption) array.Array { return triangle("tril", m, kw.Collect(opts)) }

// TriU keeps the elements on and above a diagonal (kw.K) of matrices.
func TriU(m any, opts ...kw.TriangleOption) array.Array { return triangle("triu", m, kw.Collect(opts)) }

func triangle(name string, m any, s kw.Set) array.Array {
	return named(name, fmt.Sprint(s.K), func(xs []array.Array) array.Array {
		x := xs[0]
		shape := x.Shape()
		if len(shape) < 2 {
			core.ValueErrorf("Argument to jax.numpy.%s must be at least 2D", name)
		}
		k := s.K
		if name == "triu" {
			k--
		}
		last := len(shape) - 2
		mask := lax.Broadcast(tri(shape[last], shape[last+1], k, dtype.Bool), shape[:last])
		if name == "triu" {
			return lax.Select(mask, ZerosLike(x), x)
		}
		return lax.Select(mask, x, ZerosLike(x))
	}, value(name, "m", m))
}

// Diag gives a matrix with the vector on a diagonal (kw.K), or the diagonal of
// a matrix.
func Diag(v any, opts ...kw.DiagOption) array.Array {
	k := kw.Collect(opts).K
	return named("_diag", fmt.Sprint(k), func(xs []array.Array) array.Array {
		x := xs[0]
		switch x.NDim() {
		case 1:
			zero := func() array.Array { return lax.Number(0, x.DType(), x.WeakType()) }
			n := x.Shape()[0] + max(k, -k)
			p := lax.Pad(x, zero(), [][3]int{{max(0, -k), max(0, k), 0}})
			return where(eye(n, n, k, dtype.Bool), lax.ExpandDims(p, []int{1}), zero())
		case 2:
			return diagonal(x, k, 0, 1)
		}
		core.ValueErrorf("diag input must be 1d or 2d")
		return x
	}, arraylike("diag", 0, v).Value())
}

// Diagonal gives a diagonal of matrices (kw.Offset, kw.Axis1, kw.Axis2).
func Diagonal(a any, opts ...kw.DiagonalOption) array.Array {
	s := kw.Collect(opts)
	return diagonal(arraylike("diagonal", 0, a), s.Offset, s.Axis1, second(s))
}

func second(s kw.Set) int {
	if s.Axis2 != nil {
		return *s.Axis2
	}
	return 1
}

func diagonal(a array.Array, offset, axis1, axis2 int) array.Array {
	return named("diagonal", fmt.Sprint(offset, axis1, axis2), func(xs []array.Array) array.Array {
		x := xs[0]
		if x.NDim() < 2 {
			core.ValueErrorf("diagonal requires an array of at least two dimensions.")
		}
		shape := x.Shape()
		n, m := shape[core.CanonicalAxis(axis1, x.NDim())], shape[core.CanonicalAxis(axis2, x.NDim())]
		x = MoveAxis(x, []int{axis1, axis2}, []int{-2, -1})
		size := max(0, min(n+min(offset, 0), m-max(offset, 0)))
		far := max(offset, -offset)
		i, j := Arange(size), Arange(far, far+size)
		if offset < 0 {
			i, j = j, i
		}
		return Index(x, []any{Ellipsis, i, j})
	}, a.Value())
}

// Trace gives the sum of a diagonal.
func Trace(a any, opts ...kw.TraceOption) array.Array {
	s := kw.Collect(opts)
	axis1, axis2 := s.Axis1, second(s)
	return named("trace", fmt.Sprint(s.Offset, axis1, axis2, s.DType), func(xs []array.Array) array.Array {
		x := xs[0]
		i, j := core.CanonicalAxis(axis1, x.NDim()), core.CanonicalAxis(axis2, x.NDim())
		if i == j {
			core.ValueErrorf("axis1 and axis2 can not be same. axis1=%d and axis2=%d", axis1, axis2)
		}
		n, m := x.Shape()[i], x.Shape()[j]
		x = MoveAxis(x, []int{axis1, axis2}, []int{-2, -1})
		x = where(eye(n, m, s.Offset, dtype.Bool), x, ZerosLike(x))
		return sumReduction.apply(x, kw.Set{Axis: []int{-2, -1}, DType: s.DType})
	}, value("trace", "a", a))
}

// MeshGrid makes matrices of coordinates of vectors. Options follow them.
func MeshGrid(xi ...any) []array.Array {
	rest, opts := splitOptions[kw.MeshGridOption](xi)
	s := kw.Collect(opts)
	order := s.Indexing
	if order == "" {
		order = "xy"
	}
	if order != "xy" && order != "ij" {
		core.ValueErrorf("Valid values for indexing are 'xy' and 'ij', got %s", order)
	}
	xs := make([]array.Array, len(rest))
	for i, x := range rest {
		xs[i] = arraylike("meshgrid", i, x)
	}
	if slices.ContainsFunc(xs, func(x array.Array) bool { return x.NDim() != 1 }) {
		shapes := make(core.List, len(xs))
		for i, x := range xs {
			shapes[i] = core.NewInts(x.Shape()...)
		}
		core.ValueErrorf("Arguments to jax.numpy.meshgrid must be 1D, got shapes %s", core.PyRepr(shapes))
	}
	swap := order == "xy" && len(xs) > 1
	if swap {
		xs[0], xs[1] = xs[1], xs[0]
	}
	shape := make([]int, len(xs))
	for i, x := range xs {
		shape[i] = x.Shape()[0]
		if s.Sparse {
			shape[i] = 1
		}
	}
	for i, x := range xs {
		to := slices.Clone(shape)
		to[i] = x.Shape()[0]
		xs[i] = lax.BroadcastInDim(x, to, []int{i})
	}
	if swap {
		xs[0], xs[1] = xs[1], xs[0]
	}
	return xs
}

// Linspace gives kw.Num (50) numbers from start to stop.
func Linspace(start, stop any, opts ...kw.LinspaceOption) array.Array {
	s := kw.Collect(opts)
	n := s.Num
	if n == 0 && !slices.ContainsFunc(opts, func(o kw.LinspaceOption) bool { _, ok := o.(kw.NumOption); return ok }) {
		n = 50
	}
	return named("_linspace", fmt.Sprint(n, s.NoEndpoint, s.DType), func(xs []array.Array) array.Array {
		return linspace(xs[0], xs[1], n, s)
	}, value("linspace", "start", start), value("linspace", "stop", stop))
}

func linspace(start, stop array.Array, n int, s kw.Set) array.Array {
	if n < 0 {
		core.ValueErrorf("Number of samples, %d, must be non-negative.", n)
	}
	d := core.UserDType("linspace", s.DType)
	if d == dtype.Invalid {
		d = resultType(start, stop).DType.ToInexact()
	}
	work := d.ToInexact()
	start, stop = lax.ConvertElementType(start, work), lax.ConvertElementType(stop, work)
	ends := broadcastArrays(start, stop)
	shape := append([]int{1}, ends[0].Shape()...)
	var out array.Array
	switch {
	case n > 1:
		div := n
		if !s.NoEndpoint {
			div = n - 1
		}
		at := func(d dtype.DType) array.Array { return AsArray(div, kw.DType(d)) }
		lax.ConvertElementType(stop.Sub(start), work).Div(at(work)) // the step, which JAX computes and drops
		rows := slices.Repeat([]int{1}, len(shape))
		rows[0] = div
		iota := lax.Reshape(lax.Iota(work.Real(), div), rows)
		step := AsType(iota.Div(at(work.Real())), work)
		out = Reshape(ends[0], shape).Mul(Subtract(1, step)).Add(Reshape(ends[1], shape).Div(at(work)).Mul(AsType(iota, work)))
		if !s.NoEndpoint {
			out = lax.Concatenate([]array.Array{out, lax.ExpandDims(ends[1], []int{0})}, 0)
		}
	case n == 1:
		out = Reshape(ends[0], shape)
	default:
		shape[0] = 0
		out = lax.Full(shape, 0, work)
	}
	if d.IsInt() && !out.DType().IsInt() {
		out = lax.Floor(out)
	}
	return lax.Convert(out, d, false)
}

// Kron gives the Kronecker product.
func Kron(a, b any) array.Array {
	return named("kron", "", func(xs []array.Array) array.Array {
		p := promoteTypes(same, xs...)
		x, y := p[0], p[1]
		for x.NDim() < y.NDim() {
			x = ExpandDims(x, 0)
		}
		for y.NDim() < x.NDim() {
			y = ExpandDims(y, 0)
		}
		var odd, even, shape []int
		for i := range x.NDim() {
			even, odd = append(even, 2*i), append(odd, 2*i+1)
			shape = append(shape, x.Shape()[i]*y.Shape()[i])
		}
		return Reshape(lax.Mul(ExpandDims(x, odd...), ExpandDims(y, even...)), shape)
	}, arraylike("kron", 0, a).Value(), arraylike("kron", 1, b).Value())
}

// Cross gives the cross product of vectors of three elements.
func Cross(a, b any) array.Array {
	return named("cross", "", func(xs []array.Array) array.Array {
		x, y := MoveAxis(xs[0], -1, -1), MoveAxis(xs[1], -1, -1)
		if x.Shape()[x.NDim()-1] != 3 || y.Shape()[y.NDim()-1] != 3 {
			core.ValueErrorf("Dimension must be 3 for cross product")
		}
		at := func(v array.Array, i int) array.Array { return Index(v, []any{Ellipsis, i}) }
		x0, x1, x2, y0, y1, y2 := at(x, 0), at(x, 1), at(x, 2), at(y, 0), at(y, 1), at(y, 2)
		rows := []array.Array{x1.Mul(y2).Sub(x2.Mul(y1)), x2.Mul(y0).Sub(x0.Mul(y2)), x0.Mul(y1).Sub(x1.Mul(y0))}
		for i, r := range rows {
			rows[i] = lax.ExpandDims(r, []int{0})
		}
		return MoveAxis(lax.Concatenate(rows, 0), 0, -1)
	}, arraylike("cross", 0, a).Value(), arraylike("cross", 1, b).Value())
}

// LinearAlgebra are the functions of jax.numpy.linalg: jnp.Linalg.Norm(x).
type LinearAlgebra struct{}

// Linalg holds the functions of jax.numpy.linalg.
var Linalg LinearAlgebra

// String is the module's text in Python, but for where it was loaded from.
func (LinearAlgebra) String() string { return "<module 'jax.numpy.linalg'>" }

// Norm gives the length of a vector or matrix; kw.Ord chooses another norm.
func (LinearAlgebra) Norm(x any, opts ...kw.NormOption) array.Array {
	s := kw.Collect(opts)
	return named("norm", fmt.Sprint(s.Ord, s.Axis, s.Axis == nil, s.KeepDims), func(xs []array.Array) array.Array {
		x := promoteTypes(dtype.DType.ToInexact, xs[0])[0]
		square := func() array.Array { return Real(x.Mul(Conj(x))) }
		if s.Axis == nil && s.Ord == nil {
			return Sqrt(sumReduction.apply(square(), kw.Set{KeepDims: s.KeepDims}))
		}
		axis := reductionAxes(x, s.Axis)
		switch len(axis) {
		case 1:
			return vectorNorm(x, s.Ord, axis, s.KeepDims)
		case 2:
			return matrixNorm(x, s.Ord, axis, s.KeepDims, square)
		}
		core.ValueErrorf("Improper number of axes for norm: axis=%s. Pass one axis to compute a vector-norm, or two axes to compute a matrix-norm.", core.PyRepr(core.NewInts(axis...)))
		return x
	}, arraylike("jnp.linalg.norm", 0, x).Value())
}

func ordOf(ord any) (float64, bool) {
	switch v := ord.(type) {
	case nil:
		return 2, true
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func vectorNorm(x array.Array, ord any, axis []int, keep bool) array.Array {
	p, ok := ordOf(ord)
	if !ok {
		core.ValueErrorf("Invalid order '%v' for vector norm.", ord)
	}
	s := kw.Set{Axis: axis, KeepDims: keep}
	return named("vector_norm", fmt.Sprint(axis, keep, ord), func(xs []array.Array) array.Array {
		x := xs[0]
		switch {
		case p == 2:
			return Sqrt(sumReduction.apply(Real(x.Mul(Conj(x))), s))
		case math.IsInf(p, 1):
			return maxReduction.apply(Abs(x), s)
		case math.IsInf(p, -1):
			return minReduction.apply(Abs(x), s)
		case p == 0:
			s.DType = x.DType().Real()
			return sumReduction.apply(x.Ne(0), s)
		case p == 1:
			return sumReduction.apply(Abs(x), s)
		}
		a := Abs(x)
		o := lax.ConstLike(a, p)
		return Power(sumReduction.apply(Power(a, o), s), Divide(lax.ConstLike(a, 1), o))
	}, x.Value())
}

func matrixNorm(x array.Array, ord any, axis []int, keep bool, square func() array.Array) array.Array {
	row, col := axis[0], axis[1]
	if ord == nil || ord == "fro" || ord == "f" {
		return Sqrt(sumReduction.apply(square(), kw.Set{Axis: axis, KeepDims: keep}))
	}
	p, ok := ordOf(ord)
	over, then := row, col
	if math.IsInf(p, 0) {
		over, then = col, row
	}
	if !keep && then > over {
		then--
	}
	sums := func() array.Array {
		return sumReduction.apply(Abs(x), kw.Set{Axis: []int{over}, KeepDims: keep})
	}
	t := kw.Set{Axis: []int{then}, KeepDims: keep}
	switch {
	case ok && (p == 1 || math.IsInf(p, 1)):
		t.Initial = 0
		return maxReduction.apply(sums(), t)
	case ok && (p == -1 || math.IsInf(p, -1)):
		return minReduction.apply(sums(), t)
	}
	core.ValueErrorf("Invalid order '%v' for matrix norm.", ord)
	return x
}
