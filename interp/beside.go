package interp

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/petermattis/goid"
	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/display"
	"gopherlo/internal/cellid"
	"gopherlo/internal/processors"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/rt"
	"gopherlo/jaxlike/stages"
	"gopherlo/kernel/language"
)

// Cells of subshells run beside the one of the main shell. yaegi compiles one
// program at a time and its compiler must not meet itself, so a cell is
// checked, compiled and declared under Interp.names; that takes a millisecond.
// Its statements then run without a lock, as goroutines of cells do.

var _ language.Concurrent = (*Interp)(nil)

// ExecuteBeside runs a cell of a subshell.
func (in *Interp) ExecuteBeside(ctx context.Context, req language.Request, host language.Host) language.Result {
	processors.Wide()
	return in.execute(ctx, req, host, true)
}

// declared is a program whose declarations are in place.
type declared struct {
	run   *rt.Run
	res   *check.Result
	body  func() // the statements
	epoch int64  // of in.stops when it was declared
}

// declare puts the declarations of a compiled program in place; in.names and
// in.stops.mu are held.
func (in *Interp) declare(r *cellRun, prog *lower.Program, p *yaegi.Program, res *check.Result) (*declared, error) {
	d := &declared{run: in.rt.Begin(r.ctx, r.req.Cell, r.host, !r.beside), res: res}
	display.SetOutput(output{in.rt, in.session.FileText})
	if !in.rt.Active(r.req.Cell) {
		in.last = d.run
	}
	d.epoch = in.stops.epoch
	in.globals.grow()
	statements := in.withoutLast(p)
	if _, err := in.yaegi.Execute(p); err != nil {
		d.run.End()
		return nil, err
	}
	in.shareMarks(r.host)
	start := statements()
	d.body = func() {
		d.run.Started(prog.First)
		start()
		if !in.stops.since(d.epoch) { // yaegi may have stopped in the middle
			d.run.Finished(prog.Statements)
		}
	}
	res.Commit(0)
	in.active[d.run] = res
	return d, nil
}

// finished enters what running cells have declared so far; in.names is held.
func (in *Interp) finished() {
	for run, res := range in.active {
		res.Commit(run.Done())
	}
}

// leave ends a run: what its finished statements declared stays.
func (in *Interp) leave(d *declared) {
	in.rt.AwaitUnwound()
	in.names.Lock()
	defer in.names.Unlock()
	d.res.Commit(d.run.Done())
	in.named(d.res.Named())
	delete(in.active, d.run)
	in.rt.Drain()
	d.run.End()
}

// run executes a program on a goroutine of the cell and waits until it has
// ended, interrupted or not.
func (in *Interp) run(ctx context.Context, d *declared, req language.Request) (failure *language.Error) {
	defer func() {
		if failure != nil {
			d.run.PutBack()
		}
	}()
	done := make(chan error, 1)
	returned := false
	guarded := in.guard.add()
	runner := pool.start(func() {
		defer cellid.Enter(req.Cell)()
		id := goid.Get()
		in.bodies.Store(id, nil)
		defer in.bodies.Delete(id)
		defer in.rt.EndPlaces()
		var err error
		defer func() { done <- err }() // also after runtime.Goexit
		err = in.call(d.body)
		returned = true
	})
	defer in.watchGoroutines()
	interrupt := func(unwound func()) {
		in.stops.stop()
		d.run.Interrupt()
		<-done
		unwound()
		in.stops.stopped()
		pool.done(runner, false)
	}
	var err error
	select {
	case err = <-done:
		seen := in.guard.remove(guarded)
		pool.done(runner, returned && !seen && err == nil) // what a panic leaves on its goroutine goes with it
	case <-ctx.Done():
		in.guard.remove(guarded)
		interrupt(func() {})
		return interruptedError()
	case <-guarded.full:
		mark := in.rt.Line()
		interrupt(guarded.held.awaitUnwound)
		_, top := d.run.PanicLine(req.Count)
		return in.recursionError(mark, top)
	}
	if in.stops.since(d.epoch) {
		return interruptedError()
	}
	if err == nil && !returned {
		return in.goexitError(d.run, req.Count)
	}
	if err == nil {
		return nil
	}
	return in.panicError(d.run, req.Count, err)
}

// call runs statements; a panic becomes an error, as yaegi's Execute makes it.
func (in *Interp) call(body func()) (err error) {
	defer func() {
		rt.Heard()
		if r := recover(); r != nil {
			err = yaegi.Panic{Value: in.rt.Uncaught(in.rt.Caught(r))}
		}
	}()
	body()
	return nil
}

// stops counts interrupts. yaegi stops every frame whose run number is not the
// interpreter's, so an interrupt stops all that is interpreted: the cells of
// all shells and the goroutines of earlier cells. Functions made by earlier
// cells carry the old number and must run again, so it is set back once the
// interrupted cells have ended; nothing may be declared in between.
type stops struct {
	mu     sync.Mutex
	id     *uint64 // yaegi's number
	epoch  int64   // interrupts so far
	ending int     // interrupted cells that have not ended
	ended  chan struct{}
}

// stop begins the interruption of a cell.
func (s *stops) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending == 0 {
		s.epoch++
		s.ended = make(chan struct{})
		stages.Interrupt()
		atomic.AddUint64(s.id, 1)
	}
	s.ending++
}

// stopped notes that an interrupted cell has ended.
func (s *stops) stopped() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending--; s.ending == 0 {
		atomic.AddUint64(s.id, ^uint64(0))
		close(s.ended)
	}
}

// since reports whether there was an interrupt since an epoch.
func (s *stops) since(epoch int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.epoch != epoch
}

// await waits until no interrupted cell is ending; false means that ctx has ended
// before. Another interrupt may begin at once.
func (s *stops) await(ctx context.Context) bool {
	for {
		s.mu.Lock()
		ended, free := s.ended, s.ending == 0
		s.mu.Unlock()
		if free {
			return true
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return false
		}
	}
}

// globals are the variables of all programs as yaegi keeps them. Between two
// programs yaegi would move them to a new slice; goroutines that run would
// then write to the old one, and a cell's cost would grow with the session.
// The slice is longer than yaegi needs, so that the next program's variables
// are written beside what goroutines of earlier cells read, and not its header.
type globals struct {
	data  *[]reflect.Value
	types *[]reflect.Type
	made  int // variables that are there
}

// moreGlobals are the variables for which there is room ahead, 400 KB: a cell
// of a few lines takes some ten.
const moreGlobals = 1 << 14

// grow makes the variables of the program that comes next.
func (g *globals) grow() {
	types := *g.types
	if len(types) > len(*g.data) {
		data := make([]reflect.Value, 2*len(types)+moreGlobals)
		copy(data, *g.data)
		*g.data = data
	}
	for ; g.made < len(types); g.made++ {
		(*g.data)[g.made] = reflect.New(types[g.made]).Elem()
	}
}

// lookup finds the memory of a variable of the programs.
func (g *globals) lookup(i *yaegi.Interpreter, name string) (reflect.Value, bool) {
	index, ok := g.index(i, name)
	if !ok {
		return reflect.Value{}, false
	}
	return (*g.data)[index], true
}

// shareMarks puts the marks of lines, variables that lowered code writes, where the
// kernel can read them when this process has died. The program that declares them
// has declared them and no statement has run.
func (in *Interp) shareMarks(host language.Host) {
	h, ok := host.(language.Marked)
	if !ok || in.marked {
		return
	}
	m := h.Marks()
	line, okLine := in.globals.index(in.yaegi, lower.LineMark)
	top, okTop := in.globals.index(in.yaegi, lower.TopMark)
	if m == nil || !okLine || !okTop {
		return
	}
	in.marked = true
	(*in.globals.data)[line] = reflect.ValueOf(&m.Line).Elem()
	(*in.globals.data)[top] = reflect.ValueOf(&m.Statement).Elem()
	in.rt.Lines(&m.Line, &m.Statement)
}

// index is the place of a variable of the programs among the globals.
func (g *globals) index(i *yaegi.Interpreter, name string) (int, bool) {
	main := reflect.ValueOf(i).Elem().FieldByName("scopes").MapIndex(reflect.ValueOf("main"))
	if !main.IsValid() {
		return 0, false
	}
	sym := main.Elem().FieldByName("sym").MapIndex(reflect.ValueOf(name))
	if !sym.IsValid() || sym.IsNil() || !sym.Elem().FieldByName("global").Bool() {
		return 0, false
	}
	index := int(sym.Elem().FieldByName("index").Int())
	return index, index >= 0 && index < g.made
}

// forget drops what yaegi keeps of every program for its debugger alone: the
// syntax trees and the scopes of functions, and the declarations of the given
// variables, which name no other. Running code and functions that are declared
// hold what they need. A cell that declares none then leaves little behind.
func forget(i *yaegi.Interpreter, vars []*check.Sym) {
	v := reflect.ValueOf(i).Elem()
	drop := func(field reflect.Value) {
		reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().SetZero()
	}
	drop(v.FieldByName("roots"))
	drop(v.FieldByName("universe").Elem().FieldByName("child"))
	main := v.FieldByName("scopes").MapIndex(reflect.ValueOf("main"))
	if !main.IsValid() {
		return
	}
	drop(main.Elem().FieldByName("child"))
	for _, s := range vars {
		if sym := main.Elem().FieldByName("sym").MapIndex(reflect.ValueOf(s.Emit)); sym.IsValid() && !sym.IsNil() {
			node := sym.Elem().FieldByName("node")
			cut(node, drop)
			drop(node)
		}
	}
}

// cut takes the declaration of a variable out of its program's syntax tree: the
// variable's type refers to it, and through it to the whole tree.
func cut(node reflect.Value, drop func(reflect.Value)) {
	for !node.IsNil() {
		up := node.Elem().FieldByName("anc")
		if !up.IsNil() && up.Elem().FieldByName("anc").IsNil() {
			drop(up)
			return
		}
		node = up
	}
}

// internals are the fields of yaegi's interpreter that it keeps to itself and
// that running cells beside each other, and interrupting them, needs.
func internals(i *yaegi.Interpreter) (id *uint64, g globals) {
	v := reflect.ValueOf(i).Elem()
	id = (*uint64)(unsafe.Pointer(v.FieldByName("id").UnsafeAddr()))
	g.data = (*[]reflect.Value)(unsafe.Pointer(v.FieldByName("frame").Elem().FieldByName("data").UnsafeAddr()))
	g.types = (*[]reflect.Type)(unsafe.Pointer(v.FieldByName("universe").Elem().FieldByName("types").UnsafeAddr()))
	g.made = len(*g.data)
	return id, g
}

// output sends what cells show to the host of the cell that shows it.
type output struct {
	s     *rt.Session
	files func(name string) (text string, ok bool) // of packages from source
}

// Display implements display.Output.
func (o output) Display(data language.Bundle, metadata, transient map[string]any, update bool) {
	if h := o.s.Host(); h != nil {
		h.Display(data, metadata, transient, update)
	}
}

// CellText gives the text of a cell by the name that its file has in places.
func (o output) CellText(file string) (string, bool) {
	number, ok := strings.CutPrefix(strings.TrimSuffix(file, ".go"), "cell-")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return o.files(file)
	}
	return o.s.CellText(n)
}

// Clear clears the cell's output.
func (o output) Clear(wait bool) {
	if h := o.s.Host(); h != nil {
		h.Clear(wait)
	}
}

// Comm sends a comm message.
func (o output) Comm(kind string, content, metadata map[string]any, buffers [][]byte) {
	if h := o.s.Host(); h != nil {
		h.Comm(kind, content, metadata, buffers)
	}
}
