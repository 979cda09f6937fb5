package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// assign gives x op= y its meaning on Arrays. It reports whether another
// statement stands in the place of s now.
func (r *rewriter) assign(c *astutil.Cursor, s *ast.AssignStmt) bool {
	op, ok := opTokens[s.Tok]
	if !ok || !r.k.s.Operators || !r.isArr(s.Lhs[0]) && !r.isArr(s.Rhs[0]) || r.noOperand(s.Rhs[0]) {
		return false
	}
	if calls(s.Lhs[0]) && r.once(c, s.Lhs[0], op, s.TokPos, s.Rhs[0]) {
		return true
	}
	s.Rhs = []ast.Expr{r.combined(s.Lhs[0], op, s.TokPos, s.Rhs[0])}
	s.Tok = token.ASSIGN
	return false
}

func (r *rewriter) incDec(c *astutil.Cursor, s *ast.IncDecStmt) {
	if !r.k.s.Operators || !r.isArr(s.X) {
		return
	}
	op := token.ADD
	if s.Tok == token.DEC {
		op = token.SUB
	}
	one := &ast.BasicLit{ValuePos: s.TokPos, Kind: token.INT, Value: "1"}
	if calls(s.X) && r.once(c, s.X, op, s.TokPos, one) {
		return
	}
	now := r.combined(s.X, op, s.TokPos, one)
	c.Replace(&ast.AssignStmt{Lhs: []ast.Expr{s.X}, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{now}})
}

// combined writes x op y of an assignment.
func (r *rewriter) combined(x ast.Expr, op token.Token, pos token.Pos, y ast.Expr) ast.Expr {
	r.changed = true
	was := &ast.BinaryExpr{X: x, OpPos: pos, Op: op, Y: y}
	return r.instead(r.binary(x, op, pos, y), was)
}

// calls reports an expression that must not be evaluated twice.
func calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// once writes x op= y where x has calls, which are evaluated once: a function
// gets the address of x, or the map and the key.
func (r *rewriter) once(c *astutil.Cursor, x ast.Expr, op token.Token, pos token.Pos, y ast.Expr) bool {
	array := r.k.arrayType()
	if _, call := ast.Unparen(x).(*ast.CallExpr); call || !isArray(r.k.info.TypeOf(x)) {
		return false // a mistake, which the checker tells
	}
	taken := map[string]bool{}
	ast.Inspect(y, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	start, end := x.Pos(), y.End()
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: start, Params: &ast.FieldList{Opening: start, Closing: start}}}
	call := &ast.CallExpr{Fun: lit, Lparen: end, Rparen: end}
	param := func(name string, t types.Type, arg ast.Expr) *ast.Ident {
		for i, base := 2, name; taken[name]; i++ {
			name = base + strconv.Itoa(i)
		}
		id := func() *ast.Ident { return &ast.Ident{NamePos: start, Name: name} }
		lit.Type.Params.List = append(lit.Type.Params.List, &ast.Field{Names: []*ast.Ident{id()}, Type: r.k.typeExpr(t, start)})
		call.Args = append(call.Args, arg)
		return id()
	}
	var place func() ast.Expr
	index, _ := ast.Unparen(x).(*ast.IndexExpr)
	if m, ok := mapOf(r.k.info, index); ok {
		container, key := param("m", r.k.info.TypeOf(index.X), index.X), param("key", m.Key(), index.Index)
		place = func() ast.Expr { return &ast.IndexExpr{X: container, Lbrack: start, Index: key, Rbrack: start} }
	} else {
		at := param("at", types.NewPointer(array), &ast.UnaryExpr{OpPos: start, Op: token.AND, X: x})
		place = func() ast.Expr {
			return &ast.ParenExpr{Lparen: start, X: &ast.StarExpr{Star: start, X: at}, Rparen: start}
		}
	}
	value := place()
	r.arrays[value] = true
	if p, ok := value.(*ast.ParenExpr); ok {
		r.arrays[p.X] = true
	}
	lit.Body = &ast.BlockStmt{Lbrace: start, Rbrace: end, List: []ast.Stmt{&ast.AssignStmt{
		Lhs: []ast.Expr{ast.Unparen(place())}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{r.combined(value, op, pos, y)},
	}}}
	c.Replace(&ast.ExprStmt{X: call})
	return true
}

// mapOf is the type of the map that an expression is an element of.
func mapOf(info *types.Info, e *ast.IndexExpr) (*types.Map, bool) {
	if e == nil {
		return nil, false
	}
	m, ok := underlying(info.TypeOf(e.X)).(*types.Map)
	return m, ok
}
