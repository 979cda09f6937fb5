package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopherlo/interp/symbols"
)

// builder makes new programs of known ones by changes of their syntax trees:
// what the mutator of tokens makes is mostly wrong, what this one makes is
// mostly right and goes deep into the lowerer.
type builder struct {
	rnd    *rand.Rand
	fset   *token.FileSet
	imp    types.Importer
	donors []*tree
}

// tree is a program with the parts that changes start from.
type tree struct {
	src                                      string
	file                                     *ast.File
	base                                     int // of the file in its set
	pkg                                      *types.Package
	info                                     *types.Info
	errs                                     []types.Error
	exprs, typs, stmts, fields, cases, decls []ast.Node
}

func newBuilder(seed uint64) *builder {
	fset := token.NewFileSet()
	return &builder{rnd: rand.New(rand.NewPCG(seed, 2)), fset: fset, imp: symbols.NewImporter(fset)}
}

// grow parses and checks a program; nil if it is no Go by its syntax.
func (b *builder) grow(src string) *tree {
	t := &tree{src: src, base: b.fset.Base()}
	var err error
	t.file, err = parser.ParseFile(b.fset, "m.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	t.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
	}
	conf := types.Config{Importer: b.imp, GoVersion: "go1.26", Error: func(err error) {
		if e, ok := err.(types.Error); ok {
			t.errs = append(t.errs, e)
		}
	}}
	t.pkg, _ = conf.Check("main", b.fset, []*ast.File{t.file}, t.info)
	t.parts()
	return t
}

// parts collects what changes start from.
func (t *tree) parts() {
	ast.Inspect(t.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CaseClause, *ast.CommClause:
			t.cases = append(t.cases, n)
		case *ast.Field:
			t.fields = append(t.fields, n)
		case ast.Decl:
			t.decls = append(t.decls, n)
		case ast.Stmt:
			t.stmts = append(t.stmts, n)
		}
		if e, ok := n.(ast.Expr); ok {
			switch tv := t.info.Types[e]; {
			case tv.IsType():
				t.typs = append(t.typs, e)
			case tv.IsValue():
				t.exprs = append(t.exprs, e)
			}
		}
		return true
	})
}

func (t *tree) text(n ast.Node) string { return t.src[int(n.Pos())-t.base : int(n.End())-t.base] }

// edit is a text for a part of the source.
type edit struct {
	from, to int
	text     string
}

func (t *tree) with(n ast.Node, text string) edit {
	return edit{int(n.Pos()) - t.base, int(n.End()) - t.base, text}
}

// apply gives the source with the edits, "" if two of them overlap.
func (t *tree) apply(edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.from < at || e.to > len(t.src) {
			return ""
		}
		out.WriteString(t.src[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.WriteString(t.src[at:])
	return out.String()
}

func pick[T any](b *builder, list []T) (x T) {
	if len(list) > 0 {
		x = list[b.rnd.IntN(len(list))]
	}
	return x
}

// typeText is a type as the program writes it.
func (t *tree) typeText(typ types.Type) string {
	return types.TypeString(typ, func(p *types.Package) string {
		if p == t.pkg {
			return ""
		}
		return p.Name()
	})
}

// change makes one change of a program, "" where it found none.
func (b *builder) change(t *tree) string {
	kinds := []func(*tree) []edit{
		b.wrapExpr,
		b.wrapExpr,
		b.wrapStmt,
		b.wrapStmt,
		b.otherExpr,
		b.otherExpr,
		b.swapExprs,
		b.swapOperands,
		b.operator,
		b.dropStmt,
		b.doubleStmt,
		b.swapStmts,
		b.foreignStmt,
		b.otherType,
		b.field,
		b.cas,
		b.rename,
		b.rename,
		b.jump,
		b.declaration,
		b.literal,
		b.method,
	}
	edits := pick(b, kinds)(t)
	if len(edits) == 0 {
		return ""
	}
	return t.apply(edits)
}

// typeKinds are the keys of kindWraps that fit a type.
func typeKinds(t types.Type) (kinds []string) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0:
			return []string{"number", "integer"}
		case u.Info()&types.IsNumeric != 0:
			return []string{"number"}
		case u.Info()&types.IsBoolean != 0:
			return []string{"boolean"}
		case u.Info()&types.IsString != 0:
			return []string{"string"}
		}
	case *types.Slice:
		return []string{"slice"}
	case *types.Signature:
		return []string{"func"}
	case *types.Map:
		return []string{"map"}
	case *types.Pointer:
		return []string{"pointer"}
	case *types.Struct:
		return []string{"struct"}
	}
	return nil
}

func (b *builder) wrapExpr(t *tree) []edit {
	e := pick(b, t.exprs)
	if e == nil {
		return nil
	}
	typ := t.info.TypeOf(e.(ast.Expr))
	if typ == nil || typ == types.Typ[types.UntypedNil] {
		return nil
	}
	if _, ok := typ.(*types.Tuple); ok {
		return nil
	}
	pool := exprWraps
	if kinds := typeKinds(typ); kinds != nil && b.rnd.IntN(3) == 0 {
		pool = kindWraps[pick(b, kinds)]
	}
	w := pick(b, pool)
	text := t.text(e)
	typText := t.typeText(types.Default(typ))
	return []edit{t.with(e, fill(w, text, typText))}
}

func (b *builder) wrapStmt(t *tree) []edit {
	s := pick(b, t.stmts)
	if s == nil {
		return nil
	}
	text := t.text(s)
	w := pick(b, stmtWraps)
	if blk, ok := s.(*ast.BlockStmt); ok {
		if len(blk.List) == 0 {
			return nil
		}
		text = "{ " + strings.Replace(w, "S", text, -1) + " }"
		return []edit{t.with(s, text)}
	}
	return []edit{t.with(s, strings.ReplaceAll(strings.ReplaceAll(w, "{ S", "{ "+text), " S", " "+text))}
}

func (b *builder) otherExpr(t *tree) []edit {
	e := pick(b, t.exprs)
	if e == nil {
		return nil
	}
	typ := t.info.TypeOf(e.(ast.Expr))
	var same []ast.Node
	for _, o := range t.exprs {
		if ot := t.info.TypeOf(o.(ast.Expr)); o != e && ot != nil && types.Identical(types.Default(ot), types.Default(typ)) {
			same = append(same, o)
		}
	}
	o := pick(b, same)
	if o == nil {
		return nil
	}
	return []edit{t.with(e, t.text(o))}
}

func (b *builder) swapExprs(t *tree) []edit {
	e := pick(b, t.exprs)
	if e == nil {
		return nil
	}
	typ := t.info.TypeOf(e.(ast.Expr))
	var same []ast.Node
	for _, o := range t.exprs {
		if ot := t.info.TypeOf(o.(ast.Expr)); (o.Pos() >= e.End() || o.End() <= e.Pos()) && ot != nil && types.Identical(ot, typ) {
			same = append(same, o)
		}
	}
	o := pick(b, same)
	if o == nil {
		return nil
	}
	return []edit{t.with(e, t.text(o)), t.with(o, t.text(e))}
}

// ofKind lists the expressions of one kind.
func ofKind[E ast.Expr](t *tree) (list []E) {
	for _, e := range t.exprs {
		if e, ok := e.(E); ok {
			list = append(list, e)
		}
	}
	return list
}

func (b *builder) swapOperands(t *tree) []edit {
	e := pick(b, ofKind[*ast.BinaryExpr](t))
	if e == nil {
		return nil
	}
	return []edit{t.with(e.X, t.text(e.Y)), t.with(e.Y, t.text(e.X))}
}

var operators = [][]token.Token{
	{token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.SHL, token.SHR, token.AND_NOT},
	{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ},
	{token.LAND, token.LOR, token.EQL, token.NEQ},
	{token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.ASSIGN, token.DEFINE, token.OR_ASSIGN, token.SHL_ASSIGN, token.QUO_ASSIGN},
	{token.INC, token.DEC},
}

func (b *builder) operator(t *tree) []edit {
	type op struct {
		pos token.Pos
		tok token.Token
	}
	var list []op
	ast.Inspect(t.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			list = append(list, op{n.OpPos, n.Op})
		case *ast.AssignStmt:
			list = append(list, op{n.TokPos, n.Tok})
		case *ast.IncDecStmt:
			list = append(list, op{n.TokPos, n.Tok})
		}
		return true
	})
	if len(list) == 0 {
		return nil
	}
	o := pick(b, list)
	for _, group := range operators {
		if slices.Contains(group, o.tok) {
			at := int(o.pos) - t.base
			return []edit{{at, at + len(o.tok.String()), pick(b, group).String()}}
		}
	}
	return nil
}

func (b *builder) dropStmt(t *tree) []edit {
	s := pick(b, t.stmts)
	if s == nil {
		return nil
	}
	if blk, ok := s.(*ast.BlockStmt); ok {
		return []edit{t.with(blk, "{}")}
	}
	return []edit{t.with(s, "")}
}

func (b *builder) doubleStmt(t *tree) []edit {
	s := pick(b, t.stmts)
	if s == nil {
		return nil
	}
	return []edit{t.with(s, t.text(s)+"; "+t.text(s))}
}

func (b *builder) swapStmts(t *tree) []edit {
	a, c := pick(b, t.stmts), pick(b, t.stmts)
	if a == nil || a.Pos() < c.End() && c.Pos() < a.End() {
		return nil
	}
	if b.rnd.IntN(3) == 0 {
		return []edit{t.with(a, ""), t.with(c, t.text(a)+"; "+t.text(c))}
	}
	return []edit{t.with(a, t.text(c)), t.with(c, t.text(a))}
}

// foreignStmt puts a statement of another program before one of this.
func (b *builder) foreignStmt(t *tree) []edit {
	d := pick(b, b.donors)
	s := pick(b, t.stmts)
	if d == nil || s == nil || len(d.stmts) == 0 {
		return nil
	}
	if _, ok := s.(*ast.BlockStmt); ok {
		return nil
	}
	text := d.text(pick(b, d.stmts))
	if len(text) > 600 {
		return nil
	}
	return []edit{t.with(s, text+"; "+t.text(s))}
}

var basicTypes = strings.Fields("int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128 string bool byte rune error any []int []byte []string map[string]int map[string]any *int chan_int func() struct{} [2]int interface{String()string}")

func (b *builder) otherType(t *tree) []edit {
	e := pick(b, t.typs)
	if e == nil {
		return nil
	}
	text := t.text(e)
	switch b.rnd.IntN(8) {
	case 0:
		return []edit{t.with(e, "[]"+text)}
	case 1:
		return []edit{t.with(e, "*"+text)}
	case 2, 3:
		return []edit{t.with(e, t.text(pick(b, t.typs)))}
	case 4, 5: // everywhere
		to := strings.ReplaceAll(pick(b, basicTypes), "_", " ")
		var edits []edit
		for _, o := range t.typs {
			if t.text(o) == text {
				edits = append(edits, t.with(o, to))
			}
		}
		return edits
	}
	return []edit{t.with(e, strings.ReplaceAll(pick(b, basicTypes), "_", " "))}
}

func (b *builder) field(t *tree) []edit {
	n := pick(b, t.fields)
	if n == nil {
		return nil
	}
	f := n.(*ast.Field)
	switch b.rnd.IntN(6) {
	case 0:
		return []edit{t.with(f, "")}
	case 1:
		return []edit{t.with(f, t.text(f)+"; "+t.text(f))}
	case 2: // embedded
		return []edit{t.with(f, t.text(f.Type))}
	case 3: // one more
		return []edit{t.with(f, t.text(f)+"; zf, _ "+t.text(f.Type))}
	case 4:
		return []edit{t.with(f, "_ int; "+t.text(f))}
	}
	o := pick(b, t.fields)
	if o.Pos() < f.End() && f.Pos() < o.End() {
		return nil
	}
	return []edit{t.with(f, t.text(o)), t.with(o, t.text(f))}
}

func (b *builder) cas(t *tree) []edit {
	c := pick(b, t.cases)
	if c == nil {
		return nil
	}
	switch b.rnd.IntN(6) {
	case 0:
		return []edit{t.with(c, "")}
	case 1:
		return []edit{t.with(c, t.text(c)+"\n"+t.text(c))}
	case 2:
		return []edit{t.with(c, t.text(c)+"\nfallthrough\n")}
	case 3:
		return []edit{t.with(c, t.text(c)+"\nbreak\n")}
	case 4:
		return []edit{t.with(c, t.text(c)+"\ndefault:\n")}
	}
	o := pick(b, t.cases)
	if o.Pos() < c.End() && c.Pos() < o.End() {
		return nil
	}
	return []edit{t.with(c, t.text(o)), t.with(o, t.text(c))}
}

var shadowing = strings.Fields("len cap append string int any error nil true false iota copy min max new make panic recover print println float64 byte fmt strings sort x T init_ _k x__v2 k_ p1 r0 ok err jnp jit grad array Out In float32 complex delete close clear uint rune bool comparable os time main_ go_ func_ self it zId é 世 yield _1 __ run cell_1")

// rename gives an object of the program another name, everywhere.
func (b *builder) rename(t *tree) []edit {
	seen := map[types.Object]bool{}
	var objs []types.Object
	ast.Inspect(t.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := t.info.Defs[id]; o != nil && !seen[o] && o.Name() != "_" && o.Name() != "main" && o.Name() != "init" {
				seen[o] = true
				objs = append(objs, o)
			}
		}
		return true
	})
	obj := pick(b, objs)
	if obj == nil {
		return nil
	}
	name := pick(b, shadowing)
	if b.rnd.IntN(3) == 0 {
		name = pick(b, objs).Name()
	}
	return t.renamed(obj, name)
}

func (t *tree) renamed(obj types.Object, name string) (edits []edit) {
	for id, o := range t.info.Defs {
		if o == obj {
			edits = append(edits, t.with(id, name))
		}
	}
	for id, o := range t.info.Uses {
		if o == obj {
			edits = append(edits, t.with(id, name))
		}
	}
	return edits
}

var jumps = []string{"break", "continue", "return", "fallthrough", "goto zJ; zJ:", "{ goto zJ }; zJ:", "zJ: for { break zJ };", "defer func() {}();", "if false { goto zK };", "runtime.Gosched();", "defer fmt.Println(\"deferred\");", "panic(\"z\")", "_ = 0;"}

func (b *builder) jump(t *tree) []edit {
	s := pick(b, t.stmts)
	if s == nil {
		return nil
	}
	if _, ok := s.(*ast.BlockStmt); ok {
		return nil
	}
	j := pick(b, jumps)
	if !strings.HasSuffix(j, ":") && !strings.HasSuffix(j, ";") {
		if b.rnd.IntN(2) == 0 {
			j = "if true { " + j + " };"
		} else {
			return []edit{t.with(s, j)}
		}
	}
	return []edit{t.with(s, j+" "+t.text(s))}
}

// declaration changes how something is declared.
func (b *builder) declaration(t *tree) []edit {
	var list []ast.Node
	ast.Inspect(t.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				list = append(list, n)
			}
		case *ast.GenDecl:
			if n.Tok != token.IMPORT {
				list = append(list, n)
			}
		case *ast.TypeSpec:
			list = append(list, n)
		}
		return true
	})
	switch n := pick(b, list).(type) {
	case *ast.AssignStmt:
		lhs, rhs := t.src[int(n.Pos())-t.base:int(n.TokPos)-t.base], t.src[int(n.TokPos)-t.base+2:int(n.End())-t.base]
		switch b.rnd.IntN(3) {
		case 0:
			return []edit{t.with(n, "var "+lhs+" = "+rhs)}
		case 1:
			return []edit{t.with(n, "const "+lhs+" = "+rhs)}
		}
		// at package level, with a nil value until it is set here
		if id, ok := n.Lhs[0].(*ast.Ident); ok && len(n.Lhs) == 1 && t.info.Defs[id] != nil {
			typ := t.typeText(t.info.Defs[id].Type())
			return []edit{t.with(n, lhs+" = "+rhs), {len(t.src), len(t.src), "\nvar " + id.Name + " " + typ + "\n"}}
		}
	case *ast.GenDecl:
		at := int(n.TokPos) - t.base
		switch {
		case n.Tok == token.CONST:
			return []edit{{at, at + 5, "var"}}
		case n.Tok == token.VAR && b.rnd.IntN(2) == 0:
			return []edit{{at, at + 3, "const"}}
		}
		main := strings.Index(t.src, "func main() {")
		if main < 0 || main < int(n.End())-t.base && main > int(n.Pos())-t.base {
			return nil
		}
		main += len("func main() {")
		return []edit{t.with(n, ""), {main, main, "\n" + t.text(n) + "\n"}} // into or in front
	case *ast.TypeSpec:
		if n.TypeParams == nil {
			switch {
			case n.Assign.IsValid():
				at := int(n.Assign) - t.base
				return []edit{{at, at + 1, ""}}
			case b.rnd.IntN(3) == 0:
				return []edit{t.with(n.Type, "= "+t.text(n.Type))}
			}
			// generic
			var edits []edit
			obj := t.info.Defs[n.Name]
			for id, o := range t.info.Uses {
				if o == obj {
					edits = append(edits, t.with(id, id.Name+"[int]"))
				}
			}
			return append(edits, t.with(n.Name, n.Name.Name+"[ZP any]"))
		}
	}
	return nil
}

var literals = map[token.Token][]string{
	token.INT:    {"0", "1", "2", "-1", "3", "7", "255", "256", "1<<31", "1<<62", "'a'", "1.0", "0x10", "1e2"},
	token.FLOAT:  {"0.0", "1", "-1.5", "1e300", "0.1", "1/3.0", "5e-324"},
	token.STRING: {`""`, `"a"`, "`x\ny`", `"é世界"`, `"%d %v %T\n"`, `"\xff"`, `"%v"`, `"%+v"`, `"%#v"`, `"%T"`, `"%q %x"`},
	token.CHAR:   {"'a'", "'\\n'", "'世'", "0"},
}

func (b *builder) literal(t *tree) []edit {
	l := pick(b, ofKind[*ast.BasicLit](t))
	if l == nil {
		return nil
	}
	return []edit{t.with(l, pick(b, literals[l.Kind]))}
}

// method changes how a method is declared or called.
func (b *builder) method(t *tree) []edit {
	var list []ast.Node
	ast.Inspect(t.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil || n.Name.Name != "main" {
				list = append(list, n)
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && t.info.Uses[s.Sel] != nil {
				if f, ok := t.info.Uses[s.Sel].(*types.Func); ok && f.Signature().Recv() != nil {
					list = append(list, n)
				}
			}
		}
		return true
	})
	switch n := pick(b, list).(type) {
	case *ast.FuncDecl:
		if n.Recv == nil { // generic; or a variable
			if n.Type.TypeParams == nil && b.rnd.IntN(2) == 0 {
				return []edit{t.with(n.Name, n.Name.Name+"[ZP int|string]")}
			}
			if n.Type.TypeParams == nil && n.Body != nil {
				typ := t.src[int(n.Type.Params.Pos())-t.base : int(n.Type.End())-t.base]
				return []edit{t.with(n, "var "+n.Name.Name+" func"+typ+"\nfunc init() { "+n.Name.Name+" = func"+typ+" "+t.text(n.Body)+" }")}
			}
			return nil
		}
		r := n.Recv.List[0].Type
		if s, ok := r.(*ast.StarExpr); ok {
			return []edit{t.with(r, t.text(s.X))}
		}
		return []edit{t.with(r, "*"+t.text(r))}
	case *ast.CallExpr:
		s := n.Fun.(*ast.SelectorExpr)
		typ := t.info.TypeOf(s.X)
		if typ == nil {
			return nil
		}
		args := ""
		if len(n.Args) > 0 {
			args = ", "
		}
		rest := t.src[int(n.Lparen)+1-t.base : int(n.End())-t.base]
		switch b.rnd.IntN(3) {
		case 0:
			return []edit{t.with(n, fmt.Sprintf("(%s).%s(%s%s%s", t.typeText(typ), s.Sel.Name, t.text(s.X), args, rest))}
		case 1:
			return []edit{t.with(n, fmt.Sprintf("(*%s).%s(&%s%s%s", t.typeText(typ), s.Sel.Name, t.text(s.X), args, rest))}
		}
		return []edit{t.with(n, fmt.Sprintf("interface{ %s%s }(%s).%s(%s", s.Sel.Name, strings.TrimPrefix(t.typeText(t.info.TypeOf(s)), "func"), t.text(s.X), s.Sel.Name, rest))}
	}
	return nil
}

// TestMutatedPrograms checks, lowers and compiles programs that the builder has
// changed and that go/types still accepts. It has no end of its own:
// GOPHERLO_MUTATE is for how long, GOPHERLO_SEED where it starts.
func TestMutatedPrograms(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("GOPHERLO_MUTATE"))
	if err != nil || raceEnabled {
		t.Skip("needs GOPHERLO_MUTATE, and no race detector")
	}
	seed, _ := strconv.ParseUint(os.Getenv("GOPHERLO_SEED"), 10, 64)
	files, _ := filepath.Glob("testdata/programs/*.txt")
	b, runs := newBuilder(seed), 0
	for end := time.Now().Add(length); time.Now().Before(end); {
		b.fset = token.NewFileSet() // it grows
		b.imp = symbols.NewImporter(b.fset)
		b.donors = nil
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil || !packageRE.Match(text) {
				continue
			}
			if tr := b.grow(string(text)); tr != nil && len(tr.errs) == 0 {
				b.donors = append(b.donors, tr)
			}
		}
		for range 50 {
			src := b.changed(pick(b, b.donors), 1+b.rnd.IntN(8))
			t.Run("", func(t *testing.T) {
				in := New(Options{})
				defer in.rt.Close()
				if !fuzzCell(t, in, packageRE.ReplaceAllString(src, "            ")) {
					t.Fatalf("%s\nis right and was refused", src)
				}
				if !shadowed(in) {
					goodCell(t, in, src)
				}
			})
			runs++
		}
	}
	t.Logf("%d programs", runs)
}

// changed makes up to n changes after which the program is still right.
func (b *builder) changed(t *tree, n int) string {
	for tries := 0; n > 0 && tries < n*25; tries++ {
		src := b.change(t)
		if src == "" {
			continue
		}
		if next := b.grow(wanted(src)); next != nil && len(next.errs) == 0 {
			t = next
			n--
		}
	}
	return t.src
}
