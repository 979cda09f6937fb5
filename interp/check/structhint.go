package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

var (
	unknownFieldRE = regexp.MustCompile(`^unknown field (\w+) in struct literal`)
	fewValuesRE    = regexp.MustCompile(`^too few values in struct literal`)
	operatorRE     = regexp.MustCompile(`^invalid operation: (?:operator \S+ not defined on |.* \(mismatched types )`)
	returnsRE      = regexp.MustCompile(`^too many return values\n\thave \((.*)\)\n\twant \(\)`)
	optionAtRE     = regexp.MustCompile(`^cannot use .* as Option value in argument to (\w+)`)
)

// fieldHint names the fields of a struct whose literal is wrong.
func (k *checker) fieldHint(msg string, e types.Error) (hint string) {
	m := unknownFieldRE.FindStringSubmatch(msg)
	if m == nil && !fewValuesRE.MatchString(msg) {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || e.Pos < lit.Pos() || e.Pos > lit.End() {
			return true
		}
		st, ok := underlying(k.info.TypeOf(lit)).(*types.Struct)
		if !ok || st.NumFields() == 0 || isArray(k.info.TypeOf(lit)) {
			return true
		}
		names := fieldNames(st)
		if m == nil {
			hint = "with names some fields may be left out: {" + names[0] + ": …}"
			return true
		}
		hint = "its fields are " + strings.Join(names[:min(len(names), 12)], ", ")
		i := slices.IndexFunc(names, func(f string) bool { return Fold(f) == Fold(m[1]) })
		if near := Closest(m[1], slices.Clone(names)); i >= 0 {
			hint = "did you mean " + names[i] + "?"
		} else if near != "" {
			hint = "did you mean " + near + "?"
		}
		return true
	})
	return hint
}

func fieldNames(st *types.Struct) (names []string) {
	for f := range st.Fields() {
		names = append(names, f.Name())
	}
	return names
}

// treeHint applies an operator to all Arrays of a struct, or of a slice or a map of
// Arrays.
func (k *checker) treeHint(msg string, e types.Error) (hint string) {
	if !operatorRE.MatchString(msg) {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || hint != "" || b.Pos() > e.Pos || e.Pos >= b.End() {
			return hint == ""
		}
		var trees []string
		body := k.overTrees(b, &trees)
		if len(trees) > 0 && len(trees) <= len(treeNames) {
			names := strings.Join(treeNames[:len(trees)], ", ")
			hint = "for all of its Arrays: tree.Map(func(" + names + " Array) Array { return " + body + " }, " + strings.Join(trees, ", ") + ")"
		}
		return false
	})
	return hint
}

var treeNames = []string{"a", "b", "c", "d"}

// overTrees writes an expression with a name for each of its trees of Arrays.
func (k *checker) overTrees(e ast.Expr, trees *[]string) string {
	switch x := e.(type) {
	case *ast.BinaryExpr:
		left := k.overTrees(x.X, trees)
		return left + " " + x.Op.String() + " " + k.overTrees(x.Y, trees)
	case *ast.ParenExpr:
		return "(" + k.overTrees(x.X, trees) + ")"
	}
	src := k.c.Source(e.Pos(), e.End())
	if !k.isTreeOfArrays(e) {
		return src
	}
	i := slices.Index(*trees, src)
	if i < 0 {
		i = len(*trees)
		*trees = append(*trees, src)
	}
	return treeNames[min(i, len(treeNames)-1)]
}

func (k *checker) isTreeOfArrays(e ast.Expr) bool {
	t := k.info.TypeOf(e)
	return t != nil && isTree(t) && holdsArrays(t, map[types.Type]bool{})
}

// resultHint helps with a return in a function without a result.
func (k *checker) resultHint(msg string, e types.Error) string {
	m := returnsRE.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	inside := false
	k.inspect(func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			inside = inside || n.Pos() <= e.Pos && e.Pos < n.End()
		}
		return true
	})
	if !inside {
		return "the value of a cell is its last expression, without return"
	}
	result := strings.ReplaceAll(m[1], "number", "int")
	if strings.Contains(result, ",") {
		result = "(" + result + ")"
	}
	return "the type of the result stands behind the parameters: func f(…) " + result + " { … }"
}

// transformHint helps with the arguments of the function that is transformed.
func (k *checker) transformHint(msg string, e types.Error) string {
	m := optionAtRE.FindStringSubmatch(msg)
	call := k.callAt(e.Pos)
	if m == nil || call == nil || len(call.Args) < 2 || transformOptions[m[1]] == "" {
		return ""
	}
	for _, a := range call.Args[1:] {
		if a.Pos() == e.Pos && !isArray(k.info.TypeOf(a)) && !k.isTreeOfArrays(a) {
			return ""
		}
	}
	f := k.c.Source(call.Args[0].Pos(), call.Args[0].End())
	args := k.c.Source(call.Args[1].Pos(), call.Args[len(call.Args)-1].End())
	return "the arguments come in a call of their own: " + m[1] + "(" + f + ")(" + args + "); " + transformOptions[m[1]]
}

// warnUnused notes a changed copy that nobody takes, and a transformation of a
// function's result.
func (k *checker) warnUnused() {
	k.inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			call, ok := n.X.(*ast.CallExpr)
			if !ok || n == k.c.Tail {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !isOwn(k.info.TypeOf(sel.X), arrayPath, "Ref") {
				return true
			}
			if at, ok := sel.X.(*ast.CallExpr); ok {
				if x, ok := at.Fun.(*ast.SelectorExpr); ok {
					name := k.c.Source(x.X.Pos(), x.X.End())
					k.note("Arrays are immutable and nobody takes the changed copy: %s = %s", name, k.c.Source(call.Pos(), call.End()))
				}
			}
		case *ast.CallExpr:
			k.warnCalled(n)
		}
		return true
	})
}

// warnCalled notes jit(f(x)), where jit(f)(x) is meant.
func (k *checker) warnCalled(call *ast.CallExpr) {
	id, ok := call.Fun.(*ast.Ident)
	if !ok || len(call.Args) == 0 || transformOptions[id.Name] == "" || !isArray(k.info.TypeOf(call.Args[0])) {
		return
	}
	f, ok := k.info.Uses[id].(*types.Func)
	inner, called := call.Args[0].(*ast.CallExpr)
	if !ok || !called || f.Pkg() == nil || f.Pkg().Path() != jaxPath || inner.Lparen == token.NoPos {
		return
	}
	k.note("%s takes a function, here it gets what one gives: %s(%s)(%s)", id.Name, id.Name, k.c.Source(inner.Fun.Pos(), inner.Fun.End()), k.arguments(inner))
}
