package rt

import (
	"go/types"
	"reflect"
	"sync"
	"sync/atomic"

	"gopherlo/interp/lower"
	"gopherlo/kernel/language"
)

// Session is the state that running cells share.
type Session struct {
	table *lower.Table
	env   *lower.Env

	buildMu sync.Mutex // held while types are made

	mu    sync.Mutex
	types map[int]*Type
	impls map[implKey]reflect.Value // pointers to function variables

	host  atomic.Pointer[hostBox]
	stop  atomic.Pointer[stopper]
	marks atomic.Int64
	// Started tells that the cell's prelude has run.
	started atomic.Bool
	value   []any
	shown   bool

	frames sync.Map // goroutine id to *current
	// line and top point to the marks that lowered code sets; panicLine and
	// panicTop are what they were when a panic was caught on its way.
	line, top           *int
	panicLine, panicTop atomic.Int64
	// Recovered is called when a cell has recovered from a panic.
	Recovered func()
	pipes     []*pipe
}

type hostBox struct{ h language.Host }

// stopper is closed when the running cell is interrupted.
type stopper struct {
	ch   chan struct{}
	once sync.Once
}

type implKey struct {
	id   int
	name string
}

// Type is a type that running code knows by number.
type Type struct {
	ID int
	T  types.Type
	// r is how values look in memory, once that has been asked for.
	r atomic.Pointer[reflect.Type]
	// err tells that values are errors: their boxes are too.
	err bool
	// cell tells that only a box is a value of the type.
	cell bool
}

// NewSession returns an empty session over the numbered types and places of env.
func NewSession(env *lower.Env) *Session {
	s := &Session{table: env.Types, env: env, types: map[int]*Type{}, impls: map[implKey]reflect.Value{}}
	s.stop.Store(&stopper{ch: make(chan struct{})})
	return s
}

// Begin prepares the session for a cell. The function it returns interrupts
// everything that waits in this package.
func (s *Session) Begin(host language.Host) (interrupt func()) {
	s.host.Store(&hostBox{host})
	st := &stopper{ch: make(chan struct{})}
	s.stop.Store(st)
	s.marks.Store(0)
	s.started.Store(false)
	s.panicLine.Store(0)
	if s.line != nil {
		*s.line, *s.top = 0, 0
	}
	s.mu.Lock()
	s.value, s.shown = nil, false
	s.mu.Unlock()
	return func() { st.once.Do(func() { close(st.ch) }) }
}

// Done is how many statements of the cell have finished, and whether its
// declarations are in place.
func (s *Session) Done() (marks int, started bool) {
	return int(s.marks.Load()), s.started.Load()
}

// Value is what the cell's last expression gave; ok tells whether it has one.
func (s *Session) Value() (values []any, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value, s.shown
}

// Host is where output of the running cell goes.
func (s *Session) Host() language.Host {
	if b := s.host.Load(); b != nil {
		return b.h
	}
	return nil
}

func (s *Session) stream(name, text string) {
	s.Drain()
	if h := s.Host(); h != nil && text != "" {
		h.Stream(name, text)
	}
}

// typ finds a type by number.
func (s *Session) typ(id int) *Type {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typLocked(id)
}

func (s *Session) typLocked(id int) *Type {
	t := s.types[id]
	if t == nil {
		t = &Type{ID: id, T: s.table.Type(id)}
		t.err = implementsError(t.T)
		t.cell = isCell(t.T)
		s.types[id] = t
	}
	return t
}

// typeOf finds the number of a go/types type that is already known.
func (s *Session) typeOf(t types.Type) *Type { return s.typ(s.table.ID(t)) }

// Impl says which function variable implements a method of a named type.
func (s *Session) Impl(id int, name string, p any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.impls[implKey{id, name}] = reflect.ValueOf(p).Elem()
	for _, t := range s.types {
		t.err = implementsError(t.T)
	}
}

// Mark notes that the first n statements have finished.
func (s *Session) Mark(n int) { s.marks.Store(int64(n)) }

// Start notes that the cell's declarations are in place.
func (s *Session) Start() { s.started.Store(true) }

// Show keeps the cell's value.
func (s *Session) Show(values ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value, s.shown = values, true
}

var errorIface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func implementsError(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return false
	}
	return types.Implements(t, errorIface)
}

// isCell reports whether values of the type are told apart by their box alone.
func isCell(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "main"
	case *types.Pointer:
		return isCell(t.Elem())
	case *types.Slice:
		return isCell(t.Elem())
	case *types.Array:
		return isCell(t.Elem())
	case *types.Chan:
		return isCell(t.Elem())
	case *types.Map:
		return isCell(t.Key()) || isCell(t.Elem())
	}
	return false
}

// Lines says where lowered code notes the line that runs and the statement of
// the cell.
func (s *Session) Lines(line, top *int) { s.line, s.top = line, top }

// caught notes the line of a panic before deferred calls run.
func (s *Session) caught() {
	if s.line != nil {
		s.panicTop.Store(int64(*s.top))
		s.panicLine.CompareAndSwap(0, int64(*s.line))
	}
}

// PanicLine is where the last panic of the cell arose and the statement of the
// cell that led there, each as cell and line in one number; 0 when unknown.
func (s *Session) PanicLine() (line, top int) {
	s.caught()
	return int(s.panicLine.Load()), int(s.panicTop.Load())
}
