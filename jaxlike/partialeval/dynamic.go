// Package partialeval stages programs to jaxprs and splits and prunes jaxprs:
// the staging trace, the known/unknown trace that linearization uses, dead-code
// elimination and output forwarding (jax/_src/interpreters/partial_eval.py of
// 0.12.0.1).
package partialeval

import (
	"sync"

	"gopherlo/jaxlike/core"
)

// DynamicTrace records every primitive as an equation.
type DynamicTrace struct {
	Debug *core.DebugInfo
	// AutoDCE drops equations that no output needs, as JAX's linear traces do.
	AutoDCE bool
	// Units keeps calls whole that staging would take apart: the trace of a
	// linear program that will be run backwards (vjp_node in JAX).
	Units  bool
	parent core.Trace

	mu        sync.Mutex
	done      bool
	eqns      []*core.Eqn
	in        []*core.Var
	constVars []*core.Var
	consts    []core.Value
	constOf   map[core.Value]*DynamicTracer
}

// NewDynamicTrace makes a staging trace above parent.
func NewDynamicTrace(parent core.Trace, debug *core.DebugInfo, autoDCE bool) *DynamicTrace {
	return &DynamicTrace{Debug: debug, AutoDCE: autoDCE, parent: parent, constOf: map[core.Value]*DynamicTracer{}}
}

// Parent is the trace below.
func (t *DynamicTrace) Parent() core.Trace { return t.parent }

// DynamicTracer is a value of the program that is being staged.
type DynamicTracer struct {
	trace *DynamicTrace
	aval  *core.ShapedArray
	atom  core.Atom
	at    *core.Frames // where the equation was made that gave it
}

// Aval is the tracer's type.
func (t *DynamicTracer) Aval() *core.ShapedArray { return t.aval }

// Owner is the staging trace.
func (t *DynamicTracer) Owner() core.Trace { return t.trace }

// Atom is the variable or literal that the tracer stands for.
func (t *DynamicTracer) Atom() core.Atom { return t.atom }

// FullLower gives the constant behind a literal or constant variable.
func (t *DynamicTracer) FullLower() core.Value {
	if c := t.Const(); c != nil {
		return c
	}
	return t
}

// Const is the known value of a literal or constant variable, else nil.
func (t *DynamicTracer) Const() core.Value {
	switch a := t.atom.(type) {
	case *core.Literal:
		return a.Value()
	case *core.Var:
		t.trace.mu.Lock()
		defer t.trace.mu.Unlock()
		for i, v := range t.trace.constVars {
			if v == a {
				return t.trace.consts[i]
			}
		}
	}
	return nil
}

// Repr is the tracer as JAX prints it.
func (t *DynamicTracer) Repr() string { return "JitTracer(" + t.aval.LongWeak() + ")" }

// TypeName is the class that JAX's messages name.
func (t *DynamicTracer) TypeName() string { return "DynamicJaxprTracer" }

// DebugInfo is that of the trace, for error texts.
func (t *DynamicTracer) DebugInfo() *core.DebugInfo { return t.trace.Debug }

// CreatedAt is where the tracer's equation was made, nil for inputs.
func (t *DynamicTracer) CreatedAt() *core.Frames { return t.at }

// NewArg adds an input.
func (t *DynamicTrace) NewArg(a *core.ShapedArray) *DynamicTracer {
	v := core.NewVar(a)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.in = append(t.in, v)
	return &DynamicTracer{trace: t, aval: a, atom: v}
}

// ToTracer makes v a tracer of t: tracers of t stay, scalar host constants
// become literals, everything else a constant variable (one per object).
func (t *DynamicTrace) ToTracer(v core.Value) *DynamicTracer {
	switch x := v.(type) {
	case *DynamicTracer:
		if x.trace == t {
			t.checkLive(x)
			return x
		}
		x.trace.mu.Lock()
		done := x.trace.done
		x.trace.mu.Unlock()
		if done {
			core.RaiseEscaped(x)
		}
	case *core.Const:
		if x.Literalable() {
			return &DynamicTracer{trace: t, aval: x.Aval(), atom: core.NewLiteral(x, x.Aval())}
		}
	case core.Zero:
		panic("partialeval: a symbolic zero reached a staging trace")
	}
	return t.newConst(v)
}

func (t *DynamicTrace) checkLive(x *DynamicTracer) {
	t.mu.Lock()
	done := t.done
	t.mu.Unlock()
	if done {
		core.RaiseEscaped(x)
	}
}

func (t *DynamicTrace) newConst(v core.Value) *DynamicTracer {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tr, ok := t.constOf[v]; ok {
		return tr
	}
	if c, ok := v.(*core.Const); ok && c.Slice != nil {
		if tr := t.sameSlice(c); tr != nil {
			return tr
		}
	}
	tr := &DynamicTracer{trace: t, aval: v.Aval(), atom: core.NewVar(v.Aval())}
	t.constVars = append(t.constVars, tr.atom.(*core.Var))
	t.consts = append(t.consts, v)
	t.constOf[v] = tr
	return tr
}

// sameSlice is the constant that was made of c's slice before, if any.
func (t *DynamicTrace) sameSlice(c *core.Const) *DynamicTracer {
	for _, v := range t.consts {
		if o, ok := v.(*core.Const); ok && c.SameSlice(o) {
			return t.constOf[o]
		}
	}
	return nil
}

// Tracers is ToTracer for a list, as values.
func (t *DynamicTrace) Tracers(vs []core.Value) []core.Value {
	out := make([]core.Value, len(vs))
	for i, v := range vs {
		out[i] = t.ToTracer(v)
	}
	return out
}

// Process records p, or does what p's staging rule says.
func (t *DynamicTrace) Process(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	in := t.Tracers(args)
	if p.Stage != nil {
		return p.Stage(t, in, params)
	}
	return t.Default(p, in, params)
}

// Default records p on tracers of t: constants are folded, results that equal
// an operand are forwarded.
func (t *DynamicTrace) Default(p *core.Primitive, in []core.Value, params core.Params) []core.Value {
	inAvals := make([]*core.ShapedArray, len(in))
	for i, v := range in {
		inAvals[i] = v.Aval()
	}
	out := p.AbstractEval(inAvals, params)
	if folded := t.fold(p, in, params, out); folded != nil {
		return folded
	}
	if p.Forward != nil {
		fwd, drop := p.Forward(inAvals, params, out)
		return t.forward(p, in, params, out, fwd, drop)
	}
	return t.Emit(p, in, params, out)
}

func (t *DynamicTrace) forward(p *core.Primitive, in []core.Value, params core.Params, out []*core.ShapedArray, fwd []int, drop bool) []core.Value {
	res := make([]core.Value, len(out))
	if !drop {
		res = t.Emit(p, in, params, out)
	}
	for i, f := range fwd {
		if f >= 0 {
			res[i] = in[f]
		}
	}
	return res
}

func (t *DynamicTrace) fold(p *core.Primitive, in []core.Value, params core.Params, out []*core.ShapedArray) []core.Value {
	if p.ConstFold == nil {
		return nil
	}
	consts := make([]*core.Const, len(in))
	any := false
	for i, v := range in {
		if c, ok := v.(*DynamicTracer).Const().(*core.Const); ok {
			consts[i], any = c, true
		}
	}
	if !any {
		return nil
	}
	folded := p.ConstFold(consts, params, out)
	if folded == nil {
		return nil
	}
	res := make([]core.Value, len(folded))
	for i, c := range folded {
		res[i] = t.ToTracer(c)
	}
	return res
}

// Emit records the equation as it is.
func (t *DynamicTrace) Emit(p *core.Primitive, in []core.Value, params core.Params, out []*core.ShapedArray) []core.Value {
	return t.EmitAt(p, in, params, out, core.EqnContext{Metadata: core.Current().Metadata}, core.CurrentSource())
}

// EmitAt is Emit with a context and source of the caller's choice.
func (t *DynamicTrace) EmitAt(p *core.Primitive, in []core.Value, params core.Params, out []*core.ShapedArray, ctx core.EqnContext, src core.Source) []core.Value {
	e := &core.Eqn{
		Prim: p, Params: params, Ctx: ctx, Source: src,
		In: make([]core.Atom, len(in)), Out: make([]*core.Var, len(out)),
	}
	for i, v := range in {
		e.In[i] = v.(*DynamicTracer).atom
	}
	res := make([]core.Value, len(out))
	for i, a := range out {
		e.Out[i] = core.NewVar(a)
		res[i] = &DynamicTracer{t, a, e.Out[i], src.Frames}
	}
	t.mu.Lock()
	t.eqns = append(t.eqns, e)
	t.mu.Unlock()
	return res
}

// Inline copies j's equations into t (jax: inline_jaxpr_into_trace). Names of
// the equations come after src's.
func (t *DynamicTrace) Inline(j *core.Jaxpr, args []core.Value) []core.Value {
	src := core.CurrentSource()
	env := make(map[*core.Var]*DynamicTracer, len(j.Eqns)+len(args))
	for i, v := range j.ConstVars {
		env[v] = t.ToTracer(j.Consts[i])
	}
	for i, v := range j.In {
		env[v] = args[i].(*DynamicTracer)
	}
	read := func(a core.Atom) *DynamicTracer {
		if v, ok := a.(*core.Var); ok {
			return env[v]
		}
		return &DynamicTracer{trace: t, aval: a.Aval(), atom: a}
	}
	for _, e := range j.Eqns {
		in := make([]core.Value, len(e.In))
		for i, a := range e.In {
			in[i] = read(a)
		}
		out := make([]*core.ShapedArray, len(e.Out))
		for i, v := range e.Out {
			out[i] = v.Aval()
		}
		res := t.fold(e.Prim, in, e.Params, out)
		if res == nil {
			s := core.Source{Frames: src.Frames, Names: src.Names.Concat(e.Source.Names)}
			res = t.EmitAt(e.Prim, in, e.Params, out, e.Ctx, s)
		}
		for i, v := range e.Out {
			env[v] = res[i].(*DynamicTracer)
		}
	}
	out := make([]core.Value, len(j.Out))
	for i, a := range j.Out {
		out[i] = read(a)
	}
	return out
}

// Finish ends the trace: its jaxpr with the outputs given.
func (t *DynamicTrace) Finish(outs []core.Value, debug *core.DebugInfo) *core.Jaxpr {
	atoms := make([]core.Atom, len(outs))
	for i, o := range outs {
		atoms[i] = t.ToTracer(o).atom
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = true
	eqns := t.eqns
	if t.AutoDCE {
		eqns = liveEqns(eqns, atoms)
	}
	cv, cs := t.usedConsts(eqns, atoms)
	return &core.Jaxpr{ConstVars: cv, Consts: cs, In: t.in, Out: atoms, Eqns: eqns, Debug: debug}
}

// Abandon ends a trace without a result, so that its tracers are known to have
// outlived it.
func (t *DynamicTrace) Abandon() {
	t.mu.Lock()
	t.done = true
	t.mu.Unlock()
}

// usedConsts keeps the constants that an equation or output reads, in the order
// in which they came up. Where equations die with their results, so do their
// constants in JAX, to be made anew at the next use: there the order is that of
// the first equation that stays.
func (t *DynamicTrace) usedConsts(eqns []*core.Eqn, outs []core.Atom) ([]*core.Var, []core.Value) {
	vals := make(map[*core.Var]core.Value, len(t.constVars))
	for i, v := range t.constVars {
		vals[v] = t.consts[i]
	}
	var order []*core.Var
	seen := map[*core.Var]bool{}
	note := func(as []core.Atom) {
		for _, a := range as {
			if v, ok := a.(*core.Var); ok && !seen[v] && vals[v] != nil {
				seen[v] = true
				order = append(order, v)
			}
		}
	}
	for _, e := range eqns {
		note(e.In)
	}
	note(outs)
	if !t.AutoDCE {
		order = order[:0]
		for _, v := range t.constVars {
			if seen[v] {
				order = append(order, v)
			}
		}
	}
	out := make([]core.Value, len(order))
	for i, v := range order {
		out[i] = vals[v]
	}
	return order, out
}

func liveEqns(eqns []*core.Eqn, outs []core.Atom) []*core.Eqn {
	live := map[core.Atom]bool{}
	for _, a := range outs {
		live[a] = true
	}
	keep := make([]*core.Eqn, 0, len(eqns))
	for i := len(eqns) - 1; i >= 0; i-- {
		e := eqns[i]
		used := e.Prim.Effectful
		for _, v := range e.Out {
			used = used || live[v]
		}
		if !used {
			continue
		}
		keep = append(keep, e)
		for _, a := range e.In {
			live[a] = true
		}
	}
	for i, j := 0, len(keep)-1; i < j; i, j = i+1, j-1 {
		keep[i], keep[j] = keep[j], keep[i]
	}
	return keep
}
