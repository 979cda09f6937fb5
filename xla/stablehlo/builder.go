package stablehlo

import (
	"slices"
	"strings"

	"gopherlo/xla/hlo"
)

// Builder appends ops to a block. Each op gets the builder's current location
// and, but for constants and what is built with [Builder.Untagged], its current
// frontend attributes. The methods trust their arguments; hloconv.Convert finds
// what does not fit.
type Builder struct {
	block   *Block
	first   int // of the block's ops: earlier ones belong to the surroundings
	loc     *Loc
	context map[string]string
}

// NewBuilder makes a builder that appends to the body of f.
func NewBuilder(f *Func) *Builder { return &Builder{block: f.Body} }

// Block is the block that ops are appended to.
func (b *Builder) Block() *Block { return b.block }

// Enter begins a part of the program that is a function of its own: what is
// there already is outside of it. Leave ends it and takes what Enter gave.
func (b *Builder) Enter() (outside int) {
	outside, b.first = b.first, len(b.block.Ops)
	return outside
}

// Leave ends the part that Enter began.
func (b *Builder) Leave(outside int) { b.first = outside }

// Owns tells whether an op of the current block or inlined part gives v.
func (b *Builder) Owns(v *Value) bool {
	return v.Def != nil && slices.Contains(b.block.Ops[b.first:], v.Def)
}

// Loc is the current location.
func (b *Builder) Loc() *Loc { return b.loc }

// SetLoc sets the location of the ops to come and gives the one before.
func (b *Builder) SetLoc(l *Loc) *Loc {
	old := b.loc
	b.loc = l
	return old
}

// SetContext sets the frontend attributes of the ops to come (JAX's
// set_xla_metadata as a context) and gives those before.
func (b *Builder) SetContext(attrs map[string]string) map[string]string {
	old := b.context
	b.context = attrs
	return old
}

// Untagged runs fn without the current frontend attributes: for the implicit
// broadcasts and converts that JAX's lowering rules make.
func (b *Builder) Untagged(fn func()) {
	old := b.SetContext(nil)
	defer b.SetContext(old)
	fn()
}

// In runs fn with ops appended to block.
func (b *Builder) In(block *Block, fn func()) {
	old := b.block
	first := b.first
	b.block, b.first = block, 0
	defer func() { b.block, b.first = old, first }()
	fn()
}

// Op appends any op. A name without a dialect is one of stablehlo.
func (b *Builder) Op(name string, operands []*Value, results []Type, attrs ...Named) *Op {
	if !strings.Contains(name, ".") {
		name = "stablehlo." + name
	}
	o := &Op{Name: name, Operands: operands, Loc: b.loc}
	o.AddResults(results...)
	for _, a := range attrs {
		o.Attrs.Set(a.Key, a.Value)
	}
	if len(b.context) > 0 && name != "stablehlo.constant" && !strings.HasSuffix(name, ".return") {
		o.Tag(b.context)
	}
	b.block.Ops = append(b.block.Ops, o)
	return o
}

// AddResults appends results of the given types.
func (o *Op) AddResults(types ...Type) {
	vals := make([]Value, len(types))
	for i, t := range types {
		vals[i] = Value{Type: t, Def: o, Index: len(o.Results)}
		o.Results = append(o.Results, &vals[i])
	}
}

func (b *Builder) one(name string, t Type, operands []*Value, attrs ...Named) *Value {
	return b.Op(name, operands, []Type{t}, attrs...).Results[0]
}

// argLoc is the location of the arguments of o's regions: JAX names them after
// the primitive, without its place.
func (o *Op) argLoc() *Loc {
	if o.Loc == nil || o.Loc.Name == "" {
		return nil
	}
	name := o.Loc.Name[strings.LastIndexByte(o.Loc.Name, '/')+1:]
	return &Loc{Name: name, Type: name}
}

// Region adds a region to o with arguments of the given types and runs fn with the builder inside it. fn must end it with Return.
func (b *Builder) Region(o *Op, args []Type, fn func(args []*Value)) *Block {
	r := &Block{Parent: o}
	for _, t := range args {
		r.AddArg(t, o.argLoc())
	}
	o.Regions = append(o.Regions, r)
	b.In(r, func() { fn(r.Args) })
	return r
}

// Return ends the current block: func.return in a function's body,
// stablehlo.return in a region. For a function it sets the result types.
func (b *Builder) Return(vals ...*Value) *Op {
	if f := b.block.fn; f != nil {
		f.Results = f.Results[:0]
		for _, v := range vals {
			f.Results = append(f.Results, v.Type)
		}
		return b.Op("func.return", vals, nil)
	}
	return b.Op("stablehlo.return", vals, nil)
}

// Constant appends a constant.
func (b *Builder) Constant(d *Dense) *Value {
	return b.one("constant", d.Type, nil, Named{"value", d})
}

// Scalar appends a constant without dimensions.
func (b *Builder) Scalar(e hlo.PrimitiveType, v any) *Value { return b.Constant(Scalar(e, v)) }

// Full appends a scalar constant and its broadcast to t, as JAX does for a
// filled array; the constant alone when t has no dimensions.
func (b *Builder) Full(t Type, v any) *Value {
	c := b.Scalar(t.Elem, v)
	if t.Rank() == 0 {
		return c
	}
	return b.BroadcastInDim(c, t)
}

// Unary appends an op whose result has its operand's type.
func (b *Builder) Unary(name string, x *Value) *Value { return b.one(name, x.Type, []*Value{x}) }

// UnaryTo appends an op with one operand whose result has another element
// type: is_finite, real, imag, the abs of a complex number, convert.
func (b *Builder) UnaryTo(name string, x *Value, e hlo.PrimitiveType) *Value {
	return b.one(name, x.Type.WithElem(e), []*Value{x})
}

// Binary appends an op with two operands whose result has the first one's type.
func (b *Builder) Binary(name string, x, y *Value) *Value {
	return b.one(name, x.Type, []*Value{x, y})
}

// Complex appends a complex number made of two parts.
func (b *Builder) Complex(re, im *Value) *Value {
	e := hlo.C64
	if re.Type.Elem == hlo.F64 {
		e = hlo.C128
	}
	return b.one("complex", re.Type.WithElem(e), []*Value{re, im})
}

// Convert appends a conversion to another element type; JAX makes it also when
// the type is the same.
func (b *Builder) Convert(x *Value, e hlo.PrimitiveType) *Value { return b.UnaryTo("convert", x, e) }

// BitcastConvert appends a reinterpretation of x as type t.
func (b *Builder) BitcastConvert(x *Value, t Type) *Value {
	return b.one("bitcast_convert", t, []*Value{x})
}

// Compare appends a comparison in direction EQ, NE, LT, LE, GT or GE, with the
// comparison type that JAX gives: FLOAT, SIGNED or UNSIGNED by element type.
func (b *Builder) Compare(direction string, x, y *Value) *Value {
	return b.CompareAs(direction, CompareType(x.Type.Elem), x, y)
}

// CompareAs is Compare with the comparison type given: FLOAT, TOTALORDER,
// SIGNED, UNSIGNED, or "" for none.
func (b *Builder) CompareAs(direction, kind string, x, y *Value) *Value {
	attrs := []Named{{"comparison_direction", Enum{"comparison_direction", direction}}}
	if kind != "" {
		attrs = append(attrs, Named{"compare_type", Enum{"comparison_type", kind}})
	}
	return b.one("compare", x.Type.WithElem(hlo.PRED), []*Value{x, y}, attrs...)
}

// CompareType is the comparison type that JAX gives for an element type.
func CompareType(e hlo.PrimitiveType) string {
	switch {
	case e.IsPred(), e.IsUnsigned():
		return "UNSIGNED"
	case e.IsSigned():
		return "SIGNED"
	}
	return "FLOAT"
}

// Select appends a select; pred is of the operands' dimensions or a scalar.
func (b *Builder) Select(pred, onTrue, onFalse *Value) *Value {
	return b.one("select", onTrue.Type, []*Value{pred, onTrue, onFalse})
}

// Clamp appends a clamp of x between lo and hi.
func (b *Builder) Clamp(lo, x, hi *Value) *Value {
	return b.one("clamp", x.Type, []*Value{lo, x, hi})
}

// BroadcastInDim appends a broadcast to t; dims are the result's dimensions
// that the operand's dimensions become, in order.
func (b *Builder) BroadcastInDim(x *Value, t Type, dims ...int64) *Value {
	return b.one("broadcast_in_dim", t, []*Value{x}, Named{"broadcast_dimensions", Ints(dims)})
}

// Reshape appends a reshape to the dimensions.
func (b *Builder) Reshape(x *Value, dims ...int64) *Value {
	return b.one("reshape", x.Type.WithDims(dims...), []*Value{x})
}

// Transpose appends a transposition: dimension i of the result is dimension
// perm[i] of x.
func (b *Builder) Transpose(x *Value, perm ...int64) *Value {
	dims := make([]int64, len(perm))
	for i, p := range perm {
		dims[i] = x.Type.Dims[p]
	}
	return b.one("transpose", x.Type.WithDims(dims...), []*Value{x}, Named{"permutation", Ints(perm)})
}

// Iota appends numbers that count along dimension dim.
func (b *Builder) Iota(t Type, dim int64) *Value {
	return b.one("iota", t, nil, Named{"iota_dimension", Int{Value: dim}})
}

// Reverse appends a reversal of the dimensions.
func (b *Builder) Reverse(x *Value, dims ...int64) *Value {
	return b.one("reverse", x.Type, []*Value{x}, Named{"dimensions", Ints(dims)})
}

// Concatenate appends a concatenation along dim.
func (b *Builder) Concatenate(dim int64, xs ...*Value) *Value {
	dims := append([]int64(nil), xs[0].Type.Dims...)
	for _, x := range xs[1:] {
		dims[dim] += x.Type.Dims[dim]
	}
	return b.one("concatenate", xs[0].Type.WithDims(dims...), xs, Named{"dimension", Int{Value: dim}})
}

// Slice appends a slice; nil strides are ones.
func (b *Builder) Slice(x *Value, start, limit, strides []int64) *Value {
	dims := make([]int64, len(start))
	if strides == nil {
		strides = make([]int64, len(start))
		for i := range strides {
			strides[i] = 1
		}
	}
	for i := range dims {
		dims[i] = max(0, (limit[i]-start[i]+strides[i]-1)/strides[i])
	}
	return b.one("slice", x.Type.WithDims(dims...), []*Value{x},
		Named{"limit_indices", Ints(limit)}, Named{"start_indices", Ints(start)}, Named{"strides", Ints(strides)})
}

// Pad appends a pad of x with the scalar value.
func (b *Builder) Pad(x, value *Value, low, high, interior []int64) *Value {
	dims := make([]int64, len(low))
	for i, d := range x.Type.Dims {
		dims[i] = low[i] + high[i] + d + max(0, d-1)*interior[i]
	}
	return b.one("pad", x.Type.WithDims(dims...), []*Value{x, value},
		Named{"edge_padding_high", Ints(high)}, Named{"edge_padding_low", Ints(low)}, Named{"interior_padding", Ints(interior)})
}

// DynamicSlice appends a slice of the given sizes at scalar indices.
func (b *Builder) DynamicSlice(x *Value, starts []*Value, sizes []int64) *Value {
	return b.one("dynamic_slice", x.Type.WithDims(sizes...), append([]*Value{x}, starts...), Named{"slice_sizes", Ints(sizes)})
}

// DynamicUpdateSlice appends x with update written at scalar indices.
func (b *Builder) DynamicUpdateSlice(x, update *Value, starts []*Value) *Value {
	return b.one("dynamic_update_slice", x.Type, append([]*Value{x, update}, starts...))
}

// Precision is the precision_config attribute: DEFAULT, HIGH or HIGHEST.
func Precision(p ...string) Array {
	a := make(Array, len(p))
	for i, s := range p {
		a[i] = Enum{"precision", s}
	}
	return a
}

// DotGeneral appends a dot product with result type t. precision has a word
// per operand (nil: none); algorithm may be nil.
func (b *Builder) DotGeneral(x, y *Value, t Type, dims *DotDims, precision []string, algorithm *DotAlgorithm) *Value {
	attrs := []Named{{"dot_dimension_numbers", dims}}
	if precision != nil {
		attrs = append(attrs, Named{"precision_config", Precision(precision...)})
	}
	if algorithm != nil {
		attrs = append(attrs, Named{"algorithm", algorithm})
	}
	return b.one("dot_general", t, []*Value{x, y}, attrs...)
}

// ReducePrecision appends a rounding to fewer bits.
func (b *Builder) ReducePrecision(x *Value, exponentBits, mantissaBits int64) *Value {
	return b.one("reduce_precision", x.Type, []*Value{x},
		Named{"exponent_bits", Int{Value: exponentBits, Bits: 32}}, Named{"mantissa_bits", Int{Value: mantissaBits, Bits: 32}})
}

// OptimizationBarrier appends a barrier over the values.
func (b *Builder) OptimizationBarrier(xs ...*Value) []*Value {
	return b.Op("optimization_barrier", xs, types(xs)).Results
}

// Call appends a call of another function of the module.
func (b *Builder) Call(f *Func, args ...*Value) []*Value {
	return b.CallOp(f.Name, f.Results, args...).Results
}

// CallOp is Call by name, for a callee that is not built yet; it gives the op.
func (b *Builder) CallOp(callee string, results []Type, args ...*Value) *Op {
	return b.Op("func.call", args, results, Named{"callee", Symbol(callee)})
}

func types(vals []*Value) []Type {
	ts := make([]Type, len(vals))
	for i, v := range vals {
		ts[i] = v.Type
	}
	return ts
}
