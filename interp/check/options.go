package check

import (
	"go/ast"
	"go/parser"

	"gopherlo/interp/cell"
)

// addJitOptions gives every jit call of the cell the compiler options of the
// cell. Options that a call has itself win.
func (k *checker) addJitOptions() {
	if k.c.JitOptions == "" {
		return
	}
	e, err := parser.ParseExpr("compiler_options" + k.c.JitOptions)
	lit, ok := e.(*ast.CompositeLit)
	if err != nil || !ok {
		k.own = append(k.own, Diagnostic{Error: cell.Error{Line: 1, Col: 1, Msg: "%%xla: options must be a Go map literal, such as {\"xla_embed_ir_in_executable\": true}"}})
		return
	}
	visit := func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !k.isJit(call.Fun) || call.Ellipsis.IsValid() {
			return true
		}
		for _, a := range call.Args {
			if have, ok := a.(*ast.CompositeLit); ok && isOptionsType(have.Type) {
				mergeOptions(have, lit)
				return true
			}
		}
		call.Args = append(call.Args, &ast.CompositeLit{Type: &ast.Ident{Name: "compiler_options", NamePos: call.Pos()}, Lbrace: call.Pos(), Elts: lit.Elts, Rbrace: call.Pos()})
		return true
	}
	for _, f := range k.c.Funcs {
		ast.Inspect(f, visit)
	}
	for _, st := range k.c.Stmts {
		ast.Inspect(st, visit)
	}
}

func (k *checker) isJit(fun ast.Expr) bool {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name == "jit" && f.Obj == nil && !k.declared["jit"] && k.s.syms["jit"] == nil
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		return ok && f.Sel.Name == "Jit" && x.Obj == nil && (x.Name == "jax" || x.Name == "jaxlike")
	}
	return false
}

func isOptionsType(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name == "compiler_options"
	case *ast.SelectorExpr:
		return t.Sel.Name == "CompilerOptions"
	}
	return false
}

func mergeOptions(have, more *ast.CompositeLit) {
	keys := map[string]bool{}
	key := func(e ast.Expr) string {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if lit, ok := kv.Key.(*ast.BasicLit); ok {
				return lit.Value
			}
		}
		return ""
	}
	for _, e := range have.Elts {
		keys[key(e)] = true
	}
	for _, e := range more.Elts {
		if !keys[key(e)] {
			have.Elts = append(have.Elts, e)
		}
	}
}
