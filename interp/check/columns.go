package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
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
	case strings.HasPrefix(msg, "cannot use ... "):
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
	}
	return k.placeOfNode(e)
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

// extraValues words the mistake of a := with too many values as one of an
// assignment: at the top level it is a declaration only to go/types.
func (k *checker) extraValues(e types.Error) (msg string, pos token.Pos) {
	if !strings.HasPrefix(e.Msg, "extra init expr") {
		return e.Msg, k.place(e)
	}
	for _, st := range k.c.Stmts {
		as, ok := st.(*ast.AssignStmt)
		if ok && as.Tok == token.DEFINE && as.Pos() <= e.Pos && e.Pos < as.End() {
			return "assignment mismatch: " + count(len(as.Lhs), "variable") + " but " + count(len(as.Rhs), "value"), startOf(as.Rhs[0])
		}
	}
	return e.Msg, e.Pos
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return itoa(n) + " " + what
}

// jumps reports gotos at the cell's top level over the declaration of a
// variable; to go/types these variables are not of the block.
func (k *checker) jumps() []Diagnostic {
	labels := map[string]int{}
	for i, st := range k.c.Stmts {
		for l, ok := st.(*ast.LabeledStmt); ok; l, ok = l.Stmt.(*ast.LabeledStmt) {
			labels[l.Label.Name] = i
		}
	}
	if len(labels) == 0 {
		return nil
	}
	var list []Diagnostic
	for i, st := range k.c.Stmts {
		ast.Inspect(st, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			b, ok := n.(*ast.BranchStmt)
			if !ok || b.Tok != token.GOTO || b.Label == nil {
				return true
			}
			for j := i + 1; j < labels[b.Label.Name]; j++ {
				ids := declaredIdents(k.c.Stmts[j])
				if len(ids) == 0 || !k.varNames[ids[0].Name] {
					continue
				}
				line, _ := k.c.Position(ids[0].Pos())
				list = append(list, k.diagnostic(b.Label.Pos(), "goto "+b.Label.Name+" jumps over variable declaration at line "+itoa(line)))
				break
			}
			return true
		})
	}
	return list
}
