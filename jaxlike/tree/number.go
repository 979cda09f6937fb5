package tree

import "reflect"

// held is v as its place holds it: a plain number, a Go int or float64, becomes
// one of the place's numeric type where Go would store the constant there, so
// integers must be exact and floats may be rounded. All else stays as it is.
func held(v reflect.Value, place reflect.Type) reflect.Value {
	if t := v.Type(); t == place || t != intType && t != floatType || !holds(v, place) {
		return v
	}
	return v.Convert(place)
}

var intType, floatType = reflect.TypeFor[int](), reflect.TypeFor[float64]()

func holds(v reflect.Value, place reflect.Type) bool {
	to := reflect.Zero(place)
	switch {
	case to.CanFloat():
		return v.CanInt() || !to.OverflowFloat(v.Float())
	case !to.CanInt() && !to.CanUint():
		return false
	}
	n, ok := int64(0), v.CanInt()
	if ok {
		n = v.Int()
	} else if f := v.Float(); f >= -1<<63 && f < 1<<63 {
		n = int64(f)
		ok = float64(n) == f
	}
	if to.CanInt() {
		return ok && !to.OverflowInt(n)
	}
	return ok && n >= 0 && !to.OverflowUint(uint64(n))
}
