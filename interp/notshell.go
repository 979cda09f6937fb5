package interp

import (
	"go/ast"
	"go/parser"
	"go/types"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
)

// goLine is the Go text of a line that looks like one for the shell and is the
// negation of what the session has: !ok, !x[0].
func (r *cellRun) goLine(m cell.Magic) (text string, ok bool) {
	if m.Name != "!" {
		return "", false
	}
	args := strings.TrimRight(m.Args, "; \t")
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
	r.in.names.Lock()
	defer r.in.names.Unlock()
	sym := r.in.session.Lookup(first.Name)
	if sym == nil || sym.Obj == nil || sym.Kind == check.Type {
		return "", false
	}
	end := int(x.End()) - 2 // behind the ! and from 0
	t := r.in.typeOfText(args[:end])
	if t == nil {
		return "", false
	}
	b, basic := t.Underlying().(*types.Basic)
	return "(!" + m.Args[:end] + ")" + m.Args[end:], basic && b.Info()&types.IsBoolean != 0 || isArrayType(t)
}
