package core

import (
	"fmt"

	"gopherlo/internal/bug"
)

// Check verifies a jaxpr: every variable is defined once before its use, every
// equation's results have the types that its primitive computes, and the same
// holds in all sub-jaxprs. Tests run it on every jaxpr.
func Check(j *Jaxpr) error {
	defined := map[*Var]bool{}
	define := func(v *Var) error {
		if defined[v] {
			return bug.Errorf("variable of type %s is defined twice", v.aval)
		}
		defined[v] = true
		return nil
	}
	for _, v := range append(append([]*Var{}, j.ConstVars...), j.In...) {
		if err := define(v); err != nil {
			return err
		}
	}
	if len(j.ConstVars) != len(j.Consts) {
		return bug.Errorf("%d constant variables but %d constants", len(j.ConstVars), len(j.Consts))
	}
	for i, e := range j.Eqns {
		if err := checkEqn(e, defined); err != nil {
			return fmt.Errorf("equation %d (%s): %w", i, e.Prim, err)
		}
		for _, v := range e.Out {
			if err := define(v); err != nil {
				return fmt.Errorf("equation %d (%s): %w", i, e.Prim, err)
			}
		}
	}
	for i, a := range j.Out {
		if v, ok := a.(*Var); ok && !defined[v] {
			return bug.Errorf("output %d is not defined", i)
		}
	}
	return nil
}

func checkEqn(e *Eqn, defined map[*Var]bool) error {
	in := make([]*ShapedArray, len(e.In))
	for i, a := range e.In {
		in[i] = a.Aval()
		if v, ok := a.(*Var); ok && !defined[v] {
			return bug.Errorf("operand %d is not defined", i)
		}
	}
	for _, s := range e.SubJaxprs() {
		if err := Check(s); err != nil {
			return err
		}
	}
	if e.Prim.AbstractEval == nil {
		return nil
	}
	out := e.Prim.AbstractEval(in, e.Params)
	if len(out) != len(e.Out) {
		return bug.Errorf("has %d results, should have %d", len(e.Out), len(out))
	}
	for i, a := range out {
		if !a.SameType(e.Out[i].aval) {
			return bug.Errorf("result %d has type %s, should be %s", i, e.Out[i].aval, a)
		}
	}
	return nil
}
