package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopherlo/interp/symbols"
	"gopherlo/jaxlike/stages"
	"gopherlo/kernel/language"
	"gopherlo/xla"
)

// Inspect describes what stands at the cursor: its declaration and its
// documentation. It works while a cell runs.
func (in *Interp) Inspect(ctx context.Context, code string, cursor, detail int) language.Inspection {
	return in.inspect(ctx, code, cursor, detail, 0)
}

// inspect is Inspect that shows values while at most idle cells run: a cell that
// asks is one itself.
func (in *Interp) inspect(ctx context.Context, code string, cursor, detail int, idle int32) language.Inspection {
	in.names.Lock()
	defer in.names.Unlock()
	at := byteOffset(code, cursor)
	word, end := wordAt(code, at)
	head, doc := in.describe(ctx, code, word, end)
	if head == "" {
		return language.Inspection{Data: language.Bundle{}, Metadata: map[string]any{}}
	}
	text, markdown := head, "```go\n"+head+"\n```\n"
	if doc = strings.TrimSpace(doc); doc != "" {
		text += "\n\n" + doc
		markdown += "\n" + doc
	}
	// While a cell runs it may be changing the value.
	if in.cells.Load() <= idle {
		if value := in.valueText(word, code[:end]); value != "" {
			text += "\n\n" + value
			markdown += "\n\n```\n" + value + "\n```\n"
		}
	}
	if src := in.session.Source(in.session.Lookup(word)); detail > 0 && src != "" {
		text += "\n\n" + src
		markdown += "\n\n```go\n" + src + "\n```\n"
	}
	return language.Inspection{
		Found: true, Metadata: map[string]any{},
		Data: language.Bundle{"text/plain": text, "text/markdown": markdown},
	}
}

// wordAt is the word around a place, or the name of the function whose
// arguments the place is among, and where it ends.
func wordAt(code string, at int) (word string, end int) {
	word, end = plainWordAt(code, at)
	if word != "" && !unicode.IsDigit(rune(word[0])) {
		return word, end
	}
	// Among the arguments of a call: the function.
	depth := 0
	for i := min(at, len(code)) - 1; i >= 0; i-- {
		switch code[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				return plainWordAt(code, i)
			}
		case '\n', '{', '}':
			return "", at
		}
	}
	return "", at
}

func plainWordAt(code string, at int) (word string, end int) {
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	start := at
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(code[:start])
		if !isWord(r) {
			break
		}
		start -= size
	}
	end = at
	for end < len(code) {
		r, size := utf8.DecodeRuneInString(code[end:])
		if !isWord(r) {
			break
		}
		end += size
	}
	return code[start:end], end
}

var magicWordRE = regexp.MustCompile(`(?:^|\n)[ \t]*(%{1,2})$`)

// describe gives the declaration and the documentation of a word.
func (in *Interp) describe(ctx context.Context, code, word string, end int) (head, doc string) {
	start := end - len(word)
	if word == "" {
		return "", ""
	}
	if m := magicWordRE.FindStringSubmatch(code[:start]); m != nil {
		if mg, ok := magics[word]; ok && m[1] == "%" {
			return mg.usage, mg.help
		}
		mg := cellMagics[word]
		return mg.usage, mg.help
	}
	if strings.HasPrefix(word, "xla_") {
		if head, doc = describeFlag(ctx, word); head != "" {
			return head, doc
		}
	}
	r := newResolver(in, code, start)
	x, err := parser.ParseExpr(lastExpr(code[:end]))
	if err != nil {
		return "", ""
	}
	switch x := x.(type) {
	case *ast.Ident:
		if pkg := r.pkg(x); pkg != nil && in.session.Lookup(word) == nil {
			return fmt.Sprintf("package %s // import %q", pkg.Name(), pkg.Path()), symbols.Doc(pkg.Path(), "")
		}
		obj := r.object(word)
		if t := r.typeOfName(word); obj == nil && t != nil {
			return "var " + word + " " + r.short(t), ""
		}
		return r.declaration(obj, word), in.docOf(obj, word)
	case *ast.SelectorExpr:
		obj := r.selected(x)
		return r.declaration(obj, word), in.docOf(obj, word)
	}
	return "", ""
}

func describeFlag(ctx context.Context, name string) (head, doc string) {
	table, err := xla.FlagTable(ctx, stages.Platform)
	if err != nil {
		return "", ""
	}
	for _, f := range table {
		if f.Name == name {
			return f.String(), f.Description
		}
	}
	return "", ""
}

// declaration writes an object as it would be declared.
func (r *resolver) declaration(obj types.Object, name string) string {
	switch obj := obj.(type) {
	case nil:
		return ""
	case *types.Func:
		sig := obj.Type().(*types.Signature)
		recv := ""
		if sig.Recv() != nil {
			recv = "(" + r.short(sig.Recv().Type()) + ") "
		}
		return "func " + recv + name + strings.TrimPrefix(r.short(sig), "func")
	case *types.TypeName:
		return "type " + name + " " + r.short(obj.Type().Underlying())
	case *types.Const:
		return "const " + name + " " + r.short(obj.Type()) + constText(obj)
	case *types.Var:
		if obj.IsField() {
			return "field " + name + " " + r.short(obj.Type())
		}
		return "var " + name + " " + r.short(obj.Type())
	case *types.Builtin:
		return "func " + name
	}
	return name
}

// docOf finds the documentation of an object of a package, or says which cell
// has declared it.
func (in *Interp) docOf(obj types.Object, name string) string {
	if obj == nil {
		return ""
	}
	if sym := in.session.Lookup(name); sym != nil && sym.Obj == obj {
		return fmt.Sprintf("declared in cell %d", sym.Cell)
	}
	if obj.Pkg() == nil {
		return symbols.Doc("builtin", name)
	}
	symbol := obj.Name()
	if f, ok := obj.(*types.Func); ok {
		if recv := f.Type().(*types.Signature).Recv(); recv != nil {
			if n, ok := deref(recv.Type()).(*types.Named); ok {
				symbol = n.Obj().Name() + "." + symbol
			}
		}
	}
	return symbols.Doc(obj.Pkg().Path(), symbol)
}
