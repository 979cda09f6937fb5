package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"
	"sync"
	"weak"
)

// Kind tells what a session name stands for.
type Kind int

// The kinds of names.
const (
	Var Kind = iota
	Func
	Type
	Const
	Import
)

func (k Kind) String() string {
	return [...]string{"var", "func", "type", "const", "import"}[k]
}

// Sym is one version of a name of the session.
type Sym struct {
	Name string
	Kind Kind
	Obj  types.Object // nil for imports
	Emit string       // its name in the lowered program
	Cell int          // the cell that declared it
	Path string       // import path, for imports
	Doc  string       // the comment of its declaration

	// Made tells, of a Func, the types of the function that it was made of.
	Made made

	Decl *FuncDecl     // functions
	Spec *ast.TypeSpec // types: the declaration, for identical redefinitions
	text string        // types: normalised source
	deps map[string]types.Object
}

// FuncDecl is a function or method with its checked body.
type FuncDecl struct {
	Name string
	// Recv is the origin of the receiver's named type, nil for functions.
	Recv *types.Named
	// Obj is the declared object, for methods the one that selections find.
	Obj *types.Func
	// Body is a plain function with the receiver, if any, as first parameter;
	// BodyObj is its object and Info what was found out about it.
	Body     *ast.FuncDecl
	BodyObj  *types.Func
	Info     *types.Info
	Emit     string
	Cell     int
	Doc      string // the comment of its declaration
	text     string
	start    token.Pos
	sigIdent *ast.Ident
	owner    *Package // nil for cells
	// Init tells that it is an init function, which runs with its cell.
	Init bool
	// Calls lists the functions of earlier cells that the body mentions.
	Calls []*Sym
}

// Generic reports whether the function has type parameters, its receiver's
// included.
func (f *FuncDecl) Generic() bool { return f.TypeParams().Len() > 0 }

// TypeParams are the type parameters that the body names: the function's, or those
// of the receiver.
func (f *FuncDecl) TypeParams() *types.TypeParamList {
	sig := f.BodyObj.Signature()
	if p := sig.RecvTypeParams(); p.Len() > 0 {
		return p
	}
	return sig.TypeParams()
}

// Plain is the signature of the body as a plain function: the receiver, if any, is
// the first parameter.
func (f *FuncDecl) Plain() *types.Signature {
	sig := f.BodyObj.Signature()
	if sig.Recv() == nil {
		return sig
	}
	params := []*types.Var{sig.Recv()}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// Late reports a function of a package from source, which is lowered where it is
// first used.
func (f *FuncDecl) Late() bool { return f.owner != nil && !f.Init }

// Owner is the package from source that has the function, nil for cells.
func (f *FuncDecl) Owner() *Package { return f.owner }

// Title is the function's name in traces: with its type, and its package where that
// is not the cells'.
func (f *FuncDecl) Title() string {
	name := f.Name
	if f.Recv != nil {
		name = f.Recv.Obj().Name() + "." + name
	}
	if f.owner != nil {
		return f.owner.Pkg.Name() + "." + name
	}
	return name
}

// Session is what go/types knows of earlier cells.
type Session struct {
	Fset *token.FileSet
	// Operators turns Array operators in cells on.
	Operators bool

	importer *hiddenImporter
	env      Env

	syms    map[string]*Sym
	byObj   map[types.Object]*Sym
	methods map[*types.Func]*FuncDecl // by origin object
	bodies  map[string]*FuncDecl      // by Emit, the version that is called
	counts  map[string]int            // versions used per emitted name
	typSyms map[*types.TypeName]*Sym
	ctxt    *types.Context
	// infos are what is known of the cells that somebody still looks at.
	infos []weak.Pointer[types.Info]
	// Known visits the types that are known outside of the session; nil for none.
	Known func(visit func(types.Type))
	// fields and gives tell what the Funcs in fields of structs, and those that
	// functions give, are made of, by the place of the declaration.
	fields, gives map[token.Pos]made

	// packages are those from source by path, failed those that were not right,
	// loading those that are being loaded, files the names of their files.
	// known are the paths of built-in packages.
	packages map[string]*Package
	known    map[string]bool
	failed   map[string]*failedPackage
	guessed  map[string]bool // modules whose versions no go.mod has chosen
	loading  []string
	filesMu  sync.RWMutex // cells that run ask for names of files
	files    []fileInfo

	// Loading, if any, is called before a package from source is loaded, with what
	// the cell imports that leads to it. An error ends the loading.
	Loading func(path string) error

	// dots are the packages whose names earlier cells have imported without a
	// package's name.
	dots []string

	// Inputs tells that the texts of cells are kept, for In.
	Inputs bool
	// outs are the types of the values that cells have shown, lastOuts the last
	// three of them.
	outs     map[int]types.Type
	lastOuts []int
}

// Env is what a session is told about packages and predeclared names.
type Env struct {
	// Preimported maps names to paths of packages that need no import.
	Preimported map[string]string
	// Packages lists all importable paths.
	Packages []string
	// Names are the names of packages whose paths do not say them.
	Names map[string]string
	// Predeclared maps names to package path and exported name.
	Predeclared map[string]Predeclared
	// Dir gives the folder in which packages from source are looked for; nil for none.
	Dir func() string
	// Doc gives the documentation of a package's symbol; nil for none.
	Doc func(pkg, symbol string) string
}

// Predeclared says what a predeclared name stands for.
type Predeclared struct{ Path, Name string }

// NewSession returns an empty session.
func NewSession(fset *token.FileSet, importer types.Importer, env Env) *Session {
	if env.Doc == nil {
		env.Doc = func(string, string) string { return "" }
	}
	s := &Session{
		Fset: fset, Operators: true, env: env,
		syms: map[string]*Sym{}, byObj: map[types.Object]*Sym{},
		methods: map[*types.Func]*FuncDecl{}, bodies: map[string]*FuncDecl{}, counts: map[string]int{},
		typSyms: map[*types.TypeName]*Sym{},
		ctxt:    types.NewContext(), fields: map[token.Pos]made{}, gives: map[token.Pos]made{}, outs: map[int]types.Type{},
		packages: map[string]*Package{}, known: map[string]bool{"unsafe": true}, failed: map[string]*failedPackage{}, guessed: map[string]bool{},
	}
	for _, p := range env.Packages {
		s.known[p] = true
	}
	s.importer = &hiddenImporter{Importer: importer, s: s}
	return s
}

// Context is the session's table of instantiated types; it may change from cell to
// cell.
func (s *Session) Context() *types.Context { return s.ctxt }

// Importer gives the packages that cells may import.
func (s *Session) Importer() types.Importer { return s.importer }

// Names lists the session's names in order.
func (s *Session) Names() []*Sym {
	list := make([]*Sym, 0, len(s.syms))
	for _, sym := range s.syms {
		list = append(list, sym)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Lookup finds the current version of a name.
func (s *Session) Lookup(name string) *Sym { return s.syms[name] }

// Describe says what a name is: its type, value or path.
func (s *Session) Describe(sym *Sym) string {
	if sym.Obj == nil {
		return strconv.Quote(sym.Path)
	}
	qual := s.qualifier(nil)
	switch obj := sym.Obj.(type) {
	case *types.Const:
		return types.TypeString(obj.Type(), qual) + " = " + obj.Val().String()
	case *types.TypeName:
		return types.TypeString(obj.Type().Underlying(), qual)
	}
	return ownRE.ReplaceAllString(types.TypeString(sym.Obj.Type(), qual), "")
}

// Source is the function's text.
func (f *FuncDecl) Source() string { return f.text }

// Source is the text of a function or type that a cell has declared, "" for
// other names.
func (s *Session) Source(sym *Sym) string {
	switch {
	case sym == nil:
		return ""
	case sym.Decl != nil:
		return sym.Decl.text
	}
	return sym.text
}

// Forget removes a name; a predeclared or package name that it shadowed comes
// back.
func (s *Session) Forget(name string) bool {
	_, ok := s.syms[name]
	delete(s.syms, name)
	return ok
}

// SymOf finds the symbol of an object of any cell.
func (s *Session) SymOf(obj types.Object) *Sym { return s.byObj[obj] }

// Method finds the declaration of a method of a cell type by its object.
func (s *Session) Method(m *types.Func) *FuncDecl { return s.methods[m.Origin()] }

// pkgName names the package of one cell, so that messages tell versions of a
// type apart; see cleanMessage.
func pkgName(cell int) string { return "cell‹" + strconv.Itoa(cell) + "›" }

// fresh returns a lowered name for a new version of a name.
func (s *Session) fresh(prefix, name string) string {
	key := prefix + name
	n := s.counts[key]
	s.counts[key]++
	if n == 0 {
		return key
	}
	return key + "ǃ" + strconv.Itoa(n+1)
}

// preimport finds the package that a name stands for when nothing else does:
// one that needs no import, or the known package of that base name which has
// all the members that the cell selects from it.
func (s *Session) preimport(name string, members []string) string {
	if p, ok := s.env.Preimported[name]; ok {
		return p
	}
	var best string
	for _, p := range s.env.Packages {
		if s.packageName(p) != name || !s.hasAll(p, members) {
			continue
		}
		if best == "" || preferred(p, best) {
			best = p
		}
	}
	return best
}

func (s *Session) hasAll(path string, members []string) bool {
	p, err := s.importer.Import(path)
	if err != nil {
		return false
	}
	for _, m := range members {
		if o := p.Scope().Lookup(m); o == nil || !o.Exported() {
			return false
		}
	}
	return true
}

// preferred reports whether package a is likelier meant than b: the shorter
// path, and of equal base names text/template before html/template.
func preferred(a, b string) bool {
	if rank(a) != rank(b) {
		return rank(a) > rank(b)
	}
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a > b
}

func rank(path string) int {
	switch path {
	case "math/rand", "text/template", "math/rand/v2":
		return 1
	}
	return 0
}

// packageName is the name of a package.
func (s *Session) packageName(path string) string {
	if name, ok := s.env.Names[path]; ok {
		return name
	}
	if p := s.FromSource(path); p != nil {
		return p.Pkg.Name()
	}
	return baseName(path)
}

// baseName is the name by which a package is imported, "rand" for
// math/rand/v2.
func baseName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && last[1] >= '0' && last[1] <= '9' {
		return parts[len(parts)-2]
	}
	return last
}
