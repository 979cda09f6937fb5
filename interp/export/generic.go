package export

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"gopherlo/interp/check"
)

// versions are those of a generic function, or of a method of a generic type, that
// is declared again with the same signature. No variable can hold a generic
// function, so each version is a function of its own, one more gives the version of
// the last cell, and the function that others call calls that.
type versions struct {
	current  string // the variable that numbers the version
	now      string // the function that gives it
	list     []string
	declared int
}

// versionsOf are the versions of a function that is declared several times, nil for
// others.
func (x *exporter) versionsOf(fd *check.FuncDecl, base string) *versions {
	n := x.names.times[fd.Emit]
	if n < 2 || !fd.Generic() {
		return nil
	}
	v := x.generics[fd.Emit]
	if v == nil {
		v = &versions{current: x.names.plain(base + "Version"), now: x.names.plain(base + "Now")}
		for range n {
			v.list = append(v.list, x.names.fresh(base))
		}
		x.generics[fd.Emit] = v
	}
	return v
}

// generic writes a version of a generic function; sets is the statement that makes
// it the current one.
func (b *cellBody) generic(p *piece, fd *check.FuncDecl, v *versions, from token.Pos) (sets string) {
	p.rw.node(fd.Body)
	fd.Body.Name.Name = v.list[v.declared]
	if fd.Recv != nil {
		onLine(fd.Body.Type.TypeParams, fd.Body.Name.End())
	}
	b.write(p, fd.Body, from)
	if v.declared++; v.declared == 1 {
		b.global("version "+fd.Emit, v.current, "int")
		b.x.out.write(p.texts.current(fd.Body, v))
		return ""
	}
	return fmt.Sprintf("\t%s = %d\n", v.current, v.declared-1)
}

// onLine puts type parameters, which stand where the type is declared, on the line of
// a place.
func onLine(l *ast.FieldList, pos token.Pos) {
	l.Opening, l.Closing = pos, pos
	ast.Inspect(l, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			id.NamePos = pos
		}
		return true
	})
}

// current is the function that gives the current version.
func (t *texts) current(f *ast.FuncDecl, v *versions) string {
	args := typeArgs(f)
	params, _ := t.typeParams(f)
	typ, _ := t.print(&ast.FuncType{Params: f.Type.Params, Results: f.Type.Results})
	var cases strings.Builder
	for i, name := range v.list[1:] {
		fmt.Fprintf(&cases, "case %d:\nreturn %s%s\n", i+1, name, args)
	}
	return formatted(fmt.Sprintf("// %s is the version that the last cell has declared.\nfunc %s%s() %s {\nswitch %s {\n%s}\nreturn %s%s\n}\n\n", v.now, v.now, params, typ, v.current, cases.String(), v.list[0], args))
}

// caller is the function or method that others call.
func (t *texts) caller(f *ast.FuncDecl, name string, recv *ast.FieldList, v *versions) string {
	params := f.Type.Params.List
	head := "func " + name
	if typ, _ := t.typeParams(f); recv == nil {
		head += typ
	}
	var decl, args []string
	for i, field := range params {
		typ, _ := t.print(field.Type)
		for range max(1, len(field.Names)) {
			arg := "a" + strconv.Itoa(len(args))
			if i == 0 && recv != nil {
				head = "func (" + arg + " " + typ + ") " + name
			} else {
				decl = append(decl, arg+" "+typ)
			}
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	results, ret := t.returns(f)
	return formatted(fmt.Sprintf("%s(%s)%s {\n\t%s%s%s()(%s)\n}\n\n", head, strings.Join(decl, ", "), results, ret, v.now, typeArgs(f), strings.Join(args, ", ")))
}

// typeParams is the list of type parameters as it is declared.
func (t *texts) typeParams(f *ast.FuncDecl) (string, bool) {
	text, ok := t.print(&ast.FuncDecl{Name: ast.NewIdent("f"), Type: &ast.FuncType{TypeParams: f.Type.TypeParams, Params: &ast.FieldList{}}})
	return strings.TrimSuffix(strings.TrimPrefix(text, "func f"), "()"), ok
}

// typeArgs are the type parameters of a function as type arguments. Those without a
// name get one.
func typeArgs(f *ast.FuncDecl) string {
	var list []string
	for _, field := range f.Type.TypeParams.List {
		for _, id := range field.Names {
			if id.Name == "_" {
				id.Name = "_T" + strconv.Itoa(len(list))
			}
			list = append(list, id.Name)
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// versionValues finds the generic functions with several versions that are used as
// values: such a value is the version of its time.
func (r *rewriter) versionValues(n ast.Node) {
	called := map[*ast.Ident]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id := genericName(n.Fun); id != nil {
				called[id] = true
			}
		case *ast.IndexExpr, *ast.IndexListExpr:
			r.versionValue(n.(ast.Expr), called)
		case *ast.Ident:
			r.versionValue(n, called)
		}
		return true
	})
}

func (r *rewriter) versionValue(e ast.Expr, called map[*ast.Ident]bool) {
	id := genericName(e)
	if id == nil || called[id] {
		return
	}
	inst, ok := r.p.res.Info.Instances[id]
	if !ok {
		return
	}
	called[id] = true // of what is inside e
	sym := r.p.res.Sym(r.p.res.Info.Uses[id])
	if sym == nil || sym.Decl == nil {
		return
	}
	v := r.x.versionsOf(sym.Decl, r.x.names.sym(sym))
	if v == nil {
		return
	}
	args := make([]string, inst.TypeArgs.Len())
	for i := range args {
		args[i] = r.x.names.typ(r.p, inst.TypeArgs.At(i))
	}
	// The text is that of one identifier: the printer writes it as it is.
	r.versions[e] = &ast.CallExpr{
		Fun:    &ast.Ident{NamePos: e.Pos(), Name: v.now + "[" + strings.Join(args, ", ") + "]"},
		Lparen: e.End(), Rparen: e.End(),
	}
}

// genericName is the name in an expression that may name an instance of a generic
// function.
func genericName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.IndexExpr:
		return genericName(e.X)
	case *ast.IndexListExpr:
		return genericName(e.X)
	}
	return nil
}
