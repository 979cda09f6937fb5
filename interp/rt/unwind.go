package rt

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/petermattis/goid"
)

// yaegi recovers from a panic in each function that it leaves and raises it again
// there, above all that it has left so far: the runtime walks over that each time,
// and a panic n calls deep takes n² time. So from some depth on a panic is made one
// that yaegi's functions do not see, which the runtime takes through all of them at
// once, as it does with runtime.Goexit; the functions of this package that recover
// see it.

// quiet is the value of a panic that yaegi does not see.
type quiet struct{ v any }

// loudDepth is how many functions a panic leaves as yaegi has it.
const loudDepth = 16

// leaving is called for each function that yaegi leaves by a panic.
func (s *Session) leaving(r *Run) {
	p := currentPanic()
	if p == nil || !p.recovered {
		return
	}
	depth := 1
	for q := p; q.link != nil && sameWords(&q.arg, &q.link.arg); q = q.link {
		depth++
	}
	if depth == 1 {
		s.explain(p.arg)
		s.noteCalls(r)
	}
	if depth < loudDepth || depth&(depth-1) != 0 {
		return
	}
	if n, last := unseen(); n > loudDepth {
		outer := s.Outer
		if !last {
			outer = nil
		}
		r.skipped(n, outer)
		leaveQuietly(p.arg)
	}
}

// sameWords compares two interface values by what they are made of.
func sameWords(a, b *any) bool {
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(a)) == *(*[2]unsafe.Pointer)(unsafe.Pointer(b))
}

// leaveQuietly raises a panic that yaegi does not see.
func leaveQuietly(v any) {
	defer func() { currentPanic().goexit = true }()
	panic(quiet{v})
}

// heard makes a panic that yaegi does not see one that the calling deferred
// function recovers from.
func heard() {
	if p := currentPanic(); p != nil && p.goexit {
		if _, ok := p.arg.(quiet); ok {
			p.goexit = false
		}
	}
}

// Heard is heard for package interp.
func Heard() { heard() }

// raised is what has been recovered: the value of a panic, with numbers where they
// are known.
func (s *Session) raised(r any) any {
	if q, ok := r.(quiet); ok {
		r = q.v
	}
	if x, ok := s.explained.LoadAndDelete(goid.Get()); ok && boundsText(r) {
		return x
	}
	return Raised(r)
}

// Caught is what a deferred function of package interp has recovered.
func (s *Session) Caught(r any) any { return s.raised(r) }

// explain asks for the numbers of an index that is out of range.
func (s *Session) explain(v any) {
	if s.Numbers == nil || !boundsText(v) {
		return
	}
	var buf [16 << 10]byte
	text := string(buf[:runtime.Stack(buf[:], false)])
	func() {
		defer func() {
			if r, ok := recover().(runtime.Error); ok {
				s.explained.Store(goid.Get(), r)
			}
		}()
		s.Numbers(text, s.Line())
	}()
}

// maxNoted is how many panics of a run are asked for the lines of their calls, which
// takes longer than the panic does.
const maxNoted = 50

// noteCalls notes the lines at which the functions on the stack call the next one.
func (s *Session) noteCalls(r *Run) {
	if s.CallLines == nil || r.noted.Add(1) > maxNoted {
		return
	}
	buf := make([]byte, 64<<10)
	inner, outer, more := strings.Cut(string(buf[:runtime.Stack(buf, false)]), "frames elided")
	lines := s.CallLines(inner)
	if more {
		lines += " ..." + s.CallLines(outer)
	}
	r.note([]byte(Calls + lines + "\n"))
}

// Calls precedes the lines of calls in a trace, of the function noted just before
// and of those around it, after dots of the outermost; 0 is for one without a line.
const Calls = "calls:"

// boundsText reports what package reflect says of bounds, without numbers.
func boundsText(v any) bool {
	if x, ok := v.(reflect.Value); ok && x.IsValid() && x.CanInterface() {
		v = x.Interface()
	}
	text, ok := v.(string)
	return ok && strings.HasPrefix(text, "reflect") &&
		(strings.Contains(text, "index out of ") || strings.Contains(text, "slice3 index"))
}

// unseen counts yaegi's functions down to the next function of this package or of
// package interp that recovers; 0 when something else is between, which may
// recover too. last tells that the panic ends the cell there.
func unseen() (n int, last bool) {
	pcs := make([]uintptr, 4096)
	for len(pcs) == runtime.Callers(0, pcs) {
		pcs = make([]uintptr, 4*len(pcs))
	}
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for inside := false; ; {
		f, more := frames.Next()
		name := f.Function
		switch {
		case !more || catches(name):
			return n, name == cellCall
		case name == yaegiPath+"runCfg":
			inside = true
			n++
		case inside && !harmless(name):
			return 0, false
		}
	}
}

// cellCall runs the statements of a cell.
const cellCall = "gopherlo/interp.(*Interp).call"

const yaegiPath = "github.com/traefik/yaegi/interp."

// catches reports functions that recover from panics which yaegi does not see.
func catches(name string) bool {
	switch name {
	case "gopherlo/interp/rt.(*Session).run", cellCall, "gopherlo/interp/rt.(*Session).guarded",
		"gopherlo/interp/rt.(*printer).call", "gopherlo/interp/rt.(*Session).PanicText":
		return true
	}
	return false
}

// harmless reports functions that do not recover.
func harmless(name string) bool {
	switch name {
	case "gopherlo/interp/rt.(*Session).callMethod", "gopherlo/interp/rt.callFunc", "fmt.Fprintln":
		return true
	}
	for _, p := range []string{yaegiPath, "reflect.", "runtime.", "sort.", "slices.", "strings."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	// These run a cell's statements; the second is the first, inlined.
	return strings.HasPrefix(name, "gopherlo/interp.(*Interp).withoutLast.") || strings.HasPrefix(name, "gopherlo/interp.(*Interp).declare.")
}
