package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// The hints of this file need to know where in the cell a mistake stands.

var (
	keepsTypeRE = regexp.MustCompile(`^cannot use .* as \S+ value in assignment`)
	truncatedRE = regexp.MustCompile(`\(untyped float constant(?: [^()]*)?\) truncated to int$`)
	negativeRE  = regexp.MustCompile(`^invalid argument: index (-\d+) \(constant of type int\) must not be negative`)
	spreadRE    = regexp.MustCompile(`^cannot use .* \((?:value|variable) of type \[\](\w+)\) as (\w+) value in argument to (\S+)$`)
	mixedRE     = regexp.MustCompile(`^invalid operation: .* \(mismatched types (?:int and float\d+|float\d+ and int)\)$`)
	fieldKeyRE  = regexp.MustCompile(`^cannot index (\S+) \((?:variable|value) of struct type `)
	countRE     = regexp.MustCompile(`^(?:not enough|too many) arguments in call to `)
	noTypeRE    = regexp.MustCompile(`^(\w+) \(.*\) is not a type$`)
)

// assignedHint helps with a variable of the session that is given a value of another
// type.
func (k *checker) assignedHint(msg string, e types.Error) string {
	if !keepsTypeRE.MatchString(msg) || strings.Contains(msg, "of struct type Array)") {
		return ""
	}
	for _, st := range k.c.Stmts {
		s, ok := st.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || e.Pos < s.Pos() || e.Pos > s.End() {
			continue
		}
		if id, ok := s.Lhs[0].(*ast.Ident); ok {
			return "a variable keeps its type; " + k.c.Source(id.Pos(), id.End()) + " := … declares it anew, with another"
		}
	}
	return ""
}

// fractionHint helps with a number that is not whole beside an int.
func (k *checker) fractionHint(msg string, e types.Error) (hint string) {
	if !truncatedRE.MatchString(msg) {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		var sides []ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			sides = []ast.Expr{n.X, n.Y}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && opTokens[n.Tok] != 0 {
				sides = []ast.Expr{n.Lhs[0], n.Rhs[0]}
			}
		}
		for i, x := range sides {
			b, ok := k.info.TypeOf(x).(*types.Basic)
			if ok && b.Kind() == types.Int && sides[1-i].Pos() <= e.Pos && e.Pos < sides[1-i].End() {
				x := k.c.Source(x.Pos(), x.End())
				hint = x + " is an int, which has no fractions: float64(" + x + ")"
			}
		}
		return true
	})
	return hint
}

// fromEndHint writes an index that counts from the end.
func (k *checker) fromEndHint(msg string, e types.Error) (hint string) {
	m := negativeRE.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		var x, index ast.Expr
		switch n := n.(type) {
		case *ast.IndexExpr:
			x, index = n.X, n.Index
		case *ast.SliceExpr:
			x, index = n.X, n.Low
			if n.High != nil && n.High.Pos() == e.Pos {
				index = n.High
			}
		}
		if index != nil && index.Pos() == e.Pos {
			x := k.c.Source(x.Pos(), x.End())
			hint = "only indices of Arrays count from the end: " + x + "[len(" + x + ")" + m[1] + "]"
			if _, ok := n.(*ast.SliceExpr); ok {
				hint = "only indices of Arrays count from the end: len(" + x + ")" + m[1]
			}
		}
		return true
	})
	return hint
}

// spreadHint helps with a slice for parameters that take its elements.
func (k *checker) spreadHint(msg string, e types.Error) string {
	m := spreadRE.FindStringSubmatch(msg)
	call := k.callAt(e.Pos)
	if m == nil || m[1] != m[2] || call == nil {
		return ""
	}
	sig, ok := underlying(k.info.TypeOf(call.Fun)).(*types.Signature)
	if !ok || !sig.Variadic() {
		return ""
	}
	if lit, ok := k.argumentAt(e.Pos).(*ast.CompositeLit); ok && len(lit.Elts) > 0 && len(call.Args) == sig.Params().Len() {
		before := k.c.Source(call.Args[0].Pos(), lit.Pos())
		return "they come one by one: " + m[3] + "(" + before + k.c.Source(lit.Elts[0].Pos(), lit.Elts[len(lit.Elts)-1].End()) + ")"
	}
	return "they come one by one: " + m[3] + "(xs...) gives the elements of a slice"
}

// lastHint helps with a function whose last line is meant to be its value, and with
// parameters without types.
func (k *checker) lastHint(msg string, e types.Error) (hint string) {
	if m := noTypeRE.FindStringSubmatch(msg); m != nil && k.isParameter(e.Pos) {
		return "types stand behind the names: func f(" + m[1] + " Array) Array { … }"
	}
	if msg != "missing return" {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		body, ok := n.(*ast.BlockStmt)
		if !ok || body.Rbrace != e.Pos || len(body.List) == 0 {
			return true
		}
		if s, ok := body.List[len(body.List)-1].(*ast.ExprStmt); ok {
			if src := k.c.Source(s.Pos(), s.End()); src != "" {
				hint = "what a function gives stands behind return: return " + src
			}
		}
		return true
	})
	return hint
}

// mixedHint converts the int beside a float.
func (k *checker) mixedHint(msg string, e types.Error) (hint string) {
	if !mixedRE.MatchString(msg) {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || e.Pos < b.Pos() || e.Pos >= b.End() {
			return true
		}
		for _, x := range []ast.Expr{b.X, b.Y} {
			if t, ok := k.info.TypeOf(x).(*types.Basic); ok && t.Kind() == types.Int {
				hint = "Go converts no number by itself: float64(" + k.c.Source(x.Pos(), x.End()) + ")"
			}
		}
		return true
	})
	return hint
}

// keyHint writes a field that is named as a key.
func (k *checker) keyHint(msg string, e types.Error) (hint string) {
	m := fieldKeyRE.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	hint = "fields of a struct stand behind a dot: " + m[1] + ".Name"
	k.inspect(func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		if !ok || e.Pos < x.Pos() || e.Pos >= x.End() {
			return true
		}
		name := strings.Trim(k.c.Source(x.Index.Pos(), x.Index.End()), "\"`")
		for _, f := range members(k.info.TypeOf(x.X)) {
			if Fold(f) == Fold(name) {
				hint = "fields of a struct stand behind a dot: " + m[1] + "." + f
			}
		}
		return true
	})
	return hint
}

// signatureHint names the parameters of a function that gets too few arguments or
// too many.
func (k *checker) signatureHint(msg string, e types.Error) string {
	call := k.callEnding(e)
	if !countRE.MatchString(msg) || call == nil {
		return ""
	}
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return ""
	}
	f, ok := k.info.Uses[id].(*types.Func)
	if !ok || f.Signature().Params().Len() == 0 || f.Signature().Params().At(0).Name() == "" {
		return ""
	}
	var params []string
	for p := range f.Signature().Params().Variables() {
		if p.Name() != "opts" {
			params = append(params, p.Name()+" "+k.clean(types.TypeString(p.Type(), k.s.qualifier(k.res))))
		}
	}
	hint := "it is " + k.c.Source(call.Fun.Pos(), call.Fun.End()) + "(" + strings.Join(params, ", ") + ")"
	if strings.HasSuffix(msg[:strings.IndexByte(msg+"\n", '\n')], "jnp.Where") {
		hint += "; jnp.WhereTrue(condition) gives the places"
	}
	return hint
}

// callEnding is the innermost call that has an argument at the place of a mistake,
// or begins or ends there.
func (k *checker) callEnding(e types.Error) (found *ast.CallExpr) {
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && (c.Pos() == e.Pos || c.Lparen <= e.Pos && e.Pos <= c.Rparen) && k.c.Source(c.Lparen, c.Lparen+1) == "(" {
			found = c // and none that was made of an operator
		}
		return true
	})
	return found
}

// powerHint writes the power whose exponent is at pos.
func (k *checker) powerHint(pos token.Pos) (hint string) {
	visit := func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.MUL {
			if star, ok := b.Y.(*ast.StarExpr); ok && star.X.Pos() == pos {
				hint = k.power(b.X, star.X)
			}
		}
		return true
	}
	k.inspect(visit)
	for _, e := range k.rewritten {
		visit(e.was)
	}
	if hint == "" {
		return "powers are x.Pow(y), jnp.Power(x, y), of float64 math.Pow(x, y); ** is none of Go's operators"
	}
	return hint
}

// power writes what Python raises: the last factor of x.
func (k *checker) power(x, y ast.Expr) string {
	if left, ok := x.(*ast.BinaryExpr); ok {
		x = left.Y
	}
	if minus, ok := x.(*ast.UnaryExpr); ok {
		x = minus.X
	}
	base, exponent := k.c.Source(x.Pos(), x.End()), k.c.Source(y.Pos(), y.End())
	b, basic := underlying(k.info.TypeOf(x)).(*types.Basic)
	switch {
	case base == "" || exponent == "":
		return ""
	case isArray(k.info.TypeOf(x)):
		return "powers are methods: " + base + ".Pow(" + exponent + "), jnp.Power(" + base + ", " + exponent + ")"
	case isArray(k.info.TypeOf(y)):
		return "powers are functions: jnp.Power(" + base + ", " + exponent + ")"
	case basic && b.Kind() == types.Int:
		base = "float64(" + base + ")"
	}
	return "powers are functions: math.Pow(" + base + ", " + exponent + "), of float64; of Arrays x.Pow(y)"
}

// elementHint writes the changed copy for an assignment to an element of an Array.
func (k *checker) elementHint(pos token.Pos) string {
	hint := "Arrays are immutable: x.At(i).Set(v) gives a changed copy"
	k.inspect(func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Pos() > pos || pos >= s.End() {
			return true
		}
		x, ok := s.Lhs[0].(*ast.IndexExpr)
		method := map[token.Token]string{token.ASSIGN: "Set", token.ADD_ASSIGN: "Add", token.MUL_ASSIGN: "Mul"}[s.Tok]
		if !ok || method == "" {
			return true
		}
		array, value := k.c.Source(x.X.Pos(), x.X.End()), k.c.Source(s.Rhs[0].Pos(), s.Rhs[0].End())
		if array != "" && value != "" {
			hint = "Arrays are immutable: " + array + " = " + array + ".At(" + k.c.Source(x.Index.Pos(), x.Index.End()) + ")." + method + "(" + value + ")"
		}
		return true
	})
	return hint
}
