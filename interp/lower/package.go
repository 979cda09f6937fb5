package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"gopherlo/interp/check"
)

// Package lowers a package that is held as source, of which res is the result: a program that declares what it
// declares, and whose statements give its variables their values and call its init
// functions.
func Package(env *Env, fset *token.FileSet, p *check.Package, res *check.Result) (*Program, error) {
	return program(env, fset, res, func(l *lowerer) string { return l.packageBody(p) })
}

func (l *lowerer) packageBody(p *check.Package) string {
	l.begin(Pos{Cell: l.res.Cell.N})
	l.fn = &fn{sig: types.NewSignatureType(nil, nil, nil, nil, nil, false)}
	l.analyse(&ast.BlockStmt{List: l.res.Stmts})
	for _, st := range l.res.Stmts {
		l.where.Cell = p.FileOf(st.(*ast.AssignStmt).TokPos)
		l.top(st)
		l.stmt(st)
	}
	l.runInits()
	return l.buf.String()
}
