package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gopherlo/interp/cell"
)

// View is what go/types finds out about a cell that need not be right: what its
// names and expressions stand for, as far as that can be said.
type View struct {
	Cell *cell.Cell
	Pkg  *types.Package
	Info *types.Info

	k *checker
}

// Look looks at a parsed cell. The session stays as it is.
func (s *Session) Look(c *cell.Cell) (v *View) {
	k := &checker{s: s, c: c, hidden: map[string]bool{}, types: map[string]types.Type{}, loose: true}
	v = &View{Cell: c, k: k}
	defer func() {
		_ = recover() // go/types, or ours, does not know what to make of the text
		k.takeBack()
		v.Pkg, v.Info = k.pkg, k.info
	}()
	for round := range maxRounds {
		k.begin()
		k.run(round == 0)
		if round == maxRounds-1 || !k.rewrite() {
			break
		}
	}
	return v
}

// Sym finds the symbol of an object, nil for objects that are no names of the
// session.
func (v *View) Sym(obj types.Object) *Sym {
	if obj == nil {
		return nil
	}
	return v.k.res.Sym(obj)
}

// TypeOf is the type of an expression, nil when it is not known.
func (v *View) TypeOf(e ast.Expr) types.Type {
	t := v.Info.TypeOf(e)
	if b, ok := t.(*types.Basic); t == nil || ok && b.Kind() == types.Invalid {
		return nil
	}
	if v.Info.Types[e].IsType() {
		return t
	}
	return types.Default(t)
}

// Locals lists what is declared around a place: in its function, the innermost
// first, then at the top level of the cell.
func (v *View) Locals(pos token.Pos) (list []types.Object) {
	var scopes []*types.Scope
	for _, s := range v.Info.Scopes {
		if s.Pos() <= pos && pos <= s.End() && s.Parent() != nil && s.Pos().IsValid() {
			scopes = append(scopes, s)
		}
	}
	slices.SortFunc(scopes, func(a, b *types.Scope) int { return int(a.End()-a.Pos()) - int(b.End()-b.Pos()) })
	seen := map[string]bool{}
	add := func(obj types.Object, name string) {
		if !seen[name] && name != "_" && !strings.ContainsAny(name, "‹ǃ.") {
			seen[name] = true
			list = append(list, obj)
		}
	}
	for _, s := range scopes {
		for _, name := range s.Names() {
			if obj := s.Lookup(name); obj.Pos() < pos {
				add(obj, name)
			}
		}
	}
	for name := range v.k.declared {
		obj := v.Pkg.Scope().Lookup(name)
		if obj == nil || v.k.varNames[name] && v.Cell.Offset(obj.Pos()) >= v.Cell.Offset(pos) {
			continue
		}
		add(obj, name)
	}
	return list
}

// Labels lists the labels of the function around a path of nodes, or of the
// cell's statements.
func Labels(c *cell.Cell, path []ast.Node) (list []string) {
	var body ast.Node = &ast.BlockStmt{List: c.Stmts}
around:
	for _, n := range slices.Backward(path) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
			break around
		case *ast.FuncLit:
			body = n.Body
			break around
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			list = append(list, l.Label.Name)
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return list
}

// Methods lists the methods that the cell itself declares for a type of an
// earlier cell, by name.
func (v *View) Methods(n *types.Named) map[string]*ast.FuncDecl {
	list := map[string]*ast.FuncDecl{}
	for _, f := range v.Cell.Funcs {
		if methodBase(f) == n.Obj().Name() && IsCellType(n.Obj()) {
			list[f.Name.Name] = f
		}
	}
	return list
}

// Each calls a function with the session's names, in no order.
func (s *Session) Each(visit func(*Sym)) {
	for _, sym := range s.syms {
		visit(sym)
	}
}

// PackagesNamed lists the paths of the packages that a name may stand for where
// nothing else has it, the one that is meant by itself first.
func (s *Session) PackagesNamed(name string) (list []string) {
	if p := s.preimport(name, nil); p != "" {
		list = append(list, p)
	}
	for _, p := range s.env.Packages {
		if s.packageName(p) == name && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// PackageName is the name by which a package is imported.
func (s *Session) PackageName(path string) string { return s.packageName(path) }

// Outs gives the types of the values that cells have shown, by the cells' numbers.
func (s *Session) Outs() map[string]types.Type {
	m := make(map[string]types.Type, len(s.outs))
	for n, t := range s.outs {
		m[itoa(n)] = t
	}
	return m
}
