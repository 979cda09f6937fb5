package check

import (
	"go/ast"
	"go/token"
	"sort"
	"strconv"
	"strings"
)

// imports makes the import declaration of one round: those of the cell, those
// of earlier cells that it names, and packages that need no import or whose
// import is missing.
func (k *checker) imports() []ast.Decl {
	var specs []ast.Spec
	shadowed := map[string]bool{}
	for _, sp := range k.c.Imports {
		if name := k.importName(sp); k.varNames[name] {
			// A variable of the cell has the name from its declaration on.
			sp = &ast.ImportSpec{Name: &ast.Ident{NamePos: sp.Pos(), Name: name + oldMark}, Path: sp.Path}
			shadowed[sp.Name.Name] = true
		}
		specs = append(specs, sp)
	}
	members := k.members()
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if strings.HasPrefix(name, "‹") {
			continue
		}
		plain, old := strings.CutSuffix(name, oldMark)
		if k.declared[name] && !old || shadowed[name] {
			continue
		}
		var path string
		if sym := k.s.syms[plain]; sym != nil {
			path = sym.Path
		} else if _, pre := k.s.env.Predeclared[plain]; !pre && !k.s.universal(plain) {
			path = k.s.preimport(plain, members[name])
			if path == "" {
				path = k.s.preimport(plain, nil)
			}
		}
		if path != "" {
			specs = append(specs, &ast.ImportSpec{
				Name: &ast.Ident{Name: name},
				Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)},
			})
		}
	}
	for name, path := range map[string]string{jnpName: jnpPath, jaxName: jaxPath, kwName: kwPath, rtName: rtPath} {
		if k.hidden[name] {
			specs = append(specs, &ast.ImportSpec{
				Name: &ast.Ident{Name: name}, Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)},
			})
		}
	}
	if len(specs) == 0 {
		return nil
	}
	return []ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Lparen: 1, Specs: specs}}
}

// importName is the name that an import declares.
func (k *checker) importName(sp *ast.ImportSpec) string {
	if sp.Name != nil {
		return sp.Name.Name
	}
	return k.s.packageName(unquote(sp.Path.Value))
}

// members maps each name that stands alone before a dot, and is not bound
// within its function, to what is selected from it.
func (k *checker) members() map[string][]string {
	found := map[string][]string{}
	visit := func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil {
			found[id.Name] = append(found[id.Name], sel.Sel.Name)
		}
		return true
	}
	for _, f := range k.c.Funcs {
		ast.Inspect(f, visit)
	}
	for _, st := range k.c.Stmts {
		ast.Inspect(st, visit)
	}
	return found
}
