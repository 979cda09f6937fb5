package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// switchStmt emits an expression switch. One over interfaces, structs or
// arrays compares by the runtime.
func (l *lowerer) switchStmt(s *ast.SwitchStmt, label string) {
	l.printf("{\n")
	defer l.printf("}\n")
	if s.Init != nil {
		l.stmt(s.Init)
	}
	tag, t := "", types.Type(nil)
	if s.Tag != nil {
		l.callsFirst(&ast.ExprStmt{X: s.Tag})
		t = l.typeOf(s.Tag)
		tag = l.unique("tag")
		l.printf("var %s %s = %s\n", tag, l.typ(t), l.conv(s.Tag, t))
		l.printf("_ = %s\n", tag)
	}
	if !plainSwitch(s.Body.List) {
		l.numberedSwitch(s, label, tag, t)
		return
	}
	l.open(label)
	l.printf("switch {\n")
	l.push(&jump{label: label, user: strings.TrimPrefix(label, "L_")})
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			l.printf("default:\n")
		} else {
			l.printf("case %s:\n", l.caseConds(c, tag, t))
		}
		l.clause(c.Body)
	}
	l.pop()
	l.printf("}\n")
}

// caseConds writes the condition of a clause.
func (l *lowerer) caseConds(c *ast.CaseClause, tag string, t types.Type) string {
	conds := make([]string, len(c.List))
	for i, e := range c.List {
		conds[i] = l.caseCond(e, tag, t)
	}
	return strings.Join(conds, " || ")
}

// plainSwitch reports a switch that yaegi runs rightly: default comes last and
// nothing falls through.
func plainSwitch(clauses []ast.Stmt) bool {
	for i, c := range clauses {
		c := c.(*ast.CaseClause)
		if c.List == nil && i < len(clauses)-1 || fallsThrough(c) {
			return false
		}
	}
	return true
}

func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// numberedSwitch emits a switch that finds the number of its clause first; a
// clause that falls through sets the next number.
func (l *lowerer) numberedSwitch(s *ast.SwitchStmt, label, tag string, t types.Type) {
	n := l.unique("n")
	l.printf("%s := -1\n", n)
	other, shut := "", 0
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			other = fmt.Sprintf("%s = %d\n", n, i)
			continue
		}
		l.printf("if %s {\n%s = %d\n} else {\n", l.caseConds(c, tag, t), n, i)
		shut++
	}
	l.printf("%s%s", other, strings.Repeat("}\n", shut))
	l.open(label)
	l.printf("switch {\ncase true:\n")
	l.push(&jump{label: label, user: strings.TrimPrefix(label, "L_")})
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		body := c.Body
		l.printf("if %s == %d {\n", n, i)
		if fallsThrough(c) {
			body = body[:len(body)-1]
		}
		l.stmts(body)
		if fallsThrough(c) {
			l.printf("%s = %d\n", n, i+1)
		}
		l.printf("}\n")
	}
	l.pop()
	l.printf("}\n")
}

// caseCond writes the condition of one case.
func (l *lowerer) caseCond(e ast.Expr, tag string, t types.Type) string {
	if tag == "" {
		if isInterface(l.typeOf(e)) {
			return "_k.Eq(true, " + l.conv(e, anyType) + ")"
		}
		return l.expr(e)
	}
	if isNilIdent(l.info, e) {
		if isInterface(t) {
			return "_k.IsNil(" + tag + ")"
		}
		return tag + " == nil"
	}
	if l.directed(t, l.typeOf(e)) {
		return "_k.Same(" + tag + ", " + l.expr(e) + ")"
	}
	if l.simple(t) && l.simple(l.typeOf(e)) {
		return tag + " == " + l.operand(e, t)
	}
	return "_k.Eq(" + l.toAny(tag, t) + ", " + l.conv(e, anyType) + ")"
}

// typeSwitch emits a type switch: the runtime finds the first matching type.
func (l *lowerer) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	l.printf("{\n")
	defer l.printf("}\n")
	if s.Init != nil {
		l.stmt(s.Init)
	}
	x := typeSwitchOperand(s)
	static := l.typeOf(x)
	v := l.unique("x")
	l.printf("var %s interface{} = %s\n", v, l.conv(x, anyType))
	var ids []string
	cases := make([][]string, len(s.Body.List))
	for i, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			id := -1
			if !isNilIdent(l.info, e) {
				id = l.typeID(l.typeOf(e))
			}
			cases[i] = append(cases[i], fmt.Sprint(len(ids)))
			ids = append(ids, fmt.Sprint(id))
		}
	}
	n := l.unique("n")
	l.printf("%s := _k.TypeSwitch(%s, []int{%s})\n", n, v, strings.Join(ids, ", "))
	l.open(label)
	l.printf("switch {\n")
	l.push(&jump{label: label, user: strings.TrimPrefix(label, "L_")})
	for i, c := range s.Body.List {
		l.typeCase(c.(*ast.CaseClause), cases[i], n, v, static, len(ids))
	}
	l.pop()
	l.printf("}\n")
}

func typeSwitchOperand(s *ast.TypeSwitchStmt) ast.Expr {
	var e ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		e = a.Rhs[0]
	case *ast.ExprStmt:
		e = a.X
	}
	return ast.Unparen(e).(*ast.TypeAssertExpr).X
}

func (l *lowerer) typeCase(c *ast.CaseClause, cases []string, n, v string, static types.Type, _ int) {
	if c.List == nil {
		l.printf("case %s < 0:\n", n) // yaegi wants default last
	} else {
		conds := make([]string, len(cases))
		for i, k := range cases {
			conds[i] = n + " == " + k
		}
		l.printf("case %s:\n", strings.Join(conds, " || "))
	}
	if obj, ok := l.info.Implicits[c].(*types.Var); ok {
		t := l.sub(obj.Type())
		switch {
		case len(c.List) == 1 && !isNilIdent(l.info, c.List[0]):
			l.declareVar(obj, l.assert(v, t, static, false))
		case l.nativeIface(t):
			l.declareVar(obj, l.convText(v, anyType, t))
		default:
			l.declareVar(obj, v)
		}
	}
	l.clause(c.Body)
}

// clause emits the body of a clause. yaegi finds the labels of blocks only.
func (l *lowerer) clause(body []ast.Stmt) {
	for _, s := range body {
		if _, ok := s.(*ast.LabeledStmt); ok {
			l.printf("{\n")
			defer l.printf("}\n")
			break
		}
	}
	l.stmts(body)
}

// selectStmt emits a select by way of the runtime, which also ends it when
// the cell is interrupted.
func (l *lowerer) selectStmt(s *ast.SelectStmt, label string) {
	l.printf("{\n")
	defer l.printf("}\n")
	sel := l.unique("sel")
	l.printf("%s := _k.NewSelect()\n", sel)
	for _, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case nil:
			l.printf("%s.Default()\n", sel)
		case *ast.SendStmt:
			t := l.under(l.typeOf(comm.Chan)).(*types.Chan)
			c, v := l.unique("t"), l.unique("t")
			l.printf("%s := %s\nvar %s %s = %s\n%s.Send(%s, &%s)\n", c, l.expr(comm.Chan), v, l.typ(t.Elem()), l.conv(comm.Value, t.Elem()), sel, c, v)
		default:
			l.printf("%s.Recv(%s)\n", sel, l.expr(recvOperand(comm)))
		}
	}
	n := l.unique("n")
	l.printf("%s := %s.Do()\n_ = %s\n", n, sel, n)
	l.open(label)
	l.printf("switch {\n")
	l.push(&jump{label: label, user: strings.TrimPrefix(label, "L_")})
	for i, c := range s.Body.List {
		c := c.(*ast.CommClause)
		l.printf("case %s == %d:\n", n, i)
		l.received(c.Comm, sel)
		l.clause(c.Body)
	}
	l.pop()
	l.printf("}\n")
}

func recvOperand(s ast.Stmt) ast.Expr {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	return ast.Unparen(e).(*ast.UnaryExpr).X
}

// received hands what a select has received to the variables of its clause.
func (l *lowerer) received(comm ast.Stmt, sel string) {
	s, ok := comm.(*ast.AssignStmt)
	if !ok {
		return
	}
	elem := l.under(l.typeOf(recvOperand(s))).(*types.Chan).Elem()
	v, okv := l.unique("t"), l.unique("t")
	l.printf("var %s %s\n%s := %s.Get(&%s)\n_ = %s\n", v, l.typ(elem), okv, sel, v, okv)
	temps, kinds := []string{v, okv}, []types.Type{elem, types.Typ[types.Bool]}
	for i, t := range l.targets(s.Lhs, s.Tok == token.DEFINE) {
		if t.typ == nil {
			continue
		}
		text := l.convText(temps[i], kinds[i], t.typ)
		if t.fresh != nil {
			l.declareVar(t.fresh, text)
		} else {
			l.printf("%s = %s\n", l.lvalue(t.expr), text)
		}
	}
}
