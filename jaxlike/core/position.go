package core

import (
	"hash/maphash"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/petermattis/goid"
)

// positions are the shadow stacks of goroutines that run interpreted code,
// which the Go runtime's own stacks do not show.
var positions sync.Map // goid -> *shadow

type shadow struct {
	top *Frames
	// called is set while top stands for a function that InFrame calls and that
	// has not begun.
	called bool
}

// At sets the place that the calling goroutine's interpreted code has reached, in
// the function that it is in.
func At(f Frame) {
	var caller *Frames
	if s, ok := positions.Load(goid.Get()); ok {
		if top := s.(*shadow).top; top != nil {
			caller = top.Caller
		}
	}
	AtIn(caller, f)
}

// AtIn sets the place that the calling goroutine's interpreted code has reached,
// in a function that was called from caller. The front end of cells calls it
// before statements that touch Arrays, and when a function that such a statement
// calls has returned.
func AtIn(caller *Frames, f Frame) {
	id := goid.Get()
	s, ok := positions.Load(id)
	if !ok {
		s = &shadow{}
		positions.Store(id, s)
	}
	sh := s.(*shadow)
	sh.top, sh.called = &Frames{Frame: f, Caller: caller}, false
}

// Enter gives the place that the interpreted function fn, which begins, was
// called from.
func Enter(fn string) (caller *Frames) {
	s, ok := positions.Load(goid.Get())
	if !ok {
		return nil
	}
	sh := s.(*shadow)
	if sh.called && sh.top.Frame.Func == fn {
		sh.called = false
		return sh.top.Caller
	}
	return sh.top
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
	prev := *sh
	sh.top, sh.called = &Frames{Frame: f, Caller: prev.top}, true
	defer func() { *sh = prev }()
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

// maxFrames is how many return addresses the key of a stack is made of; deeper
// stacks are walked each time, up to maxWalk functions.
const (
	maxFrames = 256
	maxWalk   = 16 * maxFrames
)

// stacks are the places of the stacks seen so far, by return addresses; sites
// and chains intern what makes them up, so that equal places are one object.
var (
	stacks = NewCache[stackKey, *Frames](maxStacks)
	sites  sync.Map // uintptr -> *site; there are no more than call instructions
	chains = NewCache[chainKey, *Frames](maxChains)
)

// The bounds of the two (docs/architecture.md, Caches).
const (
	maxStacks = 4096
	maxChains = 16384
)

// stackKey is a hash of a stack's return addresses, 128 bits long so that no two
// stacks share one.
type stackKey [2]uint64

var stackSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func stackKeyOf(pcs []uintptr) (key stackKey) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pcs))), uintptr(len(pcs))*unsafe.Sizeof(pcs[0]))
	for i, seed := range stackSeeds {
		key[i] = maphash.Bytes(seed, b)
	}
	return key
}

// site is what is known of a program counter.
type site struct {
	frame   *Frame // nil: not the user's
	entry   uintptr
	inlined bool
}

type chainKey struct {
	pc, call uintptr
	below    *Frames
}

// callers is the stack of compiled Go code without the product's own functions.
func callers() *Frames {
	var pcs [maxFrames]uintptr
	n, whole := returnAddresses(&pcs)
	if !whole {
		return walk()
	}
	key := stackKeyOf(pcs[:n])
	if f, ok := stacks.Get(key); ok {
		return f
	}
	return stacks.GetOrPut(key, walk())
}

// walk is callers by the runtime's own means.
func walk() *Frames {
	pcs := make([]uintptr, maxFrames)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) && n < maxWalk {
		pcs = make([]uintptr, 4*n)
		n = runtime.Callers(1, pcs)
	}
	var out *Frames
	for i := n - 1; i >= 0; i-- {
		at := siteOf(pcs[i])
		if at.frame == nil {
			continue
		}
		key := chainKey{pcs[i], callSite(pcs[:i+1], at), out}
		c, ok := chains.Get(key)
		if !ok {
			f := *at.frame
			f.Call = key.call
			c = chains.GetOrPut(key, &Frames{Frame: f, Caller: out})
		}
		out = c
	}
	return out
}

// callSite tells the call that the last of pcs makes from others on its line:
// where the callee is inlined, calls on one line may share a program counter,
// and the one below is the call's own.
func callSite(pcs []uintptr, at *site) uintptr {
	i := len(pcs) - 1
	for i > 0 {
		below := siteOf(pcs[i-1])
		if !below.inlined || below.entry != at.entry {
			break
		}
		i--
	}
	return pcs[i]
}

func siteOf(pc uintptr) *site {
	if s, ok := sites.Load(pc); ok {
		return s.(*site)
	}
	fr, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	s := &site{entry: fr.Entry, inlined: fr.Func == nil}
	if !OwnFunction(fr.Function) {
		s.frame = &Frame{File: filepath.Base(fr.File), Func: shortFunc(fr.Function), Line: fr.Line, EndLine: fr.Line}
		if known := FunctionNames(fr.Entry); known != nil && !s.inlined {
			s.frame.Func = known.Name
		}
	}
	sites.Store(pc, s)
	return s
}

// ownPrefixes are the packages whose functions are not the user's.
var ownPrefixes = []string{
	"gopherlo/jaxlike", "gopherlo/metadata", "gopherlo/interp", "gopherlo/xla", "gopherlo/cells", "gopherlo/display", "gopherlo/kernel",
	"gopherlo/cmd", "github.com/traefik/yaegi", "runtime.", "reflect.", "testing.", "sync.", "runtime/",
}

// OwnFunction tells the functions of the product from the user's, by the run
// time's name: they are no places in a program, as JAX leaves out its own.
func OwnFunction(name string) bool {
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
