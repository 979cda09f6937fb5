package interp

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
)

// scene is a place in a cell's text, and what go/types finds out around it.
type scene struct {
	in   *Interp
	view *check.View
	cell *cell.Cell
	path []ast.Node // down to the word, nil when it could not be parsed
}

// atCursor is the name that stands for the word to be completed; no cell can
// declare it.
const atCursor = "ǃǃ"

// look finds out what stands around the word from start to end, in whose place
// another is put; in.names is held.
func (in *Interp) look(text string, start, end int, word string) *scene {
	in.finished()
	c := cell.Near(int(in.count.Load())+1, text, start, end, word)
	sc := &scene{in: in, view: in.session.Look(c), cell: c}
	sc.path = c.Path(start, word)
	return sc
}

// at is a node above the word: 0 is the word itself, 1 what it is in.
func (s *scene) at(up int) ast.Node {
	if i := len(s.path) - 1 - up; i >= 0 {
		return s.path[i]
	}
	return nil
}

// pos is where the word stands.
func (s *scene) pos() token.Pos {
	if n := s.at(0); n != nil {
		return n.Pos()
	}
	return token.NoPos
}

// object is what the word stands for: with the package that it comes from under
// its own name where a cell knows it by another.
func (s *scene) object() types.Object {
	id, ok := s.at(0).(*ast.Ident)
	if !ok {
		return nil
	}
	obj := s.view.Info.ObjectOf(id)
	if obj == nil {
		obj = s.implicit(id)
	}
	if sym := s.view.Sym(obj); sym != nil && sym.Obj != nil {
		return sym.Obj
	}
	return obj
}

// implicit finds the variable of a type switch.
func (s *scene) implicit(id *ast.Ident) types.Object {
	for _, n := range s.path {
		sw, ok := n.(*ast.TypeSwitchStmt)
		if !ok {
			continue
		}
		if as, ok := sw.Assign.(*ast.AssignStmt); !ok || as.Lhs[0] != ast.Expr(id) {
			continue
		}
		for _, c := range sw.Body.List {
			if obj := s.view.Info.Implicits[c]; obj != nil {
				return obj
			}
		}
	}
	return nil
}

// isWord reports the letters of names.
func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordBefore is where the word begins that ends at a place.
func wordBefore(text string, at int) int {
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if !isWord(r) {
			break
		}
		at -= size
	}
	return at
}

// wordBehind is where the word ends that a place is in.
func wordBehind(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isWord(r) {
			break
		}
		at += size
	}
	return at
}

// byteOffset is the place of a code point; outside the text it is its end.
func byteOffset(code string, cursor int) int {
	for i := range code {
		if cursor == 0 {
			return i
		}
		cursor--
	}
	return len(code)
}

// Names that stand in a text for the magics whose options it holds, as long as
// those.
var optionMagics = strings.NewReplacer("%%xla", "_xla_", "%%hlo", "_hlo_", "%%stablehlo", "_stablehlo_")

var (
	goMagicRE  = regexp.MustCompile(`^[ \t]*%%?(?:timeit|time|hlo)\b`)
	questionRE = regexp.MustCompile(`^[ \t]*\?{1,2}`)
)

// inModule reports that a place is in the module below %%hlo or %%stablehlo.
func inModule(code string, at int) bool {
	trimmed := strings.TrimLeft(code, " \t\r\n")
	return (strings.HasPrefix(trimmed, "%%hlo") || strings.HasPrefix(trimmed, "%%stablehlo")) && strings.Contains(trimmed, "\n") && at >= bodyStart(code)
}

// goTextAt is a cell's text with the Go that magic lines hold in its place: the
// line at an offset, and the options of cell magics.
func goTextAt(code string, at int) string {
	trimmed := strings.TrimLeft(code, " \t\r\n")
	lead := len(code) - len(trimmed)
	if strings.HasPrefix(trimmed, "%%") {
		first, _, _ := strings.Cut(trimmed, "\n")
		if strings.HasPrefix(first, "%%hlo") || strings.HasPrefix(first, "%%stablehlo") {
			trimmed = first
		}
		code = code[:lead] + optionMagics.Replace(first) + trimmed[len(first):]
		if at > lead+len(first) { // a literal of options is no statement of the cell
			code = code[:lead] + strings.Repeat(" ", len(first)) + code[lead+len(first):]
		}
	}
	from := strings.LastIndexByte(code[:at], '\n') + 1
	for _, re := range []*regexp.Regexp{goMagicRE, questionRE} {
		if m := re.FindString(code[from:]); m != "" && len(m) <= at-from {
			code = code[:from] + strings.Repeat(" ", len(m)) + code[from+len(m):]
		}
	}
	return code
}

// deref is what a pointer points to, other types themselves.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// typeText writes a type as cells write it.
func typeText(t types.Type) string { return types.TypeString(t, packageText) }

// packageText is how cells name a package before a type.
func packageText(p *types.Package) string {
	switch path := p.Path(); {
	case path == "main", path == "gopherlo/jaxlike", path == "gopherlo/jaxlike/array":
		return ""
	case strings.HasPrefix(path, "gopherlo/jaxlike/stages"):
		return "jax"
	}
	return p.Name()
}

// constText is the value of a constant, "" for other objects.
func constText(obj types.Object) string {
	if c, ok := obj.(*types.Const); ok && c.Val().Kind() != constant.Unknown {
		return " = " + c.Val().String()
	}
	return ""
}
