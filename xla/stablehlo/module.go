package stablehlo

import (
	"cmp"
	"sort"

	"gopherlo/xla/hlo"
)

// Module is a StableHLO module.
type Module struct {
	Name  string // without the leading @, for example "jit_f"
	Attrs Attrs  // mhlo.num_partitions and mhlo.num_replicas, usually
	// Meshes are the sdy.mesh declarations, which print before the functions.
	Meshes []*Mesh
	Funcs  []*Func // main first, then private functions by first call
	Loc    *Loc
}

// NewModule makes an empty module for one partition and one replica.
func NewModule(name string) *Module {
	return &Module{Name: name, Attrs: Attrs{
		{"mhlo.num_partitions", Int{Value: 1, Bits: 32}},
		{"mhlo.num_replicas", Int{Value: 1, Bits: 32}},
	}}
}

// NewFunc adds a function at the end of the module. Only public functions
// print their visibility as JAX does for main; the others are private.
func (m *Module) NewFunc(name string, public bool) *Func {
	f := &Func{Name: name, Public: public, Private: !public, Body: &Block{}}
	f.Body.fn = f
	m.Funcs = append(m.Funcs, f)
	return f
}

// Func gives the function of that name, or nil.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Main is the module's entry function, or nil.
func (m *Module) Main() *Func { return m.Func("main") }

// Mesh is an sdy.mesh declaration.
type Mesh struct {
	Name  string
	Text  string // what stands between < and >: ["x"=2, "y"=4]
	Attrs Attrs
	Loc   *Loc
}

// Func is a func.func. Its arguments are Body.Args.
type Func struct {
	Name string
	// Public and Private are the two printed visibilities; neither prints none.
	Public, Private bool
	ArgAttrs        []Attrs // by argument; may be shorter than Body.Args
	Results         []Type
	ResultAttrs     []Attrs // by result; may be shorter than Results
	Attrs           Attrs
	Body            *Block
	Loc             *Loc
}

// Args are the function's arguments.
func (f *Func) Args() []*Value { return f.Body.Args }

// AddArg appends an argument. The location's name is the parameter's name in
// the HLO text ("x", "params['w']").
func (f *Func) AddArg(t Type, loc *Loc) *Value { return f.Body.AddArg(t, loc) }

// SetArgAttr sets an attribute of argument i, such as tf.aliasing_output,
// jax.buffer_donor or sdy.sharding.
func (f *Func) SetArgAttr(i int, key string, a Attr) {
	for len(f.ArgAttrs) <= i {
		f.ArgAttrs = append(f.ArgAttrs, nil)
	}
	f.ArgAttrs[i].Set(key, a)
}

// SetResultAttr sets an attribute of result i, such as jax.result_info.
func (f *Func) SetResultAttr(i int, key string, a Attr) {
	for len(f.ResultAttrs) <= i {
		f.ResultAttrs = append(f.ResultAttrs, nil)
	}
	f.ResultAttrs[i].Set(key, a)
}

// Block is a list of ops with arguments: a function's body or an op's region.
type Block struct {
	Args []*Value
	Ops  []*Op
	// Parent is the op whose region this is; nil for a function's body.
	Parent *Op
	fn     *Func // for a function's body
}

// AddArg appends an argument to the block.
func (b *Block) AddArg(t Type, loc *Loc) *Value {
	v := &Value{Type: t, Owner: b, Index: len(b.Args), Loc: loc}
	b.Args = append(b.Args, v)
	return v
}

// Terminator is the block's last op if it is a return, else nil.
func (b *Block) Terminator() *Op {
	if len(b.Ops) == 0 {
		return nil
	}
	switch o := b.Ops[len(b.Ops)-1]; o.Name {
	case "func.return", "stablehlo.return", "sdy.return":
		return o
	}
	return nil
}

// Value is an op's result or a block's argument.
type Value struct {
	Type  Type
	Def   *Op    // the op that gives it; nil for a block argument
	Owner *Block // the block whose argument it is; nil for an op's result
	Index int    // its number among the op's results or the block's arguments
	Loc   *Loc   // a block argument's location
}

// Op is one operation.
type Op struct {
	Name     string // with its dialect: "stablehlo.sine", "func.call"
	Operands []*Value
	Results  []*Value
	// Attrs are the op's attributes by their MLIR names, sorted; the
	// mhlo.frontend_attributes dictionary is FrontendAttributes instead.
	Attrs              Attrs
	FrontendAttributes map[string]string
	Regions            []*Block
	Loc                *Loc
}

// Result is the op's first result.
func (o *Op) Result() *Value { return o.Results[0] }

// Tag adds frontend attributes to the op; a key that is there already stays as
// it is, as with JAX's set_xla_metadata.
func (o *Op) Tag(attrs map[string]string) {
	if len(attrs) == 0 {
		return
	}
	if o.FrontendAttributes == nil {
		o.FrontendAttributes = make(map[string]string, len(attrs))
	}
	for k, v := range attrs {
		if _, ok := o.FrontendAttributes[k]; !ok {
			o.FrontendAttributes[k] = v
		}
	}
}

// Tag adds frontend attributes to the op that gives the value; it reports
// whether there is one (a block argument has none).
func (v *Value) Tag(attrs map[string]string) bool {
	if v.Def == nil {
		return false
	}
	v.Def.Tag(attrs)
	return true
}

// Type is the type of a value: a ranked tensor with static dimensions, a token
// (Elem is hlo.Token) or a tuple.
type Type struct {
	Elem  hlo.PrimitiveType
	Dims  []int64
	Tuple []Type // element types, when Elem is hlo.Tuple
}

// T makes a tensor type.
func T(elem hlo.PrimitiveType, dims ...int64) Type { return Type{Elem: elem, Dims: dims} }

// Rank is the number of dimensions.
func (t Type) Rank() int { return len(t.Dims) }

// Size is the number of elements; it is -1 when that does not fit.
func (t Type) Size() int64 {
	n := int64(1)
	for _, d := range t.Dims {
		if d == 0 {
			return 0
		}
	}
	for _, d := range t.Dims {
		if d < 0 || n > (1<<62)/d {
			return -1
		}
		n *= d
	}
	return n
}

// WithElem is the type with another element type.
func (t Type) WithElem(e hlo.PrimitiveType) Type { return Type{Elem: e, Dims: t.Dims} }

// WithDims is the type with other dimensions.
func (t Type) WithDims(dims ...int64) Type { return Type{Elem: t.Elem, Dims: dims} }

// Equal reports whether both are the same type.
func (t Type) Equal(u Type) bool {
	if t.Elem != u.Elem || len(t.Dims) != len(u.Dims) || len(t.Tuple) != len(u.Tuple) {
		return false
	}
	for i, d := range t.Dims {
		if u.Dims[i] != d {
			return false
		}
	}
	for i := range t.Tuple {
		if !t.Tuple[i].Equal(u.Tuple[i]) {
			return false
		}
	}
	return true
}

// SameDims reports whether both have the same dimensions.
func (t Type) SameDims(u Type) bool {
	return Type{Dims: t.Dims}.Equal(Type{Dims: u.Dims})
}

// Loc is where an op comes from, in JAX's shape: the op_name over the stack
// frames of the user's code. A nil Loc is an unknown location. Locs are shared
// and must not be changed once used.
type Loc struct {
	// Name is the op_name such as "jit(f)/sin", or a parameter's name. Without
	// one the op_name is the innermost frame's function.
	Name  string
	Frame *Frame // innermost frame first; nil when not recorded
	// Type is the op's type, for the few ops that JAX gives one; usually empty.
	Type string
	// Fused are the locations of the ops that a rewritten op replaces; Name and
	// Frame are then empty.
	Fused []*Loc
}

// Frame is one stack frame.
type Frame struct {
	Func, File                 string
	Line, Col, EndLine, EndCol int
	// Call tells calls on one line apart where their columns are not known; it
	// is not printed.
	Call   uintptr
	Caller *Frame
	// Open and Close count the groups of frames that begin and end here: the
	// stack of an inner program (a loop's body, a called function) is a group
	// under the frames of the equation that holds it. See [Frame.Under].
	Open, Close int
}

// NamedLoc is a location with a name only.
func NamedLoc(name string) *Loc { return &Loc{Name: name} }

// Equal reports whether two locations say the same.
func (l *Loc) Equal(m *Loc) bool {
	if l == m {
		return true
	}
	if l == nil || m == nil || l.Name != m.Name || l.Type != m.Type || len(l.Fused) != len(m.Fused) || !l.Frame.Equal(m.Frame) {
		return false
	}
	for i := range l.Fused {
		if !l.Fused[i].Equal(m.Fused[i]) {
			return false
		}
	}
	return true
}

// Under gives the stack f with caller below it, f being a group of its own when
// it has several frames, as JAX joins the stack of an inner program's equation
// to that of the outer equation.
func (f *Frame) Under(caller *Frame) *Frame {
	if f == nil || caller == nil {
		return cmp.Or(f, caller)
	}
	group := f.Caller != nil
	first := *f
	last := &first
	for last.Caller != nil {
		c := *last.Caller
		last.Caller = &c
		last = &c
	}
	if group {
		first.Open++
		last.Close++
	}
	last.Caller = caller
	return &first
}

// Equal reports whether two stacks are the same.
func (f *Frame) Equal(g *Frame) bool {
	for f != g {
		if f == nil || g == nil || f.Func != g.Func || f.File != g.File || f.Line != g.Line ||
			f.Col != g.Col || f.EndLine != g.EndLine || f.EndCol != g.EndCol || f.Call != g.Call {
			return false
		}
		f, g = f.Caller, g.Caller
	}
	return true
}

// Walk calls fn for each op of the block, ops of nested regions after the op
// that holds them. It stops when fn gives false.
func (b *Block) Walk(fn func(*Op) bool) bool {
	for _, o := range b.Ops {
		if !fn(o) {
			return false
		}
		for _, r := range o.Regions {
			if !r.Walk(fn) {
				return false
			}
		}
	}
	return true
}

// sortedKeys gives a map's keys in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
