package lax

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// Cond applies onTrue or onFalse to the operands, as pred says. Both are
// traced; only one runs.
func Cond(pred, onTrue, onFalse any, operands ...any) array.Array {
	const message = "lax.cond: true_fun and false_fun arguments should be callable."
	t, f := callable(onTrue, message), callable(onFalse, message)
	if pred == nil {
		core.TypeErrorf("cond predicate is None")
	}
	p := condPred(pred)
	if core.Current().NoJit {
		if c := core.ToConcrete(p); c != nil {
			chosen := f
			if array.New(c).Bool() {
				chosen = t
			}
			return result(swap(chosen.FlattenResult(chosen.Apply(operands), "cond")))
		}
	}
	return branch("cond", []string{"true_fun", "false_fun"}, []*stages.Callable{t, f}, operands, func() core.Value {
		return convert(p, dtype.Int32, false)
	}, true)
}

func swap(vals []core.Value, def *tree.Def) (*tree.Def, []core.Value) { return def, vals }

// condPred makes a boolean scalar of a predicate.
func condPred(pred any) core.Value {
	v, ok := array.ToValue(pred)
	if !ok {
		if k := reflect.TypeOf(pred).Kind(); k == reflect.Slice || k == reflect.Array {
			core.TypeErrorf("Pred must be a scalar, got %s of type %s", tree.ClassLiteral(pred), tree.ClassOf(pred))
		}
		if s, isText := pred.(string); isText { // a sequence, too
			core.TypeErrorf("Pred must be a scalar, got %s of type %s", s, tree.ClassOf(pred))
		}
		core.TypeErrorf("Pred type must be either boolean or number, got %s.", tree.ClassLiteral(pred))
	}
	a := v.Aval()
	if a.NDim() > 0 {
		core.TypeErrorf("Pred must be a scalar, got %s of shape %s.", array.New(v), shapeText(a.Shape))
	}
	switch {
	case a.DType.IsBool():
		return v
	case a.DType.IsInt() || a.DType.IsFloat():
		return array.New(v).Ne(0).Value()
	}
	core.TypeErrorf("Pred type must be either boolean or number, got %s.", a.DType)
	return nil
}

// Switch applies the branch that index says to the operands; an index outside
// is moved to the nearest one. branches is a slice of functions.
func Switch(index, branches any, operands ...any) array.Array {
	fns := branchList(branches)
	v, ok := array.ToValue(index)
	if !ok {
		core.TypeErrorf("Index type must be an integer, got %s.", tree.ClassLiteral(index))
	}
	a := v.Aval()
	if a.NDim() > 0 {
		core.TypeErrorf("Branch index must be scalar, got %s of shape %s.", array.New(v), shapeText(a.Shape))
	}
	if !a.DType.IsInt() {
		core.TypeErrorf("Index type must be an integer, got %s as %s", array.New(v), a.DType)
	}
	switch len(fns) {
	case 0:
		core.ValueErrorf("Empty branch sequence")
	case 1:
		return result(swap(fns[0].FlattenResult(fns[0].Apply(operands), "switch")))
	}
	i := convert(v, dtype.Int32, false)
	i = clamp(scalarConst(0, dtype.Int32, false), i, scalarConst(float64(len(fns)-1), dtype.Int32, false))
	if core.Current().NoJit {
		if c := core.ToConcrete(i); c != nil {
			f := fns[array.New(c).Int()]
			return result(swap(f.FlattenResult(f.Apply(operands), "switch")))
		}
	}
	names := make([]string, len(fns))
	for k := range names {
		names[k] = fmt.Sprintf("branch%d", k)
	}
	names[0] = "branch 0"
	return branch("switch", names, fns, operands, func() core.Value { return i }, false)
}

func branchList(branches any) []*stages.Callable {
	const message = "lax.switch: branches argument should be a sequence of callables."
	rv := reflect.ValueOf(branches)
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		core.TypeErrorf(message)
	}
	fns := make([]*stages.Callable, rv.Len())
	for i := range fns {
		fns[i] = callable(rv.Index(i).Interface(), message)
	}
	return fns
}

// branch stages the functions and applies a cond. reversed says that the
// functions come true first, while the branches come false first.
func branch(api string, names []string, fns []*stages.Callable, operands []any, index func() core.Value, reversed bool) array.Array {
	var args []*operand
	var vals []core.Value
	for i, x := range operands {
		o := takeApart(x, fns[0].Place(i))
		args, vals = append(args, o), append(vals, o.vals...)
	}
	bodies := make([]*body, len(fns))
	for i, f := range fns {
		f.CheckCount(len(operands))
		bodies[i] = stage(f, api, nil, args...)
	}
	jaxprs, consts := mergeConsts(bodies)
	for i := 1; i < len(fns); i++ {
		checkBranches(api, names[0], names[i], fns[0], fns[i], bodies[0], bodies[i])
	}
	fwd := partialeval.Forwarding(jaxprs[0])
	for _, j := range jaxprs[1:] {
		for i, f := range partialeval.Forwarding(j) {
			if f != fwd[i] {
				fwd[i] = -1
			}
		}
	}
	keep := make([]bool, len(fwd))
	for i, f := range fwd {
		keep[i] = f < 0
	}
	pruned := eachBranch(jaxprs, func(_ int, j *core.Jaxpr) *core.Jaxpr { return partialeval.PruneOutputs(j, keep) })
	if reversed {
		slices.Reverse(pruned)
	}
	all := slices.Concat(consts, vals)
	outs := CondP.Bind(condParams(pruned), append([]core.Value{index()}, all...)...)
	res := make([]core.Value, len(fwd))
	for i, f := range fwd {
		if f >= 0 {
			res[i] = all[f]
			continue
		}
		res[i], outs = outs[0], outs[1:]
	}
	return result(bodies[0].def, res)
}

// mergeConsts gives all branches the same constants: those of the first, then
// of the next, each object once (_merge_common_consts in control_flow/common.py).
func mergeConsts(bodies []*body) ([]*core.Jaxpr, []core.Value) {
	var all, unique []core.Value
	var first []int // per constant: the first that is the same object
	index := map[core.Value]int{}
	for _, b := range bodies {
		for _, c := range b.consts {
			k, ok := index[c]
			if !ok {
				k = len(all)
				index[c] = k
				unique = append(unique, c)
			}
			all, first = append(all, c), append(first, k)
		}
	}
	if len(all) == 0 {
		return bodyJaxprs(bodies), nil
	}
	jaxprs := make([]*core.Jaxpr, len(bodies))
	before := 0
	for i, b := range bodies {
		jaxprs[i] = padConsts(b.jaxpr, before, len(b.consts), all, first)
		before += len(b.consts)
	}
	return jaxprs, unique
}

func bodyJaxprs(bodies []*body) []*core.Jaxpr {
	out := make([]*core.Jaxpr, len(bodies))
	for i, b := range bodies {
		out[i] = b.jaxpr
	}
	return out
}

// padConsts makes j take all constants, its own n of which begin at index from.
func padConsts(j *core.Jaxpr, from, n int, all []core.Value, first []int) *core.Jaxpr {
	avals := make([]*core.ShapedArray, len(all))
	for i, c := range all {
		avals[i] = c.Aval()
	}
	key := "padconsts:" + core.PyRepr(core.NewInts(append([]int{from, n}, first...)...)) + core.AvalsKey(avals)
	return j.Memo(key, func() any {
		vars := make([]*core.Var, len(all))
		for i, a := range avals {
			if i >= from && i < from+n {
				vars[i] = j.In[i-from]
			} else {
				vars[i] = core.NewVar(a)
			}
		}
		same := map[core.Atom]core.Atom{}
		var in []*core.Var
		for i, v := range vars {
			same[v] = vars[first[i]]
			if first[i] == i {
				in = append(in, v)
			}
		}
		subst := func(as []core.Atom) []core.Atom {
			out := slices.Clone(as)
			for i, a := range as {
				if s, ok := same[a]; ok {
					out[i] = s
				}
			}
			return out
		}
		eqns := make([]*core.Eqn, len(j.Eqns))
		for i, e := range j.Eqns {
			ne := *e
			ne.In = subst(e.In)
			eqns[i] = &ne
		}
		return j.Replace(append(in, j.In[n:]...), subst(j.Out), eqns)
	}).(*core.Jaxpr)
}

// checkBranches raises JAX's errors for branches whose results differ in
// structure or type (_check_branch_outputs in conditionals.py).
func checkBranches(api, name1, name2 string, f1, f2 *stages.Callable, b1, b2 *body) {
	at := func(p tree.Path) string {
		if len(p) == 0 {
			return ""
		}
		return " at path " + p.String()
	}
	where := name1 + " is " + f1.Source() + "\n" + name2 + " is " + f2.Source() + "\n\n"
	if ms := b1.def.Mismatches(b2.def); len(ms) > 0 {
		diffs := make([]string, len(ms))
		for i, m := range ms {
			diffs[i] = name1 + " output" + at(m.Path) + " is a " + m.Seen + " but " + name2 + " output" + at(m.Path) + " is a " + m.Given + ", so " + m.Why
		}
		text := diffs[0] + ".\n"
		if len(diffs) > 1 {
			text = bullets(diffs, ";\n")
		}
		core.TypeErrorf("%s branch outputs must have the same pytree structure, but they differ:\n\n%s%s\nRevise %s and/or %s so that they have the same pytree structure.",
			api, where, text, name1, name2)
	}
	var diffs []string
	paths := b1.def.Paths()
	for i, a := range b1.avals {
		if b := b2.avals[i]; !a.SameType(b) {
			diffs = append(diffs, "the output of "+name1+at(paths[i])+" has type "+a.Long()+" but the corresponding output of "+name2+" has type "+b.Long()+a.Mismatch(b))
		}
	}
	if len(diffs) == 0 {
		return
	}
	text := capitalize(diffs[0]) + ".\n"
	if len(diffs) > 1 {
		lines := make([]string, len(diffs)-1)
		for i, d := range diffs[:len(diffs)-1] {
			lines[i] = "  * " + d + ";"
		}
		text = strings.Join(lines, "\n") + "\n  * " + diffs[len(diffs)-1] + ".\n"
	}
	core.TypeErrorf("%s branches must have equal output types but they differ.\n\n%s%s\nRevise %s and/or %s so that all output types match.",
		api, where, text, name1, name2)
}
