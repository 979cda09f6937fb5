package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"gopherlo/interp/check"
)

// names writes what is told of a function: its name, those of its parameters
// and its place.
func (l *lowerer) names(name string, params []string, cell, line int) string {
	quoted := make([]string, len(params))
	for i, p := range params {
		quoted[i] = strconv.Quote(p)
	}
	return fmt.Sprintf("%q, []string{%s}, %q, %d", name, strings.Join(quoted, ", "), l.env.FileName(cell), line)
}

// origin writes a function value that knows its names from now on.
func (l *lowerer) origin(text, name string, params []string, cell, line int) string {
	return "_k.Fn(" + text + ", " + l.names(name, params, cell, line) + ")"
}

// titled writes a literal. One that may be traced later knows its names: it may
// go through variables, fields and other functions before that.
func (l *lowerer) titled(e *ast.FuncLit) string {
	sig := l.typeOf(e).(*types.Signature)
	if l.untitled == e || !l.traceable(sig) {
		return l.funcLit(e, nil)
	}
	name := cmp.Or(l.titleFor(e), "<lambda>")
	text := l.funcLit(e, nil)
	line, _ := l.position(e.Pos())
	return l.origin(text, name, check.ParamNames(e.Type.Params), l.where.Cell, line) + ".(func" + l.signature(sig) + ")"
}

// titleFor is the variable that a literal is assigned to, perhaps within the
// transformations of it, "" when there is none.
func (l *lowerer) titleFor(e ast.Expr) string {
	if l.lhsName != "" && l.lhsValue == ast.Unparen(e) {
		return l.lhsName
	}
	return ""
}

// titleHolder is the literal that gets the name of a variable that is assigned e.
func (l *lowerer) titleHolder(e ast.Expr) ast.Expr { return check.TitleHolder(e, l.info, l.sub) }

// traceable reports a function that is likely to be traced.
func (l *lowerer) traceable(sig *types.Signature) bool { return check.Traceable(sig, l.sub) }
