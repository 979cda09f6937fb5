package check

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopherlo/interp/cell"
)

// arrayStruct is what an Array is made of, which is nobody's business.
const arrayStruct = "struct{v core.Value; many *Results}"

func itoa(n int) string { return strconv.Itoa(n) }

var (
	cellTypeRE = regexp.MustCompile(`cell‹(\d+)›\.([\pL_][\pL\pN_]*)`)
	typeMarkRE = regexp.MustCompile(`‹type\d+›`)
	importRE   = regexp.MustCompile(`^could not import (\S+) \(`)
	inRE       = regexp.MustCompile(`\b(at )?cell-(\d+)\.go:(\d+):\d+\b`)
	atRE       = regexp.MustCompile(` at cell-(\d+)\.go:(\d+):\d+$`)
	posRE      = regexp.MustCompile(`cell-(\d+)\.go:(\d+):\d+: `)
	markRE     = regexp.MustCompile(`ǃold|‹body›|‹tag›|‹temp›\d+\.\d+`)
	// softRE is what a notebook tolerates of go/types' soft errors.
	softRE = regexp.MustCompile(`declared and not used|imported( as .*)? and not used|missing function body`)
	ownRE  = regexp.MustCompile(`\b(?:jaxlike|array|stages)\.|‹jnp›\.|‹jax›\.|‹kw›\.|‹rt›\.`)
)

// most is how many of n mistakes are told; of very many as few as the go command
// tells, for the words of each take walks over the cell.
func most(n int) int {
	if n > 1000 {
		return 10
	}
	return 100
}

// diagnostics lists the mistakes of the cell in order.
//
// Of very many, the last says how many more there are; it has no line.
func (k *checker) diagnostics() []Diagnostic {
	list := append(k.own, k.mistakes...)
	for _, e := range k.c.Wrong {
		if !k.hidesRange(e) {
			list = append(list, Diagnostic{Error: e})
		}
	}
	k.errs = slices.CompactFunc(k.errs, func(a, b types.Error) bool { // as the compiler tells them
		return a.Msg == b.Msg && k.line(a.Pos) == k.line(b.Pos)
	})
	k.checkBranches()
	slices.SortStableFunc(k.errs, func(a, b types.Error) int { return cmp.Compare(a.Pos, b.Pos) })
	told, untold := 0, 0
	for _, e := range k.errs {
		if told == most(len(k.errs)) {
			untold++
			continue
		}
		if k.tolerated(e) {
			continue
		}
		told++
		msg, pos := k.words(e)
		d := k.diagnostic(pos, k.clean(k.packageName(k.arrayLength(k.restore(msg, e.Pos), e.Pos))))
		if d.Hint = cmp.Or(k.hint(e), k.otherVersion(e.Msg)); d.Hint == "" {
			d.Hint = k.clean(strings.Join(k.parts[mistake{e.Pos, e.Msg}], "\n    "))
		}
		list = append(list, d)
	}
	list = append(list, k.initCycles()...)
	list = append(list, k.instanceCycles()...)
	list = append(list, k.hugeConstant()...)
	list = append(list, k.embeds()...)
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].Line != list[j].Line {
			return list[i].Line < list[j].Line
		}
		return list[i].Col < list[j].Col
	})
	kept := list[:0]
	bodies := slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Msg != missingBody })
	for i, d := range list {
		if bodies && d.Msg == missingBody {
			continue // the compiler looks for bodies when all else is right
		}
		if i == 0 || d.Error != list[i-1].Error {
			kept = append(kept, d)
		}
	}
	if len(kept) > 0 {
		k.adviseImport(&kept[len(kept)-1])
	}
	if untold > 0 {
		kept = append(kept, Diagnostic{Error: cell.Error{Msg: fmt.Sprintf("too many errors (%d more)", untold)}, More: untold})
	}
	return kept
}

const missingBody = "missing function body"

// hidesRange reports that a range clause with too many variables has another
// mistake, which the compiler tells in its place.
func (k *checker) hidesRange(wrong cell.Error) bool {
	return strings.HasPrefix(wrong.Msg, "range clause permits at most two ") && slices.ContainsFunc(k.errs, func(e types.Error) bool {
		return rangeRE.MatchString(e.Msg) && k.line(e.Pos) == wrong.Line
	})
}

var rangeRE = regexp.MustCompile(`^cannot range over | permits (no|only one) iteration variable`)

// diagnostic is a mistake at a position of the cell.
func (k *checker) diagnostic(pos token.Pos, msg string) Diagnostic {
	line, col := k.c.Position(pos)
	if line == 0 {
		line, col = 1, 1
	}
	return Diagnostic{Error: cell.Error{Line: line, Col: col, Msg: msg}}
}

// tolerated reports errors of Go that are none in a cell: an expression at its
// end has a use, its value is shown.
func (k *checker) tolerated(e types.Error) bool {
	if strings.Contains(e.Msg, bodyMark+" redeclared in this block") {
		return true // said of the signature
	}
	if strings.HasPrefix(e.Msg, "method has no receiver") || strings.HasPrefix(e.Msg, "method has multiple receivers") {
		return true // said of the syntax
	}
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok && strings.ContainsFunc(name, notInNames) {
		return true // said of the characters
	}
	return k.c.Tail != nil && e.Pos == k.c.Tail.X.Pos() && strings.HasSuffix(e.Msg, "is not used")
}

// notInNames reports the characters beyond ASCII that no name has.
func notInNames(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// clean turns a message of go/types into what a user of cells should read.
func (k *checker) clean(msg string) string {
	msg = cellTypeRE.ReplaceAllStringFunc(msg, func(m string) string {
		sub := cellTypeRE.FindStringSubmatch(m)
		sym := k.s.syms[sub[2]]
		if sym != nil && itoa(sym.Cell) == sub[1] && (!k.declared[sub[2]] || k.kept[sub[2]] != nil) {
			return sub[2]
		}
		return sub[2] + " (cell " + sub[1] + ")"
	})
	msg = posRE.ReplaceAllStringFunc(msg, func(m string) string {
		sub := posRE.FindStringSubmatch(m)
		if sub[1] == itoa(k.c.N) {
			return "line " + sub[2] + ": "
		}
		return "cell " + sub[1] + ", line " + sub[2] + ": "
	})
	msg = atRE.ReplaceAllStringFunc(msg, func(m string) string {
		sub := atRE.FindStringSubmatch(m)
		if sub[1] == itoa(k.c.N) {
			return " at line " + sub[2]
		}
		return " in cell " + sub[1] + ", line " + sub[2]
	})
	msg = strings.Replace(msg, " (declared at -)", "", 1) // in a package
	msg = inRE.ReplaceAllStringFunc(msg, func(m string) string {
		sub := inRE.FindStringSubmatch(m)
		if sub[2] == itoa(k.c.N) {
			return "at line " + sub[3]
		}
		return "in cell " + sub[2] + ", line " + sub[3]
	})
	msg = outRE.ReplaceAllString(msg, "Out[$1]")
	msg = hiddenNames.Replace(msg)
	msg = ownRE.ReplaceAllString(msg, "")
	msg = strings.ReplaceAll(msg, arrayStruct, "Array")
	msg = typeMarkRE.ReplaceAllStringFunc(msg, func(m string) string {
		return k.clean(types.TypeString(k.types[m], k.s.qualifier(k.res)))
	})
	msg = markRE.ReplaceAllString(msg, "")
	if m := importRE.FindStringSubmatch(msg); m != nil {
		return k.s.notImported(m[1])
	}
	return msg
}

// packageName words the use of a package that needs no import as Go does that
// of an imported one.
func (k *checker) packageName(msg string) string {
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		sym := k.s.syms[name]
		if _, ok := k.s.env.Preimported[name]; ok || sym != nil && sym.Kind == Import {
			return "use of package " + name + " without selector"
		}
	}
	return msg
}

var (
	noLengthRE  = regexp.MustCompile(`^undefined array length ([\pL_][\pL\pN_]*) or missing type constraint$`)
	badLengthRE = regexp.MustCompile(`^invalid array length [\pL_]|^array length .* must be constant(?:$|:)`)
)

// arrayLength words an array length that needs a variable of the cell, which types
// and functions do not see while they are checked, as Go does.
func (k *checker) arrayLength(msg string, pos token.Pos) string {
	if m := noLengthRE.FindStringSubmatch(msg); m != nil && k.varNames[m[1]] {
		return "invalid array length " + m[1]
	}
	name, ok := strings.CutPrefix(msg, "undefined: ")
	if !ok || !k.varNames[name] {
		return msg
	}
	k.inspect(func(n ast.Node) bool {
		if t, ok := n.(*ast.ArrayType); ok && t.Len != nil && t.Len.Pos() <= pos && pos < t.Len.End() {
			msg = fmt.Sprintf("array length %s must be constant: it needs %s, a variable of this cell", k.c.Source(t.Len.Pos(), t.Len.End()), name)
		}
		return true
	})
	return msg
}

// lengthHint helps with an array whose length is no constant.
func (k *checker) lengthHint(msg string, e types.Error) (hint string) {
	if !badLengthRE.MatchString(k.arrayLength(msg, e.Pos)) {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		if t, ok := n.(*ast.ArrayType); ok && t.Len != nil && t.Len.Pos() <= e.Pos && e.Pos < t.Len.End() {
			hint = fmt.Sprintf("the length of an array is a constant; of a variable length there are slices: make([]%s, %s)",
				k.slices(t.Elt), k.c.Source(t.Len.Pos(), t.Len.End()))
		}
		return hint == ""
	})
	return hint
}

// slices is the text of a type with slices in the place of arrays.
func (k *checker) slices(e ast.Expr) string {
	if t, ok := e.(*ast.ArrayType); ok {
		return "[]" + k.slices(t.Elt)
	}
	return k.c.Source(e.Pos(), e.End())
}

// hugeConstant reports a value of the cell that is a constant without a type
// and too large for the int that it would become.
func (k *checker) hugeConstant() []Diagnostic {
	if k.c.Tail == nil {
		return nil
	}
	tv := k.info.Types[k.c.Tail.X]
	b, ok := tv.Type.(*types.Basic)
	if !ok || tv.Value == nil || b.Kind() != types.UntypedInt {
		return nil
	}
	if _, exact := constant.Int64Val(tv.Value); exact {
		return nil
	}
	line, col := k.c.Position(k.c.Tail.X.Pos())
	x := k.c.Source(k.c.Tail.X.Pos(), k.c.Tail.X.End())
	return []Diagnostic{{
		Error: cell.Error{Line: line, Col: col, Msg: "cannot use " + x + " (untyped int constant " + tv.Value.String() + ") as int value (overflows)"},
		Hint:  "float64(" + x + ") has a value",
	}}
}

// embeds reports directives to embed files, which are comments to the parser.
func (k *checker) embeds() (list []Diagnostic) {
	if !strings.Contains(k.c.Go, embedDirective) {
		return nil
	}
	for at, text := range comments(k.c.Go) {
		if strings.HasPrefix(text, embedDirective) && at.Column == 1 {
			list = append(list, Diagnostic{
				Error: cell.Error{Line: at.Line, Col: 3, Msg: "go:embed needs the compiler, which a cell does not have"},
				Hint:  "text, err := os.ReadFile(name) reads a file when the cell runs",
			})
		}
	}
	return list
}

const embedDirective = "//go:embed "

// qualifier names types in notes as a user writes them.
func (s *Session) qualifier(r *Result) types.Qualifier {
	return func(p *types.Package) string {
		if p.Path() == mainPath {
			return ""
		}
		return p.Name()
	}
}

// outRE finds what the checker has written for Out[n] and _, hiddenNames words
// its other rewrites as they were.
var (
	outRE       = regexp.MustCompile(`‹rt›\.Out\[‹type\d+›\]\((\d+)\)`)
	hiddenNames = strings.NewReplacer("‹rt›.Outs()", "Out", "‹rt›.Ins()", "In", "‹rt›.Len(", "len(")
)

var optionRE = regexp.MustCompile(`as kw\.(\w+) value in argument to`)

// optionHint names the keyword options that a function takes, in the order in
// which JAX takes them by position, where something else was given.
func (k *checker) optionHint(msg string, e types.Error) string {
	m := optionRE.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	kw, err := k.s.importer.Import("gopherlo/jaxlike/kw")
	if err != nil {
		return ""
	}
	want := kw.Scope().Lookup(m[1])
	if want == nil {
		return ""
	}
	iface, ok := want.Type().Underlying().(*types.Interface)
	var names, fits []string
	given := k.argumentAt(e.Pos)
	for _, n := range kw.Scope().Names() {
		f, isFunc := kw.Scope().Lookup(n).(*types.Func)
		if ok && isFunc && f.Exported() && f.Signature().Results().Len() == 1 && types.Implements(f.Signature().Results().At(0).Type(), iface) {
			names = append(names, "kw."+n+"(…)")
			if p := f.Signature().Params(); given != nil && p.Len() == 1 && types.Identical(p.At(0).Type(), types.Default(k.info.TypeOf(given))) {
				fits = append(fits, "kw."+n+"("+k.c.Source(given.Pos(), given.End())+")")
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	if len(fits) == 1 {
		return "write " + fits[0]
	}
	doc := k.s.env.Doc("gopherlo/jaxlike/kw", m[1])
	slices.SortStableFunc(names, func(a, b string) int { return optionPlace(doc, a) - optionPlace(doc, b) })
	return "options are " + strings.Join(names, ", ")
}

// optionPlace is where the documentation of a kind of options, which has them in
// the order of JAX's parameters, speaks of one.
func optionPlace(doc, option string) int {
	name := strings.TrimSuffix(strings.TrimPrefix(option, "kw."), "(…)")
	at := regexp.MustCompile(`: .*\b` + name + `\b`).FindStringIndex(doc)
	if at == nil {
		return len(doc)
	}
	return at[1]
}

var setElementRE = regexp.MustCompile(`cannot index .* of struct type Array\)|^cannot assign to .*\.Index\(.*\) \(neither addressable`)

var arrayMemberRE = regexp.MustCompile(`type Array has no field or method ([\pL_][\pL\pN_]*)`)

// memberHint helps with the field of a struct that is still an Array because the
// function behind a Func is not known here.
func (k *checker) memberHint(msg string) string {
	m := arrayMemberRE.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	for _, sym := range k.s.Names() {
		if sym.Kind == Type && sym.Obj != nil && hasField(sym.Obj.Type(), m[1]) {
			return "give the result its type: var v " + sym.Name + " = …"
		}
	}
	return ""
}

func hasField(t types.Type, name string) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return true
		}
	}
	return false
}
