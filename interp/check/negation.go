package check

import (
	"go/ast"
	"go/parser"
	"go/types"
	"strings"

	"gopherlo/interp/cell"
)

// Negation gives the Go text of what stands behind the ! of a line of cell n
// that looks like one for the shell, if that is something of the session that
// has a negation: !ok, !x[0].
func (s *Session) Negation(n int, line string) (text string, ok bool) {
	args := strings.TrimRight(line, "; \t")
	x, err := parser.ParseExpr("!" + args)
	if err != nil {
		return "", false
	}
	var first *ast.Ident
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && first == nil {
			first = id
		}
		return first == nil
	})
	if first == nil {
		return "", false
	}
	sym := s.Lookup(first.Name)
	if sym == nil || sym.Obj == nil || sym.Kind == Type {
		return "", false
	}
	end := int(x.End()) - 2 // behind the ! and from 0
	c, errs := cell.Parse(s.Fset, n, "("+args[:end]+")")
	if len(errs) > 0 {
		return "", false
	}
	res, diags := s.Check(c)
	if len(diags) > 0 || res.Tail == nil {
		return "", false
	}
	t := res.Info.TypeOf(res.Tail)
	b, basic := underlying(t).(*types.Basic)
	return "(!" + line[:end] + ")" + line[end:], basic && b.Info()&types.IsBoolean != 0 || isArray(t)
}
