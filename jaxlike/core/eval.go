package core

// EvalJaxpr applies the jaxpr's equations, one by one, under the current
// trace. Each runs under the metadata context, name stack and source place that
// it was traced with (jax/_src/core.py, eval_jaxpr).
func EvalJaxpr(j *Jaxpr, args []Value) []Value {
	return EvalJaxprConsts(j, j.Consts, args)
}

// EvalJaxprConsts is EvalJaxpr with the constants given.
func EvalJaxprConsts(j *Jaxpr, consts, args []Value) []Value {
	env := make(map[*Var]Value, len(j.ConstVars)+len(j.In)+len(j.Eqns))
	for i, v := range j.ConstVars {
		env[v] = consts[i]
	}
	for i, v := range j.In {
		env[v] = args[i]
	}
	for _, e := range j.Eqns {
		outs := EvalEqn(e, env)
		for i, v := range e.Out {
			env[v] = outs[i]
		}
	}
	return readAll(j.Out, env)
}

// EvalEqn applies one equation to the values in env.
func EvalEqn(e *Eqn, env map[*Var]Value) []Value {
	in := readAll(e.In, env)
	var outs []Value
	UnderEqn(e, true, func() {
		if e.Prim.Rebind != nil {
			outs = e.Prim.Rebind(in, e.Params)
			return
		}
		outs = CurrentTrace().Process(e.Prim, in, e.Params)
	})
	return outs
}

// UnderEqn runs body in the context of the equation: its metadata joined into
// the current one, its names after the current ones, its place as the place of
// new equations.
func UnderEqn(e *Eqn, source bool, body func()) {
	if e.Ctx.Metadata == nil && len(e.Source.Names) == 0 {
		if s := Current(); !source || s.Replaying && s.Replay == e.Source.Frames {
			body()
			return
		}
	}
	With(func(s *State) {
		if e.Ctx.Metadata != nil {
			s.Metadata = UpdateMetadata(s.Metadata, e.Ctx.Metadata.KVs)
		}
		s.Names = s.Names.Concat(e.Source.Names)
		if source {
			s.Replay, s.Replaying = e.Source.Frames, true
		}
	}, body)
}

func readAll(atoms []Atom, env map[*Var]Value) []Value {
	out := make([]Value, len(atoms))
	for i, a := range atoms {
		switch a := a.(type) {
		case *Literal:
			out[i] = a.Value()
		case *Var:
			out[i] = env[a]
		}
	}
	return out
}

// Value is the literal as a constant of the literal's own type.
func (l *Literal) Value() Value {
	if l.Val.aval.Equal(l.aval) {
		return l.Val
	}
	return l.Val.WithAval(l.aval)
}
