package lowering

import (
	"gopherlo/internal/bug"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// funcCtx lowers one function's jaxprs; it implements core.ModuleLowering.
type funcCtx struct {
	m      *moduleCtx
	names  core.NameStack
	caller *core.Frames
	b      *stablehlo.Builder
	// cached is set in the body of an equation whose lowering JAX caches: what
	// does not go into the caller (a function of the module) has only the names
	// and places inside. The first sealed names and near are those.
	cached bool
	sealed int
	near   *core.Frames
	// typ is the primitive whose body is put in place of it here: its operations
	// are of the primitive's type.
	typ string
	// fresh is the place of the equation whose lowering traced what is lowered
	// here; the functions called here have it.
	fresh *core.Frames
}

// eval emits j's constants, then its equations, and gives the outputs.
func (f *funcCtx) eval(j *core.Jaxpr, args []*stablehlo.Value) []*stablehlo.Value {
	env := make(map[*core.Var]*stablehlo.Value, len(j.Eqns)+len(args))
	for i, v := range j.ConstVars {
		env[v] = f.constant(j.Consts[i])
	}
	for i, v := range j.In {
		env[v] = args[i]
	}
	for _, e := range j.Eqns {
		f.eqn(e, env)
	}
	out := make([]*stablehlo.Value, len(j.Out))
	for i, a := range j.Out {
		out[i] = f.read(a, env)
	}
	return out
}

func (f *funcCtx) read(a core.Atom, env map[*core.Var]*stablehlo.Value) *stablehlo.Value {
	if l, ok := a.(*core.Literal); ok {
		return f.constant(l.Value())
	}
	v := env[a.(*core.Var)]
	if v == nil {
		bug.Panicf("lowering: a variable of type %s has no value", a.Aval())
	}
	return v
}

// constant emits a constant with the function's own location.
func (f *funcCtx) constant(v core.Value) *stablehlo.Value {
	c, ok := v.(*core.Const)
	if !ok {
		if t, ok := v.(core.Tracer); ok {
			core.RaiseEscaped(t)
		}
		bug.Panicf("lowering: %T is no constant", v)
	}
	t := TypeOf(c.Aval())
	if c.Aval().DType == dtype.Float0 { // values without information are false
		d, err := stablehlo.NewDense(t, make([]byte, c.Aval().Size()))
		if err != nil {
			bug.Panicf("lowering: constant of type %s: %v", c.Aval(), err)
		}
		return f.b.Constant(d)
	}
	data, err := c.Host()
	if err != nil {
		panic(err)
	}
	d, err := stablehlo.NewDense(t, data)
	if err != nil {
		bug.Panicf("lowering: constant of type %s: %v", c.Aval(), err)
	}
	return f.b.Constant(d)
}

func (f *funcCtx) eqn(e *core.Eqn, env map[*core.Var]*stablehlo.Value) {
	in := make([]*stablehlo.Value, len(e.In))
	for i, a := range e.In {
		in[i] = f.read(a, env)
	}
	if e.Prim.Lower == nil {
		core.Raise("NotImplementedError", "MLIR translation rule for primitive '%s' not found for platform cpu", e.Prim.Name)
	}
	if e.Prim.Outlined {
		f.outline(e, in, env)
		return
	}
	names := f.names.Concat(e.Source.Names)
	c := &core.LowerCtx{B: f.b, In: avals(e.In), Out: varAvals(e.Out), Eqn: e, Names: names, Module: f}
	if !e.Prim.LowerInPlace {
		c.Names = names.Sealed()
		defer f.b.Leave(f.b.Enter())
	}
	loc := f.locNamed(opName(names, e.Prim.Name), e.Source.Frames)
	if e.Prim.LowerInPlace && !f.cached && loc != nil && f.typ == "" {
		loc.Type = e.Prim.Name
	}
	prev := f.b.SetLoc(loc)
	out := e.Prim.Lower(c, in, onWords(c, e))
	f.b.SetLoc(prev)
	if len(out) != len(e.Out) {
		bug.Panicf("lowering: %s gave %d values for %d results", e.Prim, len(out), len(e.Out))
	}
	f.tag(e, in, out)
	for i, v := range e.Out {
		env[v] = out[i]
	}
}

// tag puts the equation's metadata context on the operations that give its
// results. A result that is an operand keeps its own tags.
func (f *funcCtx) tag(e *core.Eqn, in, out []*stablehlo.Value) {
	attrs := e.Ctx.Metadata.Attributes()
	if len(attrs) == 0 {
		return
	}
	for _, o := range out {
		if e.Prim.LowerInPlace && f.b.Owns(o) || !contains(in, o) {
			o.Tag(attrs)
		}
	}
}

func contains(vs []*stablehlo.Value, v *stablehlo.Value) bool {
	for _, x := range vs {
		if x == v {
			return true
		}
	}
	return false
}

func avals(as []core.Atom) []*core.ShapedArray {
	out := make([]*core.ShapedArray, len(as))
	for i, a := range as {
		out[i] = a.Aval()
	}
	return out
}

func varAvals(vs []*core.Var) []*core.ShapedArray {
	out := make([]*core.ShapedArray, len(vs))
	for i, v := range vs {
		out[i] = v.Aval()
	}
	return out
}

// loc is the location for the names given, at the equation's place with the
// function's caller below it. No names and no place is unknown.
func (f *funcCtx) loc(names core.NameStack, at *core.Frames) *stablehlo.Loc {
	return f.locNamed(names.String(), at)
}

// opName is the name of an equation's operations: the scopes and
// transformations around it, then the primitive.
func opName(names core.NameStack, prim string) string {
	if s := names.String(); s != "" {
		return s + "/" + prim
	}
	return prim
}

func (f *funcCtx) locNamed(name string, at *core.Frames) *stablehlo.Loc {
	frame := f.m.frame(at, f.caller)
	if name == "" && frame == nil {
		return nil
	}
	return &stablehlo.Loc{Name: name, Type: f.typ, Frame: frame}
}

// maxPlaces is how many places of a stack a location shows, the innermost ones
// (jax_traceback_in_locations_limit; JAX 0.12.0.1, config.py).
const maxPlaces = 100

// frame converts the innermost places of a stack, followed by the caller's.
func (m *moduleCtx) frame(at, caller *core.Frames) *stablehlo.Frame {
	if at == nil {
		at, caller = caller, nil
	}
	if at == caller {
		caller = nil
	}
	return m.frames.convert(at, caller, maxPlaces)
}

// frames are the stacks converted so far that have nothing below them, by how
// many of their places are shown.
type frames map[frameKey]*stablehlo.Frame

type frameKey struct {
	at    *core.Frames
	shown int
}

func (m frames) convert(at, caller *core.Frames, shown int) *stablehlo.Frame {
	if at == nil {
		at, caller = caller, nil
	}
	if at == nil || shown == 0 {
		return nil
	}
	var key frameKey
	if caller == nil {
		key = frameKey{at, at.Depth(shown)}
		if fr, ok := m[key]; ok {
			return fr
		}
	}
	fr := &stablehlo.Frame{
		Func: at.Frame.Func, File: at.Frame.File, Line: at.Frame.Line, Col: at.Frame.Col,
		EndLine: at.Frame.EndLine, EndCol: at.Frame.EndCol, Call: at.Frame.Call, Caller: m.convert(at.Caller, caller, shown-1),
	}
	if caller == nil {
		m[key] = fr
	}
	return fr
}

// Loc implements core.ModuleLowering.
func (f *funcCtx) Loc(c *core.LowerCtx, names core.NameStack) *stablehlo.Loc {
	return f.loc(names, c.Eqn.Source.Frames)
}

// Constant implements core.ModuleLowering.
func (f *funcCtx) Constant(c *core.LowerCtx, v *core.Const) *stablehlo.Value { return f.constant(v) }

// Call implements core.ModuleLowering: j becomes a private function, once per
// name and jaxpr.
func (f *funcCtx) Call(c *core.LowerCtx, name string, j *core.Jaxpr, args []*stablehlo.Value) (*stablehlo.Op, []*stablehlo.Value) {
	fn := f.m.private(name, j, f.callLoc(c), f.fresh)
	op := f.b.CallOp(fn.Name, fn.Results, args...)
	return op, op.Results
}

// callLoc is the location of a private function: that of the first equation that
// calls it.
func (f *funcCtx) callLoc(c *core.LowerCtx) *stablehlo.Loc {
	loc := *f.locNamed(opName(c.Names, c.Eqn.Prim.Name), c.Eqn.Source.Frames)
	loc.Type = c.Eqn.Prim.Name
	return &loc
}

func (m *moduleCtx) private(name string, j *core.Jaxpr, loc *stablehlo.Loc, fresh *core.Frames) *stablehlo.Func {
	key := funcKey{name, j}
	if fn := m.funcs[key]; fn != nil {
		return fn
	}
	fn := m.module.NewFunc(m.uniqueName(name), false)
	m.funcs[key] = fn
	args := make([]*stablehlo.Value, len(j.In))
	for i, v := range j.In {
		args[i] = fn.AddArg(TypeOf(v.Aval()), nil)
	}
	fn.Results, fn.Loc = typesOf(j.OutAvals()), loc
	body := &funcCtx{m: m, b: stablehlo.NewBuilder(fn), fresh: fresh}
	body.b.SetLoc(nil)
	body.caller = fresh
	body.b.Return(body.eval(j, args)...)
	return fn
}

// Inline implements core.ModuleLowering: j's equations are emitted where the
// builder stands, under the equation's names.
func (f *funcCtx) Inline(c *core.LowerCtx, b *stablehlo.Builder, j *core.Jaxpr, args []*stablehlo.Value) []*stablehlo.Value {
	inner := &funcCtx{m: f.m, names: c.Names, caller: join(c.Eqn.Source.Frames, f.caller), b: b, typ: f.typ, fresh: f.fresh}
	if c.Fresh && c.Eqn.Source.Frames != nil {
		inner.fresh = c.Eqn.Source.Frames
	}
	if c.Apart && inner.typ == "" && b.Loc() != nil {
		inner.typ = b.Loc().Type
	}
	if inner.cached = true; c.Eqn.Prim.LowerInPlace {
		inner.cached, inner.sealed, inner.near = f.cached, f.sealed, join(c.Eqn.Source.Frames, f.near)
	} else if len(f.names)+len(c.Eqn.Source.Names) > 0 {
		inner.sealed = 1
	}
	return inner.eval(j, args)
}

// join is the stack at, with caller below it.
func join(at, caller *core.Frames) *core.Frames {
	if at == nil || caller == nil {
		if at == nil {
			return caller
		}
		return at
	}
	return &core.Frames{Frame: at.Frame, Caller: join(at.Caller, caller)}
}

var _ core.ModuleLowering = (*funcCtx)(nil)

// ElementType is the HLO element type of a dtype number.
func ElementType(a *core.ShapedArray) hlo.PrimitiveType {
	return hlo.PrimitiveType(a.DType.PrimitiveType())
}
