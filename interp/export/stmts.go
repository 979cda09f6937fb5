package export

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"

	"gopherlo/interp/check"
)

// topLevel turns a statement of a cell into those of its function: variables
// are the package's, so a declaration becomes an assignment.
func (b *cellBody) topLevel(p *piece, s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			now := *s
			now.Tok = token.ASSIGN
			return []ast.Stmt{&now}
		}
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
			return b.varDecl(p, d)
		}
	}
	return []ast.Stmt{s}
}

// varDecl assigns the values of a var declaration. Without values the variables
// become zero, if an earlier cell may have set them.
func (b *cellBody) varDecl(p *piece, d *ast.GenDecl) (list []ast.Stmt) {
	for _, sp := range d.Specs {
		vs := sp.(*ast.ValueSpec)
		names := make([]ast.Expr, len(vs.Names))
		blank := true
		for i, id := range vs.Names {
			names[i] = id
			blank = blank && id.Name == "_"
		}
		switch {
		case len(vs.Values) > 0 && blank && vs.Type != nil:
			list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: vs.Pos(), Tok: token.VAR, Specs: []ast.Spec{vs}}})
		case len(vs.Values) > 0:
			list = append(list, &ast.AssignStmt{Lhs: names, TokPos: vs.Pos(), Tok: token.ASSIGN, Rhs: vs.Values})
		default:
			for _, id := range vs.Names {
				if sym := symOf(p, id); sym != nil && b.x.assigned[sym.Emit] {
					list = append(list, zero(id, b.x.names.typ(p, sym.Obj.Type())))
				}
			}
		}
	}
	return list
}

// symOf is the variable that an identifier declares.
func symOf(p *piece, id *ast.Ident) *check.Sym {
	if obj := p.res.Info.Defs[id]; obj != nil {
		return p.res.Sym(obj)
	}
	return nil
}

// zero is x = *new(T).
func zero(id *ast.Ident, typ string) ast.Stmt {
	value := &ast.StarExpr{Star: id.Pos(), X: &ast.CallExpr{
		Fun: &ast.Ident{NamePos: id.Pos(), Name: "new"}, Lparen: id.Pos(),
		Args: []ast.Expr{&ast.Ident{NamePos: id.Pos(), Name: typ}}, Rparen: id.Pos(),
	}}
	return &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: id.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{value}}
}

// tail are the statements of a cell's last expression: its value is shown,
// unless it has none, nobody wants to see it, or a magic line follows.
func (b *cellBody) tail(p *piece) []ast.Stmt {
	e := p.res.Tail
	call, isCall := ast.Unparen(e).(*ast.CallExpr)
	tv := p.res.Info.Types[e]
	switch {
	case isCall && (tv.IsVoid() || printsOnly(p, call)), isCall && !p.last:
		return []ast.Stmt{&ast.ExprStmt{X: e}}
	case !p.last:
		return []ast.Stmt{assign(token.ASSIGN, []ast.Expr{ident("_", e.Pos())}, e)}
	}
	shown := []ast.Expr{e}
	var before []ast.Stmt
	switch {
	case b.timer != "":
		shown = nil
		n := 1
		if tuple, ok := tv.Type.(*types.Tuple); ok {
			n = tuple.Len()
		}
		for range n {
			shown = append(shown, ident(b.x.names.plain("value"), e.Pos()))
		}
		stop := &ast.ExprStmt{X: &ast.CallExpr{Fun: ident(b.timer, e.Pos()), Lparen: e.Pos(), Rparen: e.Pos()}}
		b.timer = ""
		before = []ast.Stmt{assign(token.DEFINE, shown, e), stop}
	case b.x.opts.FuncText != nil:
		if text, ok := b.x.opts.FuncText(p.res); ok {
			shown[0] = &ast.BasicLit{ValuePos: e.Pos(), Kind: token.STRING, Value: strconv.Quote(text)}
		}
	}
	return append(before, &ast.ExprStmt{X: &ast.CallExpr{
		Fun:    &ast.SelectorExpr{X: ident(b.x.names.importName(cellsPath, "cells"), e.Pos()), Sel: ident("Show", e.Pos())},
		Lparen: e.Pos(), Args: shown, Rparen: e.End(),
	}})
}

func ident(name string, pos token.Pos) *ast.Ident { return &ast.Ident{NamePos: pos, Name: name} }

func assign(tok token.Token, lhs []ast.Expr, e ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: lhs, TokPos: e.Pos(), Tok: tok, Rhs: []ast.Expr{e}}
}

// printsOnly reports the printing functions of fmt, whose results are hidden.
func printsOnly(p *piece, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := p.res.Info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" && (strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

// function writes a function or method. Those that are declared again with the
// same signature are variables, so that earlier callers call the later version;
// sets is the statement that makes this version the current one.
func (b *cellBody) function(p *piece, f *ast.FuncDecl) (sets string) {
	fd := declOf(p.res, f)
	x := b.x
	from := f.Pos()
	switch {
	case fd == nil || f.Name.Name == "_":
		b.write(p, p.rw.node(f), from)
		return ""
	case fd.Init:
		p.rw.node(f)
		f.Name.Name = x.names.fresh("init")
		b.inits = append(b.inits, f.Name.Name)
		b.write(p, f, from)
		return ""
	case fd.Recv != nil:
		return b.method(p, f, fd)
	}
	name := x.names.sym(p.res.Sym(fd.Obj))
	if v := x.versionsOf(fd, name); v != nil {
		sets = b.generic(p, fd, v, from)
		if v.declared == 1 {
			b.x.out.write(p.texts.caller(fd.Body, name, nil, v))
		}
		return sets
	}
	typ := x.names.typ(p, fd.Obj.Type())
	p.rw.node(f)
	if x.names.times[fd.Emit] == 1 {
		f.Name.Name = name
		b.write(p, f, from)
		return ""
	}
	b.global("func "+fd.Emit, name, typ)
	return b.set(p, name, &ast.FuncLit{Type: f.Type, Body: f.Body}, from)
}

// set is the text that gives a function variable its value.
func (b *cellBody) set(p *piece, name string, lit *ast.FuncLit, from token.Pos) string {
	line, _ := p.cell.Position(from)
	var text strings.Builder
	m := &mapped{b: &text}
	m.at(p.cell.N, line)
	m.write(indent(name + " = " + p.texts.node(lit, from)))
	b.x.out.line = -1 // the lines above are others
	return text.String()
}

// method writes a method. Its name cannot change, so there is one signature.
func (b *cellBody) method(p *piece, f *ast.FuncDecl, fd *check.FuncDecl) (sets string) {
	x := b.x
	from := f.Pos()
	key := fd.Recv.Obj().Name() + "." + fd.Name
	recv := p.res.Sym(fd.Recv.Obj())
	if recv != nil {
		key = recv.Emit + "." + fd.Name
	}
	if was := x.methods[key]; was != "" && was != fd.Emit {
		fail(p.cell.N, "the method %s of %s has another signature than in an earlier cell: a program has one; give it another name", fd.Name, fd.Recv.Obj().Name())
	}
	again := x.methods[key] != ""
	x.methods[key] = fd.Emit
	if v := x.versionsOf(fd, fd.Recv.Obj().Name()+fd.Name); v != nil {
		sets = b.generic(p, fd, v, from)
		if v.declared == 1 {
			b.x.out.write(p.texts.caller(fd.Body, fd.Name, f.Recv, v))
		}
		return sets
	}
	bodyType := x.names.typ(p, fd.BodyObj.Type())
	p.rw.node(f)
	if x.names.times[fd.Emit] == 1 {
		b.write(p, f, from)
		return ""
	}
	variable, ok := x.methodVars[key]
	if !ok {
		variable = x.names.plain(fd.Recv.Obj().Name() + fd.Name)
		x.methodVars[key] = variable
	}
	b.global("method "+key, variable, bodyType)
	lit := &ast.FuncLit{Type: asFunction(f), Body: f.Body}
	sets = b.set(p, variable, lit, from)
	if !again {
		b.x.out.write(p.texts.forwarder(f, variable))
	}
	return sets
}

// asFunction is a method's type with the receiver first.
func asFunction(f *ast.FuncDecl) *ast.FuncType {
	recv := *f.Recv.List[0]
	if len(recv.Names) == 0 {
		recv.Names = []*ast.Ident{{NamePos: recv.Type.Pos(), Name: "_"}}
	}
	fields := []*ast.Field{&recv}
	for _, p := range f.Type.Params.List {
		if len(p.Names) == 0 {
			p = &ast.Field{Names: []*ast.Ident{{NamePos: p.Type.Pos(), Name: "_"}}, Type: p.Type}
		}
		fields = append(fields, p)
	}
	return &ast.FuncType{Func: f.Pos(), Params: &ast.FieldList{Opening: f.Type.Params.Opening, List: fields, Closing: f.Type.Params.Closing}, Results: f.Type.Results}
}

// returns are the results of a function as its declaration has them, and what is before
// the call of another with the same ones.
func (t *texts) returns(f *ast.FuncDecl) (results, ret string) {
	if f.Type.Results == nil || len(f.Type.Results.List) == 0 {
		return "", ""
	}
	text, _ := t.print(&ast.FuncType{Params: &ast.FieldList{}, Results: f.Type.Results})
	return strings.TrimPrefix(text, "func()"), "return "
}

// forwarder is the method itself: it calls the version of the last cell.
func (t *texts) forwarder(f *ast.FuncDecl, variable string) string {
	recv, _ := t.print(f.Recv.List[0].Type)
	args := []string{"r"}
	var params []string
	for _, field := range f.Type.Params.List {
		typ, _ := t.print(field.Type)
		for range max(1, len(field.Names)) {
			name := "a" + strconv.Itoa(len(params))
			params = append(params, name+" "+typ)
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				name += "..."
			}
			args = append(args, name)
		}
	}
	results, ret := t.returns(f)
	return formatted("func (r " + recv + ") " + f.Name.Name + "(" + strings.Join(params, ", ") + ")" + results +
		" {\n\t" + ret + variable + "(" + strings.Join(args, ", ") + ")\n}\n\n")
}

// declOf finds what the check knows of a declaration.
func declOf(res *check.Result, f *ast.FuncDecl) *check.FuncDecl {
	for _, fd := range res.Funcs {
		if fd.Body != nil && fd.Body.Body == f.Body {
			return fd
		}
	}
	return nil
}

func sortBy[T any](list []T, key func(T) int) {
	sort.SliceStable(list, func(i, j int) bool { return key(list[i]) < key(list[j]) })
}
