package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"strings"
)

// place is where the go command puts a mistake that go/types has found; the two
// differ for some (cmd/compile/internal/types2 and syntax.StartPos of Go 1.26).
func (k *checker) place(e types.Error) token.Pos {
	switch msg := e.Msg; {
	case strings.HasPrefix(msg, "not enough arguments in call to "):
		if call := k.call(e.Pos, func(c *ast.CallExpr) token.Pos { return c.Rparen }); call != nil {
			if n := len(call.Args); n > 0 {
				return startOf(call.Args[n-1])
			}
			return startOf(call)
		}
	case strings.HasPrefix(msg, "missing argument in conversion"), strings.Contains(msg, " arguments for "):
		if call := k.call(e.Pos, func(c *ast.CallExpr) token.Pos { return c.Rparen }); call != nil {
			return startOf(call)
		}
	case strings.HasPrefix(msg, "cannot use ... "), strings.HasPrefix(msg, "invalid operation: invalid use of ... with "):
		if call := k.call(e.Pos, func(c *ast.CallExpr) token.Pos { return c.Ellipsis }); call != nil {
			return startOf(call)
		}
	case strings.Contains(msg, "cannot infer "), strings.Contains(msg, " does not satisfy "):
		if call := k.call(e.Pos, func(c *ast.CallExpr) token.Pos { return c.Pos() }); call != nil {
			return call.Lparen
		}
		if call := k.call(e.Pos, func(c *ast.CallExpr) token.Pos { return c.Rparen }); call != nil {
			return call.Lparen
		}
		if at := k.typeArgument(e); at.IsValid() {
			return at
		}
	case strings.HasPrefix(msg, "invalid use of ") && strings.HasSuffix(msg, " in selector expression"):
		return e.Pos - 1
	case strings.HasPrefix(msg, "invalid use of [...] array"):
		k.inspect(func(n ast.Node) bool {
			if a, ok := n.(*ast.ArrayType); ok && a.Len != nil && a.Len.Pos() == e.Pos {
				e.Pos = a.Pos()
			}
			return true
		})
		return e.Pos
	case strings.HasPrefix(msg, "select case must be "):
		return k.communication(e.Pos)
	}
	return k.placeOfNode(e)
}

// typeArgument is where a type argument that does not fit stands, when that is not
// where it starts.
func (k *checker) typeArgument(e types.Error) (at token.Pos) {
	k.inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			if n.Pos() == e.Pos {
				at = startOf(n)
			}
		case *ast.IndexExpr:
			if n.Pos() == e.Pos && setRE.MatchString(e.Msg) {
				at = n.Lbrack
			}
		case *ast.IndexListExpr:
			if n.Pos() == e.Pos && setRE.MatchString(e.Msg) {
				at = n.Lbrack
			}
		}
		return true
	})
	return at
}

// setRE finds mistakes that are about all type arguments.
var setRE = regexp.MustCompile(`\(type .*\) does not satisfy `)

// communication is the place of what stands in a case of a select.
func (k *checker) communication(pos token.Pos) token.Pos {
	at := pos
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CommClause); ok && c.Comm != nil && c.Comm.Pos() == pos {
			if s, ok := c.Comm.(*ast.ExprStmt); ok {
				at = placeOf(s.X)
			}
		}
		return true
	})
	return at
}

// placeOf is where the compiler has an expression: at what makes it one.
func placeOf(e ast.Expr) token.Pos {
	switch x := e.(type) {
	case *ast.CallExpr:
		return x.Lparen
	case *ast.BinaryExpr:
		return x.OpPos
	case *ast.IndexExpr:
		return x.Lbrack
	case *ast.SliceExpr:
		return x.Lbrack
	case *ast.SelectorExpr:
		return x.Sel.Pos() - 1
	}
	return startOf(e)
}

func (k *checker) placeOfNode(e types.Error) token.Pos {
	start, end := extent(e)
	index := strings.HasPrefix(e.Msg, "cannot index ")
	send := strings.Contains(e.Msg, "cannot send to ")
	at := e.Pos
	k.inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			if send && n.Arrow == e.Pos {
				at = startOf(n.Chan)
			}
		case *ast.IndexExpr:
			if index && n.X.Pos() == start && n.X.End() == end {
				at = n.Lbrack
				return false
			}
		}
		if x, ok := n.(ast.Expr); ok && !index && at == e.Pos && x.Pos() == e.Pos && start == e.Pos && x.End() == end {
			at = startOf(x)
		}
		return at == e.Pos
	})
	return at
}

// call is the innermost call of the cell one of whose places is pos.
func (k *checker) call(pos token.Pos, place func(c *ast.CallExpr) token.Pos) (found *ast.CallExpr) {
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && place(c) == pos && c.Lparen.IsValid() {
			found = c
		}
		return true
	})
	return found
}

// inspect walks the cell.
func (k *checker) inspect(visit func(n ast.Node) bool) {
	walk := func(n ast.Node) bool { return n != nil && visit(n) }
	for _, f := range k.c.Funcs {
		ast.Inspect(f, walk)
	}
	for _, st := range k.c.Stmts {
		ast.Inspect(st, walk)
	}
}

// startOf is where the go command has an expression start: a slice expression
// at its bracket, a type of functions at its parameters.
func startOf(e ast.Expr) token.Pos {
	for {
		switch x := e.(type) {
		case *ast.CompositeLit:
			if x.Type == nil {
				return x.Pos()
			}
			e = x.Type
		case *ast.KeyValueExpr:
			e = x.Key
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.SliceExpr:
			return x.Lbrack
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.BinaryExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Fun
		case *ast.FuncType:
			if x.Params != nil && x.Params.Opening.IsValid() {
				return x.Params.Opening
			}
			return x.Pos()
		default:
			return e.Pos()
		}
	}
}

// extent is the start and the end of what an error is about; go/types tells its
// own tools only.
func extent(e types.Error) (start, end token.Pos) {
	v := reflect.ValueOf(e)
	field := func(name string) token.Pos {
		if f := v.FieldByName(name); f.IsValid() && f.CanInt() {
			return token.Pos(f.Int())
		}
		return token.NoPos
	}
	return field("go116start"), field("go116end")
}

// words are those that the compiler has for a mistake, and its place: a := at the
// top level is a declaration only to go/types.
func (k *checker) words(e types.Error) (msg string, pos token.Pos) {
	msg = literals(e.Msg, k.emptyLiteral(e.Pos))
	as := k.definition(e.Pos)
	switch {
	case as == nil:
	case strings.HasPrefix(msg, "extra init expr"):
		return "assignment mismatch: " + count(len(as.Lhs), "variable") + " but " + count(len(as.Rhs), "value"), startOf(as.Rhs[0])
	case strings.HasPrefix(msg, "multiple-value ") && len(as.Lhs) == 1 && len(as.Rhs) == 1:
		if call, ok := ast.Unparen(as.Rhs[0]).(*ast.CallExpr); ok && call.Pos() == e.Pos {
			if t, ok := k.info.TypeOf(call).(*types.Tuple); ok {
				msg = "assignment mismatch: 1 variable but " + types.ExprString(call.Fun) + " returns " + count(t.Len(), "value")
			}
		}
	default:
		msg = strings.Replace(msg, " in variable declaration", " in assignment", 1)
	}
	return msg, k.place(e)
}

// definition is the := of the cell's top level that a position is in, but for the
// bodies of functions within it; nil without.
func (k *checker) definition(pos token.Pos) *ast.AssignStmt {
	for _, st := range k.c.Stmts {
		as, ok := st.(*ast.AssignStmt)
		if !ok || as.Tok != token.DEFINE || pos < as.Pos() || as.End() <= pos {
			continue
		}
		inside := false
		ast.Inspect(as, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && lit.Body.Pos() <= pos && pos < lit.Body.End() {
				inside = true
			}
			return !inside
		})
		if !inside {
			return as
		}
	}
	return nil
}

// emptyLiteral reports a literal of a function that does nothing.
func (k *checker) emptyLiteral(pos token.Pos) (empty bool) {
	k.inspect(func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() == pos {
			empty = len(lit.Body.List) == 0
		}
		return true
	})
	return empty
}

// literals writes the literals of functions in a message as the compiler does:
// func(x int) {…}, or func(x int) {} if it is the first and empty, where go/types
// has (func(x int) literal).
func literals(msg string, empty bool) string {
	const end = " literal)"
	for {
		at := strings.Index(msg, end)
		start, depth := at-1, 1
		for ; start >= 0; start-- {
			switch msg[start] {
			case ')':
				depth++
			case '(':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if start < 0 || !strings.HasPrefix(msg[start:], "(func(") {
			return msg
		}
		body := " {…}"
		if empty {
			body, empty = " {}", false
		}
		msg = msg[:start] + msg[start+1:at] + body + msg[at+len(end):]
	}
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return itoa(n) + " " + what
}
