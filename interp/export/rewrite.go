package export

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// rewriter turns a checked tree into the program's: identifiers become the
// program's names, functions that go to our own packages carry the names that
// they have in the cell.
type rewriter struct {
	x     *exporter
	p     *piece
	named map[ast.Expr]namedFunc
	// versions stand for generic functions whose value depends on the cell.
	versions map[ast.Expr]ast.Expr
}

// namedFunc are a function's name and those of its parameters in the cell, and
// the function of the package pkg that notes them.
type namedFunc struct {
	pkg    string
	fun    string
	name   string
	params []string
}

func newRewriter(x *exporter, p *piece) *rewriter {
	return &rewriter{x: x, p: p, named: map[ast.Expr]namedFunc{}, versions: map[ast.Expr]ast.Expr{}}
}

// node rewrites a tree and gives it back.
func (r *rewriter) node(n ast.Node) ast.Node {
	(&nameFinder{r: r, plain: map[ast.Expr]bool{}}).walk(n)
	r.versionValues(n)
	return astutil.Apply(n, nil, r.post)
}

func (r *rewriter) post(c *astutil.Cursor) bool {
	e, isExpr := c.Node().(ast.Expr)
	if id, ok := e.(*ast.Ident); ok && r.versions[e] == nil {
		r.ident(c, id)
	}
	if now := r.versions[e]; isExpr && now != nil {
		nf, named := r.named[e]
		delete(r.named, e)
		delete(r.versions, e)
		if named {
			now = r.call(now, nf)
		}
		c.Replace(now)
		return true
	}
	if e, ok := c.Node().(ast.Expr); ok {
		orig := e
		if nf, ok := r.named[orig]; ok {
			delete(r.named, orig)
			c.Replace(r.call(orig, nf))
		}
	}
	return true
}

// ident gives an identifier the program's name.
func (r *rewriter) ident(c *astutil.Cursor, id *ast.Ident) {
	if _, ok := c.Parent().(*ast.SelectorExpr); ok && c.Name() == "Sel" {
		return
	}
	info := r.p.res.Info
	obj := info.Uses[id]
	if obj == nil {
		obj = info.Defs[id]
	}
	if obj == nil || isField(obj) {
		return
	}
	if pkg, ok := obj.(*types.PkgName); ok {
		id.Name = r.x.names.pkg(pkg.Imported())
		return
	}
	if tn, ok := obj.(*types.TypeName); ok && strings.HasPrefix(tn.Name(), "‹") {
		r.replace(c, id, r.typeExpr(tn.Type(), id.Pos()))
		return
	}
	if sym := r.p.res.Sym(obj); sym != nil {
		if sym.Emit == "" && sym.Path != "" { // a predeclared name
			r.replace(c, id, r.selector(sym.Path, sym.Name, id.Pos()))
			return
		}
		if pkg := sym.Obj.Pkg(); pkg != nil && pkg.Path() != mainPath { // a dot import of a package from source
			r.replace(c, id, r.selector(pkg.Path(), sym.Name, id.Pos()))
			return
		}
		id.Name = r.x.names.sym(sym)
		return
	}
	if pkg := obj.Pkg(); pkg != nil && pkg.Path() != mainPath && obj.Parent() == pkg.Scope() { // a dot import
		r.replace(c, id, r.selector(pkg.Path(), obj.Name(), id.Pos()))
	}
}

// replace puts an expression in an identifier's place; what is known of the
// identifier is so of the expression.
func (r *rewriter) replace(c *astutil.Cursor, id *ast.Ident, e ast.Expr) {
	if nf, ok := r.named[id]; ok {
		delete(r.named, id)
		e = r.call(e, nf)
	}
	c.Replace(e)
}

func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

// selector is a name of a package.
func (r *rewriter) selector(path, name string, pos token.Pos) ast.Expr {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if pkg, err := r.x.session.Importer().Import(path); err == nil {
		base = pkg.Name()
	}
	return &ast.SelectorExpr{
		X:   &ast.Ident{NamePos: pos, Name: r.x.names.importName(path, base)},
		Sel: &ast.Ident{NamePos: pos, Name: name},
	}
}

// typeExpr is a type as an expression. Its text is that of one identifier: the
// printer writes it as it is.
func (r *rewriter) typeExpr(t types.Type, pos token.Pos) ast.Expr {
	return &ast.Ident{NamePos: pos, Name: r.x.names.typ(r.p, t)}
}

// call is jax.Named(f, "f", "x"), or cells.Fn.
func (r *rewriter) call(f ast.Expr, nf namedFunc) ast.Expr {
	pos := f.Pos()
	args := []ast.Expr{f, &ast.BasicLit{ValuePos: f.End(), Kind: token.STRING, Value: strconv.Quote(nf.name)}}
	for _, p := range nf.params {
		args = append(args, &ast.BasicLit{ValuePos: f.End(), Kind: token.STRING, Value: strconv.Quote(p)})
	}
	return &ast.CallExpr{Fun: r.selector(nf.pkg, nf.fun, pos), Lparen: pos, Args: args, Rparen: f.End()}
}
