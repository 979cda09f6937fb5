package interp

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"gopherlo/interp/check"
	"gopherlo/interp/symbols"
)

// resolver finds what names and operands of a cell's text stand for, as far as
// that can be said of a text that is not finished. It runs under Interp.names.
type resolver struct {
	in     *Interp
	locals map[string]ast.Expr // names that the text declares: what they are made of
	types  map[string]ast.Expr // parameters and variables with a type
	depth  int
}

func newResolver(in *Interp, code string, at int) *resolver {
	r := &resolver{in: in, locals: map[string]ast.Expr{}, types: map[string]ast.Expr{}}
	r.declarations(code[:at])
	return r
}

var (
	defineRE = regexp.MustCompile(`([\pL_][\pL\pN_]*(?:\s*,\s*[\pL_][\pL\pN_]*)*)\s*:=\s*([^\n]+)`)
	varRE    = regexp.MustCompile(`\bvar\s+([\pL_][\pL\pN_]*)\s+([\pL_*\[\].\pN]+)`)
	paramsRE = regexp.MustCompile(`\bfunc\b[^(\n]*((?:\([^()]*\)\s*[\pL_]*)?\([^()]*\))`)
)

// declarations notes what a text declares. It is read by its shape: where the
// cursor is, the text seldom parses.
func (r *resolver) declarations(text string) {
	for _, m := range defineRE.FindAllStringSubmatch(text, -1) {
		x, err := parser.ParseExpr(strings.TrimSuffix(strings.TrimSpace(m[2]), "{"))
		if err != nil {
			continue
		}
		first, _, _ := strings.Cut(m[1], ",")
		r.locals[strings.TrimSpace(first)] = x
	}
	for _, m := range varRE.FindAllStringSubmatch(text, -1) {
		if x, err := parser.ParseExpr(m[2]); err == nil {
			r.types[m[1]] = x
		}
	}
	for _, m := range paramsRE.FindAllStringSubmatch(text, -1) {
		x, err := parser.ParseExpr("func" + m[1][strings.LastIndex(m[1], "("):])
		if err != nil {
			continue
		}
		if f, ok := x.(*ast.FuncType); ok {
			for _, p := range f.Params.List {
				for _, name := range p.Names {
					r.types[name.Name] = p.Type
				}
			}
		}
	}
}

// names lists what a word may be: names of the session and the text,
// predeclared names, packages, keywords.
func (r *resolver) names() (list []candidate) {
	for _, sym := range r.in.session.Names() {
		if sym.Obj == nil {
			list = append(list, candidate{sym.Name, "module", sym.Path})
			continue
		}
		c := r.candidate(sym.Obj)
		c.name = sym.Name
		list = append(list, c)
	}
	for name := range r.locals {
		list = append(list, candidate{name: name, kind: "instance"})
	}
	for name := range r.types {
		list = append(list, candidate{name: name, kind: "instance"})
	}
	for name := range preimported {
		list = append(list, candidate{name, "module", preimported[name]})
	}
	for name := range predeclared {
		if strings.HasSuffix(name, check.TagForm) {
			continue
		}
		if obj := r.object(name); obj != nil {
			c := r.candidate(obj)
			c.name = name
			list = append(list, c)
		}
	}
	for name, is := range map[string]string{"Out": "the values that cells have shown", "In": "the texts of the cells", "_": "the last value"} {
		if r.in.session.Lookup(name) == nil && r.in.count.Load() > 0 {
			list = append(list, candidate{name, "instance", is})
		}
	}
	for _, name := range types.Universe.Names() {
		c := r.candidate(types.Universe.Lookup(name))
		list = append(list, c)
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		list = append(list, candidate{t.String(), "keyword", ""})
	}
	for _, path := range symbols.Packages() {
		if !strings.Contains(path, "/") && !strings.Contains(path, "gopherlo") {
			list = append(list, candidate{path, "module", path})
		}
	}
	return list
}

var literalRE = regexp.MustCompile(`(?s)([\pL_][\pL\pN_.]*)\{(?:[^{}]*,)?\s*$`)

// fieldsOfLiteral lists the keys of the struct literal that the text is in.
func (r *resolver) fieldsOfLiteral(before string) (list []candidate) {
	m := literalRE.FindStringSubmatch(before)
	if m == nil {
		return nil
	}
	x, err := parser.ParseExpr(m[1])
	if err != nil {
		return nil
	}
	t := r.typeExpr(x)
	if t == nil {
		return nil
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if r.visible(f) {
				list = append(list, r.candidate(f))
			}
		}
	}
	return list
}

// pkg is the package that an expression names, nil for others.
func (r *resolver) pkg(x ast.Expr) *types.Package {
	id, ok := x.(*ast.Ident)
	if !ok || r.locals[id.Name] != nil || r.types[id.Name] != nil {
		return nil
	}
	path := preimported[id.Name]
	if sym := r.in.session.Lookup(id.Name); sym != nil {
		if sym.Obj != nil {
			return nil
		}
		path = sym.Path
	}
	if path == "" { // cells may use the standard packages without an import
		for _, p := range symbols.Packages() {
			if p == id.Name || strings.HasSuffix(p, "/"+id.Name) && path == "" && !strings.HasPrefix(p, "gopherlo/") {
				path = p
			}
		}
	}
	if path == "" {
		return nil
	}
	pkg, err := r.in.session.Importer().Import(path)
	if err != nil {
		return nil
	}
	return pkg
}

// object is what a single name stands for.
func (r *resolver) object(name string) types.Object {
	if sym := r.in.session.Lookup(name); sym != nil {
		return sym.Obj
	}
	if p, ok := predeclared[name]; ok {
		if pkg, err := r.in.session.Importer().Import(p.Path); err == nil {
			return pkg.Scope().Lookup(p.Name)
		}
	}
	return types.Universe.Lookup(name)
}

// selected is the object of a selection: a member of a package or of a type.
func (r *resolver) selected(x *ast.SelectorExpr) types.Object {
	if pkg := r.pkg(x.X); pkg != nil {
		return pkg.Scope().Lookup(x.Sel.Name)
	}
	t := r.typeOf(x.X)
	if t == nil {
		return nil
	}
	var pkg *types.Package
	if n, ok := deref(t).(*types.Named); ok {
		pkg = n.Obj().Pkg()
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, pkg, x.Sel.Name)
	return obj
}

// typeExpr is the type that an expression denotes, nil when it is a value.
func (r *resolver) typeExpr(x ast.Expr) types.Type {
	switch x := x.(type) {
	case *ast.Ident:
		if t, ok := r.object(x.Name).(*types.TypeName); ok {
			return t.Type()
		}
	case *ast.SelectorExpr:
		if t, ok := r.selected(x).(*types.TypeName); ok {
			return t.Type()
		}
	case *ast.StarExpr:
		if t := r.typeExpr(x.X); t != nil {
			return types.NewPointer(t)
		}
	case *ast.ArrayType:
		if t := r.typeExpr(x.Elt); t != nil {
			return types.NewSlice(t)
		}
	case *ast.MapType:
		key, elem := r.typeExpr(x.Key), r.typeExpr(x.Value)
		if key != nil && elem != nil {
			return types.NewMap(key, elem)
		}
	case *ast.ParenExpr:
		return r.typeExpr(x.X)
	}
	return nil
}

// maxDepth bounds the resolution of names by what they are made of.
const maxDepth = 30

// typeOf is the type of a value, nil when it is not known.
func (r *resolver) typeOf(x ast.Expr) types.Type {
	if r.depth++; r.depth > maxDepth {
		return nil
	}
	defer func() { r.depth-- }()
	switch x := x.(type) {
	case *ast.Ident:
		return r.typeOfName(x.Name)
	case *ast.BasicLit:
		kind := map[token.Token]types.BasicKind{token.INT: types.Int, token.FLOAT: types.Float64, token.CHAR: types.Rune, token.STRING: types.String, token.IMAG: types.Complex128}
		return types.Typ[kind[x.Kind]]
	case *ast.ParenExpr:
		return r.typeOf(x.X)
	case *ast.SelectorExpr:
		return valueType(r.selected(x))
	case *ast.CallExpr:
		return r.typeOfCall(x)
	case *ast.CompositeLit:
		return r.typeExpr(x.Type)
	case *ast.TypeAssertExpr:
		return r.typeExpr(x.Type)
	case *ast.IndexExpr:
		return element(r.typeOf(x.X))
	case *ast.SliceExpr:
		return r.typeOf(x.X)
	case *ast.StarExpr:
		if t := r.typeOf(x.X); t != nil {
			return deref(t)
		}
	case *ast.UnaryExpr:
		t := r.typeOf(x.X)
		if x.Op == token.AND && t != nil {
			return types.NewPointer(t)
		}
		return t
	case *ast.BinaryExpr:
		if t := r.typeOf(x.X); t != nil && !isBasic(t) {
			return t
		}
		return r.typeOf(x.Y)
	}
	return nil
}

func (r *resolver) typeOfName(name string) types.Type {
	if t := r.types[name]; t != nil {
		return r.typeExpr(t)
	}
	if x := r.locals[name]; x != nil {
		delete(r.locals, name) // x := x + 1 speaks of the old x
		defer func() { r.locals[name] = x }()
		return r.typeOf(x)
	}
	return valueType(r.object(name))
}

func (r *resolver) typeOfCall(x *ast.CallExpr) types.Type {
	if t := r.typeExpr(x.Fun); t != nil { // a conversion
		return t
	}
	if id, ok := x.Fun.(*ast.Ident); ok && len(x.Args) > 0 {
		switch id.Name {
		case "make":
			return r.typeExpr(x.Args[0])
		case "new":
			if t := r.typeExpr(x.Args[0]); t != nil {
				return types.NewPointer(t)
			}
		case "append":
			return r.typeOf(x.Args[0])
		}
	}
	t := r.typeOf(x.Fun)
	if t == nil {
		return nil
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Results().Len() == 0 {
		return nil
	}
	return sig.Results().At(0).Type()
}

func valueType(obj types.Object) types.Type {
	switch obj.(type) {
	case *types.Var, *types.Func, *types.Const:
		return obj.Type()
	}
	return nil
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func element(t types.Type) types.Type {
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
	}
	if !isBasic(t) { // an Array is indexed to an Array
		return t
	}
	return types.Typ[types.Byte]
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// short writes a type as cells write it.
func (r *resolver) short(t types.Type) string { return typeText(t) }

func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		switch path := p.Path(); {
		case path == "main", path == "gopherlo/jaxlike", path == "gopherlo/jaxlike/array":
			return ""
		default:
			return p.Name()
		}
	})
}

// constText is the value of a constant, "" for other objects.
func constText(obj types.Object) string {
	if c, ok := obj.(*types.Const); ok && c.Val().Kind() != constant.Unknown {
		return " = " + c.Val().String()
	}
	return ""
}
