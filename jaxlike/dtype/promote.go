package dtype

import (
	"errors"
	"fmt"
	"strings"
)

// Type is an element type together with its weakness: the type of a number
// that adapts to what it is combined with.
type Type struct {
	DType DType
	Weak  bool
}

// Strong returns d as a type that does not adapt.
func Strong(d DType) Type { return Type{d, false} }

// Weak returns d as the type of a bare number.
func Weak(d DType) Type { return Type{d, true} }

// node is a point of the promotion lattice: a dtype, or one of the three weak
// scalar types.
type node = DType

const (
	weakInt node = -1 - iota
	weakFloat
	weakComplex
)

var smallFloats = []DType{
	Float4E2M1FN, Float8E3M4, Float8E4M3, Float8E8M0FNU, Float8E4M3B11FNUZ,
	Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ,
}

// lattice maps each node to the nodes directly above it (JAX 0.12.0.1,
// dtypes.py, the standard promotion rules).
func lattice(x64 bool) map[node][]node {
	l := map[node][]node{
		Bool:        {weakInt},
		weakInt:     {Uint8, Uint1, Uint2, Uint4, Int8, Int1, Int2, Int4},
		Uint1:       {},
		Uint2:       {},
		Uint4:       {},
		Uint8:       {Int16, Uint16},
		Uint16:      {Int32, Uint32},
		Uint32:      {Int64, Uint64},
		Uint64:      {weakFloat},
		Int1:        {},
		Int2:        {},
		Int4:        {},
		Int8:        {Int16},
		Int16:       {Int32},
		Int32:       {Int64},
		Int64:       {weakFloat},
		weakFloat:   append([]node{BFloat16, Float16, weakComplex}, smallFloats...),
		BFloat16:    {Float32},
		Float16:     {Float32},
		Float32:     {Float64, Complex64},
		Float64:     {Complex128},
		weakComplex: {Complex64},
		Complex64:   {Complex128},
		Complex128:  {},
	}
	for _, f := range smallFloats {
		l[f] = nil
	}
	if !x64 {
		l[Uint32] = []node{Int32, Uint64} // no 64-bit result from 32-bit operands
	}
	return l
}

type bounds map[node]map[node]bool

func upperBounds(x64 bool) bounds {
	l := lattice(x64)
	ub := make(bounds, len(l))
	var walk func(from, n node)
	walk = func(from, n node) {
		if ub[from][n] {
			return
		}
		ub[from][n] = true
		for _, up := range l[n] {
			walk(from, up)
		}
	}
	for n := range l {
		ub[n] = map[node]bool{}
		walk(n, n)
	}
	return ub
}

var (
	bounds32 = upperBounds(false)
	bounds64 = upperBounds(true)
)

// PromotionError is raised where types have no common type (JAX's
// TypePromotionError).
type PromotionError struct{ Message string }

func (e *PromotionError) Error() string { return e.Message }

func (t Type) node() node {
	if !t.Weak {
		return t.DType
	}
	switch t.DType.Kind() {
	case KindInt, KindUint:
		return weakInt
	case KindFloat:
		return weakFloat
	case KindComplex:
		return weakComplex
	}
	return t.DType
}

func nodeString(n node) string {
	switch n {
	case weakInt:
		return "<class 'int'>"
	case weakFloat:
		return "<class 'float'>"
	case weakComplex:
		return "<class 'complex'>"
	}
	return n.String()
}

// Promote returns the common type of its arguments and whether that is weak
// (JAX's lattice_result_type). A single type, or several of the same dtype, pass
// through whatever they are.
func Promote(x64 bool, types ...Type) (Type, error) {
	if len(types) == 0 {
		return Type{}, fmt.Errorf("promotion needs at least one type")
	}
	same, weak := true, true
	for _, t := range types {
		same = same && t.DType == types[0].DType
		weak = weak && t.Weak
	}
	if same {
		return Type{types[0].DType, weak && types[0].DType != Bool}, nil
	}
	nodes := make([]node, 0, len(types))
	for _, t := range types {
		if weak {
			t.Weak = false // bound of the strong types, weakened at the end
		}
		nodes = append(nodes, t.node())
	}
	n, err := leastUpperBound(x64, nodes)
	if err != nil {
		return Type{}, err
	}
	d, w := n, weak
	switch n {
	case weakInt:
		d, w = DefaultInt(x64), true
	case weakFloat:
		d, w = DefaultFloat(x64), true
	case weakComplex:
		d, w = DefaultComplex(x64), true
	}
	return Type{d.Canonical(x64), w && d != Bool}, nil
}

// ErrNoPromotion says that a type has no place in the lattice of types.
var ErrNoPromotion = errors.New("is not a valid dtype for JAX type promotion.") //nolint:staticcheck // JAX's words

func leastUpperBound(x64 bool, nodes []node) (node, error) {
	ub := bounds32
	if x64 {
		ub = bounds64
	}
	for _, n := range nodes {
		if ub[n] == nil {
			return 0, fmt.Errorf("dtype=%s %w", n, ErrNoPromotion)
		}
	}
	common := map[node]bool{}
	for n := range ub[nodes[0]] {
		common[n] = true
	}
	for _, m := range nodes[1:] {
		for n := range common {
			if !ub[m][n] {
				delete(common, n)
			}
		}
	}
	for c := range common {
		least := true
		for d := range common {
			least = least && ub[c][d]
		}
		if least {
			return c, nil
		}
	}
	return 0, noPath(nodes)
}

// noPath words the error as JAX does; the kind of type that refuses implicit
// promotion decides.
func noPath(nodes []node) error {
	names := make([]string, len(nodes))
	var f8, f4, ints bool
	for i, n := range nodes {
		names[i] = "'" + nodeString(n) + "'"
		f8 = f8 || n.IsFloat() && n.Bits() == 8
		f4 = f4 || n.IsFloat() && n.Bits() == 4
		ints = ints || n.IsInt() && n.Bits() < 8
	}
	msg := "Input dtypes (" + strings.Join(names, ", ") + ") have no available implicit dtype promotion path. "
	switch {
	case f8, f4:
		width := "8-bit"
		if !f8 {
			width = "4-bit"
		}
		msg += "To avoid unintended promotion, " + width + " floats do not support implicit promotion. " +
			"If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. x.astype('float32')"
	case ints:
		msg += "To avoid unintended promotion, 1-bit, 2-bit and 4-bit integers do not support implicit promotion. " +
			"If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. x.astype('int32')"
	default:
		msg += "Try explicitly casting inputs to the desired output type."
	}
	return &PromotionError{msg}
}

// DefaultInt is the type of an integer number: int32, or int64 with x64 on.
func DefaultInt(x64 bool) DType { return pick(x64, Int32, Int64) }

// DefaultUint is the unsigned counterpart of [DefaultInt].
func DefaultUint(x64 bool) DType { return pick(x64, Uint32, Uint64) }

// DefaultFloat is the type of a floating-point number.
func DefaultFloat(x64 bool) DType { return pick(x64, Float32, Float64) }

// DefaultComplex is the type of a complex number.
func DefaultComplex(x64 bool) DType { return pick(x64, Complex64, Complex128) }

func pick(x64 bool, narrow, wide DType) DType {
	if x64 {
		return wide
	}
	return narrow
}

// Canonical returns d, narrowed to 32 bits unless x64 is on.
func (d DType) Canonical(x64 bool) DType {
	if x64 {
		return d
	}
	switch d {
	case Int64:
		return Int32
	case Uint64:
		return Uint32
	case Float64:
		return Float32
	case Complex128:
		return Complex64
	}
	return d
}

// ToInexact returns d if it is inexact, else the floating-point type that
// integers of d become (JAX's to_inexact_dtype: float64 for 64-bit integers).
func (d DType) ToInexact() DType {
	switch {
	case d == Int64 || d == Uint64:
		return Float64
	case d == Bool || d.IsInt():
		return Float32
	}
	return d
}

// ToComplex returns the complex type that holds d.
func (d DType) ToComplex() DType {
	switch d.ToInexact() {
	case Float64, Complex128:
		return Complex128
	}
	return Complex64
}
