package core

import (
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/petermattis/goid"
)

// positions are the shadow stacks of goroutines that run interpreted code,
// which the Go runtime's own stacks do not show.
var positions sync.Map // goid -> *shadow

type shadow struct {
	top *Frames
}

// At sets the place that the calling goroutine's interpreted code has reached.
// The front end of cells calls it before statements that touch Arrays.
func At(f Frame) {
	id := goid.Get()
	s, ok := positions.Load(id)
	if !ok {
		positions.Store(id, &shadow{top: &Frames{Frame: f}})
		return
	}
	sh := s.(*shadow)
	var below *Frames
	if sh.top != nil {
		below = sh.top.Caller
	}
	sh.top = &Frames{Frame: f, Caller: below}
}

// InFrame runs body as the body of a function whose place is f, called from the
// place reached so far. Without a shadow stack it only runs body.
func InFrame(f Frame, body func()) {
	s, ok := positions.Load(goid.Get())
	if !ok {
		body()
		return
	}
	sh := s.(*shadow)
	prev := sh.top
	sh.top = &Frames{Frame: f, Caller: prev}
	defer func() { sh.top = prev }()
	body()
}

// EndShadow forgets the calling goroutine's shadow stack; the front end calls
// it when a cell or a goroutine of a cell ends.
func EndShadow() { positions.Delete(goid.Get()) }

func init() { SetPositionFunc(position) }

func position() *Frames {
	if s, ok := positions.Load(goid.Get()); ok {
		return s.(*shadow).top
	}
	return callers()
}

// frameOf and chains intern what callers finds, so that a place costs little
// the second time and equal stacks are one object.
var (
	frameOf sync.Map // uintptr -> *Frame (nil Frame: not the user's)
	chains  sync.Map // chainKey -> *Frames
)

type chainKey struct {
	pc    uintptr
	below *Frames
}

// callers is the stack of compiled Go code without the product's own functions.
func callers() *Frames {
	var pcs [64]uintptr
	n := runtime.Callers(4, pcs[:])
	var out *Frames
	for i := n - 1; i >= 0; i-- {
		f := userFrame(pcs[i])
		if f == nil {
			continue
		}
		key := chainKey{pcs[i], out}
		c, ok := chains.Load(key)
		if !ok {
			c, _ = chains.LoadOrStore(key, &Frames{Frame: *f, Caller: out})
		}
		out = c.(*Frames)
	}
	return out
}

func userFrame(pc uintptr) *Frame {
	if f, ok := frameOf.Load(pc); ok {
		return f.(*Frame)
	}
	fr, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	var f *Frame
	if !ownFunction(fr.Function) {
		f = &Frame{File: filepath.Base(fr.File), Func: shortFunc(fr.Function), Line: fr.Line, EndLine: fr.Line, Call: pc}
		if known := FunctionNames(fr.Entry); known != nil {
			f.Func = known.Name
		}
	}
	frameOf.Store(pc, f)
	return f
}

// ownPrefixes are the packages whose functions are not the user's.
var ownPrefixes = []string{
	"gopherlo/jaxlike", "gopherlo/metadata", "gopherlo/interp", "gopherlo/xla", "gopherlo/kernel",
	"gopherlo/cmd", "github.com/traefik/yaegi", "runtime.", "reflect.", "testing.", "sync.", "runtime/",
}

func ownFunction(name string) bool {
	if name == "" {
		return true
	}
	for _, p := range ownPrefixes {
		if rest, ok := strings.CutPrefix(name, p); ok {
			return !strings.HasPrefix(rest, "_test.")
		}
	}
	return false
}

// shortFunc is a function's name without its package.
func shortFunc(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, short, ok := strings.Cut(name, ".")
	if !ok {
		return name
	}
	return short
}
