package check

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"iter"
	"strings"
)

// warnComments notes Python's x//2, where Go sees x and a comment: the value is x,
// without a word. Only a comment that follows a number or an Array without a blank
// and that is itself a number or a variable that holds one, or a calculation with
// such, counts.
func (k *checker) warnComments() {
	if !strings.Contains(k.c.Go, "//") {
		return
	}
	var ends map[int]operand
	for at, text := range comments(k.c.Go) {
		divisor, _, _ := strings.Cut(strings.TrimPrefix(text, "//"), "#")
		divisor = strings.TrimRight(divisor, " \t\r")
		if !strings.HasPrefix(text, "//") || divisor == "" || strings.ContainsAny(divisor[:1], " \t/") {
			continue
		}
		if ends == nil {
			ends = k.operands()
		}
		x, ok := ends[at.Offset]
		if !ok || !k.calculates(divisor) {
			continue
		}
		instead := "whole division is jnp.FloorDivide(" + x.text + ", " + divisor + ")"
		switch {
		case x.integer:
			instead = "of two ints " + x.text + "/" + divisor + " is the whole part"
		case !x.array:
			instead = "whole division is math.Floor(" + x.text + "/" + divisor + ")"
		}
		k.note("// begins a comment in Go, so that %s//%s is %s; %s", x.text, divisor, x.text, instead)
	}
}

// warnWholeDivision notes divisions of ints by or of a number with a point, which no
// longer has one: 2./n is 0 for n = 3.
func (k *checker) warnWholeDivision() {
	point := func(e ast.Expr) bool {
		lit, ok := ast.Unparen(e).(*ast.BasicLit)
		return ok && lit.Kind == token.FLOAT
	}
	k.inspect(func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.QUO || k.info.Types[b].Value != nil {
			return true
		}
		t, ok := underlying(k.info.TypeOf(b)).(*types.Basic)
		if !ok || t.Info()&types.IsInteger == 0 {
			return true
		}
		x, y := k.c.Source(b.X.Pos(), b.X.End()), k.c.Source(b.Y.Pos(), b.Y.End())
		switch {
		case point(b.X):
			k.note("%s/%s is integer division in Go, as %s is of type %s; write %s/float64(%s)", x, y, y, t, x, y)
		case point(b.Y):
			k.note("%s/%s is integer division in Go, as %s is of type %s; write float64(%s)/%s", x, y, x, t, x, y)
		}
		return true
	})
}

// comments gives the comments of a text with their places.
func comments(text string) iter.Seq2[token.Position, string] {
	return func(yield func(token.Position, string) bool) {
		file := token.NewFileSet().AddFile("", -1, len(text))
		var s scanner.Scanner
		s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
		for {
			pos, tok, comment := s.Scan()
			if tok == token.EOF || tok == token.COMMENT && !yield(file.Position(pos), comment) {
				return
			}
		}
	}
}

// operand is a number or an Array in the text of a cell.
type operand struct {
	text           string
	array, integer bool
}

// operands finds them by the offsets of their ends, as large as they bind to a
// division.
func (k *checker) operands() map[int]operand {
	ends := map[int]operand{}
	add := func(e ast.Expr, t types.Type) {
		if b, ok := e.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.QUO.Precedence() || !isNumeric(t) {
			return
		}
		from, to := k.c.Offset(e.Pos()), k.c.Offset(e.End())
		if old := ends[to]; from >= 0 && to-from > len(old.text) {
			b, basic := underlying(t).(*types.Basic)
			ends[to] = operand{k.c.Go[from:to], isArray(t), basic && b.Info()&types.IsInteger != 0}
		}
	}
	instead := map[ast.Expr]bool{} // what stands in the tree has positions of its own
	for _, e := range k.rewritten {
		instead[e.now] = true
		add(e.was, k.info.TypeOf(e.now))
	}
	k.inspect(func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && !instead[e] && !k.info.Types[e].IsType() {
			add(e, k.info.TypeOf(e))
		}
		return true
	})
	return ends
}

// isNumeric reports the types of Go's numbers and of Arrays.
func isNumeric(t types.Type) bool {
	b, ok := underlying(t).(*types.Basic)
	return isArray(t) || ok && b.Info()&types.IsNumeric != 0
}

// calculates reports a text that is an expression of numbers and of variables that
// hold numbers or Arrays.
func (k *checker) calculates(text string) bool {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	found := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.BinaryExpr, *ast.ParenExpr, *ast.UnaryExpr:
		case *ast.BasicLit:
			found = found && (n.Kind == token.INT || n.Kind == token.FLOAT)
		case *ast.Ident:
			found = found && k.holdsNumber(n.Name)
		default:
			found = false
		}
		return found
	})
	return found
}

// holdsNumber reports the name of a variable of the cell or the session that holds a
// number or an Array.
func (k *checker) holdsNumber(name string) bool {
	for id, obj := range k.info.Defs {
		if v, ok := obj.(*types.Var); ok && id.Name == name && isNumeric(v.Type()) {
			return true
		}
	}
	sym := k.s.syms[name]
	return sym != nil && sym.Kind == Var && sym.Obj != nil && isNumeric(sym.Obj.Type())
}

// warnUncalled notes methods of Arrays that stand without a call where a value is
// wanted, as the attributes that many of them are in Python: as the value of the cell
// and as arguments of functions that take no functions.
func (k *checker) warnUncalled() {
	list := k.uncalled()
	if len(list) == 0 {
		return
	}
	values := map[ast.Expr]bool{}
	if k.c.Tail != nil {
		values[ast.Unparen(k.c.Tail.X)] = true
	}
	k.inspect(func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && k.takesNoFuncs(k.info.Uses[sel.Sel]) {
			for _, a := range call.Args {
				values[ast.Unparen(a)] = true
			}
		}
		return true
	})
	for _, sel := range list {
		if values[sel] {
			x := k.c.Source(sel.Pos(), sel.End())
			k.note("%s is a method; %s() calls it", x, x)
		}
	}
}

// takesNoFuncs reports a function of a package whose functions take no others.
func (k *checker) takesNoFuncs(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	for _, p := range []string{"jnp", "nn", "random"} {
		if pkg := k.ours(p); pkg != nil && pkg.Path() == f.Pkg().Path() {
			return true
		}
	}
	return false
}
