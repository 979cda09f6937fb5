package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// expression is the expression that the word is or ends, and the node around it;
// up is how far above the word that is.
func (s *scene) expression() (e ast.Expr, parent ast.Node, up int) {
	e, ok := s.at(0).(ast.Expr)
	if !ok {
		return nil, nil, 0
	}
	for up = 1; ; up++ {
		switch p := s.at(up).(type) {
		case *ast.SelectorExpr:
			if p.Sel != e {
				return e, p, up
			}
			e = p
		case *ast.ParenExpr:
			e = p
		default:
			return e, p, up
		}
	}
}

// sorted puts what fits the place first, and leaves out what is no type where a
// type is due.
func (s *scene) sorted(list []candidate) []candidate {
	if s.typeDue() {
		if named := slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return !namesType(c) }); len(named) > 0 {
			return named
		}
		return list
	}
	wanted := s.wanted()
	if wanted == nil || wanted == types.Typ[types.Invalid] {
		return list
	}
	if i, ok := wanted.Underlying().(*types.Interface); ok && i.Empty() {
		return list
	}
	for i := range list {
		if isWanted(list[i].obj, wanted) {
			list[i].rank = expected
		}
	}
	return list
}

// isWanted reports variables and constants, and functions themselves, that may stand
// where a type is wanted.
func isWanted(obj types.Object, wanted types.Type) bool {
	switch obj := obj.(type) {
	case *types.Var, *types.Const, *types.Func:
		if f, ok := obj.(*types.Func); ok && givesNamedOption(f, wanted) {
			return true
		}
		t := obj.Type()
		return t != nil && t != types.Typ[types.Invalid] && obj.Name() != "iota" && types.AssignableTo(t, wanted)
	}
	return false
}

// givesNamedOption reports functions that give the options of a call which are of a
// type and no interface.
func givesNamedOption(f *types.Func, wanted types.Type) bool {
	named, ok := types.Unalias(wanted).(*types.Named)
	res := f.Signature().Results()
	return ok && named.Obj().Name() == "Option" && !types.IsInterface(named) && res.Len() == 1 && types.Identical(res.At(0).Type(), named)
}

// namesType reports what may stand where a type is due: types, packages, and the
// keywords that types begin with.
func namesType(c candidate) bool {
	if _, ok := c.obj.(*types.TypeName); ok {
		return true
	}
	return c.kind == "module" || slices.Contains([]string{"struct", "interface", "func", "map", "chan"}, c.name) && c.kind == "keyword"
}

// typeDue reports that the word is, or ends, a type.
func (s *scene) typeDue() bool {
	e, parent, up := s.expression()
	for {
		switch p := parent.(type) {
		case *ast.StarExpr, *ast.Ellipsis:
			e, up = p.(ast.Expr), up+1
			parent = s.at(up)
			continue
		case *ast.Field:
			return p.Type == e
		case *ast.ArrayType:
			return p.Elt == e
		case *ast.MapType, *ast.ChanType:
			return true
		case *ast.ValueSpec:
			return p.Type == e
		case *ast.TypeSpec:
			return p.Type == e
		case *ast.TypeAssertExpr:
			return p.Type == e
		}
		return false
	}
}

// wanted is the type that the place asks for, nil where it asks for none.
func (s *scene) wanted() types.Type {
	e, parent, up := s.expression()
	if e == nil {
		return nil
	}
	switch p := parent.(type) {
	case *ast.CallExpr:
		return s.parameter(p, slices.Index(p.Args, e))
	case *ast.AssignStmt:
		if i := slices.Index(p.Rhs, e); p.Tok != token.DEFINE && i >= 0 && i < len(p.Lhs) {
			return s.view.TypeOf(p.Lhs[i])
		}
	case *ast.ValueSpec:
		if p.Type != nil {
			return s.view.TypeOf(p.Type)
		}
	case *ast.ReturnStmt:
		return s.result(up, slices.Index(p.Results, e))
	case *ast.BinaryExpr:
		return s.otherOperand(p, e)
	case *ast.KeyValueExpr:
		if lit, ok := s.at(up + 1).(*ast.CompositeLit); ok && p.Value == e {
			return elementOf(s.view.TypeOf(lit), p.Key)
		}
	case *ast.CompositeLit:
		if t := s.view.TypeOf(p); t != nil && p.Type != e {
			if _, isStruct := deref(t).Underlying().(*types.Struct); !isStruct {
				return elementOf(t, nil)
			}
		}
	case *ast.CaseClause:
		if sw, ok := s.at(up + 2).(*ast.SwitchStmt); ok && sw.Tag != nil {
			return s.view.TypeOf(sw.Tag)
		}
	case *ast.SendStmt:
		if t := s.view.TypeOf(p.Chan); t != nil && p.Value == e {
			return elementOf(t, nil)
		}
	case *ast.IfStmt, *ast.ForStmt:
		return types.Typ[types.Bool]
	}
	return nil
}

// parameter is the type of a call's argument.
func (s *scene) parameter(call *ast.CallExpr, i int) types.Type {
	t := s.view.TypeOf(call.Fun)
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "append" && i > 0 {
		return elementOf(s.view.TypeOf(call.Args[0]), nil)
	}
	if t == nil || i < 0 {
		return nil
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	last := sig.Params().Len() - 1
	switch {
	case sig.Variadic() && i >= last:
		return elementOf(sig.Params().At(last).Type(), nil)
	case i <= last:
		return sig.Params().At(i).Type()
	}
	return nil
}

// result is the type of a result of the function around the place.
func (s *scene) result(up, i int) types.Type {
	for ; s.at(up) != nil && i >= 0; up++ {
		var results *ast.FieldList
		switch f := s.at(up).(type) {
		case *ast.FuncLit:
			results = f.Type.Results
		case *ast.FuncDecl:
			results = f.Type.Results
		default:
			continue
		}
		if results == nil {
			return nil
		}
		for _, f := range results.List {
			if i -= max(len(f.Names), 1); i < 0 {
				return s.view.TypeOf(f.Type)
			}
		}
		return nil
	}
	return nil
}

// otherOperand is the type of what the expression is compared or reckoned with.
func (s *scene) otherOperand(b *ast.BinaryExpr, e ast.Expr) types.Type {
	if b.Op == token.LAND || b.Op == token.LOR {
		return types.Typ[types.Bool]
	}
	other := b.X
	if other == e {
		other = b.Y
	}
	t := s.view.TypeOf(other)
	if basic, ok := t.(*types.Basic); t == nil || ok && basic.Info()&types.IsUntyped != 0 {
		return nil
	}
	return t
}

// elementOf is the type of the elements of a list, a map or a channel, or of the
// field of a struct that a key names.
func elementOf(t types.Type, key ast.Expr) types.Type {
	if t == nil {
		return nil
	}
	switch u := deref(t).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	case *types.Chan:
		return u.Elem()
	case *types.Struct:
		id, ok := key.(*ast.Ident)
		for f := range u.Fields() {
			if ok && f.Name() == id.Name {
				return f.Type()
			}
		}
	}
	return nil
}

// declares reports that the word is in the declaration of a variable, which does not
// know it yet.
func (s *scene) declares(obj types.Object) bool {
	for up := 1; s.at(up) != nil; up++ {
		switch p := s.at(up).(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		case *ast.AssignStmt:
			return p.Tok == token.DEFINE && p.Pos() <= obj.Pos() && obj.Pos() < p.TokPos
		case *ast.ValueSpec:
			return slices.ContainsFunc(p.Names, func(id *ast.Ident) bool { return id.Pos() == obj.Pos() })
		}
	}
	return false
}
