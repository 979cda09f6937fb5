package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/jaxlike/stages"
)

// LinearSolveP solves linear equations with functions of the user's, and is
// differentiated by solving further ones (linear_solve_p in
// jax/_src/lax/control_flow/solves.py). Operands: the constants of matvec,
// vecmat, solve and transpose_solve, then the right-hand side. Parameters:
// const_lengths, jaxprs.
var LinearSolveP = core.NewPrimitive("custom_linear_solve")

func init() {
	LinearSolveP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return solveJaxprs(p).of[2].OutAvals()
		},
		Impl:      func(args []core.Value, p core.Params) []core.Value { return runSolve(args, p) },
		JVP:       jvpLinearSolve,
		Transpose: transposeLinearSolve,
		Batch:     batchLinearSolve,
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			params, b := splitSolve(args, p)
			return c.Module.Inline(c, c.B, solveJaxprs(p).of[2], slices.Concat(params[2], b))
		},
	})
}

// solveTuple is a named tuple of four things: about matvec, vecmat, solve and
// transpose_solve.
type solveTuple[T any] struct{ of [4]T }

// transposed is the tuple for the transposed equation.
func (t solveTuple[T]) transposed() solveTuple[T] {
	return solveTuple[T]{[4]T{t.of[1], t.of[0], t.of[3], t.of[2]}}
}

// PyRepr prints the named tuple.
func (t solveTuple[T]) PyRepr() string {
	s := "_LinearSolveTuple("
	for i, name := range []string{"matvec", "vecmat", "solve", "transpose_solve"} {
		if i > 0 {
			s += ", "
		}
		x := any(t.of[i])
		if j, ok := x.(*core.Jaxpr); ok && j == nil {
			x = nil
		}
		s += name + "=" + core.PyRepr(x)
	}
	return s + ")"
}

// Jaxprs are the jaxprs of the tuple, for printing and keys.
func (t solveTuple[T]) Jaxprs() []*core.Jaxpr {
	var out []*core.Jaxpr
	for _, x := range t.of {
		if j, ok := any(x).(*core.Jaxpr); ok && j != nil {
			out = append(out, j)
		}
	}
	return out
}

func solveJaxprs(p core.Params) solveTuple[*core.Jaxpr] {
	t, _ := p.Get("jaxprs").(solveTuple[*core.Jaxpr])
	return t
}

func solveParams(lengths solveTuple[int], jaxprs solveTuple[*core.Jaxpr]) core.Params {
	return core.P("const_lengths", lengths, "jaxprs", jaxprs)
}

// splitSolve cuts operands, or something about them, into the constants of the
// four functions and the right-hand side.
func splitSolve[T any](xs []T, p core.Params) (params [4][]T, b []T) {
	n, _ := p.Get("const_lengths").(solveTuple[int])
	for i, k := range n.of {
		params[i], xs = xs[:k:k], xs[k:]
	}
	return params, xs
}

func runSolve(args []core.Value, p core.Params) []core.Value {
	params, b := splitSolve(args, p)
	return core.EvalJaxpr(solveJaxprs(p).of[2], slices.Concat(params[2], b))
}

// jvpLinearSolve solves for the tangent: A dx = db - dA x.
func jvpLinearSolve(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
	x := LinearSolveP.Bind(p, primals...)
	params, _ := splitSolve(primals, p)
	dots, bDot := splitSolve(tangents, p)
	n := len(bDot)
	rhs := slices.Clone(bDot)
	if len(prune(dots[0])) > 0 {
		matvec := solveJaxprs(p).of[0]
		in, ts := slices.Concat(params[0], x[:n]), slices.Clone(dots[0])
		for _, v := range x[:n] {
			ts = append(ts, ad.ZeroOf(v))
		}
		_, t := ad.JVP(func(vs []core.Value) []core.Value { return core.EvalJaxpr(matvec, vs) }, in, ts, true, true)
		for i, v := range t {
			rhs[i] = ad.Add(rhs[i], array.New(v).Neg().Value())
		}
	}
	var all []core.Value
	for _, ps := range params {
		all = append(all, ps...)
	}
	for _, v := range rhs {
		all = append(all, ad.Instantiate(v))
	}
	dx := LinearSolveP.Bind(p, all...)
	for i := n; i < len(dx); i++ {
		dx[i] = ad.ZeroOf(x[i])
	}
	return x, dx
}

// transposeLinearSolve solves the transposed equation.
func transposeLinearSolve(cts, args []core.Value, p core.Params) []core.Value {
	jaxprs := solveJaxprs(p)
	if jaxprs.of[3] == nil {
		core.TypeErrorf("transpose_solve required for backwards mode automatic differentiation of custom_linear_solve")
	}
	params, b := splitSolve(args, p)
	lengths, _ := p.Get("const_lengths").(solveTuple[int])
	t := solveTuple[[]core.Value]{params}.transposed()
	in := slices.Concat(t.of[0], t.of[1], t.of[2], t.of[3])
	for _, ct := range cts[:len(b)] {
		in = append(in, ad.Instantiate(ct))
	}
	outs := LinearSolveP.Bind(solveParams(lengths.transposed(), jaxprs.transposed()), in...)
	return append(make([]core.Value, len(args)-len(b)), outs[:len(b)]...)
}

// batchLinearSolve maps the four functions until the flags of the right-hand
// side and of the solution are stable.
func batchLinearSolve(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	_, bDims := splitSolve(dims, p)
	m := &mappedSolve{axis: axis, jaxprs: solveJaxprs(p), bBat: mapped(bDims)}
	m.params, _ = splitSolve(dims, p)
	m.xBat = make([]bool, len(m.jaxprs.of[2].Out))
	for !m.stable(mapped(bDims)) {
	}
	params, b := splitSolve(args, p)
	var in []core.Value
	for i, ps := range params {
		for k, v := range ps {
			if d := m.params[i][k]; d != core.NotMapped {
				v = batching.Moveaxis(v, d, 0)
			}
			in = append(in, v)
		}
	}
	for i, v := range b {
		if m.bBat[i] {
			v = batching.Match(axis, bDims[i], 0, v)
		}
		in = append(in, v)
	}
	return LinearSolveP.Bind(p.With("jaxprs", m.out), in...), m.xDims
}

// mappedSolve are the functions of an equation system under vmap.
type mappedSolve struct {
	axis        core.AxisData
	jaxprs, out solveTuple[*core.Jaxpr]
	params      [4][]int
	bBat, xBat  []bool
	xDims       []int
}

// batch maps function i; outputs that are flagged in force are mapped whatever
// they depend on.
func (m *mappedSolve) batch(i int, in, force []bool) []int {
	b := batching.JaxprAxes(m.jaxprs.of[i], m.axis, axisFlags(slices.Concat(mapped(m.params[i]), in), 0), batching.ZeroIf(force))
	m.out.of[i] = b.Jaxpr
	return b.OutDims
}

// stable maps all functions for the present flags and tells whether the flags
// that come out are the same.
func (m *mappedSolve) stable(bGiven []bool) bool {
	j := m.jaxprs.of
	m.xDims = m.batch(2, m.bBat, m.xBat)
	newX := mapped(m.xDims)
	n := len(j[0].Out)
	if j[1] != nil {
		vecmat := m.batch(1, m.bBat, m.bBat)
		newX = orFlags(slices.Concat(mapped(vecmat), trues(len(j[2].Out)-n)), newX)
	}
	newB := orFlags(mapped(m.batch(0, newX[:n], m.bBat)), bGiven)
	if j[3] != nil {
		newB = orFlags(newB, mapped(m.batch(3, newX[:n], newX))[:len(newB)])
	}
	same := slices.Equal(newX, m.xBat) && slices.Equal(newB, m.bBat)
	m.xBat, m.bBat = newX, newB
	return same
}

// LinearSolveOption is an option of CustomLinearSolve.
type LinearSolveOption func(*linearSolve)

// TransposeSolve gives the function that solves the transposed equation; it is
// called like solve, with the transposed function.
func TransposeSolve(f any) LinearSolveOption { return func(s *linearSolve) { s.transpose = f } }

// SymmetricSolve promises that the linear function is its own transpose.
func SymmetricSolve(on bool) LinearSolveOption { return func(s *linearSolve) { s.symmetric = on } }

// SolveAux says that the solving functions return a pair of the solution and
// something else.
func SolveAux(on bool) LinearSolveOption { return func(s *linearSolve) { s.aux = on } }

type linearSolve struct {
	b              *operand
	transpose      any
	symmetric, aux bool
}

// CustomLinearSolve gives solve(matvec, b), a solution x of matvec(x) = b, with
// derivatives that solve for further right-hand sides. solve gets matvec as a
// func(x any) Array.
func CustomLinearSolve(matvec, b, solve any, opts ...LinearSolveOption) array.Array {
	mv, sv := stages.NewCallable(matvec), stages.NewCallable(solve)
	s := &linearSolve{b: takeApart(b, nil)}
	for _, o := range opts {
		o(s)
	}
	if s.transpose == nil && s.symmetric {
		s.transpose = solve
	}
	apply := func(x any) array.Array {
		return array.NewResults(mv.FlattenResult(mv.Apply([]any{x}), "custom_linear_solve"))
	}
	var bodies [4]*body
	bodies[0] = s.stage(mv, "custom_linear_solve", "matvec", false)
	bodies[2] = s.stage(s.with(sv, apply), "custom_linear_solve solve", "solve", s.aux)
	if s.transpose != nil {
		bodies[1] = bodies[0]
		vm := apply
		if !s.symmetric {
			vm = s.transposed(mv)
			bodies[1] = s.stage(stages.NewCallable(vm), "custom_linear_solve transpose_solve", "vecmat", false)
		}
		tr := stages.NewCallable(s.transpose)
		bodies[3] = s.stage(s.with(tr, vm), "custom_linear_solve transpose_solve", "transpose_solve", s.aux)
	}
	var jaxprs solveTuple[*core.Jaxpr]
	var lengths solveTuple[int]
	var in []core.Value
	for i, bd := range bodies {
		if bd != nil {
			jaxprs.of[i], lengths.of[i] = bd.jaxpr, len(bd.consts)
			in = append(in, bd.consts...)
		}
	}
	last := bodies[2]
	if bodies[3] != nil {
		last = bodies[3]
	}
	return result(last.def, LinearSolveP.Bind(solveParams(lengths, jaxprs), append(in, s.b.vals...)...))
}

// with is f with its first argument given.
func (s *linearSolve) with(f *stages.Callable, mv func(x any) array.Array) *stages.Callable {
	return f.Around(func(args []any) any { return f.Apply([]any{mv, args[0]}) })
}

// stage stages one of the functions and checks that its result has b's form.
func (s *linearSolve) stage(f *stages.Callable, api, name string, aux bool) *body {
	b := stage(f, api, nil, s.b)
	def := b.def
	if aux {
		kids := def.Children()
		if len(kids) != 2 {
			core.ValueErrorf("%s() produced a pytree with structure %s, but a pytree tuple with auxiliary output was expected because has_aux was set to True.", name, def)
		}
		def = kids[0]
	}
	if def.NumLeaves() == len(s.b.vals) {
		var got, want []string
		same := true
		for i, a := range s.b.avals {
			got, want = append(got, shapeText(b.avals[i].Shape)), append(want, shapeText(a.Shape))
			same = same && slices.Equal(b.avals[i].Shape, a.Shape)
		}
		if !same {
			core.ValueErrorf("%s() output shapes must match b, got %s and %s", name, shapeList(got), shapeList(want))
		}
	}
	if len(s.b.def.Mismatches(def)) > 0 {
		core.TypeErrorf("%s() output pytree structure must match b, got %s and %s.", name, def, s.b.def)
	}
	return b
}

func shapeList(shapes []string) string {
	out := "["
	for i, s := range shapes {
		if i > 0 {
			out += ", "
		}
		out += s
	}
	return out + "]"
}

// transposed is the transpose of matvec.
func (s *linearSolve) transposed(mv *stages.Callable) func(x any) array.Array {
	return func(x any) array.Array {
		pt := partialeval.NewPartialTrace(core.CurrentTrace())
		in, vals := make([]*partialeval.PartialTracer, len(s.b.avals)), make([]core.Value, len(s.b.avals))
		for i, a := range s.b.avals {
			in[i] = pt.Unknown(a)
			vals[i] = in[i]
		}
		var outs []core.Value
		core.WithTrace(pt, func() { outs, _ = mv.FlattenResult(mv.Apply([]any{treeOf(s.b.def, vals)}), "linear_transpose") })
		j, consts := pt.ToJaxpr(in, outs, &core.DebugInfo{})
		args := slices.Clone(consts)
		for _, a := range s.b.avals {
			args = append(args, ad.NewAccum(a))
		}
		ad.BackwardPass(j, true, nil, args, takeApart(x, nil).vals)
		cts := make([]core.Value, len(s.b.avals))
		for i := range cts {
			cts[i] = ad.Instantiate(args[len(consts)+i].(*ad.Accum).Value())
		}
		return result(s.b.def, cts)
	}
}
