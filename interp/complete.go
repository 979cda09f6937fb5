package interp

import (
	"cmp"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/symbols"
	"gopherlo/kernel/language"
)

// candidate is something that may stand at the cursor.
type candidate struct {
	name, kind, signature string
	obj                   types.Object // what kind and signature are made of
	rank                  rank
}

// rank orders candidates: what is nearest comes first.
type rank int

const (
	expected rank = iota - 1 // of the type that the place asks for
	fitting                  // what the place asks for: fields, options
	local
	ofSession
	ofJAX
	ofPackages
	ofGo
	other
)

// Complete lists what may stand at the cursor. It works while a cell runs.
func (in *Interp) Complete(ctx context.Context, code string, cursor int) language.Completion {
	in.names.Lock()
	defer in.names.Unlock()
	defer looking(in.session)()
	at := byteOffset(code, cursor)
	start, list := in.candidates(ctx, code, at)
	prefix, fit := foldWord(code[start:at]), []candidate{}
	for _, m := range list { // tables are shared
		if fits(m.name, prefix) {
			fit = append(fit, m)
		}
	}
	list = fit
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	c := language.Completion{Matches: []string{}, Start: utf8.RuneCountInString(code[:start]), End: utf8.RuneCountInString(code[:at])}
	seen := map[string]bool{}
	for _, m := range list {
		if seen[m.name] {
			continue
		}
		seen[m.name] = true
		if m.obj != nil {
			m.describe()
		}
		c.Matches = append(c.Matches, m.name)
		c.Types = append(c.Types, language.CompletionType{Text: m.name, Type: m.kind, Signature: m.signature, Start: c.Start, End: c.End})
	}
	return c
}

// foldWord takes from a word how Python and Go write it.
func foldWord(s string) string {
	if folded := strings.ReplaceAll(s, "_", ""); folded != "" && !strings.HasPrefix(s, "_") {
		s = folded
	}
	return strings.ToLower(s)
}

// fits reports a name that a folded prefix may become, or the member of a package
// in it.
func fits(name, prefix string) bool {
	if prefix == "" {
		return true
	}
	if name[0] < utf8.RuneSelf && prefix[0] < utf8.RuneSelf && name[0] != '_' && name[0]|0x20 != prefix[0]|0x20 && !strings.Contains(name, ".") {
		return false
	}
	name = foldWord(name)
	_, member, _ := strings.Cut(name, ".")
	return strings.HasPrefix(name, prefix) || member != "" && strings.HasPrefix(member, prefix)
}

// candidates finds where the word at the cursor begins and what it may become.
func (in *Interp) candidates(ctx context.Context, code string, at int) (start int, list []candidate) {
	if inModule(code, at) {
		return moduleWords(code, at)
	}
	if start, list, ok := in.magicLine(ctx, code, at); ok {
		return start, list
	}
	text := goTextAt(code, at)
	if at > len(text) {
		return at, nil
	}
	masked := cell.MaskMagics(text)
	cur := cell.At(masked[:at])
	start = wordBefore(text, at)
	switch {
	case cur.Literal >= 0:
		return in.literal(ctx, &cur, text, at)
	case cur.Comment, start < at && text[start] >= '0' && text[start] <= '9':
		return at, nil
	}
	cur = cell.At(masked[:start])
	if bracket, operand, _ := cur.Open(); bracket == token.LBRACK && operand == "Out" && cur.Last(1)[0] == "[" && in.session.Lookup("Out") == nil {
		return start, in.shownValues()
	}
	sc := in.look(text, start, wordBehind(text, at), atCursor)
	if strings.HasSuffix(strings.TrimRight(masked[:start], " \t\r\n"), ".") {
		if sel, ok := sc.at(1).(*ast.SelectorExpr); ok {
			return start, sc.sorted(sc.selections(sel))
		}
		if !strings.HasSuffix(masked[:start], "...") {
			return start, nil
		}
	}
	if w := cur.Last(1)[0]; cur.Imports() || w == "package" {
		return start, nil
	}
	return start, sc.sorted(sc.words(foldWord(text[start:at])))
}

// shownValues lists the numbers of cells that have shown a value.
func (in *Interp) shownValues() (list []candidate) {
	for n, t := range in.session.Outs() {
		list = append(list, candidate{name: n, kind: "instance", signature: typeText(t)})
	}
	return list
}

// maxNames bounds the names of the session that are offered for no letter at all:
// those of the last cells.
const maxNames = 500

// words lists what a word may be that stands alone and begins so.
func (s *scene) words(prefix string) (list []candidate) {
	if b, ok := s.at(1).(*ast.BranchStmt); ok {
		for _, l := range check.Labels(s.cell, s.path) {
			list = append(list, candidate{name: l, kind: "label", rank: fitting})
		}
		if b.Tok == token.GOTO || len(list) > 0 {
			return list
		}
	}
	list = append(list, s.fieldsOfLiteral()...)
	list = append(list, s.argumentOptions()...)
	for _, obj := range s.view.Locals(s.pos()) {
		if obj.Name() != atCursor && !s.declares(obj) {
			list = append(list, candidate{name: obj.Name(), obj: obj, rank: local})
		}
	}
	var syms []*check.Sym
	s.in.session.Each(func(sym *check.Sym) {
		if fits(sym.Name, prefix) {
			syms = append(syms, sym)
		}
	})
	if len(syms) > maxNames {
		slices.SortFunc(syms, func(a, b *check.Sym) int { return cmp.Compare(b.Cell, a.Cell) })
		syms = syms[:maxNames]
	}
	for _, sym := range syms {
		c := candidate{name: sym.Name, obj: sym.Obj, rank: ofSession}
		if sym.Obj == nil {
			c.kind, c.signature = "module", sym.Path
		}
		list = append(list, c)
	}
	return append(list, s.in.commonNames()...)
}

// commonNames lists the names that every cell knows.
func (in *Interp) commonNames() (list []candidate) {
	for name := range predeclared {
		if obj := in.predeclaredObject(name); obj != nil {
			list = append(list, candidate{name: name, obj: obj, rank: ofJAX})
		}
	}
	for name, path := range preimported {
		list = append(list, candidate{name: name, kind: "module", signature: path, rank: ofPackages})
	}
	if in.count.Load() > 0 {
		for name, is := range historyNames {
			list = append(list, candidate{name: name, kind: "instance", signature: is, rank: ofGo})
		}
	}
	for _, name := range types.Universe.Names() {
		list = append(list, candidate{name: name, obj: types.Universe.Lookup(name), rank: ofGo})
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		list = append(list, candidate{name: t.String(), kind: "keyword", rank: ofGo})
	}
	for _, path := range symbols.Packages() {
		if !strings.HasPrefix(path, "gopherlo/") {
			list = append(list, candidate{name: in.session.PackageName(path), kind: "module", signature: path, rank: other})
		}
	}
	return list
}

// historyNames are the names of IPython's history.
var historyNames = map[string]string{
	"Out": "the values that cells have shown: Out[3]", "In": "the texts of the cells: In[3]",
	"_": "the last value that a cell has shown", "__": "the last value but one", "___": "the last value but two",
}

// predeclaredObject is what a JAX-style name stands for.
func (in *Interp) predeclaredObject(name string) types.Object {
	p, ok := predeclared[name]
	if !ok || strings.HasSuffix(name, check.TagForm) {
		return nil
	}
	pkg, err := in.session.Importer().Import(p.Path)
	if err != nil {
		return nil
	}
	return pkg.Scope().Lookup(p.Name)
}

// fieldsOfLiteral lists the keys that the struct literal around the word lacks.
func (s *scene) fieldsOfLiteral() (list []candidate) {
	up := 1
	if kv, ok := s.at(1).(*ast.KeyValueExpr); ok && (kv.Key == s.at(0) || kv.Key.Pos() == kv.Value.Pos()) {
		up = 2
	}
	lit, ok := s.at(up).(*ast.CompositeLit)
	if !ok || lit.Type == s.at(0) {
		return nil
	}
	t := s.view.TypeOf(lit)
	if t == nil {
		return nil
	}
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	has := map[string]bool{}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && kv.Key.Pos() != kv.Value.Pos() {
				has[id.Name] = true
			}
		}
	}
	for f := range st.Fields() {
		if visible(f) && !has[f.Name()] {
			list = append(list, candidate{name: f.Name(), obj: f})
		}
	}
	return list
}

// selections lists what may stand behind the dot of a selection.
func (s *scene) selections(sel *ast.SelectorExpr) []candidate {
	if id, ok := sel.X.(*ast.Ident); ok {
		if list, ok := s.packageMembers(id); ok {
			return list
		}
	}
	t := s.view.TypeOf(sel.X)
	if t == nil {
		return nil
	}
	isType := s.view.Info.Types[sel.X].IsType()
	list := members(t, isType)
	if n, ok := types.Unalias(deref(t)).(*types.Named); ok {
		for name := range s.view.Methods(n) {
			list = append(list, candidate{name: name, kind: "function", signature: "(in this cell)"})
		}
	}
	return list
}

// packageMembers lists what the packages export that a name stands for.
func (s *scene) packageMembers(id *ast.Ident) (list []candidate, ok bool) {
	obj, ok := s.view.Info.Uses[id].(*types.PkgName)
	if !ok {
		return nil, false
	}
	packages := []*types.Package{obj.Imported()}
	if s.in.session.Lookup(id.Name) == nil && preimported[id.Name] == "" && !s.importsPackage(id.Name) {
		for _, path := range s.in.session.PackagesNamed(id.Name) { // the members say which is meant
			if p, err := s.in.session.Importer().Import(path); err == nil && p != obj.Imported() {
				packages = append(packages, p)
			}
		}
	}
	for i, pkg := range packages {
		if list = s.options(pkg); i == 0 && pkg.Path() == preimported["kw"] && len(list) > 0 {
			return list, true
		}
		list = nil
	}
	for i, pkg := range packages {
		for _, name := range pkg.Scope().Names() {
			if token.IsExported(name) {
				list = append(list, candidate{name: name, obj: pkg.Scope().Lookup(name), rank: rank(min(i, 1))})
			}
		}
	}
	return list, true
}

// importsPackage reports that the cell imports a package by a name.
func (s *scene) importsPackage(name string) bool {
	return slices.ContainsFunc(s.cell.Imports, func(sp *ast.ImportSpec) bool {
		return sp.Name != nil && sp.Name.Name == name || s.in.session.PackageName(strings.Trim(sp.Path.Value, "`\"")) == name
	})
}

// members lists fields and methods, promoted ones too; of a type the methods.
func members(t types.Type, isType bool) (list []candidate) {
	var fields func(t types.Type, depth int)
	fields = func(t types.Type, depth int) {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok || depth > 4 {
			return
		}
		for f := range st.Fields() {
			if visible(f) {
				list = append(list, candidate{name: f.Name(), obj: f})
			}
			if f.Embedded() {
				fields(f.Type(), depth+1)
			}
		}
	}
	if !isType {
		fields(t, 0)
	}
	if !types.IsInterface(t) {
		t = types.NewPointer(deref(t))
	}
	for m := range types.NewMethodSet(t).Methods() {
		if visible(m.Obj()) {
			list = append(list, candidate{name: m.Obj().Name(), obj: m.Obj(), rank: local})
		}
	}
	return list
}

// visible keeps what cells can name: exported members, and all of their own.
func visible(obj types.Object) bool {
	return obj.Exported() || obj.Pkg() != nil && obj.Pkg().Path() == "main"
}

// describe says of an object what Jupyter's front ends show.
func (c *candidate) describe() {
	c.kind = "instance"
	switch obj := c.obj.(type) {
	case *types.Func:
		c.kind = "function"
	case *types.TypeName:
		c.kind, c.signature = "class", typeLine(obj.Type())
		return
	case *types.PkgName:
		c.kind, c.signature = "module", obj.Imported().Path()
		return
	case *types.Builtin:
		c.kind, c.signature = "function", builtinSignatures[obj.Name()]
		return
	case *types.Nil:
		return
	case *types.Const:
		if t := obj.Type(); t != nil {
			c.signature = typeText(t) + constText(obj)
		}
		return
	case *types.Var:
		if obj.IsField() {
			c.kind = "property"
		} else if obj.Type() != nil {
			if _, ok := obj.Type().Underlying().(*types.Signature); ok {
				c.kind = "function"
			}
		}
	}
	if t := c.obj.Type(); t != nil && t != types.Typ[types.Invalid] {
		c.signature = typeText(types.Default(t))
	}
}

// typeLine is a type's own form on one line, without what is long or hidden.
func typeLine(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !visible(f) {
				return "struct"
			}
		}
	case *types.Interface:
		if u.NumMethods() > 3 {
			return "interface"
		}
	}
	return typeText(t.Underlying())
}
