package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/symbols"
	"gopherlo/jaxlike/stages"
	"gopherlo/xla"
)

var magicLineRE = regexp.MustCompile(`^[ \t]*(%{1,2})([A-Za-z]+)`)

// describeMagic describes the magic of the line that a place is in; ok is false
// where the place is in the Go, or the flags, that the line holds.
func describeMagic(ctx context.Context, code string, at int) (d description, ok bool) {
	from := strings.LastIndexByte(code[:at], '\n') + 1
	line, _, _ := strings.Cut(code[from:], "\n")
	trimmed := strings.TrimLeft(line, " \t")
	if strings.HasPrefix(trimmed, "!") && at-from <= len(line)-len(trimmed)+1 {
		return aboutMagic(magics["!"]), true
	}
	m := magicLineRE.FindStringSubmatch(line)
	if m == nil || !cell.StartsStatement(code[:from]) {
		return description{}, false
	}
	if at-from > len(m[0]) {
		start, end := wordBefore(code, at), wordBehind(code, at)
		if word := code[start:end]; strings.HasPrefix(word, "xla_") {
			if d = describeFlag(ctx, word); d.head != "" {
				return d, true
			}
		}
		if goMagicRE.MatchString(line) || strings.Contains(line, "{") {
			return description{}, false
		}
	}
	if mg, ok := magics[m[2]]; ok && m[1] == "%" {
		return aboutMagic(mg), true
	}
	if mg, ok := cellMagics[m[2]]; ok && m[1] == "%%" {
		return aboutMagic(magic{usage: mg.usage, help: mg.help, more: mg.more}), true
	}
	return description{}, true
}

// aboutMagic describes a magic.
func aboutMagic(m magic) description {
	return description{head: m.usage, doc: strings.TrimSpace(m.help + "\n\n" + m.more), plain: true}
}

// describeLiteral describes the text literal that a place is in.
func (in *Interp) describeLiteral(ctx context.Context, cur *cell.Cursor, text string, at int) description {
	end := at
	for end < len(text) && text[end] != '"' && text[end] != '`' && text[end] != '\n' {
		end++
	}
	word := text[cur.Literal:end]
	bracket, operand, _ := cur.Open()
	function := operand[strings.LastIndexByte(operand, '.')+1:]
	switch {
	case cur.Imports():
		if symbols.Known(word) || in.session.FromSource(word) != nil {
			return in.describePackage(word)
		}
	case bracket == token.LBRACE && optionLiterals[function] && cur.Last(1)[0] != ":":
		return describeOption(ctx, word)
	case bracket == token.LBRACE && optionLiterals[function]:
		return describeOption(ctx, strings.Trim(cur.Last(2)[1], "`\""))
	case bracket == token.LBRACE && (function == "attrs" || function == "Attrs"):
		for _, c := range attrNames {
			if c.name == word {
				return description{head: word, doc: c.signature, plain: true}
			}
		}
	case bracket == token.LPAREN && cur.Last(1)[0] == "(":
		for _, c := range literalWords[function] {
			if c.name == word {
				return description{head: word + " " + c.signature, doc: literalDocs[word], plain: true}
			}
		}
	}
	if strings.HasPrefix(word, "xla_") {
		return describeFlag(ctx, word)
	}
	return description{}
}

// literalDocs tell what the texts are that functions take first.
var literalDocs = map[string]string{
	"hlo":                      "The program as HLO, as XLA's compiler gets it.",
	"stablehlo":                "The program as StableHLO, as JAX writes it.",
	"jax_enable_x64":           "Whether numbers are 64 bits wide; without it they are 32 (JAX_ENABLE_X64 in the environment).",
	"jax_optimization_level":   "How much XLA optimises programs that say nothing of it themselves.",
	"jax_memory_fitting_level": "How hard XLA tries to make programs fit into memory that say nothing of it themselves.",
}

// optionDocs describe the options that are no flags of XLA.
var optionDocs = map[string]string{
	"optimization_level":   "How much XLA optimises: O0 compiles fastest, O3 gives the fastest programs. Without it XLA chooses.",
	"memory_fitting_level": "How hard XLA tries to make the program fit into memory: O0 not at all, O3 the most.",
}

func describeOption(ctx context.Context, name string) description {
	if doc := optionDocs[name]; doc != "" {
		return description{head: name + " O0|O1|O2|O3", doc: doc, plain: true}
	}
	return describeFlag(ctx, name)
}

func describeFlag(ctx context.Context, name string) description {
	table, err := xla.FlagTable(ctx, stages.Platform)
	if err != nil {
		return description{}
	}
	for _, f := range table {
		if f.Name == name {
			return description{head: f.String(), doc: f.Description, plain: true}
		}
	}
	return description{}
}

// docOf finds the documentation of an object: the comment of a package's, or of
// the cell that has declared it.
func (in *Interp) docOf(sc *scene, obj types.Object, name string) string {
	if sym := in.session.SymOf(obj); sym != nil {
		return strings.TrimSpace(sym.Doc + "\n\n" + in.declaredIn(sym.Cell))
	}
	if obj.Parent() == types.Universe {
		return builtinDocs[name]
	}
	if obj.Pkg() == nil {
		return ""
	}
	symbol := obj.Name()
	var owner *types.Named
	switch o := obj.(type) {
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil {
			owner, _ = types.Unalias(deref(recv.Type())).(*types.Named)
			if fd := in.session.Method(o); fd != nil {
				return strings.TrimSpace(fd.Doc + "\n\n" + in.declaredIn(fd.Cell))
			}
		}
	case *types.Var:
		if o.IsField() {
			owner = sc.fieldOwner(o)
		}
	}
	if owner == nil {
		return symbols.Doc(obj.Pkg().Path(), symbol)
	}
	if sym := in.session.SymOf(owner.Origin().Obj()); sym != nil {
		return memberDoc(in.session.Source(sym), symbol)
	}
	return symbols.Doc(obj.Pkg().Path(), owner.Obj().Name()+"."+symbol)
}

// declaredIn says which cell, or file of a package from source, has declared a name.
func (in *Interp) declaredIn(cell int) string {
	if cell >= check.FileBase {
		return "declared in " + in.session.FileName(cell)
	}
	return fmt.Sprintf("declared in cell %d", cell)
}

// fieldOwner is the type that declares a field which the word selects or sets.
func (s *scene) fieldOwner(f *types.Var) *types.Named {
	var t types.Type
	if sel, ok := s.at(1).(*ast.SelectorExpr); ok {
		t = s.view.TypeOf(sel.X)
	} else if lit, ok := s.at(2).(*ast.CompositeLit); ok {
		t = s.view.TypeOf(lit)
	}
	for depth := 0; t != nil && depth < 5; depth++ {
		n, _ := types.Unalias(deref(t)).(*types.Named)
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		var inner types.Type
		for g := range st.Fields() {
			if g == f || g.Pos() == f.Pos() && g.Name() == f.Name() {
				return n
			}
			if g.Embedded() {
				if o, _, _ := types.LookupFieldOrMethod(g.Type(), true, f.Pkg(), f.Name()); o != nil {
					inner = g.Type()
				}
			}
		}
		t = inner
	}
	return nil
}

// memberDoc is the comment of a field, or of a method of an interface, in the
// declaration of a type.
func memberDoc(src, name string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	doc := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok {
			for _, id := range field.Names {
				if id.Name == name && doc == "" {
					doc = strings.TrimSpace(field.Doc.Text() + field.Comment.Text())
				}
			}
		}
		return true
	})
	return doc
}

// sourceOf is the text of what a cell has declared, with its comment.
func (in *Interp) sourceOf(obj types.Object) string {
	sym, src, doc := in.session.SymOf(obj), "", ""
	if sym != nil {
		src, doc = in.session.Source(sym), sym.Doc
	} else if f, ok := obj.(*types.Func); ok {
		if fd := in.session.Method(f); fd != nil {
			src, doc = fd.Source(), fd.Doc
		}
	}
	if src == "" || doc == "" {
		return src
	}
	return "// " + strings.ReplaceAll(doc, "\n", "\n// ") + "\n" + src
}

// fieldValue reads the field of a variable of the session that a selection names.
func (in *Interp) fieldValue(sc *scene, sel *ast.SelectorExpr) (v reflect.Value, t types.Type, ok bool) {
	switch x := ast.Unparen(sel.X).(type) {
	case *ast.Ident:
		sym := in.session.SymOf(sc.view.Info.ObjectOf(x))
		if v, ok = in.memory(sym); !ok {
			return v, nil, false
		}
		t = sym.Obj.Type()
	case *ast.SelectorExpr:
		if v, t, ok = in.fieldValue(sc, x); !ok {
			return v, nil, false
		}
	default:
		return v, nil, false
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, nil, false
		}
		v = v.Elem()
	}
	st, isStruct := deref(t).Underlying().(*types.Struct)
	if !isStruct || v.Kind() != reflect.Struct || v.NumField() != st.NumFields() {
		return v, nil, false
	}
	for i := range st.NumFields() {
		if st.Field(i).Name() == sel.Sel.Name {
			return v.Field(i), st.Field(i).Type(), true
		}
	}
	return v, nil, false
}
