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
	severalRE    = regexp.MustCompile(`^cannot use .* \(.*\b(int|Array)\) as kw\.(Creation|Draw|Uniform|Choice|Bernoulli|Array|Concatenate|Stack|VStack)Option value in argument to `)
	axisRE       = regexp.MustCompile(`^cannot use kw\.(\w+)\(.*\) \(.*\bkw\.\w+\) as \w+ value in argument to (.+)\.(\w+)$`)
	conversionRE = regexp.MustCompile(`^(?:too many arguments|missing argument) in conversion to |^cannot convert .* to type `)
	stageRE      = regexp.MustCompile(`^(.*)\.\w+ undefined \(type Func has no field or method (\w+)\)$`)
	notCalledRE  = regexp.MustCompile(`^invalid operation: cannot call (.*) \(.* type \*Lowered\)`)
	typeValueRE  = regexp.MustCompile(`^(\w+) \(type\) is not an expression$`)
)

// callAt is the innermost call of the cell that has an argument at pos or ends
// there.
func (k *checker) callAt(pos token.Pos) (found *ast.CallExpr) {
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen < pos && pos <= c.Rparen {
			found = c
		}
		return true
	})
	return found
}

// argumentAt is the argument of a call that begins at pos.
func (k *checker) argumentAt(pos token.Pos) (found ast.Expr) {
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			for _, a := range c.Args {
				if a.Pos() == pos {
					found = a
				}
			}
		}
		return true
	})
	return found
}

// arguments is the cell's text of what a call is given.
func (k *checker) arguments(call *ast.CallExpr) string {
	return strings.TrimSpace(k.c.Source(call.Lparen+1, call.Rparen))
}

// shapeHint helps with sizes, numbers or Arrays that are given one by one.
func (k *checker) shapeHint(msg string, e types.Error) string {
	m := severalRE.FindStringSubmatch(msg)
	call := k.callAt(e.Pos)
	if m == nil || call == nil {
		return ""
	}
	from := map[string]int{"Draw": 1, "Uniform": 1, "Choice": 2, "Bernoulli": 1}[m[2]]
	var ints, arrays []string
	for _, a := range call.Args[min(from, len(call.Args)):] {
		t := k.info.TypeOf(a)
		if b, ok := underlying(t).(*types.Basic); ok && b.Info()&types.IsInteger != 0 && !isOwn(t, dtypePath, "DType") {
			ints = append(ints, k.c.Source(a.Pos(), a.End()))
		} else if isArray(t) {
			arrays = append(arrays, k.c.Source(a.Pos(), a.End()))
		}
	}
	switch {
	case (m[2] == "Concatenate" || m[2] == "Stack" || m[2] == "VStack") && m[1] == "Array" && len(arrays) > 1:
		return "several Arrays are a slice: []Array{" + strings.Join(arrays, ", ") + "}"
	case m[1] != "int" || len(ints) == 0 || m[2] == "Concatenate" || m[2] == "Stack" || m[2] == "VStack":
		return ""
	case m[2] == "Array" && len(ints) < len(call.Args):
		return ""
	case m[2] == "Array":
		return "several numbers are a slice: []int{" + strings.Join(ints, ", ") + "}"
	}
	if len(ints) == 1 {
		return "a shape is a slice: []int{" + ints[0] + "}"
	}
	return "a shape of several sizes is a slice: []int{" + strings.Join(ints, ", ") + "}"
}

// axisHint helps with options that are given to methods of Arrays, which take
// the axes themselves.
func (k *checker) axisHint(msg string, e types.Error) string {
	m := axisRE.FindStringSubmatch(msg)
	call := k.callAt(e.Pos)
	if m == nil || call == nil || k.jnpName(m[3]) == "" {
		return ""
	}
	if k.isPackage(call.Fun) {
		return k.plainHint(call, e)
	}
	function := "jnp." + k.jnpName(m[3]) + "(" + m[2] + ", " + k.arguments(call) + ")"
	arg, ok := call.Args[0].(*ast.CallExpr)
	if m[1] != "Axis" || !ok || len(call.Args) > 1 {
		return "the function takes options: " + function
	}
	return "the method takes the axes: " + m[2] + "." + m[3] + "(" + k.arguments(arg) + "); the function takes options: " + function
}

// isPackage reports a function that is named by its package.
func (k *checker) isPackage(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	_, pkg := k.info.Uses[id].(*types.PkgName)
	return ok && pkg
}

// plainHint writes a call of a function of ours that takes the value of an
// option as it is.
func (k *checker) plainHint(call *ast.CallExpr, e types.Error) string {
	args := make([]string, len(call.Args))
	for i, a := range call.Args {
		args[i] = k.c.Source(a.Pos(), a.End())
		if o, ok := a.(*ast.CallExpr); ok && a.Pos() <= e.Pos && e.Pos < a.End() {
			args[i] = k.arguments(o)
		}
	}
	return "this is no option here: " + k.c.Source(call.Fun.Pos(), call.Fun.End()) + "(" + strings.Join(args, ", ") + ")"
}

// structHint writes a conversion to a struct type as a literal.
func (k *checker) structHint(msg string, e types.Error) string {
	if !conversionRE.MatchString(msg) {
		return ""
	}
	call := k.callAt(e.Pos)
	if call == nil || !k.info.Types[call.Fun].IsType() {
		return ""
	}
	t := k.info.TypeOf(call.Fun)
	switch underlying(t).(type) {
	case *types.Slice, *types.Array:
		if len(call.Args) > 1 {
			return "a literal stands in braces: " + k.c.Source(call.Fun.Pos(), call.Fun.End()) + "{" + k.arguments(call) + "}"
		}
	}
	st, ok := underlying(t).(*types.Struct)
	if !ok || len(call.Args) > st.NumFields() {
		return ""
	}
	if isArray(t) {
		return "write jnp.Array(" + k.arguments(call) + ")"
	}
	var fields []string
	for i, a := range call.Args {
		fields = append(fields, st.Field(i).Name()+": "+k.c.Source(a.Pos(), a.End()))
	}
	return "a struct is written " + k.c.Source(call.Fun.Pos(), call.Fun.End()) + "{" + strings.Join(fields, ", ") + "}"
}

// funcHint helps with what a function has once it is lowered or compiled.
func (k *checker) funcHint(msg string, e types.Error) string {
	if m := typeValueRE.FindStringSubmatch(msg); m != nil {
		if n := k.jnpName(m[1]); n != "" {
			return "types are values: jnp." + n
		}
	}
	if m := notCalledRE.FindStringSubmatch(msg); m != nil {
		return "it is not compiled yet: " + m[1] + ".Compile()"
	}
	m := stageRE.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	args := "…"
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if sel, ok := c.Fun.(*ast.SelectorExpr); ok && sel.Sel.Pos() == e.Pos && len(c.Args) > 0 {
				args = k.arguments(c)
			}
		}
		return true
	})
	stages, err := k.s.importer.Import(stagesPath)
	if err != nil {
		return ""
	}
	lowered := m[1] + ".Lower(" + args + ")"
	for _, stage := range []struct{ typ, call string }{{"Lowered", lowered}, {"Compiled", lowered + ".Compile()"}} {
		obj := stages.Scope().Lookup(stage.typ)
		if obj == nil {
			continue
		}
		if n := methodNamed(obj.Type(), m[2]); n != "" {
			return "write " + stage.call + "." + n + "()"
		}
	}
	return ""
}

// methodHint finds the method of a type that is written otherwise in Python, of
// what is lowered the one that it has when it is compiled, and a field or a method
// of nearly the same name.
func (k *checker) methodHint(msg string, e types.Error) (hint string) {
	if !strings.Contains(msg, " has no field or method ") {
		return ""
	}
	k.inspect(func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Pos() != e.Pos {
			return true
		}
		t := k.info.TypeOf(sel.X)
		if t == nil {
			return true
		}
		if m := methodNamed(t, sel.Sel.Name); m != "" {
			hint = "did you mean " + k.asCalled(sel, t, m) + "?"
		} else if h := memberOf(t, types.ExprString(sel.X), sel.Sel.Name); h != "" {
			hint = h
		} else if p, ok := t.(*types.Pointer); ok && isOwn(p.Elem(), stagesPath, "Lowered") {
			obj := types.Unalias(p.Elem()).(*types.Named).Obj().Pkg().Scope().Lookup("Compiled")
			if m := methodNamed(obj.Type(), sel.Sel.Name); m != "" {
				hint = "when it is compiled: .Compile()." + m + "()"
			}
		}
		if i, ok := underlying(t).(*types.Interface); ok && i.Empty() && hint == "" && methodNamed(k.arrayType(), sel.Sel.Name) == sel.Sel.Name {
			hint = "of any type; when it holds an Array: " + types.ExprString(sel.X) + ".(Array)." + sel.Sel.Name
		}
		if f := k.jnpName(sel.Sel.Name); hint == "" && f != "" && isArray(t) {
			hint = "it is a function here: jnp." + f + "(x)"
		}
		if numbersRE.MatchString(types.TypeString(t, nil)) && hint == "" && methodNamed(k.arrayType(), sel.Sel.Name) != "" {
			hint = "a slice has no methods; jnp.Array(" + types.ExprString(sel.X) + ") makes an Array"
		}
		if sym := k.s.syms[sel.Sel.Name]; hint == "" && sym != nil && sym.Kind == Func {
			hint = sym.Name + " is a function: " + sym.Name + "(" + k.c.Source(sel.X.Pos(), sel.X.End()) + ", …)"
		}
		names := members(t)
		if hint == "" && isOwn(t, jnpPath, "LinearAlgebra") {
			hint = "there is no " + sel.Sel.Name + " here yet"
		}
		if i := slices.IndexFunc(names, func(n string) bool { return Fold(n) == Fold(sel.Sel.Name) }); hint == "" && i >= 0 {
			hint = "did you mean " + names[i] + "?"
		}
		if near := Closest(sel.Sel.Name, names); hint == "" && near != "" {
			hint = "did you mean " + near + "?"
		}
		return true
	})
	return hint
}

// asCalled writes a method as the cell would have to call it.
func (k *checker) asCalled(sel *ast.SelectorExpr, t types.Type, method string) string {
	obj, _, _ := types.LookupFieldOrMethod(t, true, k.pkg, method)
	f, ok := obj.(*types.Func)
	if !ok {
		return method
	}
	without := f.Signature().Params().Len() == 0
	text := method
	if without {
		text += "()"
	}
	k.inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if ast.Unparen(n.Fun) == sel {
				text = method
			}
		case *ast.IndexExpr:
			if n.X == sel && !without {
				text += "(" + k.c.Source(n.Index.Pos(), n.Index.End()) + ")"
			}
		}
		return true
	})
	return text
}

// members are the names of a type's fields and methods, or of what points to one.
func members(t types.Type) (names []string) {
	p, pointer := t.Underlying().(*types.Pointer)
	if pointer {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			names = append(names, f.Name())
		}
	}
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(t).Methods() {
		names = append(names, m.Obj().Name())
	}
	return names
}

// methodNamed is the exported method of a type, or of what points to one, that
// is called name but for how words are written.
func methodNamed(t types.Type, name string) string {
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(t).Methods() {
		if n := m.Obj().Name(); ast.IsExported(n) && Fold(n) == Fold(name) {
			return n
		}
	}
	return ""
}

var (
	numbersRE  = regexp.MustCompile(`^(?:\[\])+(?:float|int|uint|complex)\d*$`)
	uncalledRE = regexp.MustCompile(`\bfunc\(`)
	starRE     = regexp.MustCompile(`^invalid operation: cannot indirect `)
	wordXRE    = regexp.MustCompile(`\bx\b`)
)

// uncalledHint helps where a method of an Array stands for its result, as in
// Python, where many of them are attributes.
func (k *checker) uncalledHint(msg string, e types.Error) (hint string) {
	if !uncalledRE.MatchString(msg) {
		return ""
	}
	line, _ := k.c.Position(e.Pos)
	for _, sel := range k.uncalled() {
		if at, _ := k.c.Position(sel.Pos()); at == line && sel.Sel.Name != "At" && strings.Contains(msg, types.ExprString(sel)) {
			return sel.Sel.Name + " is a method: " + types.ExprString(sel) + "()"
		}
	}
	return ""
}

// uncalled are the methods of Arrays that the cell names without a call.
func (k *checker) uncalled() (list []*ast.SelectorExpr) {
	called := map[ast.Expr]bool{}
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			called[ast.Unparen(c.Fun)] = true
		}
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || called[sel] {
			return true
		}
		if s := k.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal && isArray(s.Recv()) {
			list = append(list, sel)
		}
		return true
	})
	return list
}

// starHint helps with Python's x ** y, which is x * (*y) in Go, and f(*xs).
func (k *checker) starHint(msg string, e types.Error) string {
	if !starRE.MatchString(msg) {
		return ""
	}
	before := k.c.Go[:max(k.c.Offset(e.Pos), 0)]
	before = strings.TrimRight(strings.TrimRight(before, " \t"), "(")
	switch {
	case strings.HasSuffix(before, "(**") || strings.HasSuffix(before, ", **"):
		return "arguments have no names in Go; a struct or a map holds several"
	case strings.HasSuffix(before, "**"):
		return k.powerHint(e.Pos)
	case strings.HasSuffix(before, "(*") || strings.HasSuffix(before, ", *"):
		return "f(xs...) gives the elements of a slice one by one"
	}
	return ""
}
