package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gopherlo/interp/cell"
)

// Result is a checked cell.
type Result struct {
	Cell *cell.Cell
	Pkg  *types.Package
	Info *types.Info
	// Stmts are the statements that run, in order: those of the cell but for
	// declarations of types and constants.
	Stmts []ast.Stmt
	// Tail is the expression whose value is shown, or nil.
	Tail  ast.Expr
	Funcs []*FuncDecl
	Types []*Sym
	// vars are the variables by the statement (index in Stmts) that declares them.
	vars   map[int][]*Sym
	fixed  []*Sym // the variables of a package, which are there from the start
	others []*Sym // functions, types, constants, imports
	Notes  []string

	aliases map[types.Object]*Sym
	named   []*Sym // of earlier cells that the cell names
	s       *Session

	abandon func()

	declared bool // others and Funcs have been entered
	entered  int  // statements whose variables have been
}

// Diagnostic is one mistake found by go/types.
type Diagnostic struct {
	cell.Error
	Hint string // "did you mean …?"
	// More is how many mistakes an entry without a line stands for.
	More int
}

// checker is the state of one check.
type checker struct {
	s    *Session
	c    *cell.Cell
	pkg  *types.Package
	info *types.Info
	res  *Result

	declared map[string]bool // names declared at the cell's top level
	varNames map[string]bool // those that are variables
	funcs    []*FuncDecl
	late     map[*FuncDecl]bool
	// plain are the signatures that methods of generic types have got.
	plain map[*types.Func]*types.Signature
	kept  map[string]*Sym // types declared again as they were
	errs  []types.Error
	// parts are the further lines of mistakes, last is the mistake told last.
	parts    map[mistake][]string
	last     *mistake
	own      []Diagnostic
	mistakes []Diagnostic // of the first round, which later ones do not see
	undo     []func()

	// hidden are packages that rewritten code imports, types its names for
	// types, made what variables that hold a Func were made of.
	hidden map[string]bool
	types  map[string]types.Type
	made   map[types.Object]made
	// fields and gives tell the same of fields and of what functions give, by
	// the place of their declaration.
	fields, gives map[token.Pos]made
	// rewritten are the expressions that have been put in the place of others.
	rewritten []rewritten
	notes     []string
	// loose tells that the cell is only looked at, see Look.
	loose bool
}

// mistake is a mistake that go/types has told.
type mistake struct {
	pos token.Pos
	msg string
}

const (
	oldMark  = "ǃold" // a valid name, so that go/types says when it is undefined
	bodyMark = "‹body›"
	tempMark = "‹temp›"
)

// maxRounds bounds the rounds of rewriting; each but the last has changed the
// cell, and a chain of definitions takes one.
const maxRounds = 12

// Check checks a cell. When there are diagnostics the session is as before.
func (s *Session) Check(c *cell.Cell) (*Result, []Diagnostic) {
	k := &checker{s: s, c: c, hidden: map[string]bool{}, types: map[string]types.Type{}, plain: map[*types.Func]*types.Signature{}}
	done := false
	defer func() {
		if !done { // mistakes, or a fault of go/types or ours that goes on as a panic
			k.takeBack()
		}
	}()
	for round := range maxRounds {
		k.begin()
		k.run(round == 0)
		if round < maxRounds-1 && !k.rewrite() {
			break
		}
	}
	if diags := k.diagnostics(); len(diags) > 0 {
		return nil, diags
	}
	k.warnComments()
	k.warnWholeDivision()
	k.warnUncalled()
	k.warnUnused()
	k.finish()
	done = true
	k.res.abandon = k.takeBack
	return k.res, nil
}

// takeBack undoes what the check has changed of types of earlier cells.
func (k *checker) takeBack() {
	for i := len(k.undo) - 1; i >= 0; i-- {
		k.undo[i]()
	}
	k.undo = nil
}

// Abandon gives up a checked cell that cannot be run: the session is as before
// it.
func (r *Result) Abandon() { r.abandon() }

// NewInfo has room for all that lowering wants to know of a package.
func NewInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
}

// begin prepares a round.
func (k *checker) begin() {
	k.pkg = types.NewPackage(mainPath, pkgName(k.c.N))
	k.info = NewInfo()
	if k.loose {
		k.info.Scopes = map[ast.Node]*types.Scope{}
	}
	k.remember()
	k.declared, k.varNames = map[string]bool{}, map[string]bool{}
	k.late, k.kept = map[*FuncDecl]bool{}, map[string]*Sym{}
	k.made = map[types.Object]made{}
	k.funcs, k.errs, k.own = nil, nil, nil
	k.parts, k.last = map[mistake][]string{}, nil
	k.res = &Result{
		Cell: k.c, Pkg: k.pkg, Info: k.info, vars: map[int][]*Sym{},
		aliases: map[types.Object]*Sym{}, s: k.s,
	}
}

// note adds a remark about the cell, once.
func (k *checker) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(k.notes, text) {
		k.notes = append(k.notes, text)
	}
}

// run is one round; the first also resolves names.
func (k *checker) run(first bool) {
	k.collectNames()
	k.keepIdenticalTypes()
	if first {
		if !k.loose {
			k.reload()
		}
		k.recall()
		k.renameOld()
		k.chooseTagForm()
		k.addJitOptions()
	}
	decls := k.statements()
	imports := k.imports()
	k.insertSession()

	conf := &types.Config{
		GoVersion: "go1.26", Importer: k.s.importer, Context: k.s.ctxt,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			te, ok := err.(types.Error)
			tolerated := te.Soft && softRE.MatchString(te.Msg) || branchRE.MatchString(te.Msg)
			switch part, isPart := strings.CutPrefix(te.Msg, "\t"); {
			case !ok || tolerated:
				k.last = nil
			case !isPart:
				k.errs = append(k.errs, te)
				k.last = &mistake{te.Pos, te.Msg}
			case k.last != nil:
				if part = k.atLine(part, te.Pos); !slices.Contains(k.parts[*k.last], part) {
					k.parts[*k.last] = append(k.parts[*k.last], part)
				}
			}
		},
	}
	fset := k.s.Fset
	if k.loose {
		fset, conf.Context = k.c.FileSet(), types.NewContext()
	}
	ch := types.NewChecker(conf, fset, k.pkg, k.info)
	_ = ch.Files([]*ast.File{k.file(append(append([]ast.Decl{}, imports...), decls.early...))})
	if !k.loose && k.addLateMethods() {
		conf.Context = k.s.ctxt // instances of before lack methods
		ch = types.NewChecker(conf, fset, k.pkg, k.info)
	}
	_ = ch.Files([]*ast.File{k.file(append(append([]ast.Decl{}, k.imports()...), decls.late...))})
}

func (k *checker) file(decls []ast.Decl) *ast.File {
	pos := token.NoPos
	return &ast.File{Package: pos, Name: &ast.Ident{Name: pkgName(k.c.N)}, Decls: decls}
}

// collectNames finds what the cell declares at its top level.
func (k *checker) collectNames() {
	for _, f := range k.c.Funcs {
		if f.Recv == nil && f.Name.Name != "_" {
			k.declared[f.Name.Name] = true
		}
	}
	for _, st := range k.c.Stmts {
		for _, id := range declaredIdents(st) {
			k.declared[id.Name] = true
			if _, isDecl := st.(*ast.DeclStmt); !isDecl || st.(*ast.DeclStmt).Decl.(*ast.GenDecl).Tok == token.VAR {
				k.varNames[id.Name] = true
			}
		}
	}
	for _, sp := range k.c.Imports {
		k.declared[k.importName(sp)] = true
	}
}

// declaredIdents lists the names that a top-level statement declares.
func declaredIdents(st ast.Stmt) []*ast.Ident {
	var ids []*ast.Ident
	add := func(id *ast.Ident) {
		if id.Name != "_" {
			ids = append(ids, id)
		}
	}
	switch st := st.(type) {
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE {
			for _, l := range st.Lhs {
				if id, ok := l.(*ast.Ident); ok && isNew(id, st) {
					add(id)
				}
			}
		}
	case *ast.DeclStmt:
		for _, sp := range st.Decl.(*ast.GenDecl).Specs {
			switch sp := sp.(type) {
			case *ast.ValueSpec:
				for _, id := range sp.Names {
					add(id)
				}
			case *ast.TypeSpec:
				add(sp.Name)
			}
		}
	}
	return ids
}

// isNew reports whether id, on the left of the := statement st, declares a
// variable there; go/parser has resolved it.
func isNew(id *ast.Ident, st *ast.AssignStmt) bool {
	return id.Obj != nil && id.Obj.Decl == st
}

// renameOld marks the uses of a name that stand before its declaration in the
// cell: they mean the version of an earlier cell. go/parser's resolver has
// bound all other uses.
func (k *checker) renameOld() {
	specs := k.packageVars()
	for _, id := range k.c.Free {
		if k.varNames[id.Name] && !k.ownCycle(id, specs) {
			id.Name += oldMark
		}
	}
	for _, sp := range k.c.Imports { // a function never means a variable that stands beside an import of the name
		if name := k.importName(sp); k.varNames[name] {
			for _, f := range k.c.Funcs {
				markFree(f, name)
			}
		}
	}
}

// markFree marks the uses of a name in a function that mean none of its own.
func markFree(f *ast.FuncDecl, name string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == name && id.Obj == nil {
				id.Name += oldMark
			}
		}
		return true
	})
}

// TagForm ends the name of a predeclared function in the form that takes
// attributes alone and gives a decorator.
const TagForm = "‹tag›"

// chooseTagForm tells xla_metadata_call(attrs{…})(fn) from
// xla_metadata_call(fn, attrs{…}).
func (k *checker) chooseTagForm() {
	visit := func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		id, ok := call.Fun.(*ast.Ident)
		if !ok || id.Obj != nil || k.declared[id.Name] || k.s.syms[id.Name] != nil {
			return true
		}
		if _, ok := k.s.env.Predeclared[id.Name+TagForm]; ok && (len(call.Args) == 1 || k.isAttrs(call.Args[0])) {
			id.Name += TagForm
		}
		return true
	}
	for _, f := range k.c.Funcs {
		ast.Inspect(f, visit)
	}
	for _, st := range k.c.Stmts {
		ast.Inspect(st, visit)
	}
}

// isAttrs reports an expression that is a literal of attributes, or a variable
// that holds some.
func (k *checker) isAttrs(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		switch t := e.Type.(type) {
		case *ast.Ident:
			return t.Name == "attrs"
		case *ast.SelectorExpr:
			return t.Sel.Name == "Attrs"
		}
	case *ast.Ident:
		if e.Obj != nil {
			if as, ok := e.Obj.Decl.(*ast.AssignStmt); ok && len(as.Lhs) == len(as.Rhs) {
				for i, l := range as.Lhs {
					if id, ok := l.(*ast.Ident); ok && id.Obj == e.Obj {
						return k.isAttrs(as.Rhs[i])
					}
				}
			}
			return false
		}
		if sym := k.s.syms[e.Name]; sym != nil && sym.Kind == Var {
			n, ok := types.Unalias(sym.Obj.Type()).(*types.Named)
			return ok && n.Obj().Name() == "Attrs"
		}
	}
	return false
}

// insertSession puts the objects of earlier cells that the cell names, and the
// predeclared names, into the package scope.
func (k *checker) insertSession() {
	for name := range k.mentioned() {
		if k.declared[name] && k.kept[name] == nil {
			continue
		}
		if obj := k.resolve(name); obj != nil {
			k.pkg.Scope().Insert(obj)
		}
	}
	for name, t := range k.types {
		k.pkg.Scope().Insert(types.NewTypeName(token.NoPos, k.pkg, name, t))
	}
}

// resolve finds the object for a name that the cell does not declare.
func (k *checker) resolve(name string) types.Object {
	plain, old := strings.CutSuffix(name, oldMark)
	if base, tag := strings.CutSuffix(plain, TagForm); tag && k.s.syms[base] != nil {
		return nil
	}
	if sym := k.s.syms[plain]; sym != nil {
		if sym.Obj == nil {
			return nil // an import, see imports
		}
		k.res.named = append(k.res.named, sym)
		if !old {
			return sym.Obj
		}
		alias := aliasOf(sym.Obj, name)
		k.res.aliases[alias] = sym
		return alias
	}
	pre, ok := k.s.env.Predeclared[plain]
	for i := len(k.s.dots) - 1; i >= 0 && !old; i-- {
		if p, err := k.s.importer.Import(k.s.dots[i]); err == nil && ast.IsExported(plain) && p.Scope().Lookup(plain) != nil {
			pre, ok = Predeclared{k.s.dots[i], plain}, true
			break
		}
	}
	if !ok {
		return nil
	}
	pkg, err := k.s.importer.Import(pre.Path)
	if err != nil {
		return nil
	}
	if obj := pkg.Scope().Lookup(pre.Name); obj != nil {
		alias := aliasOf(obj, name)
		k.res.aliases[alias] = &Sym{Name: pre.Name, Obj: obj, Path: pre.Path, Kind: kindOf(obj)}
		if sym := k.s.byObj[obj]; sym != nil { // of a package from source
			k.res.aliases[alias] = sym
		}
		return alias
	}
	return nil
}

func kindOf(obj types.Object) Kind {
	switch obj.(type) {
	case *types.Func:
		return Func
	case *types.TypeName:
		return Type
	case *types.Const:
		return Const
	}
	return Var
}

// aliasOf makes an object like obj under another name.
func aliasOf(obj types.Object, name string) types.Object {
	switch obj := obj.(type) {
	case *types.Var:
		return types.NewVar(token.NoPos, obj.Pkg(), name, obj.Type())
	case *types.Func:
		return types.NewFunc(token.NoPos, obj.Pkg(), name, obj.Type().(*types.Signature))
	case *types.Const:
		return types.NewConst(token.NoPos, obj.Pkg(), name, obj.Type(), obj.Val())
	case *types.TypeName:
		return types.NewTypeName(token.NoPos, obj.Pkg(), name, obj.Type())
	}
	return nil
}

// mentioned lists all identifiers of the cell that may refer to the session.
func (k *checker) mentioned() map[string]bool {
	names := map[string]bool{}
	visit := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				ast.Inspect(n.X, func(m ast.Node) bool {
					if id, ok := m.(*ast.Ident); ok {
						names[id.Name] = true
					}
					return true
				})
				return true
			case *ast.Ident:
				names[n.Name] = true
			}
			return true
		})
	}
	for _, f := range k.c.Funcs {
		visit(f)
	}
	for _, st := range k.c.Stmts {
		visit(st)
	}
	return names
}
