package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// Paths of the packages that the rewrites know.
const (
	arrayPath = "gopherlo/jaxlike/array"
	jaxPath   = "gopherlo/jaxlike"
	jnpPath   = "gopherlo/jaxlike/jnp"
	rtPath    = "gopherlo/rt"

	laxPath    = "gopherlo/jaxlike/lax"
	stagesPath = "gopherlo/jaxlike/stages"
)

// Names by which rewritten code imports packages; no cell can spell them.
const (
	jnpName = "‹jnp›"
	jaxName = "‹jax›"
	rtName  = "‹rt›"
)

// rewriter gives Go's operators a meaning on Arrays, and lets Funcs and their
// results stand where typed Go values are wanted. It works on the tree between
// rounds of the checker, which says what is an Array; the rounds end when
// nothing is left to rewrite.
type rewriter struct {
	k       *checker
	arrays  map[ast.Expr]bool     // expressions that this round made Arrays
	objs    map[types.Object]bool // variables that hold one, or (false) will not
	changed bool
	left    map[ast.Expr]bool // left sides of assignments
	results []*types.Signature
	funcs   []token.Pos // the functions around: names of declarations, literals
	// fields and gives are what fields of structs, and the Funcs that functions
	// give, are made of, by the place of the declaration.
	fields, gives map[token.Pos]made
}

// rewrite changes the cell's tree; it reports whether it has to be checked
// again.
func (k *checker) rewrite() bool {
	keyed := k.keyLiterals()
	if !k.knowsArrays() {
		return keyed
	}
	r := &rewriter{k: k, arrays: map[ast.Expr]bool{}, objs: map[types.Object]bool{}, left: map[ast.Expr]bool{}, fields: map[token.Pos]made{}, gives: map[token.Pos]made{}}
	list := &ast.BlockStmt{List: k.c.Stmts}
	astutil.Apply(list, r.pre, r.post)
	for _, f := range k.c.Funcs { // they may use the variables
		astutil.Apply(f, r.pre, r.post)
	}
	k.c.Stmts = list.List
	if k.c.Tail != nil && len(list.List) > 0 {
		if s, ok := list.List[len(list.List)-1].(*ast.ExprStmt); ok {
			k.c.Tail = s
		}
	}
	return r.learnt() || r.changed || keyed
}

// keyLiterals writes the field names into literals of struct types of earlier
// cells: go/types takes values for unexported fields without them for a mistake
// of another package.
func (k *checker) keyLiterals() (changed bool) {
	visit := func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(lit.Elts) == 0 {
			return true
		}
		t := k.info.TypeOf(lit)
		if p, ok := underlying(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := underlying(t).(*types.Struct)
		if !ok || st.NumFields() != len(lit.Elts) || !k.hidesFields(st) {
			return true
		}
		if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
			return true
		}
		for i, e := range lit.Elts {
			lit.Elts[i] = &ast.KeyValueExpr{Key: &ast.Ident{NamePos: e.Pos(), Name: st.Field(i).Name()}, Colon: e.Pos(), Value: e}
		}
		changed = true
		return true
	}
	for _, f := range k.c.Funcs {
		ast.Inspect(f, visit)
	}
	for _, s := range k.c.Stmts {
		ast.Inspect(s, visit)
	}
	return changed
}

// hidesFields reports a struct of another cell with unexported fields.
func (k *checker) hidesFields(st *types.Struct) bool {
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != k.pkg && f.Pkg() != nil && f.Pkg().Path() == mainPath {
			return true
		}
	}
	return false
}

// knowsArrays reports whether the cell has to do with Arrays at all.
func (k *checker) knowsArrays() bool {
	seen := map[types.Type]bool{}
	for _, tv := range k.info.Types {
		if isFunc(tv.Type) || dealsInArrays(tv.Type, seen) {
			return true
		}
	}
	for _, obj := range k.info.Uses {
		if f, ok := obj.(*types.Func); ok && givesBack(f) {
			return true
		}
	}
	return false
}

// dealsInArrays reports types of values that hold Arrays, and of functions that
// take or give such.
func dealsInArrays(t types.Type, seen map[types.Type]bool) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && !isArray(t) && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != mainPath {
		return false
	}
	sig, ok := underlying(t).(*types.Signature)
	if !ok {
		return t != nil && holdsArrays(t, seen)
	}
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if holdsArrays(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}

func isArray(t types.Type) bool { return isOwn(t, arrayPath, "Array") }

// isFunc reports the types that transformations give: Func and Compiled.
func isFunc(t types.Type) bool {
	return isOwn(t, jaxPath, "Func") || isOwn(t, stagesPath, "Compiled")
}

func isOwn(t types.Type, path, name string) bool {
	if t == nil {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// isArr reports whether an expression is an Array, now or after this round.
func (r *rewriter) isArr(e ast.Expr) bool {
	if e == nil {
		return false
	}
	if p, ok := e.(*ast.ParenExpr); ok {
		return r.isArr(p.X)
	}
	if r.arrays[e] {
		return true
	}
	if id, ok := e.(*ast.Ident); ok {
		obj := r.k.info.Uses[id]
		now, known := r.objs[obj]
		return obj != nil && (now || !known && isArray(obj.Type())) && !isTypeName(obj)
	}
	tv, ok := r.k.info.Types[e]
	return ok && !tv.IsType() && isArray(tv.Type)
}

func isTypeName(o types.Object) bool {
	_, ok := o.(*types.TypeName)
	return ok
}

func (r *rewriter) pre(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			r.left[ast.Unparen(l)] = true
		}
	case *ast.FuncDecl:
		r.results = append(r.results, r.signature(n.Type))
		pos := n.Name.Pos()
		if n.Type.TypeParams != nil {
			pos = token.NoPos // what it gives may differ from instance to instance
		}
		r.funcs = append(r.funcs, pos)
	case *ast.FuncLit:
		r.results = append(r.results, r.signature(n.Type))
		r.funcs = append(r.funcs, n.Pos())
	case *ast.RangeStmt:
		if id, ok := n.Value.(*ast.Ident); ok && holdsFuncs(r.k.info.TypeOf(n.X)) {
			r.k.noteMade(r.k.info.Defs[id], r.made(n.X))
		}
	}
	return true
}

// signature is the type of a function being walked, for its returns.
func (r *rewriter) signature(t *ast.FuncType) *types.Signature {
	var vars []*types.Var
	if t.Results != nil {
		for _, f := range t.Results.List {
			for range max(1, len(f.Names)) {
				vars = append(vars, types.NewVar(token.NoPos, nil, "", r.k.info.TypeOf(f.Type)))
			}
		}
	}
	return types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(vars...), false)
}

func (r *rewriter) post(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		r.results, r.funcs = r.results[:len(r.results)-1], r.funcs[:len(r.funcs)-1]
	case *ast.AssignStmt:
		if r.assign(c, n) {
			return true
		}
		r.define(n)
		r.fitAssign(n)
	case *ast.ValueSpec:
		r.spec(n)
	case *ast.IncDecStmt:
		r.incDec(c, n)
	case *ast.IfStmt:
		n.Cond = r.condition(n.Cond)
	case *ast.ForStmt:
		n.Cond = r.condition(n.Cond)
	case *ast.RangeStmt:
		if r.isArr(n.X) {
			n.X = r.instead(r.function(rtName, "Rows", n.X.Pos(), n.X), n.X)
			r.changed = true
		}
	case *ast.SwitchStmt:
		r.cases(n)
	case *ast.ReturnStmt:
		r.noteReturn(n)
		r.fitReturn(n)
	case *ast.CompositeLit:
		r.fitElements(n)
	case *ast.SendStmt:
		if t, ok := underlying(r.k.info.TypeOf(n.Chan)).(*types.Chan); ok {
			n.Value = r.fit(n.Value, t.Elem())
		}
	case *ast.CallExpr:
		r.fitArgs(n)
		r.mapAny(n)
		r.useTree(c, n)
	}
	if e, ok := c.Node().(ast.Expr); ok && r.k.s.Operators {
		if now := r.operator(e); now != e {
			r.changed = true
			c.Replace(r.instead(now, e))
		}
	}
	return true
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// define notes variables that hold Arrays, so that one round serves a chain of
// definitions.
func (r *rewriter) define(s *ast.AssignStmt) {
	if s.Tok == token.ASSIGN {
		r.reassign(s)
	}
	if s.Tok != token.DEFINE {
		return
	}
	if len(s.Lhs) != len(s.Rhs) {
		r.defineSeveral(s.Lhs, s.Rhs[0])
		return
	}
	for i, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		if ok {
			r.holds(r.k.info.Defs[id], s.Rhs[i])
			r.k.noteMade(r.k.info.Defs[id], r.made(s.Rhs[i]))
		}
	}
}

// holds notes whether a variable without a declared type holds an Array.
func (r *rewriter) holds(obj types.Object, e ast.Expr) {
	if obj != nil && (r.isArr(e) || isArray(obj.Type())) {
		r.objs[obj] = r.isArr(e)
	}
}

func (r *rewriter) spec(s *ast.ValueSpec) {
	var want types.Type
	if s.Type != nil {
		want = r.k.info.TypeOf(s.Type)
	}
	if len(s.Values) == 0 {
		for _, n := range s.Names {
			r.k.declareEmpty(r.k.info.Defs[n])
		}
	}
	for i := range s.Values {
		if want != nil {
			s.Values[i] = r.fit(s.Values[i], want)
		}
		if len(s.Names) == len(s.Values) {
			obj := r.k.info.Defs[s.Names[i]]
			if want == nil {
				r.holds(obj, s.Values[i])
			}
			r.k.noteMade(obj, r.made(s.Values[i]))
		}
	}
	if len(s.Names) > 1 && len(s.Values) == 1 {
		wants := make([]types.Type, len(s.Names))
		for i := range wants {
			wants[i] = want
		}
		s.Values[0] = r.fitSeveral(s.Values[0], wants)
	}
}

func (r *rewriter) condition(e ast.Expr) ast.Expr {
	if e == nil || !r.k.s.Operators || !r.isArr(e) {
		return e
	}
	r.changed = true
	return r.boolean(e)
}

// cases makes conditions of the cases of a switch without a value.
func (r *rewriter) cases(s *ast.SwitchStmt) {
	if s.Tag != nil {
		return
	}
	for _, st := range s.Body.List {
		if c, ok := st.(*ast.CaseClause); ok {
			for i := range c.List {
				c.List[i] = r.condition(c.List[i])
			}
		}
	}
}

// boolean concretises an Array.
func (r *rewriter) boolean(e ast.Expr) ast.Expr {
	return r.instead(r.method(e, "Bool", e.Pos(), false), e)
}

// method makes x.name(args).
func (r *rewriter) method(x ast.Expr, name string, pos token.Pos, array bool, args ...ast.Expr) ast.Expr {
	call := &ast.CallExpr{
		Fun:    &ast.SelectorExpr{X: x, Sel: &ast.Ident{NamePos: pos, Name: name}},
		Lparen: pos, Args: args, Rparen: x.End(),
	}
	if len(args) > 0 {
		call.Rparen = args[len(args)-1].End()
	}
	if array {
		r.arrays[call] = true
	}
	return call
}

// function makes pkg.name(args) for a package that rewrites import.
func (r *rewriter) function(pkg, name string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	r.k.hidden[pkg] = true
	return &ast.CallExpr{
		Fun:    &ast.SelectorExpr{X: &ast.Ident{NamePos: pos, Name: pkg}, Sel: &ast.Ident{NamePos: pos, Name: name}},
		Lparen: pos, Args: args, Rparen: args[len(args)-1].End(),
	}
}

// operators maps Go's operators to the method of an Array on the left and the
// function when only the right side is one; "" turns the comparison round.
var operators = map[token.Token]struct{ method, function, turned string }{
	token.ADD: {"Add", "Add", ""}, token.SUB: {"Sub", "Subtract", ""}, token.MUL: {"Mul", "Multiply", ""},
	token.QUO: {"Div", "TrueDivide", ""}, token.REM: {"Mod", "Remainder", ""},
	token.AND: {"And", "BitwiseAnd", ""}, token.OR: {"Or", "BitwiseOr", ""}, token.XOR: {"Xor", "BitwiseXor", ""},
	token.SHL: {"Lsh", "LeftShift", ""}, token.SHR: {"Rsh", "RightShift", ""},
	token.EQL: {"Eq", "", "Eq"}, token.NEQ: {"Ne", "", "Ne"},
	token.LSS: {"Lt", "", "Gt"}, token.LEQ: {"Le", "", "Ge"}, token.GTR: {"Gt", "", "Lt"}, token.GEQ: {"Ge", "", "Le"},
}

// opTokens gives the operator of an assignment operator.
var opTokens = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// binary writes x op y for operands of which one is an Array.
func (r *rewriter) binary(x ast.Expr, op token.Token, pos token.Pos, y ast.Expr) ast.Expr {
	o, ok := operators[op]
	if !ok {
		return nil
	}
	r.warnDivision(x)
	r.warnDivision(y)
	switch {
	case r.isArr(x):
		return r.method(x, o.method, pos, true, y)
	case o.turned != "":
		return r.method(y, o.turned, pos, true, x)
	}
	call := r.function(jnpName, o.function, pos, x, y)
	r.arrays[call] = true
	return call
}

// warnDivision warns once of 1/3, which is 0 in Go, beside an Array.
func (r *rewriter) warnDivision(e ast.Expr) {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.QUO {
		return
	}
	x, okX := ast.Unparen(b.X).(*ast.BasicLit)
	y, okY := ast.Unparen(b.Y).(*ast.BasicLit)
	if okX && okY && x.Kind == token.INT && y.Kind == token.INT {
		r.k.note("%s/%s is integer division in Go; write %s./%s", x.Value, y.Value, x.Value, y.Value)
	}
}

// operator gives the expression its meaning on Arrays, or gives it back.
func (r *rewriter) operator(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return r.binaryExpr(e)
	case *ast.UnaryExpr:
		if !r.isArr(e.X) {
			return e
		}
		switch e.Op {
		case token.SUB:
			return r.method(e.X, "Neg", e.OpPos, true)
		case token.NOT, token.XOR:
			return r.method(e.X, "Not", e.OpPos, true)
		case token.ADD:
			return e.X
		}
	case *ast.IndexExpr:
		if r.isArr(e.X) && !r.left[e] {
			return r.method(e.X, "Index", e.Lbrack, true, e.Index)
		}
	case *ast.IndexListExpr:
		if r.isArr(e.X) && !r.left[e] {
			return r.method(e.X, "Index", e.Lbrack, true, e.Indices...)
		}
	case *ast.SliceExpr:
		if r.isArr(e.X) {
			return r.sliceExpr(e)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && id.Name == "len" && len(e.Args) == 1 && r.isArr(e.Args[0]) && r.k.info.Types[e.Fun].IsBuiltin() {
			return r.function(rtName, "Len", e.Pos(), e.Args[0])
		}
		return r.numberOf(e)
	}
	return e
}

func (r *rewriter) binaryExpr(e *ast.BinaryExpr) ast.Expr {
	x, y := r.isArr(e.X), r.isArr(e.Y)
	if !x && !y || isNil(r.k.info, e.X) || isNil(r.k.info, e.Y) || r.noOperand(e.X) || r.noOperand(e.Y) {
		return e
	}
	if e.Op == token.LAND || e.Op == token.LOR {
		if x {
			e.X = r.boolean(e.X)
		}
		if y {
			e.Y = r.boolean(e.Y)
		}
		r.changed = true
		return e
	}
	if now := r.binary(e.X, e.Op, e.OpPos, e.Y); now != nil {
		return now
	}
	return e
}

// noOperand reports texts and functions, such as a method that is not called: the
// checker says what is wrong with them beside an Array, before anything runs.
func (r *rewriter) noOperand(e ast.Expr) bool {
	switch t := underlying(r.k.info.TypeOf(e)).(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Signature:
		return !r.isArr(e)
	}
	return false
}

func isNil(info *types.Info, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Nil)
	return ok
}

// sliceExpr is x[a:b] on an Array, or x[a:b:step]: an Array has no capacity.
func (r *rewriter) sliceExpr(e *ast.SliceExpr) ast.Expr {
	none := func(x ast.Expr) ast.Expr {
		if x == nil {
			return &ast.Ident{NamePos: e.Lbrack, Name: "nil"}
		}
		return x
	}
	bounds := r.function(jnpName, "Slice", e.Lbrack, none(e.Low), none(e.High))
	if e.Max != nil {
		bounds.Args = append(bounds.Args, e.Max)
	}
	return r.method(e.X, "Index", e.Lbrack, true, bounds)
}

// numberOf turns float64(x) and int(x) into the element of an Array.
func (r *rewriter) numberOf(e *ast.CallExpr) ast.Expr {
	if len(e.Args) != 1 || !r.isArr(e.Args[0]) {
		return e
	}
	tv, ok := r.k.info.Types[e.Fun]
	if !ok || !tv.IsType() {
		return e
	}
	b, ok := types.Unalias(tv.Type).(*types.Basic)
	if !ok {
		return e
	}
	name := ""
	switch {
	case b.Info()&types.IsFloat != 0:
		name = "Float"
	case b.Info()&types.IsInteger != 0:
		name = "Int"
	case b.Info()&types.IsComplex != 0:
		name = "Complex"
	case b.Info()&types.IsBoolean != 0:
		name = "Bool"
	default:
		return e
	}
	r.changed = true
	e.Args[0] = r.instead(r.method(e.Args[0], name, e.Args[0].Pos(), false), e.Args[0])
	return e
}
