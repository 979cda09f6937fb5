package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/interp/modules"
)

// Package is one that is interpreted from its source. Its init functions and its
// variables are lowered with it, its other functions where they are first used.
type Package struct {
	Path string
	Pkg  *types.Package
	Info *types.Info
	// Vars are its variables.
	Vars []*Sym
	// Deps are the packages of this kind that it imports.
	Deps []*Package
	// Ready tells that it has been declared and its variables have been given their
	// values, Folder where it is, Note what the user should know of that. What runs
	// cells sets Ready and Making.
	Ready  bool
	Making chan struct{} // closed when the cell that makes it ready has ended
	Folder modules.Folder
	Note   string
	told   bool // that its files have changed

	s      *Session
	inits  []*FuncDecl
	files  []sourceFile
	stamps stamps
	lacks  bool // something that it imports was not there or not right
}

// sourceFile is a parsed file.
type sourceFile struct {
	ast    *ast.File
	number int // see FileBase
}

// FileBase is the number of the first file of a package from source. Places have it
// where those of cells have the number of the cell.
const FileBase = 1_000_000

// addFile numbers a file by the name that places show.
func (s *Session) addFile(f fileInfo) (number int) {
	s.filesMu.Lock()
	defer s.filesMu.Unlock()
	for i, have := range s.files {
		if have.name == f.name {
			s.files[i] = f
			return FileBase + i
		}
	}
	s.files = append(s.files, f)
	return FileBase + len(s.files) - 1
}

// fileInfo is what is known of a file of a package.
type fileInfo struct {
	name  string // as places show it
	build string // see BuildPath
	text  string
}

func (s *Session) file(number int) fileInfo {
	s.filesMu.RLock()
	defer s.filesMu.RUnlock()
	if i := number - FileBase; i >= 0 && i < len(s.files) {
		return s.files[i]
	}
	return fileInfo{}
}

// FileText is the text of a file of a package by the name that places have, as it was
// when the package was loaded.
func (s *Session) FileText(name string) (string, bool) {
	s.filesMu.RLock()
	defer s.filesMu.RUnlock()
	for _, f := range s.files {
		if f.name == name {
			return f.text, true
		}
	}
	return "", false
}

// BuildPath is what `gopherlo build --with` calls the package that has the file of a
// number.
func (s *Session) BuildPath(number int) string { return s.file(number).build }

// BuildPath is what `gopherlo build --with` calls the package: a folder, or a path with
// the version that is interpreted.
func (p *Package) BuildPath() string {
	if v := p.Folder.Root.Version; v != "" {
		return p.Path + "@" + v
	}
	dir := p.shown("")
	if filepath.IsAbs(dir) || strings.HasPrefix(dir, ".") {
		return dir
	}
	return "./" + dir
}

// FileName names what a place is in: a file of a package, or cell-N.go.
func (s *Session) FileName(number int) string {
	if f := s.file(number); f.name != "" {
		return f.name
	}
	return "cell-" + strconv.Itoa(number) + ".go"
}

// Loaded finds a package from source that has been loaded, nil for none.
func (s *Session) Loaded(path string) *Package { return s.packages[path] }

// Doc is the package's documentation.
func (p *Package) Doc() string {
	if p == nil {
		return ""
	}
	for _, f := range p.files {
		if text := docText(f.ast.Doc); text != "" {
			return text
		}
	}
	return ""
}

// PackageOf finds the loaded package of a types.Package, nil for compiled ones.
func (s *Session) PackageOf(pkg *types.Package) *Package {
	if p := s.packages[pkg.Path()]; p != nil && p.Pkg == pkg {
		return p
	}
	return nil
}

// Packages lists the packages from source that must be made ready before the cell
// runs, in the order in which they depend on each other.
func (r *Result) Packages() (list []*Package) {
	seen := map[*Package]bool{}
	var add func(p *Package)
	add = func(p *Package) {
		if p == nil || seen[p] || p.Ready {
			return
		}
		seen[p] = true
		for _, d := range p.Deps {
			add(d)
		}
		list = append(list, p)
	}
	if len(r.s.packages) > 0 {
		for _, pkg := range r.Pkg.Imports() {
			add(r.s.PackageOf(pkg))
		}
	}
	return list
}

// Forget drops a package that has not become ready: the next import loads it again.
func (p *Package) Forget() { delete(p.s.packages, p.Path) }

// Result is the package as a cell that declares what it declares, and whose
// statements give its variables their values in Go's order.
func (p *Package) Result() *Result {
	r := &Result{
		Cell: &cell.Cell{N: p.files[0].number}, Pkg: p.Pkg, Info: p.Info, Funcs: p.inits,
		vars: map[int][]*Sym{}, aliases: map[types.Object]*Sym{}, s: p.s, abandon: func() {}, fixed: p.Vars,
	}
	for _, in := range p.Info.InitOrder {
		st := &ast.AssignStmt{Tok: token.ASSIGN, TokPos: in.Rhs.Pos(), Rhs: []ast.Expr{in.Rhs}}
		for _, v := range in.Lhs {
			id := &ast.Ident{NamePos: v.Pos(), Name: v.Name()}
			if v.Name() != "_" {
				p.Info.Uses[id] = v
				p.Info.Types[id] = types.TypeAndValue{Type: v.Type()}
			}
			st.Lhs = append(st.Lhs, id)
		}
		r.Stmts = append(r.Stmts, st)
	}
	return r
}

// FileOf is the number of the file that has a position, 0 for none.
func (p *Package) FileOf(pos token.Pos) int {
	for _, f := range p.files {
		if f.ast.FileStart <= pos && pos <= f.ast.FileEnd {
			return f.number
		}
	}
	return 0
}

// text is that of a node.
func (p *Package) text(n ast.Node) string {
	f := p.s.Fset.File(n.Pos())
	return p.s.file(p.FileOf(n.Pos())).text[f.Offset(n.Pos()):f.Offset(n.End())]
}

// symbols enters what the package declares under names that no cell has.
func (p *Package) symbols() {
	for _, f := range p.files {
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				p.function(d, f.number)
			case *ast.GenDecl:
				for _, sp := range d.Specs {
					p.spec(d, sp, f.number)
				}
			}
		}
	}
}

// fresh is a lowered name for a declaration.
func (p *Package) fresh(prefix, name string) string {
	return p.s.fresh(prefix, p.Pkg.Name()+"ǀ"+name)
}

func (p *Package) function(d *ast.FuncDecl, file int) {
	obj, ok := p.Info.Defs[d.Name].(*types.Func)
	if !ok || d.Name.Name == "_" {
		return
	}
	fd := &FuncDecl{
		Name: d.Name.Name, Obj: obj, Body: d, BodyObj: obj, Info: p.Info, Cell: file, Doc: docText(d.Doc),
		Init: d.Recv == nil && d.Name.Name == "init", owner: p,
	}
	fd.text = p.text(d)
	if d.Recv != nil {
		fd.Recv = namedOf(obj.Signature().Recv().Type())
		fd.Emit = p.fresh("m_", fd.Recv.Obj().Name()+"_"+fd.Name)
		p.s.methods[obj] = fd
		return
	}
	fd.Emit = p.fresh("f_", fd.Name)
	if fd.Init {
		p.inits = append(p.inits, fd)
	} else {
		p.s.byObj[obj] = &Sym{Name: fd.Name, Kind: Func, Obj: obj, Emit: fd.Emit, Cell: file, Doc: fd.Doc, Decl: fd}
	}
}

func (p *Package) spec(d *ast.GenDecl, sp ast.Spec, file int) {
	doc := func(own *ast.CommentGroup) string {
		if own == nil && !d.Lparen.IsValid() {
			own = d.Doc
		}
		return docText(own)
	}
	switch sp := sp.(type) {
	case *ast.TypeSpec:
		obj, ok := p.Info.Defs[sp.Name].(*types.TypeName)
		if !ok || sp.Name.Name == "_" {
			return
		}
		sym := &Sym{Name: sp.Name.Name, Kind: Type, Obj: obj, Emit: p.fresh("t_", sp.Name.Name), Cell: file, Doc: doc(sp.Doc), text: "type " + p.text(sp)}
		p.s.byObj[obj], p.s.typSyms[obj] = sym, sym
	case *ast.ValueSpec:
		for _, id := range sp.Names {
			obj := p.Info.Defs[id]
			if obj == nil || id.Name == "_" {
				continue
			}
			sym := &Sym{Name: id.Name, Kind: kindOf(obj), Obj: obj, Cell: file, Doc: doc(sp.Doc)}
			if sym.Kind == Var {
				sym.Emit = p.fresh("v_", id.Name)
				p.Vars = append(p.Vars, sym)
			}
			p.s.byObj[obj] = sym
		}
	}
}

func docText(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	return strings.TrimSpace(g.Text())
}
