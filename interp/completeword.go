package interp

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/interp/modules"
	"gopherlo/interp/symbols"
	"gopherlo/jaxlike/stages"
	"gopherlo/xla"
	"gopherlo/xla/flags"
)

// literal lists what a text literal may be at the place where it stands.
func (in *Interp) literal(ctx context.Context, cur *cell.Cursor, text string, at int) (start int, list []candidate) {
	start = cur.Literal
	bracket, operand, operandAt := cur.Open()
	last := cur.Last(2)
	function := operand[strings.LastIndexByte(operand, '.')+1:]
	switch {
	case cur.Imports():
		for _, path := range symbols.Packages() {
			list = append(list, candidate{name: path, kind: "module", signature: firstSentence(symbols.Doc(path, ""))})
		}
		for _, path := range modules.List(workingDir(), text[start:at]) {
			list = append(list, candidate{name: path, kind: "module", signature: firstSentence(in.session.Loaded(path).Doc())})
		}
		return start, list
	case bracket == token.LBRACE && optionLiterals[function] && last[0] == ":":
		return start, optionValues(ctx, strings.Trim(last[1], "`\""))
	case bracket == token.LBRACE && optionLiterals[function]:
		return start, append(flagCandidates(ctx, func(f flags.Flag) bool { return f.Option }), levelNames...)
	case bracket == token.LBRACE && (function == "attrs" || function == "Attrs") && last[0] != ":":
		return start, attrNames
	case bracket == token.LBRACK:
		return start, in.mapKeys(text, operand, operandAt)
	case bracket != token.LPAREN || operand == "":
		return start, nil
	}
	first := last[0] == "("
	switch {
	case function == "FindOpcode":
		return start, opcodeNames()
	case first && (function == "SetAttr" || function == "RemoveAttr" || function == "Attr"):
		return start, attrNames
	case first && function == "Flags":
		return start, flagCandidates(ctx, func(flags.Flag) bool { return true })
	case first && hloSource[function] && looksHLO(text[cur.Literal:]):
		end := len(text)
		if n := strings.IndexByte(text[at:], text[cur.Literal-1]); n >= 0 {
			end = at + n
		}
		return hloWords(text[:end], cur.Literal, at)
	case first && literalWords[function] != nil:
		return start, literalWords[function]
	case !first && function == "Update" && strings.Contains(last[1], "level"):
		return start, levels
	case first && (function == "Getenv" || function == "LookupEnv" || function == "Setenv" || function == "Unsetenv"):
		return start, environment()
	}
	return fileNames(text, start, at, false)
}

// optionLiterals are the types of literals that hold compiler options, and the
// magics that take them.
var optionLiterals = map[string]bool{
	"compiler_options": true, "CompilerOptions": true, "_xla_": true, "_hlo_": true, "_stablehlo_": true,
}

// levelNames are the options that are no flags of XLA.
var levelNames = []candidate{
	{name: flags.KeyOptimizationLevel, kind: "property", signature: "O0, O1, O2 or O3"},
	{name: flags.KeyMemoryFittingLevel, kind: "property", signature: "O0, O1, O2 or O3"},
}

var levels = []candidate{{name: "O0", kind: "value"}, {name: "O1", kind: "value"}, {name: "O2", kind: "value"}, {name: "O3", kind: "value"}}

// literalWords are the texts that functions take first.
var literalWords = map[string][]candidate{
	"Update": {
		{name: "jax_enable_x64", kind: "property", signature: "bool"},
		{name: "jax_optimization_level", kind: "property", signature: "O0, O1, O2 or O3"},
		{name: "jax_memory_fitting_level", kind: "property", signature: "O0, O1, O2 or O3"},
	},
	"AsText": dialects, "AsTextDebug": dialects, "CompilerIR": dialects,
}

// hloSource are the functions that take a module's text first.
var hloSource = map[string]bool{"Compile": true, "Parse": true}

// dialects are the forms that a lowered program has.
var dialects = []candidate{{name: "hlo", kind: "property"}, {name: "stablehlo", kind: "property"}}

// attrNames are the attributes that XLA or the metadata calls know.
var attrNames = []candidate{
	{name: "must_fuse", kind: "property", signature: "XLA fuses the block or fails"},
	{name: "MUST_FUSE", kind: "property", signature: "XLA fuses the block or fails"},
	{name: "_scheduling_group_id", kind: "property", signature: "instructions of one group are scheduled together"},
	{name: "scheduling_group", kind: "property", signature: "the group that scheduling_group names"},
	{name: "xla_metadata", kind: "property"},
}

// flagCandidates are the plugin's flags that are wanted.
func flagCandidates(ctx context.Context, wanted func(flags.Flag) bool) (list []candidate) {
	table, err := xla.FlagTable(ctx, stages.Platform)
	if err != nil {
		return nil
	}
	for _, f := range table {
		if wanted(f) {
			list = append(list, candidate{name: f.Name, kind: f.Type, signature: flagSignature(f)})
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

// optionValues lists the values that a flag may have as text.
func optionValues(ctx context.Context, name string) (list []candidate) {
	if name == flags.KeyOptimizationLevel || name == flags.KeyMemoryFittingLevel {
		return levels
	}
	table, err := xla.FlagTable(ctx, stages.Platform)
	if err != nil {
		return nil
	}
	for _, f := range table {
		if f.Name != name {
			continue
		}
		values := f.Enum
		if f.Type == "bool" {
			values = []string{"true", "false"}
		}
		for _, v := range values {
			list = append(list, candidate{name: v, kind: "value", signature: f.Type})
		}
	}
	return list
}

// mapKeys lists the texts that are the keys of a map: those that it has, while no
// cell runs, and those that the cell writes.
func (in *Interp) mapKeys(text, operand string, at int) (list []candidate) {
	if operand == "" {
		return nil
	}
	end := at + len(operand)
	start := wordBefore(text, end)
	sc := in.look(text, start, end, text[start:end])
	id, ok := sc.at(0).(*ast.Ident)
	if !ok {
		return nil
	}
	var x ast.Expr = id
	sel, selected := sc.at(1).(*ast.SelectorExpr)
	if selected = selected && sel.Sel == id; selected {
		x = sel
	}
	t := sc.view.TypeOf(x)
	if t == nil {
		return nil
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok || !isText(m.Key()) {
		return nil
	}
	add := func(name string) {
		list = append(list, candidate{name: name, kind: "property", signature: typeText(m.Elem())})
	}
	for _, s := range sc.cell.Stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			if name, ok := keyOf(n, id.Name); ok {
				add(name)
			}
			return true
		})
	}
	v, ok := in.still(sc.view.Sym(sc.object()))
	if selected && in.stands(0) {
		v, _, ok = in.fieldValue(sc, sel)
	}
	if ok && v.Kind() == reflect.Map && v.Len() <= maxInspected {
		for _, k := range v.MapKeys() {
			if k.Kind() == reflect.String {
				add(k.String())
			}
		}
	}
	return list
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// keyOf is the text by which a node indexes a map of a name.
func keyOf(n ast.Node, name string) (key string, ok bool) {
	ix, ok := n.(*ast.IndexExpr)
	if !ok {
		return "", false
	}
	lit, ok := ix.Index.(*ast.BasicLit)
	if id, named := ix.X.(*ast.Ident); !ok || !named || id.Name != name || lit.Kind != token.STRING {
		return "", false
	}
	return strings.Trim(lit.Value, "`\""), true
}

// environment lists the variables of the environment.
func environment() (list []candidate) {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		list = append(list, candidate{name: name, kind: "property"})
	}
	return list
}

// maxFiles bounds the files of a folder that completion lists.
const maxFiles = 2000

// fileNames lists the files whose name begins in a text from start to at; of a
// path the last part is completed.
func fileNames(text string, start, at int, onlyFolders bool) (int, []candidate) {
	typed := text[start:at]
	slash := strings.LastIndexByte(typed, '/') + 1
	folder := typed[:slash]
	if rest, ok := strings.CutPrefix(folder, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			folder = home + "/" + rest
		}
	}
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return start + slash, nil
	}
	var list []candidate
	for _, e := range entries[:min(len(entries), maxFiles)] {
		name, kind := e.Name(), "file"
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(typed[slash:], ".") {
			continue
		}
		isFolder := e.IsDir()
		if info, err := os.Stat(folder + "/" + name); err == nil { // of what a link points to
			isFolder = info.IsDir()
		}
		if isFolder {
			name, kind = name+"/", "folder"
		} else if onlyFolders {
			continue
		}
		list = append(list, candidate{name: name, kind: kind})
	}
	return start + slash, list
}

// firstSentence is the first sentence of a documentation.
func firstSentence(doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		return doc[:i+1]
	}
	return doc
}
