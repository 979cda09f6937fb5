package hloconv

import (
	"fmt"
	"math"
	"strings"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// The ops of the CHLO dialect that HLO does not have are expanded, as
// stablehlo's ChloLegalizeToStablehlo.cpp and ChloDecompositionPatternsMath.td
// do in jaxlib 0.12.0.1. The order in which the expansions make their ops
// decides the names in the HLO text, so it is kept. Constants are the numbers
// of Cephes and of the papers that the source names.

// chloRule is the expansion of an op: from its operands to its result.
type chloRule struct {
	// upcast says that types narrower than f32 are computed in f32.
	upcast bool
	expand func(e *expander, args []*value) (*value, error)
}

var chloRules map[string]chloRule

func init() {
	chloRules = map[string]chloRule{
		"chlo.square":     {false, one(func(e *expander, x *value) *value { return e.mul(x, x) })},
		"chlo.asin":       {false, one(asin)},
		"chlo.acos":       {false, one(acos)},
		"chlo.atan":       {false, one(func(e *expander, x *value) *value { return e.binary("atan2", x, e.like(1, x)) })},
		"chlo.asinh":      {false, one(asinh)},
		"chlo.acosh":      {false, one(acosh)},
		"chlo.atanh":      {false, one(atanh)},
		"chlo.sinh":       {true, one(sinh)},
		"chlo.cosh":       {true, one(cosh)},
		"chlo.tan":        {false, one(func(e *expander, x *value) *value { return e.unary("tan", x) })},
		"chlo.erfc":       {true, one(erfc)},
		"chlo.erf_inv":    {true, one(erfInv)},
		"chlo.lgamma":     {true, one(lgamma)},
		"chlo.digamma":    {true, one(digamma)},
		"chlo.bessel_i1e": {true, one(besselI1e)},
		"chlo.next_after": {false, two(nextAfter)},
		"chlo.zeta":       {true, two(zeta)},
		"chlo.polygamma":  {true, two(polygamma)},
		"chlo.conj":       {false, one(conj)},
	}
}

func one(fn func(*expander, *value) *value) func(*expander, []*value) (*value, error) {
	return func(e *expander, a []*value) (*value, error) {
		if len(a) != 1 {
			return nil, fmt.Errorf("has %d operands, not 1", len(a))
		}
		return fn(e, a[0]), nil
	}
}

func two(fn func(_ *expander, x, y *value) *value) func(*expander, []*value) (*value, error) {
	return func(e *expander, a []*value) (*value, error) {
		if len(a) != 2 || !a[0].typ.Equal(a[1].typ) {
			return nil, fmt.Errorf("does not have 2 operands of one type")
		}
		return fn(e, a[0], a[1]), nil
	}
}

// expandCHLO replaces the ops of the CHLO dialect that HLO does not have.
func expandCHLO(f *fn) error {
	var err error
	f.body.walk(func(o *op) {
		if rule, ok := chloRules[o.name]; ok && err == nil {
			err = expandOp(o, rule)
		}
	})
	return err
}

func expandOp(o *op, rule chloRule) error {
	if len(o.results) != 1 || len(o.operands) == 0 {
		return fmt.Errorf("%s: needs operands and one result", o.name)
	}
	e := &expander{at: o}
	args, elem := o.inputs(), o.in(0).typ.Elem
	if elem.IsComplex() {
		rule.expand = complexCHLO(strings.TrimPrefix(o.name, "chlo."))
		if rule.expand == nil {
			return fmt.Errorf("%s of complex numbers cannot be converted to HLO", o.name)
		}
	}
	if !elem.IsFloat() && !elem.IsComplex() && o.name != "chlo.square" {
		return fmt.Errorf("%s: operand type %s is not of floats", o.name, args[0].typ)
	}
	narrow := rule.upcast && elem.IsFloat() && elem.Bits() < 32
	if narrow {
		for i, a := range args {
			args[i] = e.convert(a, hlo.F32)
		}
	}
	v, err := rule.expand(e, args)
	if err != nil {
		return fmt.Errorf("%s: %w", o.name, err)
	}
	if narrow {
		v = e.convert(v, elem)
	}
	if !v.typ.Equal(o.out().typ) {
		return fmt.Errorf("%s: result type %s, not %s", o.name, o.out().typ, v.typ)
	}
	o.out().replaceUses(v)
	o.drop()
	return nil
}

// expander makes ops before the one being expanded, at its location.
type expander struct{ at *op }

func (e *expander) op(name string, t stablehlo.Type, args ...*value) *value {
	o := &op{name: "stablehlo." + name, loc: e.at.loc}
	o.setOperands(args)
	v := o.addResult(t)
	e.at.block.insertBefore(o, e.at)
	return v
}

// like makes a constant of x's type.
func (e *expander) like(n any, x *value) *value {
	v := e.op("constant", x.typ)
	v.def.lit = stablehlo.Splat(x.typ, n)
	return v
}

func (e *expander) unary(name string, x *value) *value     { return e.op(name, x.typ, x) }
func (e *expander) binary(name string, x, y *value) *value { return e.op(name, x.typ, x, y) }

func (e *expander) convert(x *value, t hlo.PrimitiveType) *value {
	return e.op("convert", x.typ.WithElem(t), x)
}

func (e *expander) add(x, y *value) *value { return e.binary("add", x, y) }
func (e *expander) sub(x, y *value) *value { return e.binary("subtract", x, y) }
func (e *expander) mul(x, y *value) *value { return e.binary("multiply", x, y) }
func (e *expander) div(x, y *value) *value { return e.binary("divide", x, y) }
func (e *expander) abs(x *value) *value    { return e.unary("abs", x) }
func (e *expander) neg(x *value) *value    { return e.unary("negate", x) }
func (e *expander) exp(x *value) *value    { return e.unary("exponential", x) }
func (e *expander) log(x *value) *value    { return e.unary("log", x) }
func (e *expander) log1p(x *value) *value  { return e.unary("log_plus_one", x) }
func (e *expander) sqrt(x *value) *value   { return e.unary("sqrt", x) }
func (e *expander) floor(x *value) *value  { return e.unary("floor", x) }

// cmp compares without a comparison type, as CompareOp's default builder does.
func (e *expander) cmp(dir string, x, y *value) *value {
	v := e.op("compare", x.typ.WithElem(hlo.PRED), x, y)
	v.def.attrs.Set("comparison_direction", stablehlo.Enum{Kind: "comparison_direction", Value: dir})
	return v
}

func (e *expander) sel(p, x, y *value) *value { return e.op("select", x.typ, p, x, y) }

// largest and smallest are the largest finite and the smallest positive number
// of a float type.
func largest(t hlo.PrimitiveType) float64 {
	switch t {
	case hlo.F64:
		return math.MaxFloat64
	case hlo.F32:
		return math.MaxFloat32
	case hlo.F16:
		return 65504
	case hlo.BF16:
		return math.Ldexp(255, 120)
	}
	return stablehlo.DecodeFloat(t, 1<<(t.Bits()-1)-1)
}

func smallest(t hlo.PrimitiveType) float64 { return stablehlo.DecodeFloat(t, 1) }

func asin(e *expander, x *value) *value {
	one := e.like(1, x)
	l := e.sub(one, x)
	r := e.add(one, x)
	a := e.binary("atan2", x, e.add(one, e.sqrt(e.mul(l, r))))
	return e.add(a, a)
}

func acos(e *expander, x *value) *value {
	one := e.like(1, x)
	l := e.sub(one, x)
	r := e.add(one, x)
	return e.binary("atan2", e.sqrt(e.mul(l, r)), x)
}

func acosh(e *expander, x *value) *value {
	big := e.like(largest(x.typ.Elem), x)
	two := e.like(2, x)
	p := e.cmp("GE", x, e.div(big, two))
	l2 := e.log(two)
	far := e.add(l2, e.log(x))
	one := e.like(1, x)
	s := e.sqrt(e.sub(x, one))
	near := e.log1p(e.mul(s, e.add(e.sqrt(e.add(x, one)), s)))
	return e.sel(p, far, near)
}

func asinh(e *expander, x *value) *value {
	sign := e.unary("sign", x)
	ax := e.abs(x)
	p := e.cmp("GE", ax, e.sqrt(e.like(largest(x.typ.Elem), x)))
	l2 := e.log(e.like(2, x))
	far := e.add(l2, e.log(ax))
	ax2 := e.mul(ax, ax)
	one := e.like(1, x)
	near := e.log1p(e.add(ax, e.div(ax2, e.add(one, e.sqrt(e.add(one, ax2))))))
	return e.mul(sign, e.sel(p, far, near))
}

func atanh(e *expander, x *value) *value {
	ax := e.abs(x)
	p := e.cmp("GT", ax, e.like(1, x))
	nan := e.like(math.NaN(), x)
	l := e.log1p(x)
	d := e.sub(l, e.log1p(e.neg(x)))
	return e.sel(p, nan, e.mul(d, e.like(0.5, x)))
}

// halfExps gives exp(x + log(1/2)) and exp(log(1/2) - x).
func halfExps(e *expander, x *value) (plus, minus *value) {
	half := e.log(e.like(0.5, x))
	plus = e.exp(e.add(x, half))
	return plus, e.exp(e.sub(half, x))
}

func cosh(e *expander, x *value) *value {
	p, m := halfExps(e, x)
	return e.add(p, m)
}

func sinh(e *expander, x *value) *value {
	p, m := halfExps(e, x)
	far := e.sub(p, m)
	em1 := e.unary("exponential_minus_one", x)
	one := e.like(1, x)
	half := e.like(0.5, x)
	sum := e.add(em1, e.div(em1, e.add(em1, one)))
	near := e.mul(half, sum)
	return e.sel(e.cmp("LT", e.abs(x), one), near, far)
}

func conj(e *expander, x *value) *value {
	if !x.typ.Elem.IsComplex() {
		return x
	}
	part := x.typ.WithElem(x.typ.Elem.ComplexPart())
	re := e.op("real", part, x)
	return e.op("complex", x.typ, re, e.neg(e.op("imag", part, x)))
}

// poly evaluates a polynomial by Horner's rule, highest coefficient first. Each
// coefficient has the precision in which the source gives it.
func (e *expander) poly(x *value, coeffs []float64) *value {
	p := e.like(coeffs[0], x)
	for _, c := range coeffs[1:] {
		p = e.mul(p, x)
		p = e.add(p, e.like(c, x))
	}
	return p
}
