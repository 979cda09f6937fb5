package ad

import "gopherlo/jaxlike/core"

// The combinators below make the JVP and Transpose slots of core.Rules. prim is
// the primitive whose rules they are.

// JVPRule is the shape of a JVP slot.
type JVPRule = func(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value)

// TransposeRule is the shape of a Transpose slot.
type TransposeRule = func(cts, args []core.Value, p core.Params) []core.Value

// OperandRule gives the part of the output tangent that comes from one
// operand's tangent t. out is the primitive's result.
type OperandRule func(t, out core.Value, in []core.Value, p core.Params) core.Value

// Std makes a JVP rule for a primitive with one result from a rule per operand
// (nil: no dependence); the parts are added from left to right (defjvp2).
func Std(prim *core.Primitive, rules ...OperandRule) JVPRule {
	return func(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
		out := prim.Bind1(p, primals...)
		var parts []core.Value
		for i, r := range rules {
			if r != nil && !core.IsZero(tangents[i]) {
				parts = append(parts, r(tangents[i], out, primals, p))
			}
		}
		sum := ZeroOf(out)
		for _, t := range parts {
			sum = Add(sum, t)
		}
		return []core.Value{out}, []core.Value{sum}
	}
}

// ZeroJVP is the rule of primitives whose derivative is zero everywhere.
func ZeroJVP(prim *core.Primitive) JVPRule {
	return func(primals, _ []core.Value, p core.Params) ([]core.Value, []core.Value) {
		out := prim.Bind(p, primals...)
		return out, zerosOf(out)
	}
}

// LinearJVP is the rule of primitives that are linear in all operands together.
func LinearJVP(prim *core.Primitive) JVPRule {
	return func(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
		out := prim.Bind(p, primals...)
		if allZero(tangents) {
			return out, zerosOf(out)
		}
		ts := make([]core.Value, len(tangents))
		for i, t := range tangents {
			ts[i] = Instantiate(t)
		}
		return out, prim.Bind(p, ts...)
	}
}

// Linear makes the Transpose slot of a linear primitive with one result: rule
// gives the cotangents of the operands; zero cotangents pass as zeros.
func Linear(rule func(ct core.Value, args []core.Value, p core.Params) []core.Value) TransposeRule {
	return func(cts, args []core.Value, p core.Params) []core.Value {
		if core.IsZero(cts[0]) {
			return zeroCts(args)
		}
		return rule(cts[0], args, p)
	}
}

func zeroCts(args []core.Value) []core.Value {
	out := make([]core.Value, len(args))
	for i, a := range args {
		if core.IsUndefined(a) {
			out[i] = core.Zero{Of: a.Aval()}
		}
	}
	return out
}

// BilinearJVP is the JVP of a primitive that is linear in each of two operands.
func BilinearJVP(prim *core.Primitive) JVPRule {
	return Std(prim,
		func(t, _ core.Value, in []core.Value, p core.Params) core.Value { return prim.Bind1(p, t, in[1]) },
		func(t, _ core.Value, in []core.Value, p core.Params) core.Value { return prim.Bind1(p, in[0], t) },
	)
}

// Bilinear makes the Transpose slot of a bilinear primitive: lhs gives the
// cotangent of the first operand, rhs that of the second; exactly one of the
// operands is Undefined: where both are, the program is not linear, and the
// error is JAX's.
func Bilinear(lhs, rhs func(ct, x, y core.Value, p core.Params) core.Value) TransposeRule {
	return func(cts, args []core.Value, p core.Params) []core.Value {
		if core.IsZero(cts[0]) {
			return zeroCts(args)
		}
		if core.IsUndefined(args[0]) && core.IsUndefined(args[1]) {
			core.Raise("AssertionError", "(ValAccum(%s), ValAccum(%s))", args[0].Aval().LongWeak(), args[1].Aval().LongWeak())
		}
		if core.IsUndefined(args[0]) {
			return []core.Value{lhs(cts[0], args[0], args[1], p), nil}
		}
		return []core.Value{nil, rhs(cts[0], args[0], args[1], p)}
	}
}
