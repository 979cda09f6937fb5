package lowering

import (
	"gopherlo/jaxlike/core"
	"gopherlo/xla/stablehlo"
)

// outline lowers an equation to a call of a function that holds the primitive:
// one per primitive, parameters, operand types and metadata context. The call
// and the function's parameters carry the names around the equation.
func (f *funcCtx) outline(e *core.Eqn, in []*stablehlo.Value, env map[*core.Var]*stablehlo.Value) {
	loc := f.loc(f.names.Concat(e.Source.Names), e.Source.Frames)
	key := e.Prim.Name + ":" + e.Params.Key() + core.AvalsKey(avals(e.In)) + e.Ctx.Metadata.Key()
	fn := f.m.prims[key]
	if fn == nil {
		fn = f.m.primFunc(f, e, f.insideLoc(e))
		f.m.prims[key] = fn
	}
	prev := f.b.SetLoc(loc)
	out := f.b.CallOp(fn.Name, fn.Results, in...).Results
	f.b.SetLoc(prev)
	for i, v := range e.Out {
		env[v] = out[i]
	}
}

// insideLoc is the location of an equation as far as the cached lowering around
// it knows it.
func (f *funcCtx) insideLoc(e *core.Eqn) *stablehlo.Loc {
	names := f.names.Concat(e.Source.Names)
	if !f.cached {
		return f.loc(names, e.Source.Frames)
	}
	inside := &funcCtx{m: f.m, caller: f.near}
	return inside.loc(names[f.sealed:], e.Source.Frames)
}

func (m *moduleCtx) primFunc(f *funcCtx, e *core.Eqn, loc *stablehlo.Loc) *stablehlo.Func {
	fn := m.module.NewFunc(m.uniqueName(e.Prim.Name), false)
	args := make([]*stablehlo.Value, len(e.In))
	for i, a := range e.In {
		args[i] = fn.AddArg(TypeOf(a.Aval()), loc)
	}
	fn.Results = typesOf(varAvals(e.Out))
	fn.Loc = loc
	inner := &funcCtx{m: m, caller: f.caller, b: stablehlo.NewBuilder(fn)}
	inner.b.SetLoc(&stablehlo.Loc{Name: e.Prim.Name, Type: e.Prim.Name})
	c := &core.LowerCtx{B: inner.b, In: avals(e.In), Out: varAvals(e.Out), Eqn: e, Module: inner}
	out := e.Prim.Lower(c, args, e.Params)
	inner.tag(e, args, out)
	inner.b.SetLoc(loc)
	inner.b.Return(out...)
	return fn
}
