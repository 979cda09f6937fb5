package interp

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopherlo/interp/symbols"
	"gopherlo/jaxlike/stages"
	"gopherlo/kernel/language"
	"gopherlo/xla"
	"gopherlo/xla/flags"
)

// candidate is something that may stand at the cursor.
type candidate struct{ name, kind, signature string }

// Complete lists what may stand at the cursor. It works while a cell runs.
func (in *Interp) Complete(ctx context.Context, code string, cursor int) language.Completion {
	in.names.Lock()
	defer in.names.Unlock()
	at := byteOffset(code, cursor)
	start, list := in.candidates(ctx, code, at)
	prefix := code[start:at]
	c := language.Completion{Matches: []string{}, Start: utf8.RuneCountInString(code[:start]), End: utf8.RuneCountInString(code[:at])}
	sort.SliceStable(list, func(i, j int) bool { return list[i].name < list[j].name })
	for i, m := range list {
		if !strings.HasPrefix(strings.ToLower(m.name), strings.ToLower(prefix)) || i > 0 && m.name == list[i-1].name {
			continue
		}
		c.Matches = append(c.Matches, m.name)
		c.Types = append(c.Types, language.CompletionType{Text: m.name, Type: m.kind, Signature: m.signature, Start: c.Start, End: c.End})
	}
	return c
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

var (
	importRE  = regexp.MustCompile(`(?:^|\n)\s*(?:import\s*\(?|(?:import\s+)?[\pL_.]*)\s*"([^"\n]*)$`)
	optionsRE = regexp.MustCompile(`(?s)(?:compiler_options|CompilerOptions|%%xla\s*)\{[^{}]*"([^"\n:]*)$`)
	attrsRE   = regexp.MustCompile(`(?s)(?:attrs|metadata\.Attrs)\{[^{}]*"([^"\n:]*)$`)
	magicRE   = regexp.MustCompile(`(?:^|\n)[ \t]*(%{1,2}[a-z]*)$`)
)

// wordPlaces are the places whose words are no Go names: what may stand there for
// the part that the expression's group finds.
var wordPlaces = []struct {
	re   *regexp.Regexp
	list func(ctx context.Context) []candidate
}{
	{optionsRE, func(ctx context.Context) []candidate {
		return append(flagCandidates(ctx, func(f flags.Flag) bool { return f.Option }), levelNames...)
	}},
	{regexp.MustCompile(`(?:^|\n)[ \t]*%env\s+XLA_FLAGS=(?:[^\n]*\s)?--([a-z0-9_]*)$`), func(ctx context.Context) []candidate {
		return flagCandidates(ctx, func(f flags.Flag) bool { return f.XLAFlags })
	}},
	{attrsRE, func(context.Context) []candidate { return attrNames }},
	{regexp.MustCompile(`\bjax\.Update\(\s*"([a-z0-9_]*)$`), func(context.Context) []candidate { return settingNames }},
	{regexp.MustCompile(`\.(?:AsText|AsTextDebug|CompilerIR)\(\s*"([a-z]*)$`), func(context.Context) []candidate { return dialectNames }},
	{magicRE, func(context.Context) []candidate { return magicCandidates() }},
}

// levelNames are the options that are no flags of XLA.
var levelNames = []candidate{
	{flags.KeyOptimizationLevel, "property", "O0, O1, O2 or O3"},
	{flags.KeyMemoryFittingLevel, "property", "O0, O1, O2 or O3"},
}

// settingNames are what jax.Update sets.
var settingNames = []candidate{
	{"jax_enable_x64", "property", "bool"},
	{"jax_optimization_level", "property", "O0, O1, O2 or O3"},
	{"jax_memory_fitting_level", "property", "O0, O1, O2 or O3"},
}

// dialectNames are the forms that a lowered program has.
var dialectNames = []candidate{{"hlo", "property", ""}, {"stablehlo", "property", ""}}

// attrNames are the attributes that XLA or the metadata calls know.
var attrNames = []candidate{
	{"must_fuse", "property", "XLA fuses the block or fails"},
	{"MUST_FUSE", "property", "XLA fuses the block or fails"},
	{"_scheduling_group_id", "property", "instructions of one group are scheduled together"},
	{"scheduling_group", "property", "the group that scheduling_group names"},
	{"xla_metadata", "property", ""},
}

// candidates finds where the word at the cursor begins and what it may become.
func (in *Interp) candidates(ctx context.Context, code string, at int) (start int, list []candidate) {
	before := code[:at]
	for _, p := range wordPlaces {
		if m := p.re.FindStringSubmatch(before); m != nil {
			return at - len(m[1]), p.list(ctx)
		}
	}
	if m := importRE.FindStringSubmatch(before); m != nil && strings.Contains(code, "import") {
		for _, path := range symbols.Packages() {
			list = append(list, candidate{path, "module", ""})
		}
		return at - len(m[1]), list
	}
	start = at
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(code[:start])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= size
	}
	scope := newResolver(in, code, at)
	base := strings.TrimRightFunc(code[:start], unicode.IsSpace)
	if !strings.HasSuffix(base, ".") {
		return start, append(scope.names(), scope.fieldsOfLiteral(code[:start])...)
	}
	base = strings.TrimSuffix(base, ".")
	operand := lastExpr(base)
	x, err := parser.ParseExpr(operand)
	if err != nil {
		return start, nil
	}
	if pkg := scope.pkg(x); pkg != nil && pkg.Path() == preimported["kw"] {
		if list = scope.options(pkg, strings.TrimSuffix(base, operand)); len(list) > 0 {
			return start, list
		}
	}
	return start, scope.members(x)
}

// flagCandidates are the plugin's flags that are wanted.
func flagCandidates(ctx context.Context, wanted func(flags.Flag) bool) (list []candidate) {
	table, err := xla.FlagTable(ctx, stages.Platform)
	if err != nil {
		return nil
	}
	for _, f := range table {
		if wanted(f) {
			list = append(list, candidate{f.Name, "property", flagSignature(f)})
		}
	}
	return list
}

func flagSignature(f flags.Flag) string {
	s := f.Type
	if len(f.Enum) > 0 {
		s += " (" + strings.Join(f.Enum, ", ") + ")"
	}
	if f.Default != "" {
		s += " = " + f.Default
	}
	return s
}

func magicCandidates() (list []candidate) {
	for name, m := range magics {
		if name != "!" {
			list = append(list, candidate{"%" + name, "magic", m.help})
		}
	}
	for name, m := range cellMagics {
		list = append(list, candidate{"%%" + name, "magic", m.help})
	}
	return list
}

// lastExpr is the operand at the end of a text: names, selections, calls,
// indices.
func lastExpr(text string) string {
	i, depth := len(text), 0
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		switch {
		case r == ')' || r == ']' || r == '}':
			depth++
		case r == '(' || r == '[' || r == '{':
			if depth == 0 {
				return text[i:]
			}
			depth--
		case depth > 0 || r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		case r == '"' || r == '`' || r == '\'':
			j := strings.LastIndexByte(text[:i-1], byte(r))
			if j < 0 {
				return text[i:]
			}
			i = j
			continue
		default:
			return text[i:]
		}
		i -= size
	}
	return text
}

// members lists the members of a package or of a value's type.
func (r *resolver) members(x ast.Expr) (list []candidate) {
	if pkg := r.pkg(x); pkg != nil {
		for _, name := range pkg.Scope().Names() {
			if token.IsExported(name) {
				list = append(list, r.candidate(pkg.Scope().Lookup(name)))
			}
		}
		return list
	}
	t := r.typeOf(x)
	if t == nil {
		return nil
	}
	return r.typeMembers(t)
}

// typeMembers lists fields and methods, promoted ones too.
func (r *resolver) typeMembers(t types.Type) (list []candidate) {
	var fields func(t types.Type, depth int)
	fields = func(t types.Type, depth int) {
		s, ok := deref(t).Underlying().(*types.Struct)
		if !ok || depth > 4 {
			return
		}
		for f := range s.Fields() {
			if r.visible(f) {
				list = append(list, r.candidate(f))
			}
			if f.Embedded() {
				fields(f.Type(), depth+1)
			}
		}
	}
	fields(t, 0)
	if !types.IsInterface(t) {
		t = types.NewPointer(deref(t))
	}
	for m := range types.NewMethodSet(t).Methods() {
		if r.visible(m.Obj()) {
			list = append(list, r.candidate(m.Obj()))
		}
	}
	return list
}

// visible keeps what cells can name: exported members, and all of their own.
func (r *resolver) visible(obj types.Object) bool {
	return obj.Exported() || obj.Pkg() != nil && obj.Pkg().Path() == "main"
}

// candidate describes an object as Jupyter's front ends class them.
func (r *resolver) candidate(obj types.Object) candidate {
	c := candidate{name: obj.Name(), kind: "instance"}
	switch obj := obj.(type) {
	case *types.Func:
		c.kind = "function"
	case *types.TypeName:
		c.kind = "class"
		c.signature = r.short(obj.Type().Underlying())
		return c
	case *types.PkgName:
		c.kind = "module"
		return c
	case *types.Var:
		if obj.IsField() {
			c.kind = "property"
		} else if _, ok := obj.Type().Underlying().(*types.Signature); ok {
			c.kind = "function"
		}
	}
	if obj.Type() != nil {
		c.signature = r.short(obj.Type())
	}
	return c
}
