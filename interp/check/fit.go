package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"gopherlo/interp/modules"
)

// fit makes an expression fit a place of type want: a Func where a func type is
// wanted, a number where an Array is, results where a struct, slice or map is.
func (r *rewriter) fit(e ast.Expr, want types.Type) ast.Expr {
	if want == nil || e == nil {
		return e
	}
	have := r.k.info.TypeOf(e)
	switch {
	case isArray(want) && !r.isArr(e) && r.isNumber(e):
		r.changed = true
		call := r.function(rtName, "Lit", e.Pos(), e)
		r.arrays[call] = true
		return r.instead(call, e)
	case isGoFunc(want) && (isFunc(have) || r.isNativeFunc(e) && !types.AssignableTo(have, want)):
		return r.instead(r.instance(r.function(jaxName, "As", e.Pos(), e), want), e)
	case r.isArr(e) && isTree(want):
		return r.instead(r.instance(r.function(rtName, "Into1", e.Pos(), e), want), e)
	}
	return e
}

// isNumber reports constants and variables of Go's number types.
func (r *rewriter) isNumber(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return x.Kind == token.INT || x.Kind == token.FLOAT || x.Kind == token.IMAG
	case *ast.UnaryExpr:
		return (x.Op == token.SUB || x.Op == token.ADD) && r.isNumber(x.X)
	}
	tv, ok := r.k.info.Types[e]
	if !ok || !tv.IsValue() {
		return false
	}
	if tv.Value != nil {
		return tv.Value.Kind() != constant.String
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0 && b.Kind() != types.Invalid
}

// isNativeFunc reports an expression that names a function of our own packages,
// such as jnp.Sin, which takes any where a cell says Array.
func (r *rewriter) isNativeFunc(e ast.Expr) bool {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return false
	}
	f, ok := r.called(e).(*types.Func)
	return ok && f.Pkg() != nil && strings.HasPrefix(f.Pkg().Path(), "gopherlo/") && f.Signature().Recv() == nil && f.Signature().TypeParams().Len() == 0
}

// isGoFunc reports func types other than those of transformations.
func isGoFunc(t types.Type) bool {
	_, ok := underlying(t).(*types.Signature)
	return ok && !isFunc(t) && !isOwn(t, jaxPath, "Decorator")
}

// isTree reports types that results are taken apart into.
func isTree(t types.Type) bool {
	if isArray(t) {
		return false
	}
	switch u := underlying(t).(type) {
	case *types.Struct, *types.Slice, *types.Map, *types.Array:
		return true
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Struct)
		return ok
	}
	return false
}

// instance adds type arguments to a call.
func (r *rewriter) instance(call *ast.CallExpr, args ...types.Type) ast.Expr {
	exprs := make([]ast.Expr, len(args))
	for i, t := range args {
		exprs[i] = r.k.typeExpr(t, call.Pos())
	}
	if len(exprs) == 1 {
		call.Fun = &ast.IndexExpr{X: call.Fun, Lbrack: call.Pos(), Index: exprs[0], Rbrack: call.Pos()}
	} else {
		call.Fun = &ast.IndexListExpr{X: call.Fun, Lbrack: call.Pos(), Indices: exprs, Rbrack: call.Pos()}
	}
	r.changed = true
	return call
}

// into takes the results of a call apart: one per wanted type, nil for those
// that nobody has given a type.
func (r *rewriter) into(e ast.Expr, wants []types.Type) ast.Expr {
	known := r.resultsOf(e)
	args := make([]types.Type, len(wants))
	for i, w := range wants {
		args[i] = w
		if w == nil && len(known) == len(wants) && !isInterface(known[i]) {
			args[i] = known[i]
		}
		if args[i] == nil {
			args[i] = r.k.arrayType()
		}
	}
	if len(args) < 2 || len(args) > maxInto || args[0] == nil {
		return e
	}
	return r.instead(r.instance(r.function(rtName, fmt.Sprintf("Into%d", len(args)), e.Pos(), e), args...), e)
}

// fitSeveral makes one expression fit several places: the results of a Func,
// Arrays of several results that a Go function gives, or a slice of Arrays.
func (r *rewriter) fitSeveral(e ast.Expr, wants []types.Type) ast.Expr {
	if r.isArr(e) && !r.isOperation(e) {
		return r.into(e, wants)
	}
	if s, ok := r.k.info.TypeOf(e).(*types.Slice); ok && isArray(s.Elem()) && len(wants) > 1 {
		pack := r.function(rtName, "Pack", e.Pos(), e)
		r.arrays[pack] = true
		return r.into(pack, wants)
	}
	if tuple, ok := r.k.info.TypeOf(e).(*types.Tuple); ok && tuple.Len() == len(wants) {
		return r.each(e, tuple, wants)
	}
	return e
}

// isOperation reports an Array that an operator makes: it is one.
func (r *rewriter) isOperation(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return true
	case *ast.CallExpr:
		sel, ok := x.Fun.(*ast.SelectorExpr)
		if !ok {
			return r.arrays[x]
		}
		pkg, _ := sel.X.(*ast.Ident)
		s := r.k.info.Selections[sel]
		return r.arrays[x] || pkg != nil && pkg.Name == jnpName || s != nil && isArray(s.Recv()) && sel.Sel.Name != "Out"
	}
	return false
}

// fitAssign fits the right sides of an assignment.
func (r *rewriter) fitAssign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		return
	}
	wants := make([]types.Type, len(s.Lhs))
	for i, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); ok && (id.Name == "_" || r.k.info.Defs[id] != nil) {
			continue
		}
		wants[i] = r.k.info.TypeOf(l)
		if id, ok := l.(*ast.Ident); ok && r.k.info.Uses[id] != nil {
			obj := r.k.info.Uses[id]
			if now, known := r.objs[obj]; known && !now {
				return // its type is known in the next round
			}
			wants[i] = obj.Type()
		}
		if b, ok := wants[i].(*types.Basic); ok && b.Kind() == types.Invalid {
			wants[i] = nil
		}
	}
	if len(s.Rhs) == len(s.Lhs) {
		for i := range s.Rhs {
			s.Rhs[i] = r.fit(s.Rhs[i], wants[i])
		}
		return
	}
	before := s.Rhs[0]
	s.Rhs[0] = r.fitSeveral(before, wants)
	for _, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		if obj := r.k.info.Defs[id]; ok && obj != nil && before != s.Rhs[0] {
			r.objs[obj] = false // its type may be another in the next round
		}
	}
}

func (r *rewriter) fitReturn(s *ast.ReturnStmt) {
	if len(r.results) == 0 {
		return
	}
	results := r.results[len(r.results)-1].Results()
	if len(s.Results) == results.Len() {
		for i := range s.Results {
			s.Results[i] = r.fit(s.Results[i], results.At(i).Type())
		}
		return
	}
	if len(s.Results) == 1 && results.Len() > 1 {
		s.Results[0] = r.fitSeveral(s.Results[0], tupleTypes(results))
	}
}

func (r *rewriter) fitArgs(call *ast.CallExpr) {
	tv, ok := r.k.info.Types[call.Fun]
	if !ok || tv.IsType() {
		return
	}
	if tv.IsBuiltin() {
		r.fitAppended(call)
		return
	}
	if f, ok := r.called(call.Fun).(*types.Func); ok && givesBack(f) && len(call.Args) > 0 && r.isNumber(call.Args[0]) {
		call.Args[0] = r.fit(call.Args[0], r.k.arrayType()) // a number comes back as an Array
		return
	}
	sig, ok := underlying(tv.Type).(*types.Signature)
	if !ok || isFunc(tv.Type) || sig.TypeParams().Len() > 0 {
		return
	}
	r.byPosition(call, sig)
	n := sig.Params().Len()
	for i, a := range call.Args {
		switch {
		case sig.Variadic() && i >= n-1:
			if !call.Ellipsis.IsValid() {
				call.Args[i] = r.fit(a, sig.Params().At(n-1).Type().(*types.Slice).Elem())
			}
		case i < n:
			call.Args[i] = r.fit(a, sig.Params().At(i).Type())
		}
	}
}

// fitAppended fits what append adds to a slice.
func (r *rewriter) fitAppended(call *ast.CallExpr) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != "append" || len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return
	}
	s, ok := underlying(r.k.info.TypeOf(call.Args[0])).(*types.Slice)
	if !ok {
		return
	}
	for i, a := range call.Args[1:] {
		call.Args[i+1] = r.fit(a, s.Elem())
	}
}

// givesBack reports functions of our own that return what they get, such as
// DevicePut.
func givesBack(f *types.Func) bool {
	if f.Pkg() == nil || !strings.HasPrefix(f.Pkg().Path(), "gopherlo/") {
		return false
	}
	sig := f.Signature()
	return sig.TypeParams().Len() == 1 && sig.Params().Len() > 0 && sig.Results().Len() == 1 &&
		sig.Results().At(0).Type() == sig.TypeParams().At(0) && sig.Params().At(0).Type() == sig.TypeParams().At(0)
}

func (r *rewriter) fitElements(lit *ast.CompositeLit) {
	t := underlying(r.k.info.TypeOf(lit))
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	for i, el := range lit.Elts {
		var want types.Type
		kv, keyed := el.(*ast.KeyValueExpr)
		switch u := t.(type) {
		case *types.Slice:
			want = u.Elem()
		case *types.Array:
			want = u.Elem()
		case *types.Map:
			want = u.Elem()
		case *types.Struct:
			want = fieldType(u, kv, i)
		}
		if st, ok := t.(*types.Struct); ok {
			r.noteElement(st, el, i)
		}
		if keyed {
			kv.Value = r.fit(kv.Value, want)
		} else {
			lit.Elts[i] = r.fit(el, want)
		}
	}
}

func fieldType(st *types.Struct, kv *ast.KeyValueExpr, i int) types.Type {
	if f := fieldOf(st, kv, i); f != nil {
		return f.Type()
	}
	return nil
}

// fieldOf is the field that element i of a literal, kv if it has a name, sets.
func fieldOf(st *types.Struct, kv *ast.KeyValueExpr, i int) *types.Var {
	if kv == nil {
		if i < st.NumFields() {
			return st.Field(i)
		}
		return nil
	}
	id, ok := kv.Key.(*ast.Ident)
	for j := range st.NumFields() {
		if ok && st.Field(j).Name() == id.Name {
			return st.Field(j)
		}
	}
	return nil
}

// noteElement remembers what a Func in a struct literal is made of.
func (r *rewriter) noteElement(st *types.Struct, el ast.Expr, i int) {
	kv, keyed := el.(*ast.KeyValueExpr)
	if f := fieldOf(st, kv, i); f != nil {
		if keyed {
			el = kv.Value
		}
		r.noteField(f, r.made(el))
	}
}

func tupleTypes(t *types.Tuple) []types.Type {
	list := make([]types.Type, t.Len())
	for i := range list {
		list[i] = t.At(i).Type()
	}
	return list
}

func isInvalid(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.Invalid
}

// arrayType is the type of Arrays.
func (k *checker) arrayType() types.Type {
	p, err := k.s.importer.Import(arrayPath)
	if err != nil {
		return nil
	}
	return p.Scope().Lookup("Array").Type()
}

// typeExpr writes a type as syntax. Types of this cell go by name, all others
// by names that stand for the type itself.
func (k *checker) typeExpr(t types.Type, pos token.Pos) ast.Expr {
	switch u := t.(type) {
	case *types.Basic:
		if u.Kind() != types.UnsafePointer {
			return k.typeAlias(t, pos)
		}
	case *types.Named:
		if u.Obj().Pkg() == k.pkg {
			name := ast.Expr(&ast.Ident{NamePos: pos, Name: u.Obj().Name()})
			if n := u.TypeArgs().Len(); n > 0 {
				args := make([]ast.Expr, n)
				for i := range args {
					args[i] = k.typeExpr(u.TypeArgs().At(i), pos)
				}
				return &ast.IndexListExpr{X: name, Lbrack: pos, Indices: args, Rbrack: pos}
			}
			return name
		}
	case *types.Pointer:
		return &ast.StarExpr{Star: pos, X: k.typeExpr(u.Elem(), pos)}
	case *types.TypeParam: // another one in each round
		return &ast.Ident{NamePos: pos, Name: u.Obj().Name()}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: pos, Elt: k.typeExpr(u.Elem(), pos)}
	case *types.Array:
		n := &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.FormatInt(u.Len(), 10)}
		return &ast.ArrayType{Lbrack: pos, Len: n, Elt: k.typeExpr(u.Elem(), pos)}
	case *types.Map:
		return &ast.MapType{Map: pos, Key: k.typeExpr(u.Key(), pos), Value: k.typeExpr(u.Elem(), pos)}
	case *types.Signature:
		return k.funcExpr(u, pos)
	}
	if x := k.openExpr(t, pos); x != nil {
		return x
	}
	return k.typeAlias(t, pos)
}

func (k *checker) funcExpr(sig *types.Signature, pos token.Pos) ast.Expr {
	fields := func(t *types.Tuple) *ast.FieldList {
		fl := &ast.FieldList{Opening: pos, Closing: pos}
		for i := range t.Len() {
			typ := t.At(i).Type()
			if s, ok := typ.(*types.Slice); ok && t == sig.Params() && sig.Variadic() && i == t.Len()-1 {
				fl.List = append(fl.List, &ast.Field{Type: &ast.Ellipsis{Ellipsis: pos, Elt: k.typeExpr(s.Elem(), pos)}})
				continue
			}
			fl.List = append(fl.List, &ast.Field{Type: k.typeExpr(typ, pos)})
		}
		return fl
	}
	return &ast.FuncType{Func: pos, Params: fields(sig.Params()), Results: fields(sig.Results())}
}

// typeAlias makes a name that stands for a type.
func (k *checker) typeAlias(t types.Type, pos token.Pos) ast.Expr {
	name := fmt.Sprintf("‹type%d›", len(k.types))
	k.types[name] = t
	return &ast.Ident{NamePos: pos, Name: name}
}

// maxInto is the most results that are taken apart at once.
const maxInto = 8

// rtPackage is what rewritten code imports as the runtime: functions that
// lowering replaces.
func rtPackage(imp types.Importer) *types.Package {
	var b strings.Builder
	b.WriteString("package rt\nimport \"" + arrayPath + "\"\nfunc Lit(x any) array.Array { panic(0) }\n" +
		"func Rows(x array.Array) []array.Array { panic(0) }\nfunc Pack(xs []array.Array) array.Array { panic(0) }\nfunc Len(x array.Array) int { panic(0) }\n" +
		"func Out[T any](n int) T { panic(0) }\nfunc Outs() map[int]any { panic(0) }\nfunc Ins() []string { panic(0) }\n")
	for n := 1; n <= maxInto; n++ {
		var params []string
		for i := range n {
			params = append(params, fmt.Sprintf("T%d", i))
		}
		list := strings.Join(params, ", ")
		fmt.Fprintf(&b, "func Into%d[%s any](x array.Array) (%s) { panic(0) }\n", n, list, list)
		fmt.Fprintf(&b, "func Each%d[%s any](%s) (%s) { panic(0) }\n", n, list, strings.Repeat("any, ", n-1)+"any", list)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "rt.go", b.String(), parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	conf := types.Config{Importer: imp}
	p, err := conf.Check(rtPath, fset, []*ast.File{f}, nil)
	if err != nil {
		return nil
	}
	return p
}

// hiddenImporter adds the runtime, and packages from source, to the importable
// packages.
type hiddenImporter struct {
	types.Importer
	s  *Session
	rt *types.Package
}

func (h *hiddenImporter) Import(path string) (*types.Package, error) {
	if path == rtPath {
		if h.rt == nil {
			h.rt = rtPackage(h.Importer)
		}
		if h.rt != nil {
			return h.rt, nil
		}
	}
	pkg, err := h.Importer.Import(path)
	if err == nil {
		return pkg, nil
	}
	p, loadErr := h.s.load(modules.Root{}, "", path)
	switch {
	case errors.Is(loadErr, modules.ErrNotFound):
		return nil, err
	case loadErr != nil:
		return nil, loadErr
	}
	return p.Pkg, nil
}

// builtin is a package that needs no source.
func (s *Session) builtin(path string) (*types.Package, error) {
	return s.importer.Importer.Import(path)
}

// FromSource is the session's package of a path that is loaded from source, nil for
// none.
func (r *Result) FromSource(path string) *Package { return r.s.FromSource(path) }

// FromSource is the package from source that a path means, nil when it is none or
// not right.
func (s *Session) FromSource(path string) *Package {
	if s.known[path] {
		return nil
	}
	p, err := s.load(modules.Root{}, "", path)
	if err != nil {
		return nil
	}
	return p
}
