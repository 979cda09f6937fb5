package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"

	"gopherlo/interp/cell"
)

// NoteValue remembers that the cell numbered n has shown the value of the
// checked cell r.
func (s *Session) NoteValue(n int, r *Result) {
	t := r.valueType()
	if t == nil {
		return
	}
	s.outs[n] = t
	for i, have := range s.lastOuts {
		if have == n { // shown again, as a magic does
			s.lastOuts = append(s.lastOuts[:i:i], s.lastOuts[i+1:]...)
			break
		}
	}
	s.lastOuts = append(s.lastOuts, n)
	if len(s.lastOuts) > 3 {
		s.lastOuts = s.lastOuts[1:]
	}
}

// ForgetValues forgets what cells have shown.
func (s *Session) ForgetValues() { s.outs, s.lastOuts = map[int]types.Type{}, nil }

// valueType is the type of the cell's value, nil without one.
func (r *Result) valueType() types.Type {
	if r.Tail == nil {
		return nil
	}
	tv := r.Info.Types[r.Tail]
	switch t := tv.Type.(type) {
	case nil:
		return nil
	case *types.Tuple:
		if t.Len() == 0 {
			return nil
		}
		return types.NewSlice(anyOf())
	case *types.Basic:
		if t.Kind() == types.UntypedNil {
			return anyOf()
		}
		if tv.Value != nil && t.Info()&types.IsUntyped != 0 && tv.Value.Kind() == constant.Unknown {
			return nil
		}
	}
	return types.Default(tv.Type)
}

func anyOf() types.Type { return types.Universe.Lookup("any").Type() }

var (
	outNameRE = regexp.MustCompile(`^_(\d+)$`)
	inNameRE  = regexp.MustCompile(`^_i(\d*|i|ii)$`)
)

// recall rewrites the names of IPython's history: Out[n] and In[n], _, __ and
// ___ for the last values, _n, _i, _ii, _iii and _in. Declared names hide them;
// _ is the last value where Go wants a value and no name.
func (k *checker) recall() {
	if len(k.s.outs) == 0 && !k.s.Inputs {
		return
	}
	list := &ast.BlockStmt{List: k.c.Stmts}
	astutil.Apply(list, k.recallNode, nil)
	k.c.Stmts = list.List
	if k.c.Tail != nil && len(list.List) > 0 {
		if s, ok := list.List[len(list.List)-1].(*ast.ExprStmt); ok {
			k.c.Tail = s
		}
	}
	for _, f := range k.c.Funcs {
		astutil.Apply(f.Body, k.recallNode, nil)
	}
}

func (k *checker) recallNode(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.IndexExpr:
		if x, ok := n.X.(*ast.Ident); ok && x.Name == "Out" && k.undeclared(x) {
			if lit, ok := ast.Unparen(n.Index).(*ast.BasicLit); ok && lit.Kind == token.INT {
				if num, err := strconv.Atoi(lit.Value); err == nil {
					c.Replace(k.out(num, n))
					return false
				}
			}
		}
	case *ast.Ident:
		if now := k.recallName(c, n); now != nil {
			c.Replace(now)
			return false
		}
	}
	return true
}

// recallName gives what a name of the history stands for, nil for other names.
func (k *checker) recallName(c *astutil.Cursor, id *ast.Ident) ast.Expr {
	if !isValuePlace(c) || !k.undeclared(id) {
		return nil
	}
	call := func(name string) ast.Expr {
		k.hidden[rtName] = true
		return &ast.CallExpr{
			Fun:    &ast.SelectorExpr{X: &ast.Ident{NamePos: id.Pos(), Name: rtName}, Sel: &ast.Ident{NamePos: id.Pos(), Name: name}},
			Lparen: id.Pos(), Rparen: id.End(),
		}
	}
	input := func(n int) ast.Expr {
		return &ast.IndexExpr{X: call("Ins"), Lbrack: id.Pos(), Index: k.number(n, id.Pos()), Rbrack: id.End()}
	}
	switch id.Name {
	case "Out":
		return call("Outs")
	case "In":
		if k.s.Inputs {
			return call("Ins")
		}
		return nil
	case "_", "__", "___":
		if i := len(k.s.lastOuts) - len(id.Name); i >= 0 {
			return k.out(k.s.lastOuts[i], id)
		}
		return nil
	}
	if m := outNameRE.FindStringSubmatch(id.Name); m != nil {
		n, _ := strconv.Atoi(m[1])
		return k.out(n, id)
	}
	if m := inNameRE.FindStringSubmatch(id.Name); m != nil && k.s.Inputs {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return input(n)
		}
		if n := k.c.N - 1 - len(m[1]); n >= 0 {
			return input(n)
		}
	}
	return nil
}

// undeclared reports a name that neither the cell nor the session declares.
func (k *checker) undeclared(id *ast.Ident) bool {
	return id.Obj == nil && !k.declared[id.Name] && k.s.syms[id.Name] == nil
}

func (k *checker) number(n int, pos token.Pos) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(n)}
}

// out is the value of a cell with the type that it had.
func (k *checker) out(n int, at ast.Expr) ast.Expr {
	t := k.s.outs[n]
	if t == nil {
		line, col := k.c.Position(at.Pos())
		k.mistakes = append(k.mistakes, Diagnostic{Error: cell.Error{
			Line: line, Col: col, Msg: "Out[" + itoa(n) + "]: cell " + itoa(n) + " has shown no value",
		}})
		t = anyOf()
	}
	k.hidden[rtName] = true
	fun := &ast.SelectorExpr{X: &ast.Ident{NamePos: at.Pos(), Name: rtName}, Sel: &ast.Ident{NamePos: at.Pos(), Name: "Out"}}
	return &ast.CallExpr{
		Fun:    &ast.IndexExpr{X: fun, Lbrack: at.Pos(), Index: k.typeAlias(t, at.Pos()), Rbrack: at.Pos()},
		Lparen: at.Pos(), Args: []ast.Expr{k.number(n, at.Pos())}, Rparen: at.End(),
	}
}

// isValuePlace reports whether the identifier at a cursor is used as a value:
// not declared, assigned to, selected or a key.
func isValuePlace(c *astutil.Cursor) bool {
	switch p := c.Parent().(type) {
	case *ast.AssignStmt:
		return c.Name() != "Lhs"
	case *ast.RangeStmt:
		return c.Name() == "X"
	case *ast.ValueSpec:
		return c.Name() == "Values"
	case *ast.KeyValueExpr:
		return c.Name() == "Value"
	case *ast.SelectorExpr:
		return c.Name() == "X"
	case *ast.Field, *ast.TypeSpec, *ast.FuncDecl, *ast.LabeledStmt, *ast.BranchStmt, *ast.ImportSpec:
		return false
	case *ast.CompositeLit:
		return c.Name() != "Type"
	case *ast.IncDecStmt:
		return false
	case *ast.UnaryExpr:
		return p.Op != token.AND
	}
	return true
}
