package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/types"
	"slices"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/symbols"
	"gopherlo/kernel/language"
)

// description is what is known about something that a person points at.
type description struct {
	head  string // its declaration
	doc   string // as it is written in a comment
	plain bool   // doc is a text and no comment
	more  string // its fields and methods
	src   string // its source
	value valueText
	asOf  string // of which time the value is, "" for now
}

// Inspect describes what stands at the cursor: its declaration and its
// documentation. It works while a cell runs.
func (in *Interp) Inspect(ctx context.Context, code string, cursor, detail int) language.Inspection {
	return in.inspect(ctx, code, cursor, detail, 0)
}

// inspect is Inspect that shows values as they are while at most so many cells
// run: a cell that asks is one itself.
func (in *Interp) inspect(ctx context.Context, code string, cursor, detail int, running int32) language.Inspection {
	d := in.describe(ctx, code, byteOffset(code, cursor), running)
	if d.head == "" {
		return language.Inspection{Data: language.Bundle{}, Metadata: map[string]any{}}
	}
	text, markdown := d.head, "```go\n"+d.head+"\n```\n"
	add := func(plain, marked string) {
		if plain = strings.TrimSpace(plain); plain != "" {
			text += "\n\n" + plain
			markdown += "\n" + strings.TrimRight(marked, "\n") + "\n"
		}
	}
	if d.plain {
		add(d.doc, d.doc)
	} else {
		add(d.doc, docMarkdown(d.doc))
	}
	if d.value != nil { // without the names' lock: it may wait a little
		if value := d.value(); value != "" {
			add(strings.TrimSpace(d.asOf+"\n"+value), d.asOf+"\n```\n"+value+"\n```")
		}
	}
	if detail > 0 && d.src != "" {
		add(d.src, "```go\n"+d.src+"\n```")
	} else {
		add(d.more, "```go\n"+d.more+"\n```")
	}
	return language.Inspection{
		Found: true, Metadata: map[string]any{},
		Data: language.Bundle{"text/plain": text, "text/markdown": markdown},
	}
}

// docMarkdown writes the documentation of a declaration as Markdown.
func docMarkdown(doc string) string {
	var p comment.Parser
	pr := comment.Printer{
		HeadingLevel: 4, HeadingID: func(*comment.Heading) string { return "" },
		DocLinkURL: func(*comment.DocLink) string { return "" },
	}
	return string(pr.Markdown(p.Parse(doc)))
}

// describe finds out what stands at a place.
func (in *Interp) describe(ctx context.Context, code string, at int, running int32) description {
	in.names.Lock()
	defer in.names.Unlock()
	defer looking(in.session)()
	if inModule(code, at) {
		return describeModule(code, at)
	}
	if d, ok := describeMagic(ctx, code, at); ok {
		return d
	}
	text := goTextAt(code, at)
	if at > len(text) {
		return description{}
	}
	masked := cell.MaskMagics(text)
	start, end := wordBefore(text, at), wordBehind(text, at)
	cur := cell.At(masked[:start])
	if cur.Literal >= 0 {
		if d := in.describeLiteral(ctx, &cur, text, at); d.head != "" {
			return d
		}
		cur = cell.At(masked[:cur.Literal-1])
		start = end
	}
	if start == end || text[start] >= '0' && text[start] <= '9' { // the function whose arguments these are
		operand, stop := cur.Call()
		if operand == "" || cur.Comment {
			return description{}
		}
		stop = len(strings.TrimRight(text[:stop], " \t\r\n"))
		start, end = wordBefore(text, stop), stop
	}
	word := text[start:end]
	if doc, ok := keywordDocs[word]; ok && word != "" {
		return description{head: word, doc: doc, plain: true}
	}
	if cur.Comment || word == "" {
		return description{}
	}
	if strings.HasPrefix(word, "xla_") && in.session.Lookup(word) == nil && in.predeclaredObject(word) == nil {
		if d := describeFlag(ctx, word); d.head != "" {
			return d
		}
	}
	return in.describeWord(text, start, end, running)
}

// describeWord describes a name of Go.
func (in *Interp) describeWord(text string, start, end int, running int32) description {
	word := text[start:end]
	sc := in.look(text, start, end, word)
	obj := sc.object()
	if is, ok := historyNames[word]; ok && in.count.Load() > 0 && (obj == nil || obj.Pkg() != nil && obj.Pkg().Path() != "main") {
		return description{head: word, doc: is, plain: true}
	}
	if fd, ok := sc.at(1).(*ast.FuncDecl); ok && obj == nil && fd.Name == sc.at(0) { // a method of this cell
		head := text[sc.cell.Offset(fd.Pos()):sc.cell.Offset(fd.Type.End())]
		return description{head: strings.Join(strings.Fields(head), " "), doc: commentAbove(text[:sc.cell.Offset(fd.Pos())])}
	}
	if obj == nil {
		if obj = in.objectNamed(word); obj == nil || sc.selects() {
			if path := in.packageNamed(word); path != "" && !sc.selects() {
				return in.describePackage(path)
			}
			return description{}
		}
	}
	if p, ok := obj.(*types.PkgName); ok {
		return in.describePackage(p.Imported().Path())
	}
	d := description{head: declaration(obj, word), doc: in.docOf(sc, obj, word)}
	sym := in.session.SymOf(obj)
	switch {
	case sym != nil && in.session.Lookup(sym.Name) == sym:
		d.value, d.asOf = in.valueNow(sym, running)
	case sc.path != nil:
		d.value, d.asOf = in.fieldNow(sc, running)
	}
	d.src = in.sourceOf(obj)
	switch obj := obj.(type) {
	case *types.TypeName:
		d.more = typeMembers(obj.Type())
	case *types.Func:
		d.more = in.optionLines(obj.Type())
	}
	return d
}

// commentAbove is the comment that a text ends in, line by line.
func commentAbove(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	n := len(lines)
	for n > 0 && strings.HasPrefix(lines[n-1], "//") {
		n--
	}
	for i := n; i < len(lines); i++ {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(lines[i], "//"), " ")
	}
	return strings.Join(lines[n:], "\n")
}

// optionLines lists the options of package kw that functions of a type take.
func (in *Interp) optionLines(t types.Type) string {
	named, option := optionTypeOf(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != preimported["kw"] {
		return "" // the documentation tells
	}
	list := in.optionsOf(named, option)
	var lines []string
	for _, c := range list {
		params := ""
		if sig, ok := c.obj.Type().(*types.Signature); ok {
			params = strings.TrimPrefix(typeText(types.NewSignatureType(nil, nil, nil, sig.Params(), nil, sig.Variadic())), "func")
		}
		lines = append(lines, c.name+params)
	}
	slices.Sort(lines)
	return "// options:\n" + strings.Join(lines, "\n")
}

// selects reports that the word is selected from something.
func (s *scene) selects() bool {
	sel, ok := s.at(1).(*ast.SelectorExpr)
	return ok && sel.Sel == s.at(0)
}

// objectNamed is what a name stands for outside of any cell.
func (in *Interp) objectNamed(name string) types.Object {
	if sym := in.session.Lookup(name); sym != nil {
		return sym.Obj
	}
	if obj := in.predeclaredObject(name); obj != nil {
		return obj
	}
	return types.Universe.Lookup(name)
}

// packageNamed is the path of the package that a name stands for, "" without.
func (in *Interp) packageNamed(name string) string {
	if sym := in.session.Lookup(name); sym != nil {
		return sym.Path
	}
	for _, path := range in.session.PackagesNamed(name) {
		return path
	}
	return ""
}

func (in *Interp) describePackage(path string) description {
	return description{head: fmt.Sprintf("package %s // import %q", in.session.PackageName(path), path), doc: in.packageDoc(path)}
}

// packageDoc is the documentation of a package, compiled or loaded from source.
func (in *Interp) packageDoc(path string) string {
	if p := in.session.FromSource(path); p != nil {
		return p.Doc()
	}
	return symbols.Doc(path, "")
}

// valueNow is the value of a variable, and of when it is: now, or as a cell has
// left it while others run.
func (in *Interp) valueNow(sym *check.Sym, running int32) (valueText, string) {
	if sym.Kind != check.Var {
		return nil, ""
	}
	if in.stands(running) {
		v, ok := in.memory(sym)
		if !ok {
			return nil, ""
		}
		return textOf(v, sym.Obj.Type(), true), ""
	}
	kept, ok := in.values.kept[sym]
	if !ok {
		return nil, ""
	}
	return kept.value, in.leftBy(kept.cell)
}

// leftBy says that a value is as a cell has left it.
func (in *Interp) leftBy(cell int64) string {
	why := "another cell is running"
	if in.cells.Load() == 0 {
		why = "goroutines of cells are running"
	}
	return fmt.Sprintf("as of the end of cell %d (%s):", cell, why)
}

// fieldNow is the value of a field of a variable, when nothing runs.
func (in *Interp) fieldNow(sc *scene, running int32) (valueText, string) {
	if !in.stands(running) {
		return nil, ""
	}
	sel, ok := sc.at(1).(*ast.SelectorExpr)
	if !ok || sel.Sel != sc.at(0) {
		return nil, ""
	}
	v, t, ok := in.fieldValue(sc, sel)
	if !ok || !v.CanInterface() {
		return nil, ""
	}
	return textOf(v, t, true), ""
}

// declaration writes an object as it would be declared.
func declaration(obj types.Object, name string) string {
	switch obj := obj.(type) {
	case *types.Func:
		sig := obj.Type().(*types.Signature)
		recv := ""
		if sig.Recv() != nil {
			recv = "(" + typeText(sig.Recv().Type()) + ") "
		}
		return "func " + recv + name + strings.TrimPrefix(typeText(sig), "func")
	case *types.TypeName:
		if obj.IsAlias() && name == "any" {
			return "type any = interface{}"
		}
		if obj.IsAlias() {
			if is := typeText(types.Unalias(obj.Type())); is != name && is != shownType(obj.Type()) {
				return "type " + name + " = " + is + " // " + shownType(obj.Type())
			}
			if _, named := types.Unalias(obj.Type()).(*types.Named); !named {
				return "type " + name + " = " + shownType(obj.Type())
			}
		}
		return "type " + name + typeParams(obj.Type()) + " " + shownType(obj.Type())
	case *types.Const:
		return "const " + name + " " + typeText(obj.Type()) + constText(obj)
	case *types.Var:
		kind := "var "
		if obj.IsField() {
			kind = "field "
		}
		if obj.Type() == types.Typ[types.Invalid] {
			return kind + name
		}
		return kind + name + " " + typeText(types.Default(obj.Type()))
	case *types.Builtin:
		return "func " + name + strings.TrimPrefix(builtinSignatures[name], "func")
	case *types.Label:
		return "label " + name
	}
	return name
}

// typeParams writes the type parameters of a generic type.
func typeParams(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeParams().Len() == 0 {
		return ""
	}
	var list []string
	for p := range n.TypeParams().TypeParams() {
		list = append(list, p.Obj().Name()+" "+typeText(p.Constraint()))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// shownType is the form of a type, with the fields that a cell may name on lines
// of their own.
func shownType(t types.Type) string {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return typeText(t.Underlying())
	}
	var b strings.Builder
	hidden := false
	for i := range st.NumFields() {
		f := st.Field(i)
		if !visible(f) {
			hidden = true
			continue
		}
		name := f.Name() + " "
		if f.Embedded() {
			name = ""
		}
		b.WriteString("\n\t" + name + typeText(f.Type()))
		if tag := st.Tag(i); tag != "" {
			b.WriteString(" `" + tag + "`")
		}
	}
	switch {
	case b.Len() == 0 && hidden:
		return "struct{ … }"
	case b.Len() == 0:
		return "struct{}"
	case hidden:
		b.WriteString("\n\t…")
	}
	return "struct {" + b.String() + "\n}"
}

// maxMethods bounds the methods that are listed with their signatures.
const maxMethods = 30

// typeMembers lists the methods of a type.
func typeMembers(t types.Type) string {
	if types.IsInterface(t) {
		return ""
	}
	var long, short []string
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if visible(m.Obj()) {
			long = append(long, declaration(m.Obj(), m.Obj().Name()))
			short = append(short, m.Obj().Name())
		}
	}
	if len(long) > maxMethods {
		return "// methods: " + wrapped(short, 72)
	}
	return strings.Join(long, "\n")
}

// wrapped writes words on comment lines of a width.
func wrapped(words []string, width int) string {
	var b strings.Builder
	line := len("// methods: ")
	for i, w := range words {
		if i > 0 {
			b.WriteByte(',')
			line++
		}
		if line+len(w) > width {
			b.WriteString("\n//  ")
			line = len("//  ")
		}
		if i > 0 {
			b.WriteByte(' ')
			line++
		}
		b.WriteString(w)
		line += len(w)
	}
	return b.String()
}
