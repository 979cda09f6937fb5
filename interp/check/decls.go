package check

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"gopherlo/interp/cell"
)

// groups are the declarations of the two rounds: types, constants and
// signatures first, variables, statements and bodies then.
type groups struct{ early, late []ast.Decl }

// statements sorts the parts of the cell into the two rounds.
func (k *checker) statements() groups {
	var g groups
	for _, f := range k.c.Funcs {
		k.function(f, &g)
	}
	var body []ast.Stmt
	for _, st := range k.c.Stmts {
		switch st := st.(type) {
		case *ast.DeclStmt:
			if k.genDecl(st.Decl.(*ast.GenDecl), &g) {
				k.res.Stmts = append(k.res.Stmts, st)
			}
		case *ast.AssignStmt:
			k.res.Stmts = append(k.res.Stmts, st)
			if st.Tok != token.DEFINE {
				body = append(body, st)
				continue
			}
			decl, rest := k.define(st)
			if decl != nil {
				g.late = append(g.late, decl)
			}
			body = append(body, rest...)
		default:
			k.res.Stmts = append(k.res.Stmts, st)
			body = append(body, st)
		}
	}
	if len(body) > 0 {
		last := body[len(body)-1]
		g.late = append(g.late, &ast.FuncDecl{
			Name: &ast.Ident{Name: "_", NamePos: body[0].Pos()},
			Type: &ast.FuncType{Func: body[0].Pos(), Params: &ast.FieldList{}},
			Body: &ast.BlockStmt{Lbrace: body[0].Pos(), List: body, Rbrace: last.End()},
		})
	}
	// Of two declarations of a name the later one is wrong.
	slices.SortStableFunc(g.early, func(a, b ast.Decl) int {
		la, ca := k.c.Position(a.Pos())
		lb, cb := k.c.Position(b.Pos())
		return cmp.Or(cmp.Compare(la, lb), cmp.Compare(ca, cb))
	})
	return g
}

// genDecl places a type, const or var declaration; it reports whether the
// declaration is a statement that runs.
func (k *checker) genDecl(d *ast.GenDecl, g *groups) bool {
	switch d.Tok {
	case token.VAR:
		g.late = append(g.late, d)
		return true
	case token.TYPE:
		var specs []ast.Spec
		for _, sp := range d.Specs {
			if ts := sp.(*ast.TypeSpec); k.kept[ts.Name.Name] == nil {
				specs = append(specs, k.hideEarlier(ts))
			}
		}
		if len(specs) > 0 {
			g.early = append(g.early, &ast.GenDecl{TokPos: d.TokPos, Tok: d.Tok, Lparen: d.Lparen, Specs: specs, Rparen: d.Rparen})
		}
		return false
	}
	if k.mentionsVar(d) {
		g.late = append(g.late, d)
	} else {
		g.early = append(g.early, d)
	}
	return false
}

// hideEarlier writes a type declared as that of an earlier cell, or a predeclared
// one, in parentheses: go/types, looking for cycles, takes a bare name in the
// package scope for one that this cell declares.
func (k *checker) hideEarlier(ts *ast.TypeSpec) *ast.TypeSpec {
	id, ok := ts.Type.(*ast.Ident)
	if !ok || k.declared[id.Name] && k.kept[id.Name] == nil {
		return ts
	}
	hidden := *ts
	hidden.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
	return &hidden
}

// mentionsVar reports whether a constant declaration needs a variable of the
// cell, as in "const n = len(array)".
func (k *checker) mentionsVar(d *ast.GenDecl) (found bool) {
	for _, sp := range d.Specs {
		vs, ok := sp.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, v := range vs.Values {
			ast.Inspect(v, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && k.varNames[id.Name] {
					found = true
				}
				return true
			})
		}
	}
	return found
}

// define turns a top-level := into a variable declaration. Names that an
// earlier statement of the cell declared are assigned by way of temporaries.
func (k *checker) define(st *ast.AssignStmt) (ast.Decl, []ast.Stmt) {
	spec := &ast.ValueSpec{Values: st.Rhs}
	var rest []ast.Stmt
	fresh := 0
	for i, l := range st.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			line, col := k.c.Position(l.Pos())
			k.own = append(k.own, Diagnostic{Error: cell.Error{
				Line: line, Col: col,
				Msg: "non-name " + k.c.Source(l.Pos(), l.End()) + " on left side of :=",
			}})
			return nil, nil
		}
		if id.Name == "_" || isNew(id, st) {
			if id.Name != "_" {
				fresh++
			}
			spec.Names = append(spec.Names, id)
			continue
		}
		temp := &ast.Ident{NamePos: id.NamePos, Name: id.Name + tempMark + strconv.Itoa(i) + "." + strconv.Itoa(int(st.Pos()))}
		spec.Names = append(spec.Names, temp)
		rest = append(rest, &ast.AssignStmt{
			Lhs: []ast.Expr{id}, TokPos: st.TokPos, Tok: token.ASSIGN,
			Rhs: []ast.Expr{&ast.Ident{NamePos: id.NamePos, Name: temp.Name}},
		})
	}
	if fresh == 0 {
		line, col := k.c.Position(st.TokPos)
		k.own = append(k.own, Diagnostic{Error: cell.Error{Line: line, Col: col, Msg: "no new variables on left side of :="}})
	}
	return &ast.GenDecl{TokPos: st.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}, rest
}

// function places a function or method: its signature in the first round, its
// body in the second.
func (k *checker) function(f *ast.FuncDecl, g *groups) {
	fd := &FuncDecl{Name: f.Name.Name, Info: k.info, Cell: k.c.N, start: f.Pos()}
	bodyName := f.Name.Name + bodyMark
	typ := f.Type
	early := &ast.FuncDecl{Recv: f.Recv, Name: f.Name, Type: f.Type}
	if f.Recv != nil && len(f.Recv.List) == 1 {
		base, params := recvBase(f.Recv.List[0].Type)
		spec := k.typeSpec(base)
		if sym := k.lateType(base); sym != nil {
			spec = k.lateSpec(sym)
		}
		if spec == nil {
			if !k.foreignReceiver(f.Recv.List[0].Type, base) {
				g.early = append(g.early, f) // not a type of a cell: go/types says what is wrong
			}
			return
		}
		typ = withReceiver(f, spec, params)
		bodyName = base + "." + bodyName
		if sym := k.lateType(base); sym != nil {
			fd.Recv = sym.Obj.Type().(*types.Named)
			k.late[fd] = true
			early = &ast.FuncDecl{Name: &ast.Ident{NamePos: f.Name.NamePos, Name: base + "." + f.Name.Name}, Type: typ}
		}
	}
	if f.Name.Name == "init" && f.Recv == nil {
		fd.Init = true
		k.initSignature(f)
		early.Name = &ast.Ident{NamePos: f.Name.NamePos, Name: fmt.Sprintf("init‹%d›", len(k.funcs))}
		bodyName = early.Name.Name + bodyMark
	}
	g.early = append(g.early, early)
	if f.Body == nil {
		at := f.Name.Pos()
		if f.Recv != nil {
			at = f.Recv.Opening
		}
		line, col := k.c.Position(at)
		k.own = append(k.own, Diagnostic{Error: cell.Error{Line: line, Col: col, Msg: missingBody}})
		return
	}
	fd.Body = &ast.FuncDecl{Name: &ast.Ident{NamePos: f.Name.NamePos, Name: bodyName}, Type: typ, Body: f.Body}
	if f.Name.Name == "_" {
		fd.Body.Name.Name = "_"
	}
	g.late = append(g.late, fd.Body)
	fd.sigIdent = early.Name
	k.funcs = append(k.funcs, fd)
}

// foreignReceiver reports a method of a predeclared type such as Array, which
// go/types takes for one of this package.
func (k *checker) foreignReceiver(recv ast.Expr, base string) bool {
	if k.declared[base] {
		return false
	}
	if _, isType := k.resolve(base).(*types.TypeName); !isType {
		return false
	}
	if star, ok := ast.Unparen(recv).(*ast.StarExpr); ok {
		recv = star.X
	}
	line, col := k.c.Position(ast.Unparen(recv).Pos())
	k.own = append(k.own, Diagnostic{Error: cell.Error{Line: line, Col: col, Msg: "cannot define new methods on non-local type " + base}})
	return true
}

// recvBase takes apart a receiver type: *Stack[T] is Stack and T.
func recvBase(e ast.Expr) (name string, params []*ast.Ident) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return recvBase(e.X)
	case *ast.StarExpr:
		return recvBase(e.X)
	case *ast.Ident:
		return e.Name, nil
	case *ast.IndexExpr:
		name, _ = recvBase(e.X)
		if id, ok := e.Index.(*ast.Ident); ok {
			params = []*ast.Ident{id}
		}
	case *ast.IndexListExpr:
		name, _ = recvBase(e.X)
		for _, x := range e.Indices {
			if id, ok := x.(*ast.Ident); ok {
				params = append(params, id)
			}
		}
	}
	return name, params
}

// typeSpec finds the declaration of a type of this or an earlier cell.
func (k *checker) typeSpec(name string) *ast.TypeSpec {
	for _, st := range k.c.Stmts {
		ds, ok := st.(*ast.DeclStmt)
		if !ok {
			continue
		}
		for _, sp := range ds.Decl.(*ast.GenDecl).Specs {
			if ts, ok := sp.(*ast.TypeSpec); ok && ts.Name.Name == name {
				return ts
			}
		}
	}
	if sym := k.lateType(name); sym != nil {
		return sym.Spec
	}
	return nil
}

// lateType finds a type of an earlier cell that methods of this cell are
// added to.
func (k *checker) lateType(name string) *Sym {
	if sym := k.kept[name]; sym != nil {
		return sym
	}
	sym := k.s.syms[name]
	if k.declared[name] || sym == nil || sym.Kind != Type || sym.Spec == nil || sym.Spec.Assign.IsValid() {
		return nil
	}
	if _, ok := sym.Obj.Type().(*types.Named); !ok {
		return nil
	}
	return sym
}

// withReceiver makes the type of a plain function out of a method's: the
// receiver becomes the first parameter, the receiver's type parameters those of
// the function.
func withReceiver(f *ast.FuncDecl, spec *ast.TypeSpec, params []*ast.Ident) *ast.FuncType {
	recv := f.Recv.List[0]
	first := &ast.Field{Names: recv.Names, Type: recv.Type}
	if len(first.Names) == 0 {
		first.Names = []*ast.Ident{{NamePos: recv.Type.Pos(), Name: "_"}}
	}
	fields := []*ast.Field{first}
	for _, p := range f.Type.Params.List {
		if len(p.Names) == 0 {
			p = &ast.Field{Names: []*ast.Ident{{NamePos: p.Type.Pos(), Name: "_"}}, Type: p.Type}
		}
		fields = append(fields, p)
	}
	t := &ast.FuncType{Func: f.Type.Func, Params: &ast.FieldList{Opening: f.Type.Params.Opening, List: fields, Closing: f.Type.Params.Closing}, Results: f.Type.Results}
	if spec.TypeParams != nil && len(params) > 0 {
		t.TypeParams = renameParams(spec.TypeParams, params, first)
	}
	return t
}

// renameParams copies the type parameters of a type declaration under the
// names that a receiver gives them. A blank name gets one of its own, also in
// the receiver's type.
func renameParams(decl *ast.FieldList, names []*ast.Ident, recv *ast.Field) *ast.FieldList {
	rename := map[string]string{}
	i := 0
	list := &ast.FieldList{Opening: decl.Opening, Closing: decl.Closing}
	for _, f := range decl.List {
		field := &ast.Field{}
		for _, n := range f.Names {
			if i >= len(names) {
				break
			}
			if names[i].Name == "_" {
				names[i].Name = fmt.Sprintf("_T%d", i)
			}
			rename[n.Name] = names[i].Name
			field.Names = append(field.Names, &ast.Ident{NamePos: names[i].NamePos, Name: names[i].Name})
			i++
		}
		field.Type = f.Type
		list.List = append(list.List, field)
	}
	for _, f := range list.List {
		f.Type = copyExpr(f.Type, rename)
	}
	return list
}

// keepIdenticalTypes finds the type declarations that repeat those of earlier
// cells: such a type stays the same, so that values keep their type when a cell
// is run again.
func (k *checker) keepIdenticalTypes() {
	specs := map[string]*ast.TypeSpec{}
	for _, st := range k.c.Stmts {
		ds, ok := st.(*ast.DeclStmt)
		if !ok {
			continue
		}
		for _, sp := range ds.Decl.(*ast.GenDecl).Specs {
			ts, ok := sp.(*ast.TypeSpec)
			if !ok {
				continue
			}
			sym := k.s.syms[ts.Name.Name]
			if sym != nil && sym.Kind == Type && sym.text == k.typeText(ts) && !ts.Assign.IsValid() && specs[ts.Name.Name] == nil {
				specs[ts.Name.Name] = ts
				k.kept[ts.Name.Name] = sym
			}
		}
	}
	for again := true; again; {
		again = false
		for name, ts := range specs {
			if k.kept[name] != nil && !k.sameDeps(ts, k.kept[name]) {
				delete(k.kept, name)
				again = true
			}
		}
	}
}

// sameDeps reports whether the names in a type declaration still mean what
// they meant when sym was declared.
func (k *checker) sameDeps(ts *ast.TypeSpec, sym *Sym) bool {
	for name := range typeDeps(ts) {
		if k.declared[name] {
			if k.kept[name] == nil {
				return false
			}
			continue
		}
		var now types.Object
		if s := k.s.syms[name]; s != nil {
			now = s.Obj
		}
		if now != sym.deps[name] {
			return false
		}
	}
	return true
}

func methodBase(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	base, _ := recvBase(f.Recv.List[0].Type)
	return base
}

func (k *checker) typeText(ts *ast.TypeSpec) string {
	return normal("type " + k.c.Source(ts.Pos(), ts.End()))
}

// normal formats a declaration, so that only its tokens count.
func normal(src string) string {
	text, err := format.Source([]byte(src))
	if err != nil {
		return src
	}
	return string(text)
}

// typeDeps lists the names that a type declaration depends on.
func typeDeps(ts *ast.TypeSpec) map[string]bool {
	deps := map[string]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.Field:
			ast.Inspect(n.Type, visit)
			return false
		case *ast.Ident:
			if n.Name != ts.Name.Name {
				deps[n.Name] = true
			}
		}
		return true
	}
	if ts.TypeParams != nil {
		ast.Inspect(ts.TypeParams, visit)
	}
	ast.Inspect(ts.Type, visit)
	return deps
}

// copyExpr copies a type expression with identifiers renamed.
func copyExpr(e ast.Expr, rename map[string]string) ast.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		name := e.Name
		if n, ok := rename[name]; ok {
			name = n
		}
		return &ast.Ident{NamePos: e.NamePos, Name: name}
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: copyExpr(e.X, rename)}
	case *ast.ArrayType:
		return &ast.ArrayType{Lbrack: e.Lbrack, Len: e.Len, Elt: copyExpr(e.Elt, rename)}
	case *ast.MapType:
		return &ast.MapType{Map: e.Map, Key: copyExpr(e.Key, rename), Value: copyExpr(e.Value, rename)}
	case *ast.UnaryExpr:
		return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: copyExpr(e.X, rename)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: copyExpr(e.X, rename), OpPos: e.OpPos, Op: e.Op, Y: copyExpr(e.Y, rename)}
	case *ast.IndexExpr:
		return &ast.IndexExpr{X: copyExpr(e.X, rename), Lbrack: e.Lbrack, Index: copyExpr(e.Index, rename), Rbrack: e.Rbrack}
	case *ast.IndexListExpr:
		now := *e
		now.X, now.Indices = copyExpr(e.X, rename), nil
		for _, x := range e.Indices {
			now.Indices = append(now.Indices, copyExpr(x, rename))
		}
		return &now
	case *ast.SelectorExpr:
		return &ast.SelectorExpr{X: copyExpr(e.X, rename), Sel: &ast.Ident{NamePos: e.Sel.NamePos, Name: e.Sel.Name}}
	case *ast.ParenExpr:
		return &ast.ParenExpr{Lparen: e.Lparen, X: copyExpr(e.X, rename), Rparen: e.Rparen}
	case *ast.ChanType:
		return &ast.ChanType{Begin: e.Begin, Arrow: e.Arrow, Dir: e.Dir, Value: copyExpr(e.Value, rename)}
	case *ast.FuncType:
		return &ast.FuncType{Func: e.Func, Params: copyFields(e.Params, rename), Results: copyFields(e.Results, rename)}
	case *ast.InterfaceType:
		return &ast.InterfaceType{Interface: e.Interface, Methods: copyFields(e.Methods, rename)}
	case *ast.StructType:
		return &ast.StructType{Struct: e.Struct, Fields: copyFields(e.Fields, rename)}
	case *ast.Ellipsis:
		return &ast.Ellipsis{Ellipsis: e.Ellipsis, Elt: copyExpr(e.Elt, rename)}
	}
	return e
}

func copyFields(l *ast.FieldList, rename map[string]string) *ast.FieldList {
	if l == nil {
		return nil
	}
	now := &ast.FieldList{Opening: l.Opening, Closing: l.Closing}
	for _, f := range l.List {
		now.List = append(now.List, &ast.Field{Names: f.Names, Type: copyExpr(f.Type, rename), Tag: f.Tag})
	}
	return now
}

func unquote(s string) string { return strings.Trim(s, "`\"") }
