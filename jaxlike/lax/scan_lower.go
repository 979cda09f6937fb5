package lax

import (
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/stablehlo"
)

// lowerScan lowers the loop that the scan stands for: a while with the
// iteration number and the stacked results among its carries.
func lowerScan(c *core.LowerCtx, args []*stablehlo.Value, p core.Params) []*stablehlo.Value {
	j := lowerFunJaxpr(c, p.Jaxpr("jaxpr"), "scanimpl:"+p.Key(), func(vals []core.Value) []core.Value { return scanImpl(vals, p) })
	return c.Module.Inline(c, c.B, j, args)
}

// lowerFunJaxpr stages the function that a primitive is lowered as, under the
// metadata context of the equation.
func lowerFunJaxpr(c *core.LowerCtx, on *core.Jaxpr, key string, f partialeval.Fun) *core.Jaxpr {
	meta := c.Eqn.Ctx.Metadata
	return on.Memo(key+core.AvalsKey(c.In)+meta.Key(), func() any {
		var j *core.Jaxpr
		core.With(func(s *core.State) { *s = core.State{Trace: core.Eval, Metadata: meta} }, func() {
			j = partialeval.TraceToJaxpr(f, c.In, &core.DebugInfo{FuncName: "lower_fun"})
		})
		return j
	}).(*core.Jaxpr)
}

// scanLoop is a scan that is being lowered: its parts and parameters.
type scanLoop struct {
	j          *core.Jaxpr
	consts     []core.Value
	nCarry     int
	reverse    bool
	unroll     int
	trips, rem int
}

// scanImpl is the scan as a while loop over primitives (_scan_impl in JAX).
func scanImpl(args []core.Value, p core.Params) []core.Value {
	parts := ftParts(ftIn(p), args)
	carry, xs := parts[1], parts[2]
	s := &scanLoop{j: p.Jaxpr("jaxpr"), consts: parts[0], nCarry: len(carry), reverse: p.Bool("reverse"), unroll: p.Int("unroll")}
	length := p.Int("length")
	s.trips, s.rem = 0, length
	if s.unroll > 0 {
		s.trips, s.rem = length/s.unroll, length%s.unroll
	}
	if s.unroll != 1 && s.trips == 1 && s.rem == 0 {
		s.trips, s.rem = 0, length // fully unrolled: no loop at all
	}
	xs, rest := s.split(xs, length)
	if s.trips > 0 {
		xs = s.rows(xs)
	}
	ys := s.empty()
	if s.trips > 0 {
		carry, ys = s.loop(carry, xs, ys)
	}
	if s.unroll != 1 && s.trips != 0 {
		for i, y := range ys {
			shape := y.Aval().Shape
			ys[i] = reshape(y, append([]int{s.trips * s.unroll}, shape[2:]...))
		}
	}
	if s.rem > 0 {
		var last []core.Value
		carry, last = s.steps(s.rem, carry, rest)
		for i := range ys {
			pair := []core.Value{ys[i], last[i]}
			if s.reverse {
				slices.Reverse(pair)
			}
			ys[i] = concatenate(pair, 0)
		}
	}
	return append(slices.Clone(carry), ys...)
}

// split cuts off the iterations that do not fill a trip.
func (s *scanLoop) split(xs []core.Value, length int) (full, rest []core.Value) {
	if s.unroll == 1 || s.rem == 0 {
		return xs, nil
	}
	at := s.trips * s.unroll
	if s.reverse {
		at = s.rem
	}
	for _, x := range xs {
		a, b := sliceInDim(x, 0, at, 1, 0), sliceInDim(x, at, length, 1, 0)
		if s.reverse {
			a, b = b, a
		}
		full, rest = append(full, a), append(rest, b)
	}
	return full, rest
}

// rows gives xs a dimension per trip and one per step of it.
func (s *scanLoop) rows(xs []core.Value) []core.Value {
	if s.unroll == 1 {
		return xs
	}
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = reshape(x, append([]int{s.trips, s.unroll}, x.Aval().Shape[1:]...))
	}
	return out
}

// empty makes what the ys are stored into.
func (s *scanLoop) empty() []core.Value {
	prefix := []int{s.trips}
	if s.unroll != 1 && s.trips > 0 {
		prefix = append(prefix, s.unroll)
	}
	ys := []core.Value{}
	for _, a := range s.j.OutAvals()[s.nCarry:] {
		ys = append(ys, emptyLike(a.With(slices.Concat(prefix, a.Shape))))
	}
	return ys
}

// steps runs n iterations one after the other.
func (s *scanLoop) steps(n int, carry, xs []core.Value) (newCarry, ys []core.Value) {
	if s.unroll == 1 {
		return s.step(carry, xs)
	}
	rows := make([][]core.Value, n)
	for k := range n {
		i := k
		if s.reverse {
			i = n - k - 1
		}
		x := make([]core.Value, len(xs))
		for m, v := range xs {
			x[m] = squeeze(sliceInDim(v, i, i+1, 1, 0), []int{0})
		}
		carry, rows[i] = s.step(carry, x)
	}
	for m := range rows[0] {
		col := make([]core.Value, n)
		for i := range rows {
			col[i] = expandDims(rows[i][m], []int{0})
		}
		ys = append(ys, concatenate(col, 0))
	}
	return carry, ys
}

func (s *scanLoop) step(carry, x []core.Value) (newCarry, y []core.Value) {
	outs := EvalJaxprP.Bind(core.P("call_jaxpr", s.j), slices.Concat(s.consts, carry, x)...)
	return outs[:s.nCarry:s.nCarry], outs[s.nCarry:]
}

// loop is the while loop: carries are the trip's number, the scan's carries and
// the ys.
func (s *scanLoop) loop(carry, xs, ys []core.Value) (newCarry, newYs []core.Value) {
	nc := s.nCarry
	body := func(v []core.Value) []core.Value {
		i := array.New(v[0])
		at := i
		if s.reverse {
			at = array.New(intConst(s.trips)).Sub(i).Sub(1)
		}
		x := make([]core.Value, len(xs))
		for k := range xs {
			x[k] = dynamicIndexInDim(xs[k], at.Value(), 0, false, false)
		}
		c, y := s.steps(s.unroll, v[1:1+nc:1+nc], x)
		stored := make([]core.Value, len(y))
		for k := range y {
			stored[k] = dynamicUpdateIndexInDim(v[1+nc+k], y[k], at.Value(), 0, false)
		}
		return slices.Concat([]core.Value{i.Add(1).Value()}, c, stored)
	}
	cond := func(v []core.Value) []core.Value { return []core.Value{array.New(v[0]).Lt(s.trips).Value()} }
	outs := whileFlat(cond, body, slices.Concat([]core.Value{intConst(0)}, carry, ys))
	return outs[1 : 1+nc : 1+nc], outs[1+nc:]
}

// intConst is a plain Go number.
func intConst(n int) core.Value { v, _ := array.ToValue(n); return v }

// sliceInDim is slice along one axis.
func sliceInDim(x core.Value, start, limit, stride, axis int) core.Value {
	a := x.Aval()
	lo, hi := make([]int, a.NDim()), slices.Clone(a.Shape)
	lo[axis], hi[axis] = start, limit
	strides := slices.Repeat([]int{1}, a.NDim())
	strides[axis] = stride
	return slice(x, core.NewInts(lo...), core.NewInts(hi...), core.NewInts(strides...))
}
