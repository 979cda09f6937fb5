package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// Number gives a scalar of type dt.
func Number(v float64, dt dtype.DType, weak bool) array.Array {
	return array.New(scalarConst(v, dt, weak))
}

// Lowest gives the smallest value of a type: what a maximum starts from.
func Lowest(dt dtype.DType) array.Array { return identity(lowestIdentity(dt), dt) }

// Highest gives the largest value of a type: what a minimum starts from.
func Highest(dt dtype.DType) array.Array { return identity(highestIdentity(dt), dt) }

func identity(v any, dt dtype.DType) array.Array {
	buf := make([]byte, dt.Size())
	if err := dt.Put(buf, v); err != nil {
		core.TypeErrorf("%s", err)
	}
	return array.New(core.NewScalar(dt.Get(buf), dt, false))
}

// ConstZero gives a zero of x's type and weakness.
func ConstZero(x any) array.Array { return array.New(zero(toValue("zero", x, 0))) }

// Full gives an array of one value; dt may be dtype.Invalid for the value's
// own type.
func Full(shape []int, fill any, dt dtype.DType) array.Array {
	v := toValue("full", fill, 0)
	if v.Aval().NDim() > 0 {
		core.TypeErrorf("full must be called with scalar fill_value, got fill_value.shape %s.", shapeText(v.Aval().Shape))
	}
	weak := v.Aval().Weak
	if dt == dtype.Invalid {
		dt = v.Aval().DType
	} else {
		weak = false
	}
	return array.New(fullOf(shape, convert(v, dt, weak)))
}

// FullLike gives an array of one value with the shape of x; dt may be
// dtype.Invalid for x's own type.
func FullLike(x, fill any, dt dtype.DType) array.Array {
	a := toValue("full_like", x, 0).Aval()
	weak := a.Weak
	if dt == dtype.Invalid {
		dt = a.DType
	} else {
		weak = false
	}
	return array.New(fullOf(a.Shape, convert(toValue("full_like", fill, 1), dt, weak)))
}

// HostStack stacks arrays of equal shape along a new first dimension: numbers
// on the host, anything else by concatenation (jnp.array of a list).
func HostStack(parts []array.Array) array.Array {
	a := parts[0].Aval()
	var data []byte
	for _, p := range parts {
		c, ok := p.Value().(*core.Const)
		if !ok || c.Buffer() != nil {
			return concatenateParts(parts)
		}
		b, err := c.Host()
		if err != nil {
			core.Raise("RuntimeError", "%s", err)
		}
		data = append(data, b...)
	}
	shape := append([]int{len(parts)}, a.Shape...)
	return array.New(core.NewHostConst(core.NewAval(a.DType, shape...), data))
}

// concatenateParts joins in a tree of at most 16 operands each, as JAX does to
// keep compile times down.
func concatenateParts(parts []array.Array) array.Array {
	vs := make([]core.Value, len(parts))
	for i, p := range parts {
		vs[i] = expandDims(convert(p.Value(), p.DType(), false), []int{0})
	}
	const width = 16
	for len(vs) > width {
		var next []core.Value
		for i := 0; i < len(vs); i += width {
			next = append(next, concatenate(vs[i:min(i+width, len(vs))], 0))
		}
		vs = next
	}
	return array.New(concatenate(vs, 0))
}
