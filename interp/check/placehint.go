package check

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"
)

// The hints of this file need to know where in the cell a mistake stands.

var (
	keepsTypeRE = regexp.MustCompile(`^cannot use .* as \S+ value in assignment`)
	truncatedRE = regexp.MustCompile(`\(untyped float constant(?: [^()]*)?\) truncated to int$`)
	negativeRE  = regexp.MustCompile(`^invalid argument: index (-\d+) \(constant of type int\) must not be negative`)
	spreadRE    = regexp.MustCompile(`^cannot use .* \((?:value|variable) of type \[\](\w+)\) as (\w+) value in argument to (\S+)$`)
	noTypeRE    = regexp.MustCompile(`^(\w+) \(.*\) is not a type$`)
)

// assignedHint helps with a variable of the session that is given a value of another
// type.
func (k *checker) assignedHint(msg string, e types.Error) string {
	if !keepsTypeRE.MatchString(msg) || strings.Contains(msg, "of struct type Array)") {
		return ""
	}
	for _, st := range k.c.Stmts {
		s, ok := st.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || e.Pos < s.Pos() || e.Pos > s.End() {
			continue
		}
		if id, ok := s.Lhs[0].(*ast.Ident); ok {
			return "a variable keeps its type; " + k.c.Source(id.Pos(), id.End()) + " := … declares it anew, with another"
		}
	}
	return ""
}

// fractionHint helps with a number that is not whole beside an int.
func (k *checker) fractionHint(msg string, e types.Error) (hint string) {
	if !truncatedRE.MatchString(msg) {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		var sides []ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			sides = []ast.Expr{n.X, n.Y}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && opTokens[n.Tok] != 0 {
				sides = []ast.Expr{n.Lhs[0], n.Rhs[0]}
			}
		}
		for i, x := range sides {
			b, ok := k.info.TypeOf(x).(*types.Basic)
			if ok && b.Kind() == types.Int && sides[1-i].Pos() <= e.Pos && e.Pos < sides[1-i].End() {
				x := k.c.Source(x.Pos(), x.End())
				hint = x + " is an int, which has no fractions: float64(" + x + ")"
			}
		}
		return true
	})
	return hint
}

// fromEndHint writes an index that counts from the end.
func (k *checker) fromEndHint(msg string, e types.Error) (hint string) {
	m := negativeRE.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		var x, index ast.Expr
		switch n := n.(type) {
		case *ast.IndexExpr:
			x, index = n.X, n.Index
		case *ast.SliceExpr:
			x, index = n.X, n.Low
			if n.High != nil && n.High.Pos() == e.Pos {
				index = n.High
			}
		}
		if index != nil && index.Pos() == e.Pos {
			x := k.c.Source(x.Pos(), x.End())
			hint = "only indices of Arrays count from the end: " + x + "[len(" + x + ")" + m[1] + "]"
			if _, ok := n.(*ast.SliceExpr); ok {
				hint = "only indices of Arrays count from the end: len(" + x + ")" + m[1]
			}
		}
		return true
	})
	return hint
}

// spreadHint helps with a slice for parameters that take its elements.
func (k *checker) spreadHint(msg string, e types.Error) string {
	m := spreadRE.FindStringSubmatch(msg)
	call := k.callAt(e.Pos)
	if m == nil || m[1] != m[2] || call == nil {
		return ""
	}
	sig, ok := underlying(k.info.TypeOf(call.Fun)).(*types.Signature)
	if !ok || !sig.Variadic() {
		return ""
	}
	if lit, ok := k.argumentAt(e.Pos).(*ast.CompositeLit); ok && len(lit.Elts) > 0 && len(call.Args) == sig.Params().Len() {
		return "they come one by one: " + m[3] + "(" + k.c.Source(lit.Elts[0].Pos(), lit.Elts[len(lit.Elts)-1].End()) + ")"
	}
	return "they come one by one: " + m[3] + "(xs...) gives the elements of a slice"
}

// lastHint helps with a function whose last line is meant to be its value, and with
// parameters without types.
func (k *checker) lastHint(msg string, e types.Error) (hint string) {
	if m := noTypeRE.FindStringSubmatch(msg); m != nil && k.isParameter(e.Pos) {
		return "types stand behind the names: func f(" + m[1] + " Array) Array { … }"
	}
	if msg != "missing return" {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		body, ok := n.(*ast.BlockStmt)
		if !ok || body.Rbrace != e.Pos || len(body.List) == 0 {
			return true
		}
		if s, ok := body.List[len(body.List)-1].(*ast.ExprStmt); ok {
			if src := k.c.Source(s.Pos(), s.End()); src != "" {
				hint = "what a function gives stands behind return: return " + src
			}
		}
		return true
	})
	return hint
}
