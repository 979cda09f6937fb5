package lower

import (
	"go/ast"
	"go/types"
	"strings"
)

// callsBack are the packages whose functions call what they get again and
// again, on the goroutine of their own caller.
var callsBack = map[string]bool{
	"sort": true, "slices": true, "maps": true, "strings": true, "bytes": true, "io/fs": true, "path/filepath": true,
	"math/rand": true, "math/rand/v2": true, "regexp": true, "bufio": true, "go/ast": true,
}

// callback lets an interrupt end the compiled function fun, which calls the
// function a, written text, in a loop.
func (l *lowerer) callback(e *ast.CallExpr, a ast.Expr, text, fun string, param types.Type, pkg string) string {
	f := l.callee(e)
	_, isFunc := l.under(param).(*types.Signature)
	if !isFunc || !callsBack[pkg] && (f == nil || f.FullName() != "(*sync.Map).Range") || isNilIdent(l.info, a) || l.res.Native(l.callee(&ast.CallExpr{Fun: a})) {
		return text
	}
	if f != nil && f.Signature().TypeParams().Len() > 0 && !strings.HasPrefix(fun, "_k.") {
		return text // is interpreted itself
	}
	return "_k.Callback(" + text + ").(" + l.typ(l.under(param)) + ")"
}
