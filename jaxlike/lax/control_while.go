package lax

import (
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// WhileLoop calls body on a value for as long as cond of it is true, and gives
// the value. It may be a tree.
func WhileLoop(cond, body, init any) array.Array {
	const message = "lax.while_loop: body_fun and cond_fun arguments should be callable."
	c, b := callable(cond, message), callable(body, message)
	w := whileCall{cond: c, body: b, init: takeApart(init, place(b, "while_loop", 0)), param: firstParam(b)}
	if core.Current().NoJit && w.concrete() {
		return w.unjitted()
	}
	return w.run()
}

// whileCall is a call of WhileLoop, taken apart.
type whileCall struct {
	cond, body *stages.Callable
	init       *operand
	param      string
	names      []string
}

func (w *whileCall) run() array.Array {
	c, b := w.stage(w.init)
	if len(b.avals) != len(w.init.vals) {
		checkCarry("while_loop body", w.param, w.init, b.def, b.avals)
	}
	init, changed := w.init.promoteWeak(b.avals)
	if changed {
		c, b = w.stage(init)
	}
	checkCarry("while_loop body", w.param, init, b.def, b.avals)
	return result(b.def, bindWhile(c.jaxpr, c.consts, b.jaxpr, b.consts, init.vals))
}

func (w *whileCall) stage(init *operand) (c, b *body) {
	c = stage(w.cond, "while_cond", w.names, init)
	b = stage(w.body, "while_body", w.names, init)
	if !c.def.IsLeaf() {
		core.TypeErrorf("cond_fun must return a boolean scalar, but got pytree %s.", c.def)
	}
	if a := c.avals[0]; a.NDim() > 0 || !a.DType.IsBool() {
		core.TypeErrorf("cond_fun must return a boolean scalar, but got output type(s) [%s].", strings.Join(avalTexts(c.avals), ", "))
	}
	return c, b
}

func (w *whileCall) concrete() bool {
	for _, v := range w.init.vals {
		if core.ToConcrete(v) == nil {
			return false
		}
	}
	return true
}

// unjitted runs the loop in Go, for disable_jit.
func (w *whileCall) unjitted() array.Array {
	vals, def := w.init.vals, w.init.def
	for {
		state := treeOf(def, vals)
		ok, _ := w.cond.FlattenResult(apply1(w.cond, state), "while_cond")
		if !array.New(ok[0]).Bool() {
			return result(def, vals)
		}
		vals, def = w.body.FlattenResult(apply1(w.body, state), "while_body")
	}
}

// ForiLoop calls body(i, value) for i from lower up to upper and gives the last
// value. With bounds that are known it is a scan, which can be differentiated
// backwards; else it is a while loop. Option: Unroll, for known bounds.
func ForiLoop(lower, upper, body, init any, opts ...kw.ForiOption) array.Array {
	fn := callable(body, "lax.fori_loop: body_fun argument should be a callable.")
	unroll := kw.Collect(opts).Unroll
	lo, hi := toValue("fori_loop", lower, 0), toValue("fori_loop", upper, 1)
	dt := loopType(lo.Aval(), hi.Aval())
	x := takeApart(init, place(fn, "fori_loop", 1))
	place(fn, "fori_loop", 0)
	names := append([]string{paramName(fn, 0, "args[0]")}, pathNames(paramName(fn, 1, "args[1]"), x.def)...)
	if l, h := core.ToConcrete(lo), core.ToConcrete(hi); l != nil && h != nil {
		from, to := array.New(l).Int(), array.New(h).Int()
		n := max(to-from, 0)
		if core.Current().NoJit && n == 0 {
			return result(x.def, x.vals)
		}
		if unroll == nil {
			unroll = false
		}
		return foriScan(fn, from, n, x, unroll, names)
	}
	if unroll != nil && unroll != false && unroll != 1 {
		core.ValueErrorf("Can only use `unroll` in `fori_loop` if the loop bounds are statically known.")
	}
	return foriWhile(fn, convertDType(lo, dt), convertDType(hi, dt), x, names)
}

func convertDType(v core.Value, dt dtype.DType) core.Value {
	if v.Aval().DType == dt {
		return v
	}
	return convert(v, dt, false)
}

func paramName(f *stages.Callable, i int, other string) string {
	if i < len(f.Params) {
		return f.Params[i]
	}
	return other
}

func pathNames(name string, def *tree.Def) []string {
	var out []string
	for _, p := range def.Paths() {
		out = append(out, name+p.String())
	}
	return out
}

// loopType is the element type of the counter: a weak integer bound takes that
// of the other.
func loopType(lo, hi *core.ShapedArray) dtype.DType {
	switch {
	case lo.DType == hi.DType:
		return lo.DType
	case lo.DType.IsSigned() && hi.DType.IsSigned() && lo.Weak && !hi.Weak:
		return hi.DType
	case lo.DType.IsSigned() && hi.DType.IsSigned() && !lo.Weak && hi.Weak:
		return lo.DType
	}
	core.TypeErrorf("lower and upper arguments to fori_loop must have equal types, got %s and %s", lo.DType, hi.DType)
	return 0
}

// tupleOperand is an operand that is a tuple.
func tupleOperand(parts ...*operand) *operand {
	o := &operand{}
	defs := make([]*tree.Def, len(parts))
	for i, p := range parts {
		defs[i] = p.def
		o.raw, o.vals, o.avals = append(o.raw, p.raw...), append(o.vals, p.vals...), append(o.avals, p.avals...)
	}
	o.def = tree.TupleDef(defs...)
	return o
}

// scalarOperand is an operand of one value.
func scalarOperand(v core.Value) *operand {
	return &operand{raw: []any{array.New(v)}, vals: []core.Value{v}, avals: []*core.ShapedArray{v.Aval()}, def: tree.LeafDef()}
}

func foriScan(fn *stages.Callable, from, n int, x *operand, unroll any, names []string) array.Array {
	step := fn.Around(func(args []any) any {
		s := args[0].(tree.Tuple)
		i := s[0].(array.Array)
		return tree.Tuple{tree.Tuple{i.Add(1), apply1(fn, i, s[1])}, nil}
	})
	carry, _ := scan(scanCall{
		fn: step, api: "fori_loop", param: "loop_carry", names: names, length: &n, unroll: unroll,
		init: tupleOperand(scalarOperand(intConst(from)), x), xs: takeApart(nil, nil),
	})
	return carry.Out(1)
}

func foriWhile(fn *stages.Callable, lo, hi core.Value, x *operand, names []string) array.Array {
	step := fn.Around(func(args []any) any {
		s := args[0].(tree.Tuple)
		i := s[0].(array.Array)
		next := array.New(add(i.Value(), constLike(i.Value(), 1)))
		return tree.Tuple{next, s[1], apply1(fn, i, s[2])}
	})
	w := whileCall{
		cond: foriCond, body: step, param: "loop_carry", init: tupleOperand(scalarOperand(lo), scalarOperand(hi), x),
		names: append([]string{names[0], ""}, names[1:]...),
	}
	return w.run().Out(2)
}

// foriCond is one function for all loops, so that its jaxprs are shared.
var foriCond = stages.NewCallable(stages.NamedFunc{Name: "_fori_cond_fun", F: func(s any) any {
	t := s.(tree.Tuple)
	return array.New(lt(t[0].(array.Array).Value(), t[1].(array.Array).Value()))
}})
