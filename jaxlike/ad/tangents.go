package ad

import (
	"gopherlo/jaxlike/core"
)

// AddAny adds two tangents of equal type (add_jaxvals in JAX). Its rules are in
// lax/add_any.go.
var AddAny = core.NewPrimitive("add_any")

// zerosLike makes an array of zeros; package lax provides it.
var zerosLike func(a *core.ShapedArray) core.Value

// SetZerosLike installs the maker of zeros; called once, from an init.
func SetZerosLike(f func(a *core.ShapedArray) core.Value) { zerosLike = f }

// Add adds two tangents, either of which may be a symbolic zero.
func Add(x, y core.Value) core.Value {
	switch {
	case core.IsZero(x):
		return y
	case core.IsZero(y):
		return x
	}
	return AddAny.Bind1(nil, x, y)
}

// Instantiate makes an array of a symbolic zero.
func Instantiate(t core.Value) core.Value {
	if z, ok := t.(core.Zero); ok {
		return zerosLike(z.Of)
	}
	return t
}

// ZeroOf is the symbolic zero tangent of a primal value.
func ZeroOf(primal core.Value) core.Value { return core.Zero{Of: primal.Aval().Tangent()} }

func zerosOf(primals []core.Value) []core.Value {
	out := make([]core.Value, len(primals))
	for i, p := range primals {
		out[i] = ZeroOf(p)
	}
	return out
}

func allZero(ts []core.Value) bool {
	for _, t := range ts {
		if !core.IsZero(t) {
			return false
		}
	}
	return true
}

func nonZero(ts []core.Value) []bool {
	out := make([]bool, len(ts))
	for i, t := range ts {
		out[i] = !core.IsZero(t)
	}
	return out
}

func filter(vs []core.Value, keep []bool) []core.Value {
	var out []core.Value
	for i, v := range vs {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}

// Accum collects cotangents of one value (ad.ValAccum in JAX).
type Accum struct {
	aval *core.ShapedArray
	val  core.Value
}

// NewAccum makes an empty accumulator for cotangents of the given type.
func NewAccum(a *core.ShapedArray) *Accum { return &Accum{aval: a, val: core.Zero{Of: a}} }

// Aval is the type of the cotangents.
func (a *Accum) Aval() *core.ShapedArray { return a.aval }

// Accumulate adds a cotangent; nil and symbolic zeros change nothing.
func (a *Accum) Accumulate(ct core.Value) {
	if ct == nil {
		return
	}
	if !sameShape(ct.Aval(), a.aval) {
		core.ValueErrorf("Expected cotangent type %s but got %s", a.aval.Long(), ct.Aval().Long())
	}
	a.val = Add(a.val, ct)
}

// Value is the sum so far, a symbolic zero when nothing came.
func (a *Accum) Value() core.Value { return a.val }

func sameShape(a, b *core.ShapedArray) bool {
	if len(a.Shape) != len(b.Shape) {
		return false
	}
	for i := range a.Shape {
		if a.Shape[i] != b.Shape[i] {
			return false
		}
	}
	return true
}
