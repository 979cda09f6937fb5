package rt

import (
	"go/types"
	"os"
	"reflect"
	"sync"
	"sync/atomic"

	"gopherlo/interp/check"
	"gopherlo/interp/lower"
)

// Session is the state that running cells share.
type Session struct {
	table *lower.Table
	env   *lower.Env

	buildMu sync.Mutex // held while types are made

	mu    sync.Mutex
	types map[int]*Type
	impls map[implKey]reflect.Value // pointers to function variables

	facadeMu sync.Mutex // held while facades are made or looked up
	facades  facades
	// facadePaths are the paths of packages whose types have facades, beside main.
	facadePaths sync.Map
	facadeMade  atomic.Bool
	slots       sync.Map // facade to whether it holds interfaces with methods

	runs       sync.Map // cell to *Run
	foreground atomic.Pointer[Run]

	history history

	frames    sync.Map // goroutine id to *current
	panics    sync.Map // goroutine id to the time its panic began
	nested    sync.Map // goroutine id to its last *nested
	explained sync.Map // goroutine id to a panic with its numbers

	// Numbers raises the panic for bounds that are out of range, with its numbers,
	// when they are found in the text of a stack; line is the mark of the line.
	Numbers func(stack string, line int)
	// Outer gives what yaegi would write of the outermost functions in the text of a
	// stack, and their number.
	Outer func(stack string) (text string, n int)
	// CallLines gives the lines at which the functions in the text of a stack call the
	// next one, each after a blank.
	CallLines  func(stack string) string
	goroutines atomic.Int64
	// line and top point to the marks that lowered code sets.
	line, top *int
	// id is the number that an interrupt changes, ownID what it is else.
	id    *uint64
	ownID uint64
	pipes []*pipe
	// filesMu is held while os.Stdout and os.Stderr are read or set for cells.
	filesMu sync.Mutex
	// stdout is the cells' os.Stdout, ownStdout what it is at first.
	stdout    **os.File
	ownStdout atomic.Pointer[os.File]
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
	// f is the type's facade, once that has been asked for.
	f atomic.Pointer[reflect.Type]
	// err tells that values are errors: their boxes are too.
	err bool
	// cell tells that only a box is a value of the type.
	cell bool
}

// NewSession returns an empty session over the numbered types and places of env.
func NewSession(env *lower.Env) *Session {
	return &Session{table: env.Types, env: env, types: map[int]*Type{}, impls: map[implKey]reflect.Value{}, facades: newFacades(), stdout: new(*os.File)}
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
	s.impls[implKey{id, name}] = reflect.ValueOf(p).Elem()
	for _, t := range s.types {
		t.err = implementsError(t.T)
	}
	s.mu.Unlock()
	s.newMethod(id, name)
}

var errorIface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func implementsError(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return false
	}
	return missingMethod(t, errorIface) == nil
}

// isCell reports whether values of the type are told apart by their box alone.
func isCell(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return check.Interpreted(t.Obj().Pkg())
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
