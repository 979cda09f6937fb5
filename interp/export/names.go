package export

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gopherlo/interp/check"
)

// Paths of the packages that exported programs use by themselves.
const (
	cellsPath = "gopherlo/cells"
	rtPath    = "gopherlo/rt" // the checker's name for it
	jaxPath   = "gopherlo/jaxlike"
	arrayPath = "gopherlo/jaxlike/array"
	pjrtPath  = "gopherlo/xla/pjrt"
	mainPath  = "main"
)

// names gives the program's names to what cells declare and import.
type names struct {
	idents   map[string]bool   // that occur anywhere in the cells
	declared map[string]bool   // that cells declare, locally or not
	used     map[string]bool   // given so far
	syms     map[any]string    // by symKey
	imports  map[string]string // path to name
	blank    []string          // paths imported for their effect
	jaxTypes map[*types.TypeName]string
	// times counts the declarations of functions and methods by Emit.
	times map[string]int
}

// newNames looks through the cells.
func newNames(x *exporter) *names {
	n := &names{
		idents: map[string]bool{}, declared: map[string]bool{}, used: map[string]bool{"main": true, "init": true, "_": true},
		syms: map[any]string{}, imports: map[string]string{}, jaxTypes: map[*types.TypeName]string{}, times: map[string]int{},
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		n.used[t.String()] = true
	}
	for _, name := range types.Universe.Names() {
		n.used[name] = true
	}
	for _, c := range x.cells {
		for _, p := range c.pieces {
			if p.res != nil {
				n.look(p)
			}
		}
	}
	if jax, err := x.session.Importer().Import(jaxPath); err == nil {
		n.aliases(jax)
	}
	return n
}

// look notes the identifiers of a piece and what it declares.
func (n *names) look(p *piece) {
	visit := func(m ast.Node) bool {
		if id, ok := m.(*ast.Ident); ok {
			n.idents[id.Name] = true
			if p.res.Info.Defs[id] != nil {
				n.declared[id.Name] = true
			}
		}
		return true
	}
	for _, f := range p.cell.Funcs {
		ast.Inspect(f, visit)
		n.declared[f.Name.Name] = true
	}
	for _, s := range p.cell.Stmts {
		ast.Inspect(s, visit)
	}
	for _, sp := range p.cell.Imports {
		n.importedFor(p.res, sp)
	}
	for _, fd := range p.res.Funcs {
		n.times[fd.Emit]++
	}
}

// importedFor notes imports that have an effect: blank ones, and those of packages from
// source, whose init functions run though no cell may name them.
func (n *names) importedFor(res *check.Result, sp *ast.ImportSpec) {
	path := strings.Trim(sp.Path.Value, "`\"")
	if p := res.FromSource(path); p != nil {
		n.effect(p.Path)
	} else if sp.Name != nil && sp.Name.Name == "_" {
		n.effect(path)
	}
}

// aliases notes the types that package jaxlike gives another name.
func (n *names) aliases(jax *types.Package) {
	for _, name := range jax.Scope().Names() {
		tn, ok := jax.Scope().Lookup(name).(*types.TypeName)
		if !ok || !tn.IsAlias() || !tn.Exported() {
			continue
		}
		if named, ok := types.Unalias(tn.Type()).(*types.Named); ok && n.jaxTypes[named.Obj()] == "" {
			n.jaxTypes[named.Obj()] = name
		}
	}
}

// symKey tells versions of names apart.
func symKey(sym *check.Sym) any {
	if sym.Emit != "" {
		return sym.Emit
	}
	return sym.Obj
}

// sym is the name of what a cell has declared. The first version keeps its
// own; others, and those that would hide a name of Go's, get a number.
func (n *names) sym(sym *check.Sym) string {
	key := symKey(sym)
	name, ok := n.syms[key]
	if !ok {
		if name = sym.Name; n.used[name] {
			name = n.fresh(sym.Name)
		}
		n.used[name] = true
		n.syms[key] = name
	}
	return name
}

// fresh makes a name that occurs nowhere.
func (n *names) fresh(base string) string {
	for i := 2; ; i++ {
		name := base + strconv.Itoa(i)
		if last := base[len(base)-1]; last >= '0' && last <= '9' {
			name = base + "_" + strconv.Itoa(i)
		}
		if !n.used[name] && !n.idents[name] {
			n.used[name] = true
			return name
		}
	}
}

// plain gives the base itself where it occurs nowhere.
func (n *names) plain(base string) string {
	if !n.used[base] && !n.idents[base] {
		n.used[base] = true
		return base
	}
	return n.fresh(base)
}

// pkg is the name by which the program imports a package.
func (n *names) pkg(pkg *types.Package) string { return n.importName(pkg.Path(), pkg.Name()) }

func (n *names) importName(path, base string) string {
	if path == rtPath {
		path, base = cellsPath, "cells"
	}
	if path == jaxPath {
		base = "jax"
	}
	name, ok := n.imports[path]
	if !ok {
		if name = base; n.declared[name] || n.used[name] {
			name = n.fresh(base)
		}
		n.used[name] = true
		n.imports[path] = name
	}
	return name
}

// effect imports a package for its effect only.
func (n *names) effect(path string) {
	if !slices.Contains(n.blank, path) {
		n.blank = append(n.blank, path)
	}
}

// paths lists what the program imports.
func (n *names) paths() []string {
	list := slices.Clone(n.blank)
	for p := range n.imports {
		list = append(list, p)
	}
	sort.Strings(list)
	return slices.Compact(list)
}

// decl writes the import declaration: Go's packages, others, then ours.
func (n *names) decl() string {
	groups := map[int][]string{}
	for _, p := range n.paths() {
		name, used := n.imports[p]
		line := "\t" + strconv.Quote(p)
		switch {
		case !used:
			line = "\t_ " + strconv.Quote(p)
		case name != path.Base(p):
			line = "\t" + name + " " + strconv.Quote(p)
		}
		g := 0
		if first, _, _ := strings.Cut(p, "/"); first == "gopherlo" {
			g = 2
		} else if strings.Contains(first, ".") {
			g = 1
		}
		groups[g] = append(groups[g], line)
	}
	var parts []string
	for g := range 3 {
		if len(groups[g]) > 0 {
			parts = append(parts, strings.Join(groups[g], "\n")+"\n")
		}
	}
	return "import (\n" + strings.Join(parts, "\n") + ")\n"
}

// typ writes a type as the program says it.
func (n *names) typ(p *piece, t types.Type) string {
	w := &typeWriter{n: n, p: p}
	w.write(t)
	return w.b.String()
}

// typeWriter writes one type.
type typeWriter struct {
	n *names
	p *piece
	b strings.Builder
}

func (w *typeWriter) write(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		w.alias(t)
	case *types.Named:
		w.named(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		w.b.WriteByte('*')
		w.write(t.Elem())
	case *types.Slice:
		w.b.WriteString("[]")
		w.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(&w.b, "[%d]", t.Len())
		w.write(t.Elem())
	case *types.Map:
		w.b.WriteString("map[")
		w.write(t.Key())
		w.b.WriteByte(']')
		w.write(t.Elem())
	case *types.Chan:
		w.b.WriteString([...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()])
		if c, ok := t.Elem().(*types.Chan); ok && c.Dir() == types.RecvOnly {
			w.b.WriteByte('(')
			w.write(t.Elem())
			w.b.WriteByte(')')
			return
		}
		w.write(t.Elem())
	case *types.Signature:
		w.b.WriteString("func")
		w.signature(t)
	case *types.Struct:
		w.structure(t)
	case *types.Interface:
		w.iface(t)
	case *types.Union:
		for i := range t.Len() {
			if i > 0 {
				w.b.WriteString(" | ")
			}
			if t.Term(i).Tilde() {
				w.b.WriteByte('~')
			}
			w.write(t.Term(i).Type())
		}
	default: // basic types and type parameters
		w.b.WriteString(t.String())
	}
}

func (w *typeWriter) alias(t *types.Alias) {
	obj := t.Obj()
	if obj.Pkg() == nil || obj.Pkg().Path() == mainPath && w.p.res.Sym(obj) == nil {
		if obj.Pkg() == nil {
			w.b.WriteString(obj.Name()) // any
			return
		}
		w.write(types.Unalias(t))
		return
	}
	if strings.HasPrefix(obj.Name(), "‹") {
		w.write(types.Unalias(t))
		return
	}
	w.named(obj, t.TypeArgs())
}

// named writes the name of a type.
func (w *typeWriter) named(obj *types.TypeName, args *types.TypeList) {
	switch pkg := obj.Pkg(); {
	case pkg == nil:
		w.b.WriteString(obj.Name()) // error
	case pkg.Path() == mainPath:
		sym := w.p.res.Sym(obj)
		if sym == nil {
			fail(w.p.cell.N, "the type %s is declared inside a function but needed outside of it", obj.Name())
		}
		w.b.WriteString(w.n.sym(sym))
	case w.n.jaxTypes[obj] != "":
		w.b.WriteString(w.n.importName(jaxPath, "jax") + "." + w.n.jaxTypes[obj])
	case !obj.Exported():
		fail(w.p.cell.N, "a variable has the type %s.%s, which a program cannot name", pkg.Name(), obj.Name())
	default:
		w.b.WriteString(w.n.pkg(pkg) + "." + obj.Name())
	}
	if args.Len() == 0 {
		return
	}
	w.b.WriteByte('[')
	for i := range args.Len() {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.write(args.At(i))
	}
	w.b.WriteByte(']')
}

// signature writes parameters and results, without names.
func (w *typeWriter) signature(sig *types.Signature) {
	w.tuple(sig.Params(), sig.Variadic())
	switch res := sig.Results(); {
	case res.Len() == 1:
		w.b.WriteByte(' ')
		w.write(res.At(0).Type())
	case res.Len() > 1:
		w.b.WriteByte(' ')
		w.tuple(res, false)
	}
}

func (w *typeWriter) tuple(t *types.Tuple, variadic bool) {
	w.b.WriteByte('(')
	for i := range t.Len() {
		if i > 0 {
			w.b.WriteString(", ")
		}
		typ := t.At(i).Type()
		if s, ok := typ.(*types.Slice); ok && variadic && i == t.Len()-1 {
			w.b.WriteString("...")
			typ = s.Elem()
		}
		w.write(typ)
	}
	w.b.WriteByte(')')
}

func (w *typeWriter) structure(t *types.Struct) {
	w.b.WriteString("struct{")
	for i := range t.NumFields() {
		if i > 0 {
			w.b.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			w.b.WriteString(f.Name() + " ")
		}
		w.write(f.Type())
		if tag := t.Tag(i); tag != "" {
			w.b.WriteString(" " + strconv.Quote(tag))
		}
	}
	w.b.WriteByte('}')
}

func (w *typeWriter) iface(t *types.Interface) {
	if t.Empty() {
		w.b.WriteString("any")
		return
	}
	var parts []string
	for m := range t.ExplicitMethods() {
		sub := &typeWriter{n: w.n, p: w.p}
		sub.signature(m.Signature())
		parts = append(parts, m.Name()+sub.b.String())
	}
	for e := range t.EmbeddedTypes() {
		parts = append(parts, w.n.typ(w.p, e))
	}
	w.b.WriteString("interface{ " + strings.Join(parts, "; ") + " }")
}
