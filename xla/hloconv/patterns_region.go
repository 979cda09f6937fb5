package hloconv

import (
	"slices"

	"gopherlo/xla/stablehlo"
)

// isInside reports whether v is defined in b itself.
func isInside(v *value, b *block) bool {
	return v.owner == b || v.def != nil && v.def.block == b
}

// reduceNoDims removes a reduction over no dimensions.
func reduceNoDims(r *rewriter, o *op) bool {
	if len(o.attrs.Ints("dimensions")) > 0 {
		return false
	}
	n := len(o.results)
	for i, v := range o.results {
		if !o.in(i).typ.Equal(v.typ) {
			return false
		}
	}
	r.replace(o, o.inputs()[:n]...)
	return true
}

// reduceToConstant folds a reduction whose body gives constants only.
func reduceToConstant(r *rewriter, o *op) bool {
	body := o.regions[0]
	if body.first != body.last {
		return false
	}
	var out []*value
	for i, v := range body.last.inputs() {
		d := v.isConst()
		if d == nil || !d.Splat {
			return false
		}
		out = append(out, r.constant(o.loc, resize(d, o.results[i].typ)))
	}
	r.replace(o, out...)
	return true
}

// reduceRedundant replaces a reduction whose body returns values from outside.
func reduceRedundant(r *rewriter, o *op) bool {
	body := o.regions[0]
	vals := body.last.inputs()
	for i, v := range vals {
		if isInside(v, body) || !v.typ.Equal(o.results[i].typ) {
			return false
		}
	}
	r.replace(o, vals...)
	return true
}

// boolSplatReduce puts splat operands of an and/or reduction into its body.
func boolSplatReduce(r *rewriter, o *op) bool {
	body := o.regions[0]
	if body.first == nil || body.first.next != body.last || body.first == body.last ||
		body.first.name != "stablehlo.and" && body.first.name != "stablehlo.or" {
		return false
	}
	for _, v := range o.inputs() {
		if d := v.isConst(); d == nil || !d.Splat {
			return false
		}
	}
	// Constants made outside the body would be moved to the front anyway.
	for i, a := range body.args {
		saved := r.at
		r.at = body.first
		c := r.constant(body.first.loc, resize(o.in(i).isConst(), a.typ))
		r.at = saved
		r.replaceUses(a, c)
	}
	return true
}

// reduceEmpty makes a reduction of an empty tensor a broadcast of its start.
func reduceEmpty(r *rewriter, o *op) bool {
	n := len(o.results)
	if n == 0 || !slices.Contains(o.in(0).typ.Dims, 0) {
		return false
	}
	var out []*value
	for i, v := range o.results {
		out = append(out, r.broadcastScalar(o, o.in(n+i), v.typ))
	}
	r.replace(o, out...)
	return true
}

// reduceUnused drops the operands of a reduction whose results are not used,
// when the other results do not need them.
func reduceUnused(r *rewriter, o *op) bool {
	n, body := len(o.results), o.regions[0]
	used, args, ops := make([]bool, n), make([]bool, 2*n), make(map[*op]bool)
	var todo []*value
	count := 0
	for i, v := range o.results {
		if v.uses != nil {
			used[i] = true
			count++
			todo = append(todo, body.last.in(i))
		}
	}
	if count == n {
		return false
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v.owner == body {
			args[v.index%n], args[v.index%n+n] = true, true
		} else if v.def != nil && v.def.block == body && !ops[v.def] {
			ops[v.def] = true
			todo = append(todo, v.def.inputs()...)
		}
	}
	need := 0
	for _, a := range args {
		if a {
			need++
		}
	}
	if need != 2*count {
		return false
	}
	var xs, inits []*value
	var ts []stablehlo.Type
	for i := range n {
		if args[i] {
			xs, inits = append(xs, o.in(i)), append(inits, o.in(n+i))
		}
		if used[i] {
			ts = append(ts, o.results[i].typ)
		}
	}
	nr := r.create(o.name, o.loc, append(xs, inits...), ts, named("dimensions", o.attrs.Get("dimensions")))
	moveBody(r, o, nr, func(i int) bool { return !args[i] }, func(i int) bool { return !used[i] })
	out, k := make([]*value, n), 0
	for i := range n {
		if used[i] {
			out[i] = nr.results[k]
			k++
		}
	}
	r.replace(o, out...)
	return true
}

// moveBody moves o's first region to n without the arguments and the returned
// values that the two functions name. What is dead then goes later.
func moveBody(r *rewriter, o, n *op, dropArg, dropRet func(int) bool) {
	body := o.regions[0]
	o.regions = nil
	body.parent = n
	n.regions = append(n.regions, body)
	var ret []*value
	for i, v := range body.last.inputs() {
		if !dropRet(i) {
			ret = append(ret, v)
		} else if v.def != nil {
			r.push(v.def)
		}
	}
	body.last.setOperands(ret)
	eraseDead(r, body)
	body.eraseArgs(dropArg)
}

// eraseDead removes the ops of a block that nothing needs, last first.
func eraseDead(r *rewriter, b *block) {
	for o := b.last; o != nil; {
		prev := o.prev
		if isDead(o) {
			r.unqueue(o)
			o.drop()
		}
		o = prev
	}
}

// scatterNothing removes a scatter of no updates.
func scatterNothing(r *rewriter, o *op) bool {
	n := len(o.results)
	d, ok := o.attrs.Get("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	if !ok {
		return false
	}
	empty := true
	for _, v := range o.inputs()[n+1:] {
		empty = empty && v.typ.Size() == 0
	}
	for i, s := range o.in(n).typ.Dims {
		empty = empty || int64(i) != d.IndexVectorDim && s == 0
	}
	if !empty {
		return false
	}
	r.replace(o, o.inputs()[:n]...)
	return true
}

// sortUnused drops sorted operands that neither the comparator nor anyone uses.
func sortUnused(r *rewriter, o *op) bool {
	body := o.regions[0]
	drop, found := make([]bool, len(o.results)), false
	for i, v := range o.results {
		if v.uses == nil && body.args[2*i].uses == nil && body.args[2*i+1].uses == nil {
			drop[i], found = true, true
		}
	}
	if !found {
		return false
	}
	var xs []*value
	var ts []stablehlo.Type
	for i, v := range o.inputs() {
		if !drop[i] {
			xs, ts = append(xs, v), append(ts, v.typ)
		}
	}
	n := r.create(o.name, o.loc, xs, ts, named("dimension", o.attrs.Get("dimension")), named("is_stable", o.attrs.Get("is_stable")))
	moveBody(r, o, n, func(i int) bool { return drop[i/2] }, func(int) bool { return false })
	out, k := make([]*value, len(drop)), 0
	for i := range drop {
		if !drop[i] {
			out[i] = n.results[k]
			k++
		}
	}
	r.replace(o, out...)
	return true
}

// foldWhile makes a loop whose condition is false at once its initial values.
func foldWhile(r *rewriter, o *op) bool {
	d := o.regions[0].last.in(0).isConst()
	if d == nil || !d.Splat || d.Int(0) != 0 {
		return false
	}
	changed := false
	for i, v := range o.results {
		if v.uses != nil {
			r.replaceUses(v, o.in(i))
			changed = true
		}
	}
	if changed {
		r.push(o)
	}
	return changed
}

// whileCapture removes the loop-carried values that never change: the regions
// use the initial value instead.
func whileCapture(r *rewriter, o *op) bool {
	cond, body := o.regions[0], o.regions[1]
	ret := body.last
	drop, found := make([]bool, len(o.results)), false
	for i := range o.results {
		if ret.in(i) == o.in(i) || ret.in(i) == body.args[i] {
			drop[i], found = true, true
		}
	}
	if !found {
		return false
	}
	var init, kept, rets []*value
	var ts []stablehlo.Type
	for i, v := range o.results {
		if drop[i] {
			x := o.in(i)
			cond.args[i].replaceUses(x)
			body.args[i].replaceUses(x)
			v.replaceUses(x)
			continue
		}
		init, kept, ts = append(init, o.in(i)), append(kept, v), append(ts, v.typ)
	}
	// Read after the replacement: a returned value may be a dropped argument.
	for i := range drop {
		if !drop[i] {
			rets = append(rets, ret.in(i))
		}
	}
	ret.setOperands(rets)
	isDropped := func(i int) bool { return drop[i] }
	cond.eraseArgs(isDropped)
	body.eraseArgs(isDropped)
	n := r.create(o.name, o.loc, init, ts, o.attrs...)
	n.frontend = o.frontend
	n.regions, o.regions = o.regions, nil
	cond.parent, body.parent = n, n
	for i, v := range kept {
		v.replaceUses(n.results[i])
	}
	r.erase(o)
	return true
}

// chooseBranch puts the branch that a constant index names in place of the choice
// (CaseOp's canonicalization).
func chooseBranch(r *rewriter, o *op) bool {
	d := o.in(0).isConst()
	if d == nil || !d.Splat {
		return false
	}
	r.inlineBranch(o, d)
	r.erase(o)
	return true
}

// inlineBranch moves what the branch that d names does before the choice, and
// gives the emptied branch.
func (r *rewriter) inlineBranch(o *op, d *stablehlo.Dense) *block {
	k := signedInt(d)
	if k < 0 || k >= int64(len(o.regions)) {
		k = int64(len(o.regions)) - 1
	}
	b := o.regions[k]
	ret := b.last
	vals := ret.inputs()
	ret.drop()
	r.unqueue(ret)
	for in := b.first; in != nil; {
		next := in.next
		in.remove()
		o.block.insertBefore(in, o)
		in = next
	}
	for i, v := range o.results {
		r.replaceUses(v, vals[i])
	}
	return b
}

// inlineCase replaces a choice by a constant index with that branch.
func inlineCase(r *rewriter, o *op) bool {
	d := o.in(0).isConst()
	used := false
	for _, v := range o.results {
		used = used || v.uses != nil
	}
	if !used || d == nil || !d.Splat {
		return false
	}
	b := r.inlineBranch(o, d)
	// The emptied branch needs a return in case the op stays for its effects.
	saved := r.at
	end := &op{name: "stablehlo.return"}
	b.insertBefore(end, nil)
	r.at = end
	var zeros []*value
	for _, v := range o.results {
		zeros = append(zeros, r.constant(nil, zeroOf(v.typ)))
	}
	end.setOperands(zeros)
	r.at = saved
	r.push(o)
	return true
}
