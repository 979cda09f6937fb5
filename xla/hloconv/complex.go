package hloconv

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
)

// expandComplex replaces math on complex numbers by math on their parts
// (StablehloComplexMathExpanderPass).
func expandComplex(f *fn) error {
	if f.expands {
		rewrite(f, complexPatterns)
	}
	return nil
}

var complexPatterns map[string][]pattern

func init() {
	complexPatterns = make(map[string][]pattern)
	for _, n := range []string{"exponential", "log", "log_plus_one", "sqrt"} {
		complexPatterns["stablehlo."+n] = []pattern{func(r *rewriter, o *op) bool {
			if !isComplexMath(o) {
				return false
			}
			v, err := (&expander{at: o}).complex(n, o.in(0))
			if err != nil {
				return false
			}
			r.replace(o, v)
			return true
		}}
	}
}

// isComplexMath reports whether the op has an expansion because of its type.
func isComplexMath(o *op) bool {
	switch o.name {
	case "stablehlo.exponential", "stablehlo.log", "stablehlo.log_plus_one", "stablehlo.sqrt":
		return len(o.operands) == 1 && o.in(0).typ.Elem.IsComplex()
	}
	return false
}

// complex expands a function of a complex number by its rule.
func (e *expander) complex(name string, z *value) (*value, error) {
	vals := map[string]*value{"z": z}
	var last *value
	for _, step := range strings.FieldsFunc(complexRules[name], func(r rune) bool { return r == ';' || r == '\n' }) {
		w := strings.Fields(step)
		if len(w) == 0 {
			continue
		}
		var args []*value
		for _, a := range w[2:] {
			args = append(args, vals[a])
		}
		v, err := e.step(w[1], args)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		vals[w[0]], last = v, v
	}
	if last == nil {
		return nil, fmt.Errorf("%s has no rule for complex numbers", name)
	}
	return last, nil
}

// step makes one value of a rule.
func (e *expander) step(what string, args []*value) (*value, error) {
	if text, ok := strings.CutPrefix(what, "="); ok {
		n, err := constantOf(text, args[0].typ.Elem)
		return e.like(n, args[0]), err
	}
	x := args[0]
	switch what {
	case "EQ", "LT", "LE", "GT", "GE", "NE":
		return e.cmp(what, x, args[1]), nil
	case "select":
		return e.sel(x, args[1], args[2]), nil
	case "real", "imag":
		return e.op(what, x.typ.WithElem(x.typ.Elem.ComplexPart()), x), nil
	case "complex":
		t := x.typ.WithElem(hlo.C64)
		if x.typ.Elem == hlo.F64 {
			t.Elem = hlo.C128
		}
		return e.op(what, t, args...), nil
	case "is_finite":
		return e.op(what, x.typ.WithElem(hlo.PRED), x), nil
	case "asin_acos_kernel", "atanh":
		return e.complex(what, x)
	}
	return e.op(what, x.typ, args...), nil
}

// constantOf reads a constant of a rule.
func constantOf(text string, t hlo.PrimitiveType) (float64, error) {
	switch text {
	case "largest":
		return largest(t), nil
	case "normal":
		if t == hlo.F64 {
			return math.Ldexp(1, -1022), nil
		}
		return math.Ldexp(1, -126), nil
	case "inf":
		return math.Inf(1), nil
	case "-inf":
		return math.Inf(-1), nil
	}
	return strconv.ParseFloat(text, 64)
}

// complexCHLO are the functions of CHLO that have a rule for complex numbers.
func complexCHLO(name string) func(*expander, []*value) (*value, error) {
	switch name {
	case "square", "asin", "acos", "acosh", "asinh", "atan", "atanh":
		return func(e *expander, a []*value) (*value, error) { return e.complex(name, a[0]) }
	case "sinh":
		return one(func(e *expander, x *value) *value {
			p, m := halfExps(e, x)
			return e.sub(p, m)
		})
	case "cosh":
		return one(cosh)
	case "tan":
		return one(func(e *expander, x *value) *value { return e.unary("tan", x) })
	case "conj":
		return one(conj)
	}
	return nil
}
