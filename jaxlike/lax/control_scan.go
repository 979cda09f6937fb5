package lax

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// Scan runs f over the first dimension of xs, carrying a state along: f takes
// the carry and one element of xs and gives the new carry and one element of
// ys. It gives the last carry and the stacked ys. carry, xs and ys may be trees;
// xs may be nil when Length is given. Options: Length, Reverse, Unroll.
//
//	last, all := lax.Scan(func(c, x jax.Array) (jax.Array, jax.Array) { s := c.Add(x); return s, s }, 0., xs)
func Scan(f, init, xs any, opts ...kw.ScanOption) (carry, ys array.Array) {
	fn := callable(f, "lax.scan: f argument should be a callable.")
	s := kw.Collect(opts)
	c, y := scan(scanCall{
		fn: fn, api: "scan", param: firstParam(fn), reverse: s.Reverse, unroll: s.Unroll, length: s.Length,
		init: takeApart(init, place(fn, "scan", 0)), xs: takeApart(xs, elementPlace(fn, 1)),
	})
	return c, y
}

// elementPlace is the declared type of parameter i, for the stack of such
// values: containers only.
func elementPlace(f *stages.Callable, i int) reflect.Type {
	t := f.Place(i)
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		return t
	}
	return nil
}

// scanCall is a call of Scan, taken apart.
type scanCall struct {
	fn      *stages.Callable
	api     string   // named in errors of tracing
	param   string   // the carry's name in errors
	names   []string // of the arguments
	init    *operand
	xs      *operand
	length  *int
	reverse bool
	unroll  any
}

func scan(c scanCall) (carry, ys array.Array) {
	length := scanLength(c.xs, c.length)
	if core.Current().NoJit {
		return c.unjitted(length)
	}
	x := &operand{def: c.xs.def}
	for _, a := range c.xs.avals {
		x.avals = append(x.avals, unleading(a))
	}
	b, kids := c.stage(c.init, x)
	nCarry := kids[0].NumLeaves()
	if nCarry != len(c.init.vals) {
		checkCarry("scan body", c.param, c.init, kids[0], b.avals[:nCarry])
	}
	init, changed := c.init.promoteWeak(b.avals[:nCarry])
	if changed {
		b, kids = c.stage(init, x)
	}
	checkCarry("scan body", c.param, init, kids[0], b.avals[:nCarry])
	outs := bindScan(b, init.vals, c.xs.vals, length, c.reverse, unrollOf(c.unroll, length))
	return result(kids[0], outs[:nCarry:nCarry]), result(kids[1], outs[nCarry:])
}

func (c *scanCall) stage(init, x *operand) (*body, []*tree.Def) {
	b := stage(c.fn, c.api, c.names, init, x)
	kids := b.def.Children()
	if k := b.def.Kind(); k != tree.KindTuple && k != tree.KindList || len(kids) != 2 {
		text := b.def.Fill(avalTexts(b.avals))
		if b.def.IsLeaf() {
			text = b.avals[0].LongWeak()
		}
		core.TypeErrorf("scan body output must be a pair, got %s.", text)
	}
	return b, kids
}

// unrollOf is the number of iterations in one: true and 0 mean all.
func unrollOf(v any, length int) int {
	switch v := v.(type) {
	case nil:
		return 1
	case bool:
		if v {
			return max(length, 1)
		}
		return 1
	case int:
		if v < 0 {
			core.ValueErrorf("`unroll` must be a `bool` or a non-negative `int`.")
		}
		return v
	}
	core.TypeErrorf("The `unroll` argument to `scan` expects a concrete `int` or `bool` value.")
	return 0
}

func scanLength(xs *operand, given *int) int {
	var numbers, sizes []string
	length := -1
	same := true
	for i, a := range xs.avals {
		if _, isArray := xs.raw[i].(array.Array); !isArray && a.NDim() == 0 {
			numbers = append(numbers, core.PyStr(xs.vals[i].(*core.Const).Py))
			continue
		}
		if a.NDim() == 0 {
			core.Raise("IndexError", "tuple index out of range")
		}
		sizes = append(sizes, strconv.Itoa(a.Shape[0]))
		same = same && (length < 0 || length == a.Shape[0])
		length = a.Shape[0]
	}
	switch {
	case len(numbers) > 0:
		core.ValueErrorf("scan got value with no leading axis to scan over: %s.", strings.Join(numbers, ", "))
	case given != nil:
		if len(sizes) > 0 && (!same || length != *given) {
			core.ValueErrorf("scan got `length` argument of %d which disagrees with leading axis sizes [%s].", *given, strings.Join(sizes, ", "))
		}
		return *given
	case !same:
		core.ValueErrorf("scan got values with different leading axis sizes: %s.", strings.Join(sizes, ", "))
	case length < 0:
		core.ValueErrorf("scan got no values to scan over and `length` not provided.")
	}
	return length
}

// bindScan applies a scan. A carry that the body gives back unchanged becomes a
// constant; a y that is an element of xs is the xs itself.
func bindScan(b *body, init, xs []core.Value, length int, reverse bool, unroll int) []core.Value {
	j, consts := b.jaxpr, b.consts
	n, nCarry := len(consts), len(init)
	nYs := len(j.Out) - nCarry
	fwd := partialeval.Forwarding(j)
	move := make([]bool, nCarry)
	for i := range move {
		move[i] = fwd[i] == n+i
	}
	var fixed []core.Value
	if slices.Contains(move, true) {
		stay := slices.Concat(negate(move), trues(nYs))
		j = moveToFront(partialeval.PruneOutputs(j, stay), slices.Concat(make([]bool, n), move))
		var carried []core.Value
		for i, v := range init {
			if move[i] {
				fixed = append(fixed, v)
			} else {
				carried = append(carried, v)
			}
		}
		init, consts = carried, append(slices.Clone(fixed), consts...)
	}
	keep := make([]bool, nYs)
	args := slices.Concat(consts, init, xs)
	for i, f := range fwd[nCarry:] {
		keep[i] = f < n+nCarry
	}
	j = partialeval.PruneOutputs(j, slices.Concat(trues(len(init)), keep))
	p := newScanParams(j, ftPack(ftNones(len(consts)), ftNones(len(init)), ftNones(len(xs))),
		ftPack(ftNones(len(init)), ftNones(nYs).filter(keep)), length, reverse, unroll)
	outs := ScanP.Bind(p, args...)
	carry, ys := mergeLists(move, outs[:len(init)], fixed), outs[len(init):]
	for i, f := range fwd[nCarry:] {
		if !keep[i] {
			carry = append(carry, xs[f-n-nCarry])
			continue
		}
		carry, ys = append(carry, ys[0]), ys[1:]
	}
	return carry
}

func negate(bs []bool) []bool {
	out := make([]bool, len(bs))
	for i, b := range bs {
		out[i] = !b
	}
	return out
}

// unjitted runs the loop in Go, for disable_jit.
func (c *scanCall) unjitted(length int) (carry, ys array.Array) {
	if length == 0 {
		core.ValueErrorf("zero-length scan is not supported in disable_jit() mode because the output type is unknown.")
	}
	state := c.init.tree()
	rows := make([][]core.Value, length)
	var yDef, cDef *tree.Def
	var last []core.Value
	for k := range length {
		i := k
		if c.reverse {
			i = length - k - 1
		}
		x := make([]core.Value, len(c.xs.vals))
		for m, v := range c.xs.vals {
			x[m] = squeeze(sliceInDim(v, i, i+1, 1, 0), []int{0})
		}
		leaves, def := c.fn.FlattenResult(apply1(c.fn, state, treeOf(c.xs.def, x)), c.api)
		kids := def.Children()
		n := kids[0].NumLeaves()
		cDef, yDef, last, rows[i] = kids[0], kids[1], leaves[:n:n], leaves[n:]
		state = treeOf(cDef, last)
	}
	stacked := make([]core.Value, len(rows[0]))
	for m := range stacked {
		col := make([]core.Value, length)
		for i := range rows {
			col[i] = expandDims(rows[i][m], []int{0})
		}
		stacked[m] = concatenate(col, 0)
	}
	return result(cDef, last), result(yDef, stacked)
}
