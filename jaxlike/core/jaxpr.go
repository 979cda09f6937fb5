package core

import (
	"sync"
	"sync/atomic"
)

// Atom is what an equation reads: a *Var or a *Literal.
type Atom interface {
	Aval() *ShapedArray
}

// Var is a variable of a jaxpr; its identity is its name.
type Var struct{ aval *ShapedArray }

// NewVar makes a variable of the given type.
func NewVar(a *ShapedArray) *Var { return &Var{a} }

// Aval is the variable's type.
func (v *Var) Aval() *ShapedArray { return v.aval }

// Literal is a scalar constant written where it is used. Its aval can differ
// in weakness from the constant's own.
type Literal struct {
	Val  *Const
	aval *ShapedArray
}

// NewLiteral makes a literal of the given type.
func NewLiteral(c *Const, a *ShapedArray) *Literal { return &Literal{c, a} }

// Aval is the literal's type.
func (l *Literal) Aval() *ShapedArray { return l.aval }

// Eqn is one equation: outputs = primitive[params] inputs.
type Eqn struct {
	In     []Atom
	Out    []*Var
	Prim   *Primitive
	Params Params
	Ctx    EqnContext
	Source Source
}

// EqnContext is the ambient state that an equation was traced under and is
// evaluated under again.
type EqnContext struct {
	// Metadata is the set_xla_metadata context; nil when there is none.
	Metadata *Metadata
}

// DebugInfo says where a jaxpr came from, for error texts and result names.
type DebugInfo struct {
	// TracedFor names the transformation ("jit"), FuncName the function and
	// FuncSource function and place ("f at cell-3.go:2").
	TracedFor, FuncName, FuncSource string
	ArgNames                        []string
	ResultPaths                     []string
}

// Jaxpr is a typed, functional program with its constants attached
// (jax/_src/core.py of 0.12, where Jaxpr and ClosedJaxpr are one).
// It is immutable after it was built.
type Jaxpr struct {
	ConstVars []*Var
	Consts    []Value
	In        []*Var
	Out       []Atom
	Eqns      []*Eqn
	Debug     *DebugInfo

	ident atomic.Int64
	memo  sync.Map // derived jaxprs, by kind and arguments: see Memo
	memos atomic.Int64
}

var lastJaxprID atomic.Int64

func (j *Jaxpr) id() int64 {
	if n := j.ident.Load(); n != 0 {
		return n
	}
	j.ident.CompareAndSwap(0, lastJaxprID.Add(1))
	return j.ident.Load()
}

// InAvals are the types of the inputs (constants not counted).
func (j *Jaxpr) InAvals() []*ShapedArray {
	out := make([]*ShapedArray, len(j.In))
	for i, v := range j.In {
		out[i] = v.aval
	}
	return out
}

// OutAvals are the types of the outputs.
func (j *Jaxpr) OutAvals() []*ShapedArray {
	out := make([]*ShapedArray, len(j.Out))
	for i, v := range j.Out {
		out[i] = v.Aval()
	}
	return out
}

// Name is the name of the traced function.
func (j *Jaxpr) Name() string {
	if j.Debug == nil {
		return ""
	}
	return j.Debug.FuncName
}

// Replace is a copy of j's parts with other inputs, outputs and equations;
// constants and debug info stay.
func (j *Jaxpr) Replace(in []*Var, out []Atom, eqns []*Eqn) *Jaxpr {
	return &Jaxpr{ConstVars: j.ConstVars, Consts: j.Consts, In: in, Out: out, Eqns: eqns, Debug: j.Debug}
}

// Attach makes the leading inputs constants with the given values.
func (j *Jaxpr) Attach(consts []Value) *Jaxpr {
	n := len(consts)
	return &Jaxpr{ConstVars: j.In[:n:n], Consts: consts, In: j.In[n:], Out: j.Out, Eqns: j.Eqns, Debug: j.Debug}
}

// DropUnusedConsts is j without the constants that nothing reads.
func (j *Jaxpr) DropUnusedConsts() *Jaxpr {
	used := map[Atom]bool{}
	for _, e := range j.Eqns {
		for _, a := range e.In {
			used[a] = true
		}
	}
	for _, a := range j.Out {
		used[a] = true
	}
	out := &Jaxpr{In: j.In, Out: j.Out, Eqns: j.Eqns, Debug: j.Debug}
	for i, v := range j.ConstVars {
		if used[v] {
			out.ConstVars = append(out.ConstVars, v)
			out.Consts = append(out.Consts, j.Consts[i])
		}
	}
	return out
}

// HasTracerConsts tells whether a constant is a tracer of an outer trace.
func (j *Jaxpr) HasTracerConsts() bool {
	for _, c := range j.Consts {
		if _, ok := c.(Tracer); ok {
			return true
		}
	}
	return false
}

// SeparateConsts turns the constants into leading inputs and gives their values.
func (j *Jaxpr) SeparateConsts() (*Jaxpr, []Value) {
	in := append(append([]*Var{}, j.ConstVars...), j.In...)
	return &Jaxpr{In: in, Out: j.Out, Eqns: j.Eqns, Debug: j.Debug}, j.Consts
}

// Memo gives the value that was derived from j under key, deriving it once.
// Derived jaxprs are shared objects, as JAX's weakref caches make them: sharing
// decides what the printer hoists and which functions a module has.
func (j *Jaxpr) Memo(key string, derive func() any) any {
	if v, ok := j.memo.Load(key); ok {
		return v
	}
	v, found := j.memo.LoadOrStore(key, derive())
	if !found && j.memos.Add(1) > maxMemos {
		j.memos.Store(0)
		j.memo.Clear()
	}
	return v
}

// maxMemos bounds what one jaxpr remembers; beyond it all is derived anew. A
// function that is mapped over axes of many sizes comes to so many.
const maxMemos = 256

// BoolKey is a memo key part for a list of flags.
func BoolKey(bs []bool) string {
	out := make([]byte, len(bs))
	for i, b := range bs {
		out[i] = '0'
		if b {
			out[i] = '1'
		}
	}
	return string(out)
}

// JaxprHolder is a parameter value that has jaxprs in it.
type JaxprHolder interface{ Jaxprs() []*Jaxpr }

// SubJaxprs are the jaxprs among the equation's parameters, in bind order.
func (e *Eqn) SubJaxprs() []*Jaxpr {
	var out []*Jaxpr
	for _, p := range e.Params {
		switch v := p.Val.(type) {
		case *Jaxpr:
			out = append(out, v)
		case []*Jaxpr:
			out = append(out, v...)
		case JaxprHolder:
			out = append(out, v.Jaxprs()...)
		case Tuple:
			for _, x := range v {
				if j, ok := x.(*Jaxpr); ok {
					out = append(out, j)
				}
			}
		}
	}
	return out
}

// eqnBytes is about what an equation takes with the modules made of it: 1,000
// bytes in StableHLO, 1,500 more in HLO.
const eqnBytes = 2500

// Footprint is about how many bytes j and the module made of it take: for its
// equations, those of the jaxprs in it, and the constants that they hold.
func (j *Jaxpr) Footprint() int { return j.footprint(map[*Jaxpr]bool{}) }

func (j *Jaxpr) footprint(seen map[*Jaxpr]bool) int {
	if seen[j] {
		return 0
	}
	seen[j] = true
	size := eqnBytes * (len(j.Eqns) + 1)
	for _, c := range j.Consts {
		// The module and its HLO hold a copy each.
		a := c.Aval()
		size += 3 * a.Size() * a.DType.Size()
	}
	for _, e := range j.Eqns {
		for _, sub := range e.SubJaxprs() {
			size += sub.footprint(seen)
		}
	}
	return size
}
