package rt

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/petermattis/goid"

	"gopherlo/internal/cellid"
	"gopherlo/internal/processors"
	"gopherlo/interp/check"
)

// Frame holds the deferred calls of one run of a function.
type Frame struct {
	deferred  []deferred
	panicking bool
	val       any
	// deferring tells that a deferred call runs, recovered that it has stopped the
	// panic.
	deferring, recovered bool
}

// deferred is a deferred call. depth is how many interpreted functions deep the
// deferred function itself runs.
type deferred struct {
	call  func()
	depth int
}

// current is the frame whose deferred call a goroutine is running.
type current struct {
	frame *Frame
	depth int
}

// Interrupted is the panic that unwinds a cell which waits in this package.
type Interrupted struct{}

func (Interrupted) Error() string { return "interrupted" }

// Exit is the panic by which os.Exit and log.Fatal end the cell.
type Exit struct{ Code int }

func (e Exit) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// Enter starts a function that defers calls.
func (s *Session) Enter() *Frame { return &Frame{} }

// Defer adds a deferred function.
func (f *Frame) Defer(call func()) { f.deferred = append(f.deferred, deferred{call, 1}) }

// DeferCall adds a function that makes the deferred call.
func (f *Frame) DeferCall(call func()) { f.deferred = append(f.deferred, deferred{call, 2}) }

// Call runs a function's body and then its deferred calls with Go's rules for
// panics.
func (s *Session) Call(f *Frame, body func()) {
	defer s.runDeferred(f) // also when the goroutine exits
	s.run(f, body)
}

func (s *Session) runDeferred(f *Frame) {
	if len(f.deferred) > 0 {
		id := goid.Get()
		prev, had := s.frames.Load(id)
		defer func() {
			if had {
				s.frames.Store(id, prev)
			} else {
				s.frames.Delete(id)
			}
		}()
		for n := len(f.deferred); n > 0; n = len(f.deferred) {
			d := f.deferred[n-1]
			f.deferred = f.deferred[:n-1]
			s.frames.Store(id, &current{f, d.depth})
			f.deferring, f.recovered = true, false
			s.run(f, d.call)
		}
	}
	if f.panicking {
		panic(f.val)
	}
}

func (s *Session) run(f *Frame, body func()) {
	normal := false
	defer func() {
		if normal {
			return
		}
		heard()
		if r := recover(); r != nil {
			r = s.raised(r)
			if f.deferring && (f.panicking || f.recovered) {
				s.nests(r, f.val, f.recovered)
			}
			f.panicking, f.val = true, r
			s.unwinding()
			if c := s.Current(); c != nil {
				c.caught()
			}
		}
	}()
	body()
	normal = true
}

// Recover is recover: it stops the panic of the frame whose deferred call runs,
// if the deferred function itself calls it.
func (s *Session) Recover() any {
	c, ok := s.frames.Load(goid.Get())
	if !ok {
		return nil
	}
	f := c.(*current).frame
	if !f.panicking {
		return nil
	}
	if d := interpretedDepth(); d > 0 && d != c.(*current).depth {
		return nil
	}
	switch f.val.(type) {
	case Interrupted, Exit:
		return nil
	}
	f.panicking, f.recovered = false, true
	s.unwound()
	if r := s.Current(); r != nil {
		r.recovered()
	}
	return s.A(Translate(f.val))
}

// interpretedDepth counts the interpreted functions between the caller and the
// innermost run of deferred calls. A function that defers runs its body as
// another one within Call.
func interpretedDepth() (depth int) {
	var pcs [256]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		switch f.Function {
		case "github.com/traefik/yaegi/interp.runCfg":
			depth++
		case "gopherlo/interp/rt.(*Session).Call":
			depth--
		case "gopherlo/interp/rt.(*Session).runDeferred":
			return depth
		}
		if !more {
			return depth
		}
	}
}

// BadRange is the panic of a function that calls the body of a range statement
// in a state (see package lower) in which the body may not run; 0 is for one
// that has kept a panic of the body to itself.
func (s *Session) BadRange(state int) {
	text := "continued iteration after function for loop body returned false"
	switch state {
	case -1:
		text = "continued iteration after loop body panic"
	case -3:
		text = "continued iteration after whole loop exit"
	case 0:
		text = "recovered a loop body panic and did not resume panicking"
	}
	panic(runtimeError("range function " + text))
}

// Translate gives a panic raised by yaegi's use of reflection the words that
// Go's runtime has for it.
func Translate(v any) any {
	switch v := v.(type) {
	case uncaught:
		return Translate(v.v)
	case reflected:
		return v.v
	case Box:
		return v.s.canon(v)
	case reflect.Value: // what yaegi's panic raises for an interface value
		if v.IsValid() && v.CanInterface() {
			return Translate(v.Interface())
		}
		return nil
	case *reflect.ValueError:
		return errNilDeref
	case runtime.Error:
		if strings.Contains(v.Error(), "nil pointer") {
			return errNilDeref
		}
		if t, ok := strings.CutPrefix(strings.TrimPrefix(v.Error(), "runtime error: "), "hash of unhashable type: "); ok {
			return runtimeError("hash of unhashable type " + structRE.ReplaceAllString(t, "$1"))
		}
		if text := v.Error(); strings.Contains(text, "yg:") {
			return runtimeError(strings.Replace(strings.TrimPrefix(structRE.ReplaceAllString(text, "$1"), "runtime error: "), "type: main", "type main", 1))
		}
		return v
	case string:
		return translateText(v)
	}
	return v
}

// structRE finds the name of a cell's struct type in yaegi's form of it.
var structRE = regexp.MustCompile(`struct \{.*?yg:\\?"(main\.[^;]+);.*\}`)

func translateText(v string) any {
	switch {
	case !strings.HasPrefix(v, "reflect"):
		return v
	case strings.Contains(v, "index out of range"):
		return runtimeError("index out of range")
	case strings.Contains(v, "out of bounds"), strings.Contains(v, "slice3 index"), strings.Contains(v, "SliceN"):
		return runtimeError("slice bounds out of range")
	case strings.Contains(v, "MakeChan"):
		return plainError("makechan: size out of range")
	case strings.Contains(v, "overflow"):
		return runtimeError("growslice: len out of range")
	case strings.Contains(v, "negative cap"), strings.Contains(v, "len > cap"):
		return runtimeError("makeslice: cap out of range")
	case strings.Contains(v, "negative"), strings.Contains(v, "len out of range"):
		return runtimeError("makeslice: len out of range")
	case strings.Contains(v, "zero Value"), strings.Contains(v, "nil"):
		return errNilDeref
	}
	return v
}

// Guard makes f safe to run on a goroutine of its own: a panic is reported
// and ends the goroutine, not the process.
func (s *Session) Guard(f func()) func() {
	// Timers call without the label by which output finds its cell.
	return cellid.Wrap(func() { s.guarded(f) })
}

func (s *Session) guarded(f func()) {
	s.goroutines.Add(1)
	defer s.goroutines.Add(-1)
	defer s.EndPlaces()
	defer s.unwound()
	defer s.forgetNested()
	defer func() {
		heard()
		switch r := s.raised(recover()).(type) {
		case nil, Interrupted, Exit:
		default:
			r = s.Uncaught(r)
			s.stream("stderr", "panic: "+s.PanicText(r)+"\n\ngoroutine of the cell ended"+s.place()+"\n")
		}
	}()
	f()
}

// Goroutines is how many goroutines of cells are running.
func (s *Session) Goroutines() int64 { return s.goroutines.Load() }

// Report writes about the end of a goroutine to the cell's standard error.
func (s *Session) Report(lines []string) {
	s.stream("stderr", strings.Join(lines, "\n")+"\n\ngoroutine of the cell ended\n")
}

// unwinding notes that a panic runs through the calling goroutine, unwound that
// it has ended or was recovered from.
func (s *Session) unwinding() { s.panics.LoadOrStore(goid.Get(), time.Now()) }
func (s *Session) unwound()   { s.panics.Delete(goid.Get()) }

// awaitUnwound is how long a cell waits for panics of its goroutines.
const awaitUnwound = 100 * time.Millisecond

// AwaitUnwound waits until panics that are under way have been reported: a
// deferred call such as wg.Done may have ended the cell before that.
func (s *Session) AwaitUnwound() {
	for {
		wait := false
		s.panics.Range(func(_, since any) bool {
			wait = time.Since(since.(time.Time)) < awaitUnwound
			return !wait
		})
		if !wait {
			return
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// lineBase keeps cell and line apart in a mark, see lower.LineBase.
const lineBase = 1_000_000

// place says which line of the cells ran last.
func (s *Session) place() string {
	if s.line == nil || *s.line == 0 {
		return ""
	}
	cell, line := *s.line/lineBase, *s.line%lineBase
	if cell >= check.FileBase {
		return fmt.Sprintf(" at %s:%d", s.env.FileName(cell), line)
	}
	return fmt.Sprintf(" at cell %d, line %d", cell, line)
}

// maxPanicText bounds the text of a panic value: it goes into an error, with its
// name and again in its traceback.
const maxPanicText = 64 << 10

// PanicText writes a panic value as Go prints it. A value whose own method panics
// is named by its type.
func (s *Session) PanicText(v any) (text string) {
	defer func() {
		heard()
		if r := s.raised(recover()); r != nil {
			text = fmt.Sprintf("panic while printing panic value: %s: %.1000v", typeNameOf(v), Translate(r))
		}
		if len(text) > maxPanicText {
			text = strings.ToValidUTF8(text[:maxPanicText], "") + fmt.Sprintf("... (%d bytes)", len(text))
		}
	}()
	if u, ok := v.(uncaught); ok {
		return u.n.chain(s)
	}
	return s.valueText(v)
}

func typeNameOf(v any) string {
	if b, ok := v.(interface{ TypeName() string }); ok { // a box
		return b.TypeName()
	}
	return fmt.Sprintf("%T", v)
}

// Go starts a goroutine.
func (s *Session) Go(f func()) {
	processors.Wide()
	s.goroutines.Add(1) // also before it has started
	go func() {
		defer s.goroutines.Add(-1)
		s.Guard(f)()
	}()
}

// waiting counts goroutines in Wait, for tests.
var waiting atomic.Int64

// Wait runs a native call that blocks; an interrupt ends the waiting, and then
// calls leave.
func (s *Session) Wait(f func(), leave ...func()) {
	done := make(chan any, 1)
	waiting.Add(1)
	go func() {
		defer waiting.Add(-1)
		defer func() { done <- recover() }()
		f()
	}()
	select {
	case r := <-done:
		if r != nil {
			panic(r)
		}
	case <-s.stopped():
		for _, f := range leave {
			f()
		}
		panic(Interrupted{})
	}
}

// Sleep is time.Sleep, which an interrupt ends.
func (s *Session) Sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.stopped():
		panic(Interrupted{})
	}
}

// Recv receives from a channel into what z points to.
func (s *Session) Recv(ch, z any) bool {
	c := reflect.ValueOf(ch)
	if !c.IsNil() {
		if v, ok := c.TryRecv(); v.IsValid() {
			return setReceived(z, v, ok)
		}
	}
	_, v, ok := s.choose(reflect.SelectCase{Dir: reflect.SelectRecv, Chan: c})
	return setReceived(z, v, ok)
}

func setReceived(z any, v reflect.Value, ok bool) bool {
	dst := reflect.ValueOf(z).Elem()
	if ok {
		dst.Set(v)
	} else {
		dst.SetZero()
	}
	return ok
}

// Send sends what p points to.
func (s *Session) Send(ch, p any) {
	c, v := reflect.ValueOf(ch), reflect.ValueOf(p).Elem()
	if !c.IsNil() && c.TrySend(v) {
		return
	}
	s.choose(reflect.SelectCase{Dir: reflect.SelectSend, Chan: c, Send: v})
}

// choose waits for one of the cases or the interrupt.
func (s *Session) choose(cases ...reflect.SelectCase) (int, reflect.Value, bool) {
	all := append([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(s.stopped())}}, cases...)
	i, v, ok := reflect.Select(all)
	if i == 0 {
		panic(Interrupted{})
	}
	return i - 1, v, ok
}

// Select is one run of a select statement.
type Select struct {
	s     *Session
	cases []reflect.SelectCase
	def   int
	value reflect.Value
	ok    bool
}

// NewSelect starts a select statement.
func (s *Session) NewSelect() *Select { return &Select{s: s, def: -1} }

// Default adds a default clause.
func (x *Select) Default() {
	x.def = len(x.cases)
	x.cases = append(x.cases, reflect.SelectCase{Dir: reflect.SelectDefault})
}

// Recv adds a clause that receives.
func (x *Select) Recv(ch any) {
	x.cases = append(x.cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ch)})
}

// Send adds a clause that sends what p points to.
func (x *Select) Send(ch, p any) {
	x.cases = append(x.cases, reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(ch), Send: reflect.ValueOf(p).Elem()})
}

// Do chooses a clause and gives its number.
func (x *Select) Do() int {
	if x.def >= 0 {
		i, v, ok := reflect.Select(x.cases)
		x.value, x.ok = v, ok
		return i
	}
	i, v, ok := x.s.choose(x.cases...)
	x.value, x.ok = v, ok
	return i
}

// Get stores what was received.
func (x *Select) Get(z any) bool { return setReceived(z, x.value, x.ok) }
