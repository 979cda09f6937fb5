package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"

	"gopherlo/interp/check"
)

// Table numbers the types that running cells need to know. It is shared with
// package rt, which finds a type by its number while other cells are lowered.
type Table struct {
	mu   sync.RWMutex
	ids  typeutil.Map
	list []types.Type
}

// ID is the number of a type; identical types have one number.
func (t *Table) ID(typ types.Type) int {
	t.mu.RLock()
	id, ok := t.ids.At(typ).(int)
	t.mu.RUnlock()
	if ok {
		return id
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.ids.At(typ).(int); ok { // meanwhile
		return id
	}
	id = len(t.list)
	t.ids.Set(typ, id)
	t.list = append(t.list, typ)
	return id
}

// Type is the type of a number.
func (t *Table) Type(id int) types.Type {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.list[id]
}

// Visit visits the numbered types.
func (t *Table) Visit(visit func(types.Type)) {
	t.mu.RLock()
	list := t.list
	t.mu.RUnlock()
	for _, typ := range list {
		visit(typ)
	}
}

// Len is the count of numbered types.
func (t *Table) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.list)
}

// Source gives the syntax and the type information of a package whose generic
// functions are lowered from source.
type Source interface {
	// Func finds a function or, with recv, a method.
	Func(pkgPath, recv, name string) (*ast.FuncDecl, *types.Info)
}

// Env is what lowering remembers from cell to cell.
type Env struct {
	Types *Table
	// Raw reports packages whose functions want values as they are in memory and
	// not boxed: those that look into them by reflection.
	Raw func(pkgPath string) bool
	// Reflects reports packages that look into values by reflection and want to
	// see the types that the cell declared.
	Reflects func(pkgPath string) bool
	// Ours reports packages of the kernel itself.
	Ours func(pkgPath string) bool
	// HasSymbol reports whether a native symbol exists.
	HasSymbol func(pkgPath, name string) bool
	// Variable makes a native variable known under VarsPath, as a pointer to it; it
	// reports whether it can.
	Variable func(pkgPath, name string) bool
	Sources  Source
	// FileName is the name, in places, of the cell or file of a number.
	FileName func(number int) string
	Ctxt     *types.Context

	// NoLines leaves out the marks that tell the line of a panic.
	NoLines bool
	// places are the positions that programs report by number, while others are
	// lowered.
	placesMu sync.RWMutex
	places   []Place

	imports map[string]string // path to alias
	done    map[string]bool   // keys of helpers, types, instances that are in yaegi
	names   map[string]string // key to emitted name
	seq     int
	// instances are those of the generic functions of cells, by Emit.
	instances map[string][]instance
	// dynamic are, by generic type, the instances whose methods running cells find
	// by name.
	dynamic map[*types.Named][]*types.Named
}

// NewEnv returns an environment for a new interpreter.
func NewEnv(ctxt *types.Context) *Env {
	return &Env{
		Types: &Table{}, Ctxt: ctxt,
		Raw: func(string) bool { return false }, Reflects: func(string) bool { return false }, Ours: func(string) bool { return false },
		HasSymbol: func(string, string) bool { return true },
		FileName:  func(n int) string { return fmt.Sprintf("cell-%d.go", n) },
		imports:   map[string]string{}, done: map[string]bool{}, names: map[string]string{},
		instances: map[string][]instance{}, dynamic: map[*types.Named][]*types.Named{},
	}
}

// Place is the position of a number.
func (e *Env) Place(number int) Place {
	e.placesMu.RLock()
	defer e.placesMu.RUnlock()
	return e.places[number]
}

// addPlace numbers a position.
func (e *Env) addPlace(p Place) (number int) {
	e.placesMu.Lock()
	defer e.placesMu.Unlock()
	e.places = append(e.places, p)
	return len(e.places) - 1
}

// Pos is a place in a cell.
type Pos struct {
	Cell, Line int
	Func       string // name of the function, for traces
	// Framed is the start of the body of a function that defers, which is a
	// function of its own in the lowered text.
	Framed bool
}

// Place is a range of a cell's text, as operations that are traced there carry
// it.
type Place struct {
	File, Func                 string
	Line, Col, EndLine, EndCol int
}

// Program is a lowered cell.
type Program struct {
	Text  string
	Lines []Pos // by line of Text, from index 1
	// Calls maps a function's name for traces and a lowered callee to the lines
	// where the one calls the other.
	Calls map[Call][]int
	// Structs are the struct types that the program needs in package cell.
	Structs []Struct
	// First is the mark of the cell's first statement, to be set before the
	// statements run; 0 when they set it themselves. Statements is how many there
	// are.
	First, Statements int
	// commit records what yaegi knows once the program has been compiled.
	commit func()
}

// Struct is a struct type of a cell under its lowered name.
type Struct struct {
	Name string
	Type types.Type
}

// Call is a pair of functions, by the caller's place and the callee's lowered
// name.
type Call struct {
	Cell           int
	Caller, Callee string
}

// Compiled tells the environment that yaegi has accepted the program.
func (p *Program) Compiled() { p.commit() }

// lowerer is the state of lowering one cell.
type lowerer struct {
	env  *Env
	res  *check.Result
	fset *token.FileSet

	globals []string // declarations at file level
	prelude []string // statements before the cell's own
	imports []string
	structs []Struct
	inits   []string        // calls of init functions
	first   int             // see Program.First
	begun   bool            // something that runs has been emitted
	fresh   map[string]bool // keys emitted by this cell
	freshIm map[string]string
	work    []func()
	// instances, and dynamic, are those that this cell is the first to have.
	instances []instance
	dynamic   []*types.Named

	info  *types.Info
	subst *substitution
	buf   *strings.Builder // text of the function being written
	fn    *fn
	uniq  int
	where Pos
	pos   token.Pos // of the statement being written
	// locals maps objects to their lowered names.
	locals map[types.Object]*local
	heap   map[types.Object]bool // variables that need memory of their own
	defers map[ast.Node]bool     // functions that defer
	jumps  []*jump
	gotos  map[string]bool // labels that a goto names
	// hoisted are the variables that hold operands of the statement that is being
	// emitted; checked tells that it has a check.
	hoisted map[ast.Expr]string
	checked bool
	// early are the variables that hold its calls; shared are local variables that
	// calls may change.
	early  map[ast.Expr]string
	shared map[types.Object]bool
	// lhsName is the variable that the value being written, lhsValue, is assigned
	// to; litParams the parameter names of the literals that variables hold.
	lhsName  string
	lhsValue ast.Expr
	// untitled is a literal whose name is told otherwise.
	untitled ast.Expr
	// place is one more than the number of the place reported last in the function
	// whose statements are emitted; 0 before the first.
	place     int
	calls     map[Call][]int
	litParams map[types.Object][]string
}

// local is a variable of a function.
type local struct {
	name string
	heap bool // name is a pointer to the variable
	typ  types.Type
}

// once runs emit when key is not yet known to yaegi nor emitted by this cell.
func (l *lowerer) once(key string, emit func()) {
	if l.env.done[key] || l.fresh[key] {
		return
	}
	l.fresh[key] = true
	emit()
}

// nilOf writes a nil of a type, a variable: where an operand of && or || has a
// conversion of nil, yaegi goes on with the operand that it should leave out.
func (l *lowerer) nilOf(typ string) string {
	key := "nil of " + typ
	name := l.name(key, "nil")
	l.once(key, func() { l.globals = append(l.globals, "var "+name+" "+typ+"\n") })
	return name
}

// name returns the one emitted name for key, made from a readable base.
func (l *lowerer) name(key, base string) string {
	if n, ok := l.env.names[key]; ok {
		return n
	}
	l.env.seq++
	n := fmt.Sprintf("%sː%d", identifier(base), l.env.seq)
	l.env.names[key] = n
	return n
}

// identifier makes a Go identifier of any text.
func identifier(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, s)
}

// pkg returns the alias under which a native package is imported.
func (l *lowerer) pkg(pkgPath string) string {
	if a, ok := l.env.imports[pkgPath]; ok {
		return a
	}
	if a, ok := l.freshIm[pkgPath]; ok {
		return a
	}
	a := "p_" + identifier(pkgPath)
	l.freshIm[pkgPath] = a
	l.imports = append(l.imports, fmt.Sprintf("import %s %q\n", a, importPath(pkgPath)))
	return a
}

func importPath(p string) string { return p }

func (l *lowerer) unique(base string) string {
	l.uniq++
	return fmt.Sprintf("%sː%d", base, l.uniq)
}
