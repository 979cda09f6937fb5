package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// lateSpec is the declaration of a type of an earlier cell as methods of this cell
// need it: names in the constraints of its type parameters mean what they meant
// there, whatever this cell imports and declares.
func (k *checker) lateSpec(sym *Sym) *ast.TypeSpec {
	n, ok := sym.Obj.Type().(*types.Named)
	if !ok || n.TypeParams().Len() == 0 {
		return sym.Spec
	}
	spec := *sym.Spec
	spec.TypeParams = &ast.FieldList{}
	for p := range n.TypeParams().TypeParams() {
		spec.TypeParams.List = append(spec.TypeParams.List, &ast.Field{
			Names: []*ast.Ident{ast.NewIdent(p.Obj().Name())}, Type: k.typeExpr(p.Constraint(), token.NoPos),
		})
	}
	return &spec
}

// openExpr writes a type that mentions type parameters, which are others in each
// round, as syntax; nil for types that mention none, and for those that typeExpr
// takes apart.
func (k *checker) openExpr(t types.Type, pos token.Pos) ast.Expr {
	open := false
	mentions(t, map[types.Type]bool{}, func(*types.TypeParam) { open = true })
	if !open {
		return nil
	}
	switch t := t.(type) {
	case *types.Alias:
		return k.typeExpr(types.Unalias(t), pos)
	case *types.Named:
		x := &ast.IndexListExpr{X: k.typeAlias(t.Origin(), pos), Lbrack: pos, Rbrack: pos}
		for a := range t.TypeArgs().Types() {
			x.Indices = append(x.Indices, k.typeExpr(a, pos))
		}
		return x
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}[t.Dir()]
		return &ast.ChanType{Begin: pos, Dir: dir, Value: k.typeExpr(t.Elem(), pos)}
	case *types.Struct:
		x := &ast.StructType{Struct: pos, Fields: &ast.FieldList{Opening: pos, Closing: pos}}
		for f := range t.Fields() {
			field := &ast.Field{Type: k.typeExpr(f.Type(), pos)}
			if !f.Embedded() {
				field.Names = []*ast.Ident{{NamePos: pos, Name: f.Name()}}
			}
			x.Fields.List = append(x.Fields.List, field)
		}
		return x
	case *types.Interface:
		x := &ast.InterfaceType{Interface: pos, Methods: &ast.FieldList{Opening: pos, Closing: pos}}
		for m := range t.ExplicitMethods() {
			x.Methods.List = append(x.Methods.List, &ast.Field{
				Names: []*ast.Ident{{NamePos: pos, Name: m.Name()}}, Type: k.funcExpr(m.Signature(), pos),
			})
		}
		for e := range t.EmbeddedTypes() {
			x.Methods.List = append(x.Methods.List, &ast.Field{Type: k.typeExpr(e, pos)})
		}
		return x
	case *types.Union:
		return k.unionExpr(t, pos)
	}
	return nil
}

func (k *checker) unionExpr(t *types.Union, pos token.Pos) (x ast.Expr) {
	for term := range t.Terms() {
		y := k.typeExpr(term.Type(), pos)
		if term.Tilde() {
			y = &ast.UnaryExpr{OpPos: pos, Op: token.TILDE, X: y}
		}
		if x == nil {
			x = y
		} else {
			x = &ast.BinaryExpr{X: x, OpPos: pos, Op: token.OR, Y: y}
		}
	}
	return x
}
