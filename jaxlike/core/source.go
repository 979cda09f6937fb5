package core

import (
	"strings"
	"sync/atomic"
)

// Frame is one place in the user's source, as HLO metadata carries it.
type Frame struct {
	File, Func                 string
	Line, EndLine, Col, EndCol int
	// Call tells calls on one line apart where their columns are not known.
	Call uintptr
}

// Frames is a stack of places, innermost first. Immutable.
type Frames struct {
	Frame  Frame
	Caller *Frames

	cut atomic.Pointer[cut] // the last answer of above
}

// cut is the part of a stack that is nearer than base.
type cut struct{ base, above *Frames }

// Source is where an equation came from: the user's stack and the names of
// the scopes and transformations around it.
type Source struct {
	Frames *Frames
	Names  NameStack
}

// NameStack is a list of scopes and transformations, outermost first
// (jax/_src/source_info_util.py, NameStack). Immutable.
type NameStack []NameElem

// NameElem is a scope ("xla_metadata_call") or a transformation ("jvp").
type NameElem struct {
	Name      string
	Transform bool
}

// Extend adds a scope.
func (n NameStack) Extend(name string) NameStack { return n.add(NameElem{name, false}) }

// Transform adds a transformation.
func (n NameStack) Transform(name string) NameStack { return n.add(NameElem{name, true}) }

func (n NameStack) add(e NameElem) NameStack {
	return append(n[:len(n):len(n)], e)
}

// Concat is n followed by m.
func (n NameStack) Concat(m NameStack) NameStack {
	if len(m) == 0 {
		return n
	}
	if len(n) == 0 {
		return m
	}
	return append(n[:len(n):len(n)], m...)
}

// Sealed is n as one scope: a transformation at its end does not wrap what comes
// next.
func (n NameStack) Sealed() NameStack {
	if len(n) == 0 {
		return n
	}
	return NameStack{{Name: n.String()}}
}

// String joins the names: a transformation wraps the name that follows it, or
// stands as "jvp()" when none does.
func (n NameStack) String() string {
	var rev []string
	for i := len(n) - 1; i >= 0; i-- {
		switch {
		case !n[i].Transform:
			rev = append(rev, n[i].Name)
		case len(rev) > 0:
			rev[len(rev)-1] = n[i].Name + "(" + rev[len(rev)-1] + ")"
		default:
			rev = append(rev, n[i].Name+"()")
		}
	}
	for i, j := 0, len(rev)-1; i < j; i, j = i+1, j-1 {
		rev[i], rev[j] = rev[j], rev[i]
	}
	return strings.Join(rev, "/")
}

// PositionFunc gives the calling goroutine's user frames.
type PositionFunc func() *Frames

var positionFunc atomic.Pointer[PositionFunc]

// SetPositionFunc installs what finds the user's place: a shadow stack in
// cells, runtime.Callers in compiled Go.
func SetPositionFunc(f PositionFunc) { positionFunc.Store(&f) }

// Position is the calling goroutine's place, as the installed function gives it.
func Position() *Frames {
	if f := positionFunc.Load(); f != nil {
		return (*f)()
	}
	return nil
}

// CurrentSource is the source of an equation made now. Its places are those
// inside the function that is being traced; what called it is not part of them.
func CurrentSource() Source {
	s := Current()
	src := Source{Frames: s.Replay, Names: s.Names}
	if !s.Replaying {
		src.Frames = Position().above(s.Base)
	}
	return src
}

// above is the part of the stack that is nearer than base.
func (f *Frames) above(base *Frames) *Frames {
	if base == nil || f == nil {
		return f
	}
	if c := f.cut.Load(); c != nil && c.base == base {
		return c.above
	}
	c := &cut{base: base, above: f.cutAt(base)}
	f.cut.Store(c)
	return c.above
}

func (f *Frames) cutAt(base *Frames) *Frames {
	if f.equal(base) {
		return nil
	}
	if f.Caller == nil {
		return f
	}
	rest := f.Caller.above(base)
	if rest == f.Caller {
		return f
	}
	return &Frames{Frame: f.Frame, Caller: rest}
}

// Depth is how many places the stack has; it does not count beyond limit.
func (f *Frames) Depth(limit int) int {
	n := 0
	for ; f != nil && n < limit; f = f.Caller {
		n++
	}
	return n
}

// equal compares two stacks.
func (f *Frames) equal(g *Frames) bool {
	for ; f != g; f, g = f.Caller, g.Caller {
		if f == nil || g == nil || f.Frame != g.Frame {
			return false
		}
	}
	return true
}

// Summary is the innermost place as JAX's messages give it:
// "FILE:LINE:COL (FUNC)", empty when there is none.
func (s Source) Summary() string {
	if s.Frames == nil {
		return ""
	}
	return s.Frames.Frame.Summary()
}

// Summary is the place as JAX's messages give it: "FILE:LINE:COL (FUNC)".
func (f Frame) Summary() string {
	at := f.File + ":" + itoa(f.Line)
	if f.Col > 0 {
		at += ":" + itoa(f.Col)
	}
	return at + " (" + f.Func + ")"
}
