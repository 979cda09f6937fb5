package core

import "strings"

// ToConcrete gives the concrete value behind v, looking through the tracers of
// differentiation; nil when there is none.
func ToConcrete(v Value) *Const {
	for {
		switch x := v.(type) {
		case *Const:
			return x
		case interface{ Primal() Value }:
			v = x.Primal()
		default:
			return nil
		}
	}
}

// errorsPage is where JAX documents its error classes (0.12.0.1).
const errorsPage = "https://docs.jax.dev/en/latest/101/errors.html#jax.errors."

// Origin says where a tracer came from, as JAX's concretization errors do: the
// function that was traced and the arguments that the value depends on. It
// starts with a line end; empty when nothing is known.
func Origin(v Value) string {
	if o, ok := v.(interface{ Origin() string }); ok {
		return o.Origin()
	}
	return ""
}

// RaiseBool raises TracerBoolConversionError.
func RaiseBool(v Value) {
	const name = "TracerBoolConversionError"
	Raise(name, "Attempted boolean conversion of traced array with shape %s.%s\nSee %s%s", v.Aval().Long(), Origin(v), errorsPage, name)
}

// RaiseIndex raises TracerIntegerConversionError: a traced value where Go needs
// an integer.
func RaiseIndex(v Value) {
	const name = "TracerIntegerConversionError"
	Raise(name, "The __index__() method was called on traced array with shape %s%s\nSee %s%s", v.Aval().Long(), Origin(v), errorsPage, name)
}

// RaiseArray raises TracerArrayConversionError: a traced value where host data
// is needed.
func RaiseArray(v Value) {
	const name = "TracerArrayConversionError"
	Raise(name, "The numpy.ndarray conversion method __array__() was called on traced array with shape %s%s\nSee %s%s", v.Aval().Long(), Origin(v), errorsPage, name)
}

// RaiseBooleanIndex raises NonConcreteBooleanIndexError: a traced mask as index.
func RaiseBooleanIndex(v Value) {
	const name = "NonConcreteBooleanIndexError"
	Raise(name, "Array boolean indices must be concrete; got %s\n\nSee %s%s", v.Aval().Long(), errorsPage, name)
}

// RaiseConcretize raises ConcretizationTypeError for a conversion to the Go
// number type that JAX calls fn ("float", "int", "complex").
func RaiseConcretize(v Value, fn string) {
	hint := "The problem arose with the `" + fn + "` function. "
	if fn != "bool" {
		hint += "If trying to convert the data type of a value, try using `x.astype(" + fn + ")` or `jnp.array(x, " + fn + ")` instead."
	}
	RaiseConcretization(v, hint)
}

// RaiseConcretization raises ConcretizationTypeError; where says for what the
// value is needed.
func RaiseConcretization(v Value, where string) {
	const name = "ConcretizationTypeError"
	origin := Origin(v)
	if !strings.HasSuffix(origin, "\n") {
		origin += "\n"
	}
	Raise(name, "Abstract tracer value encountered where concrete value is expected: traced array with shape %s\n%s%s\nSee %s%s", v.Aval().Long(), where, origin, errorsPage, name)
}
