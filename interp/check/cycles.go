package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gopherlo/interp/cell"
)

// packageVars lists the variables that the cell declares, by var, before it does
// anything else: those that Go initializes in the order of what they need.
func (k *checker) packageVars() (specs []*ast.ValueSpec) {
	for _, st := range k.c.Stmts {
		d, ok := st.(*ast.DeclStmt)
		if !ok {
			break
		}
		for _, sp := range d.Decl.(*ast.GenDecl).Specs {
			if vs, ok := sp.(*ast.ValueSpec); ok && d.Decl.(*ast.GenDecl).Tok == token.VAR {
				specs = append(specs, vs)
			}
		}
	}
	return specs
}

// ownCycle reports the mention of a variable of the cell that stands in the value
// of a package variable and can mean no older one: go/types says which cycle it
// is part of.
func (k *checker) ownCycle(id *ast.Ident, specs []*ast.ValueSpec) bool {
	if _, pre := k.s.env.Predeclared[id.Name]; pre || k.s.syms[id.Name] != nil {
		return false
	}
	if slices.ContainsFunc(k.c.Imports, func(sp *ast.ImportSpec) bool { return k.importName(sp) == id.Name }) {
		return false
	}
	inside, declared := false, false
	for _, sp := range specs {
		inside = inside || sp.Pos() <= id.Pos() && id.Pos() < sp.End()
		declared = declared || slices.ContainsFunc(sp.Names, func(n *ast.Ident) bool { return n.Name == id.Name })
	}
	return inside && declared
}

// dependent is a variable or a function of the cell.
type dependent struct {
	obj  types.Object
	deps []*dependent // in the order of their declarations
	node ast.Node     // its value or body
	// before and after are the variables that it needs, and that need it, by way of
	// functions.
	before, after map[*dependent]bool
}

// initCycles reports variables whose value needs itself by way of functions.
// go/types, which sees bodies apart from their functions, finds other cycles only.
func (k *checker) initCycles() (list []Diagnostic) {
	specs := k.packageVars()
	if len(specs) == 0 || len(k.funcs) == 0 {
		return nil
	}
	vars, funcs := k.dependents(specs)
	for _, d := range vars {
		d.before, d.after = map[*dependent]bool{}, map[*dependent]bool{}
	}
	for _, v := range vars {
		reached(v, v, map[*dependent]bool{})
	}
	for left := slices.Clone(vars); len(left) > 0; {
		next := 0
		for i, v := range left {
			if len(v.before) < len(left[next].before) {
				next = i
			}
		}
		v := left[next]
		left = slices.Delete(left, next, next+1)
		if len(v.before) > 0 {
			if cycle := path(v, v, map[*dependent]bool{}); slices.ContainsFunc(cycle, func(d *dependent) bool { return slices.Contains(funcs, d) }) {
				list = append(list, k.cycle(cycle))
			}
		}
		for w := range v.after {
			delete(w.before, v)
		}
	}
	return list
}

// dependents finds what the variables and the functions of the cell mention.
func (k *checker) dependents(specs []*ast.ValueSpec) (vars, funcs []*dependent) {
	byObj := map[types.Object]*dependent{}
	add := func(list *[]*dependent, obj types.Object, node ast.Node) {
		if obj != nil && node != nil {
			byObj[obj] = &dependent{obj: obj, node: node}
			*list = append(*list, byObj[obj])
		}
	}
	for _, sp := range specs {
		for i, n := range sp.Names {
			switch {
			case len(sp.Values) == len(sp.Names):
				add(&vars, k.info.Defs[n], sp.Values[i])
			case len(sp.Values) == 1:
				add(&vars, k.info.Defs[n], sp.Values[0])
			}
		}
	}
	for _, fd := range k.funcs {
		add(&funcs, k.info.Defs[fd.sigIdent], fd.Body.Body)
	}
	for _, d := range byObj {
		ast.Inspect(d.node, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := k.info.Uses[id]
			if f, ok := obj.(*types.Func); ok {
				obj = f.Origin()
			}
			if to := byObj[obj]; to != nil && !slices.Contains(d.deps, to) {
				d.deps = append(d.deps, to)
			}
			return true
		})
		slices.SortFunc(d.deps, func(a, b *dependent) int { return int(a.obj.Pos() - b.obj.Pos()) })
	}
	return vars, funcs
}

// reached notes the variables that v needs.
func reached(v, from *dependent, seen map[*dependent]bool) {
	for _, d := range from.deps {
		if seen[d] {
			continue
		}
		seen[d] = true
		if d.before != nil {
			v.before[d], d.after[v] = true, true
		} else {
			reached(v, d, seen)
		}
	}
}

// path is how from needs to, backwards; nil when it does not.
func path(from, to *dependent, seen map[*dependent]bool) []*dependent {
	if seen[from] {
		return nil
	}
	seen[from] = true
	for _, d := range from.deps {
		if d == to {
			return []*dependent{d}
		}
		if p := path(d, to, seen); p != nil {
			return append(p, d)
		}
	}
	return nil
}

// cycle words a cycle as go/types does.
func (k *checker) cycle(list []*dependent) Diagnostic {
	obj := list[0].obj
	d := k.diagnostic(obj.Pos(), "initialization cycle for "+obj.Name())
	var lines []string
	for i := len(list) - 1; i >= 0; i-- {
		next := list[i].obj
		lines = append(lines, k.atLine(obj.Name()+" refers to "+next.Name(), obj.Pos()))
		obj = next
	}
	d.Hint = strings.Join(lines, "\n    ")
	return d
}

// atLine adds the line of a part of a message.
func (k *checker) atLine(text string, pos token.Pos) string {
	if line, _ := k.c.Position(pos); line > 0 {
		return text + " (line " + itoa(line) + ")"
	}
	return text
}

// initSignature reports init functions with parameters or results.
func (k *checker) initSignature(f *ast.FuncDecl) {
	what := ""
	switch {
	case f.Type.TypeParams != nil:
		what = "func init must have no type parameters"
	case f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() > 0:
		what = "func init must have no arguments and no return values"
	default:
		return
	}
	line, col := k.c.Position(f.Name.Pos())
	k.own = append(k.own, Diagnostic{Error: cell.Error{Line: line, Col: col, Msg: what}})
}

// growth is a use of a type parameter in an argument for another one: grows tells
// that the argument is more than the parameter itself.
type growth struct {
	from, to token.Pos // of the parameters' declarations
	arg      types.Type
	at       token.Pos
	grows    bool
}

// instanceCycles reports generic functions that need instances of themselves
// without end. go/types, which sees bodies apart from their functions, finds those
// within declarations of types only.
func (k *checker) instanceCycles() []Diagnostic {
	for _, e := range k.errs {
		if strings.HasPrefix(e.Msg, "instantiation cycle") {
			return nil
		}
	}
	edges := k.growths()
	var list []Diagnostic
	seen := map[token.Pos]bool{}
	for _, e := range edges {
		if !e.grows || seen[e.from] {
			continue
		}
		if way := back(edges, e.to, e.from, map[token.Pos]bool{}); way != nil {
			d := k.diagnostic(e.from, "instantiation cycle")
			var lines []string
			for _, w := range append([]growth{e}, way...) {
				seen[w.from] = true
				lines = append(lines, k.atLine(k.param(w.to)+" instantiated as "+k.clean(types.TypeString(w.arg, k.s.qualifier(k.res))), w.at))
			}
			d.Hint = strings.Join(lines, "\n    ")
			list = append(list, d)
		}
	}
	return list
}

// back finds how a parameter comes to be in an argument for another one.
func back(edges []growth, from, to token.Pos, seen map[token.Pos]bool) []growth {
	if from == to {
		return []growth{}
	}
	seen[from] = true
	for _, e := range edges {
		if e.from == from && !seen[e.to] {
			if way := back(edges, e.to, to, seen); way != nil {
				return append([]growth{e}, way...)
			}
		}
	}
	return nil
}

// growths lists how the cell's generic functions instantiate each other, in the
// order of the text.
func (k *checker) growths() (list []growth) {
	same := map[token.Pos]token.Pos{} // type parameters of receivers are those of their types
	for _, fd := range k.funcs {
		f, ok := k.info.Defs[fd.Body.Name].(*types.Func)
		if !ok || f.Signature().Params().Len() == 0 {
			continue
		}
		n := namedOf(f.Signature().Params().At(0).Type())
		if !strings.Contains(fd.Body.Name.Name, ".") || n == nil {
			continue
		}
		for i := range min(n.Origin().TypeParams().Len(), f.Signature().TypeParams().Len()) {
			same[f.Signature().TypeParams().At(i).Obj().Pos()] = n.Origin().TypeParams().At(i).Obj().Pos()
		}
	}
	canon := func(tp *types.TypeParam) token.Pos {
		if p, ok := same[tp.Obj().Pos()]; ok {
			return p
		}
		return tp.Obj().Pos()
	}
	for id, inst := range k.info.Instances {
		var params *types.TypeParamList
		switch obj := k.info.Uses[id].(type) {
		case *types.Func:
			params = obj.Signature().TypeParams()
		case *types.TypeName:
			if n, ok := types.Unalias(obj.Type()).(*types.Named); ok {
				params = n.Origin().TypeParams()
			}
		}
		for i := range min(params.Len(), inst.TypeArgs.Len()) {
			arg := inst.TypeArgs.At(i)
			mentions(arg, map[types.Type]bool{}, func(tp *types.TypeParam) {
				list = append(list, growth{canon(tp), canon(params.At(i)), arg, id.Pos(), arg != types.Type(tp)})
			})
		}
	}
	slices.SortStableFunc(list, func(a, b growth) int { return int(a.at - b.at) })
	return list
}

// param is the name of the type parameter declared at a place.
func (k *checker) param(pos token.Pos) string {
	for id, obj := range k.info.Defs {
		if id.Pos() == pos && obj != nil {
			return id.Name
		}
	}
	return "it"
}

// mentions calls f for the type parameters in a type.
func mentions(t types.Type, seen map[types.Type]bool, f func(*types.TypeParam)) {
	if seen[t] {
		return
	}
	seen[t] = true
	each := func(list ...types.Type) {
		for _, t := range list {
			mentions(t, seen, f)
		}
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		f(t)
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			each(t.TypeArgs().At(i))
		}
	case *types.Map:
		each(t.Key(), t.Elem())
	case interface{ Elem() types.Type }:
		each(t.Elem())
	case *types.Signature:
		each(t.Params(), t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			each(v.Type())
		}
	case *types.Struct:
		for v := range t.Fields() {
			each(v.Type())
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			each(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			each(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			each(term.Type())
		}
	}
}
