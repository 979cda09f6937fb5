package array

// At names elements of an array for an indexed update: x.At(1, jnp.Slice(2)).
func (a Array) At(index ...any) Ref { return Ref{a, index} }

// Ref stands for the elements of an array that an index names. Its methods give
// a new array; options such as kw.Mode("clip") may follow the value.
type Ref struct {
	a     Array
	index []any
}

// Get gives the elements.
func (r Ref) Get(opts ...any) Array { return Ops.Get(r.a, r.index, opts) }

// Set replaces the elements.
func (r Ref) Set(v any, opts ...any) Array { return Ops.Update("set", r.a, r.index, v, opts) }

// Add adds to the elements; where an index repeats, all values are added.
func (r Ref) Add(v any, opts ...any) Array { return Ops.Update("add", r.a, r.index, v, opts) }

// Subtract subtracts from the elements.
func (r Ref) Subtract(v any, opts ...any) Array {
	return Ops.Update("subtract", r.a, r.index, v, opts)
}

// Sub is Subtract.
func (r Ref) Sub(v any, opts ...any) Array { return r.Subtract(v, opts...) }

// Multiply multiplies the elements.
func (r Ref) Multiply(v any, opts ...any) Array {
	return Ops.Update("multiply", r.a, r.index, v, opts)
}

// Mul is Multiply.
func (r Ref) Mul(v any, opts ...any) Array { return r.Multiply(v, opts...) }

// Divide divides the elements.
func (r Ref) Divide(v any, opts ...any) Array { return Ops.Update("divide", r.a, r.index, v, opts) }

// Div is Divide.
func (r Ref) Div(v any, opts ...any) Array { return r.Divide(v, opts...) }

// Power raises the elements to a power.
func (r Ref) Power(v any, opts ...any) Array { return Ops.Update("power", r.a, r.index, v, opts) }

// Min replaces the elements by the value where that is smaller.
func (r Ref) Min(v any, opts ...any) Array { return Ops.Update("min", r.a, r.index, v, opts) }

// Max replaces the elements by the value where that is larger.
func (r Ref) Max(v any, opts ...any) Array { return Ops.Update("max", r.a, r.index, v, opts) }
