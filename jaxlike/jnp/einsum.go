package jnp

import (
	"fmt"
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// Einsum sums products as a formula such as "ij,jk->ik" says. The operands
// follow; options come last.
func Einsum(subscripts string, operands ...any) array.Array {
	rest, opts := splitOptions[kw.EinsumOption](operands)
	s := kw.Collect(opts)
	args := make([]core.Value, len(rest))
	for i, x := range rest {
		args[i] = arraylike("einsum", i, x).Value()
	}
	key := fmt.Sprint(subscripts, s.Precision, s.PreferredElementType)
	return inline("_einsum", key, func(xs []array.Array) (out array.Array) {
		core.With(func(s *core.State) { s.Names = s.Names.Extend(subscripts) }, func() { out = einsum(subscripts, xs, s) })
		return out
	}, args...)
}

// term is an operand with the names of its dimensions.
type term struct {
	x     array.Array
	names string
}

func einsum(spec string, xs []array.Array, s kw.Set) array.Array {
	d, weak := core.UserDType("einsum", s.PreferredElementType), false
	if d == dtype.Invalid {
		t := resultType(xs...)
		d, weak = t.DType, t.Weak
	}
	e := &einsumPlan{d: d, precision: precision(s)}
	terms, result := e.parse(spec, xs)
	for len(terms) > 1 {
		i, j := e.cheapest(terms, result)
		rest := slices.Clone(terms)
		rest = slices.Delete(rest, j, j+1)
		rest = slices.Delete(rest, i, i+1)
		want := result
		if len(rest) > 0 {
			want = keptNames(terms[i].names, terms[j].names, rest, result)
		}
		terms = append(rest, e.contract(terms[j], terms[i], want))
	}
	if terms[0].names != result || len(xs) == 1 {
		terms[0] = e.single(terms[0], result)
	}
	return lax.Convert(terms[0].x, d, weak)
}

type einsumPlan struct {
	d         dtype.DType
	precision lax.Precision
	sizes     map[rune]int
}

// parse takes the formula apart. Ellipses become names of their own.
func (e *einsumPlan) parse(spec string, xs []array.Array) ([]term, string) {
	spec = strings.ReplaceAll(spec, " ", "")
	in, result, explicit := strings.Cut(spec, "->")
	parts := strings.Split(in, ",")
	if len(parts) != len(xs) {
		core.ValueErrorf("Number of einsum subscripts, %d, must be equal to the number of operands, %d.", len(parts), len(xs))
	}
	extra := 0
	for i, p := range parts {
		if strings.Contains(p, "...") {
			extra = max(extra, xs[i].NDim()-(len(p)-3))
		}
	}
	dots := unusedNames(spec, extra)
	e.sizes = map[rune]int{}
	terms := make([]term, len(xs))
	for i, p := range parts {
		if strings.Contains(p, "...") {
			n := xs[i].NDim() - (len(p) - 3)
			p = strings.Replace(p, "...", dots[len(dots)-max(0, n):], 1)
		}
		if len(p) != xs[i].NDim() {
			core.ValueErrorf("Einstein sum subscript '%s' does not contain the correct number of indices for operand %d.", p, i)
		}
		e.measure(p, xs[i], i)
		terms[i] = term{xs[i], p}
	}
	result = strings.Replace(result, "...", dots, 1)
	if !explicit {
		result = implicitResult(terms, dots)
	}
	for _, c := range result {
		if strings.Count(result, string(c)) > 1 {
			core.ValueErrorf("Output character '%c' appeared more than once in the output.", c)
		}
		if _, ok := e.sizes[c]; !ok {
			core.ValueErrorf("Output character '%c' did not appear in the input", c)
		}
	}
	return terms, result
}

func (e *einsumPlan) measure(names string, x array.Array, operand int) {
	for k, c := range names {
		n := x.Shape()[k]
		if old, ok := e.sizes[c]; ok && old != n && old != 1 && n != 1 {
			core.ValueErrorf("Size of label '%c' for operand %d (%d) does not match previous terms (%d).", c, operand, old, n)
		}
		e.sizes[c] = max(e.sizes[c], n)
	}
}

func unusedNames(spec string, n int) string {
	var b strings.Builder
	for c := 'A'; b.Len() < n; c++ {
		if !strings.ContainsRune(spec, c) && (c <= 'Z' || c >= 'a') {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// implicitResult has the names that come once, in order.
func implicitResult(terms []term, dots string) string {
	all := ""
	for _, t := range terms {
		all += t.names
	}
	var once []rune
	for _, c := range all {
		if strings.Count(all, string(c)) == 1 && !strings.ContainsRune(dots, c) {
			once = append(once, c)
		}
	}
	slices.Sort(once)
	return dots + string(once)
}

// keptNames are the names that a contraction of two terms must keep.
func keptNames(a, b string, rest []term, result string) string {
	later := result
	for _, t := range rest {
		later += t.names
	}
	var out []rune
	for _, c := range a + b {
		if strings.ContainsRune(later, c) && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return string(out)
}

// cheapest picks the pair of terms whose contraction costs least.
func (e *einsumPlan) cheapest(terms []term, result string) (int, int) {
	bi, bj, best := 0, 1, -1.0
	for i := range terms {
		for j := i + 1; j < len(terms); j++ {
			cost := 1.0
			seen := map[rune]bool{}
			for _, c := range terms[i].names + terms[j].names {
				if !seen[c] {
					seen[c], cost = true, cost*float64(e.sizes[c])
				}
			}
			if best < 0 || cost < best {
				bi, bj, best = i, j, cost
			}
		}
	}
	return bi, bj
}

func without(s, chars string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(chars, r) {
			return -1
		}
		return r
	}, s)
}

// single reduces a term alone to the wanted names.
func (e *einsumPlan) single(t term, want string) term {
	drop := sortedNames(without(t.names, want))
	t = e.sumUnique(t, drop, "")
	t = e.sumRepeated(t, want)
	return e.order(t, want)
}

func sortedNames(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(slices.Compact(r))
}

func (e *einsumPlan) sum(x array.Array, axes []int) array.Array {
	t, err := dtype.Promote(core.X64(), typeOf(x), dtype.Strong(e.d))
	if err == nil && t.DType != x.DType() {
		x = AsType(x, e.d)
	}
	if x.DType().IsBool() {
		return lax.ReduceOr(x, axes)
	}
	return lax.ReduceSum(x, axes)
}

// sumUnique sums over the names that stand once in the term and not in other.
func (e *einsumPlan) sumUnique(t term, contracted, other string) term {
	var axes []int
	gone := ""
	for _, c := range contracted {
		if strings.Count(t.names, string(c)) == 1 && !strings.ContainsRune(other, c) {
			axes, gone = append(axes, strings.IndexRune(t.names, c)), gone+string(c)
		}
	}
	if len(axes) == 0 {
		return t
	}
	return term{e.sum(t.x, axes), without(t.names, gone)}
}

// sumRepeated takes diagonals of names that stand more than once.
func (e *einsumPlan) sumRepeated(t term, keep string) term {
	for _, c := range firstOccurrences(t.names) {
		n := strings.Count(t.names, string(c))
		if n < 2 {
			continue
		}
		var axes []int
		for i, q := range t.names {
			if q == c {
				axes = append(axes, i)
			}
		}
		x := lax.Select(delta(t.x.Shape(), axes), t.x, lax.FullLike(t.x, 0, dtype.Invalid))
		if strings.ContainsRune(keep, c) {
			t = term{e.sum(x, axes[:n-1]), strings.Replace(t.names, string(c), "", n-1)}
		} else {
			t = term{e.sum(x, axes), strings.ReplaceAll(t.names, string(c), "")}
		}
	}
	return t
}

func firstOccurrences(s string) []rune {
	var out []rune
	for _, c := range s {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// delta is true where the positions along the axes are equal (lax._delta).
func delta(shape, axes []int) array.Array {
	base := make([]int, len(axes))
	for i, d := range axes {
		base[i] = shape[d]
	}
	iotas := make([]array.Array, len(axes))
	for i := range axes {
		iotas[i] = lax.BroadcastedIota(dtype.Uint32, base, i)
	}
	eye := lax.Eq(iotas[0], iotas[1])
	for i := 1; i+1 < len(iotas); i++ {
		eye = lax.And(eye, lax.Eq(iotas[i], iotas[i+1]))
	}
	return lax.BroadcastInDim(eye, shape, axes)
}

func (e *einsumPlan) order(t term, want string) term {
	if t.names == want {
		return t
	}
	perm := make([]int, 0, len(want))
	for _, c := range want {
		perm = append(perm, strings.IndexRune(t.names, c))
	}
	return term{lax.Transpose(t.x, perm), want}
}

// dropOnes squeezes dimensions of size 1 that are larger in the other term.
func dropOnes(t, other term) term {
	var axes []int
	names := ""
	for i, c := range t.names {
		j := strings.IndexRune(other.names, c)
		if t.x.Shape()[i] != 1 || j < 0 || other.x.Shape()[j] == 1 {
			names += string(c)
		} else {
			axes = append(axes, i)
		}
	}
	return term{lax.Squeeze(t.x, axes), names}
}

// contract multiplies two terms and sums over what is not wanted.
func (e *einsumPlan) contract(l, r term, want string) term {
	contracted := sortedNames(without(l.names+r.names, want))
	l = dropOnes(l, r)
	r = dropOnes(r, l)
	l = e.sumUnique(l, contracted, r.names)
	r = e.sumUnique(r, contracted, l.names)
	l = e.sumRepeated(l, want+r.names)
	r = e.sumRepeated(r, want+l.names)
	batch, cont := "", ""
	for _, c := range want {
		if strings.ContainsRune(l.names, c) && strings.ContainsRune(r.names, c) {
			batch += string(c)
		}
	}
	for _, c := range contracted {
		if strings.ContainsRune(l.names+r.names, c) {
			cont += string(c)
		}
	}
	at := func(t term, names string) []int {
		out := []int{}
		for _, c := range names {
			out = append(out, strings.IndexRune(t.names, c))
		}
		return out
	}
	restL, restR := without(l.names, batch+cont), without(r.names, batch+cont)
	names := batch + restR + restL
	x, y := r, l
	if names != want {
		names = batch + restL + restR
		x, y = l, r
	}
	dims := lax.DotDims{LHSContract: at(x, cont), RHSContract: at(y, cont), LHSBatch: at(x, batch), RHSBatch: at(y, batch)}
	return e.order(term{lax.DotGeneral(x.x, y.x, dims, e.precision, e.d), names}, want)
}

// TensorDot sums products over dimensions: kw.Axes gives their number (2 by
// default), or two lists.
func TensorDot(a, b any, opts ...kw.TensorDotOption) array.Array {
	s := kw.Collect(opts)
	x, y := arraylike("tensordot", 0, a), arraylike("tensordot", 1, b)
	d, weak := dotType(x, y, s)
	left, right := tensorAxes(x, y, s.Axes)
	out := lax.DotGeneral(x, y, lax.DotDims{LHSContract: left, RHSContract: right}, precision(s), d)
	return lax.Convert(out, d, weak)
}

func tensorAxes(x, y array.Array, axes any) (left, right []int) {
	n, ok := 2, axes == nil
	if v, isInt := axes.(int); isInt {
		n, ok = v, true
	}
	if ok {
		if n > min(x.NDim(), y.NDim()) {
			core.TypeErrorf("Number of tensordot axes (axes %d) exceeds input ranks (%s and %s)", n, core.PyRepr(core.NewInts(x.Shape()...)), core.PyRepr(core.NewInts(y.Shape()...)))
		}
		for i := range n {
			left, right = append(left, x.NDim()-n+i), append(right, i)
		}
		return left, right
	}
	var pair [2][]int
	switch v := axes.(type) {
	case [2]int:
		pair = [2][]int{{v[0]}, {v[1]}}
	case []int:
		if len(v) == 2 {
			pair = [2][]int{{v[0]}, {v[1]}}
		}
	case [][]int:
		if len(v) == 2 {
			pair = [2][]int{v[0], v[1]}
		}
	case [2][]int:
		pair = v
	case []any:
		if len(v) == 2 {
			pair = [2][]int{shapeOf("tensordot", v[0]), shapeOf("tensordot", v[1])}
		}
	}
	if pair[0] == nil {
		core.TypeErrorf("tensordot axes argument must be an int, a pair of ints, or a pair of lists/tuples of ints.")
	}
	if len(pair[0]) != len(pair[1]) {
		core.TypeErrorf("tensordot requires axes lists to have equal length, got %s and %s.", core.PyRepr(core.List(anyInts(pair[0]))), core.PyRepr(core.List(anyInts(pair[1]))))
	}
	for i := range pair[0] {
		left, right = append(left, core.CanonicalAxis(pair[0][i], x.NDim())), append(right, core.CanonicalAxis(pair[1][i], y.NDim()))
	}
	return left, right
}

// Inner sums products over the last dimensions.
func Inner(a, b any, opts ...kw.DotOption) array.Array {
	return contraction("inner", a, b, opts, func(x, y array.Array, s kw.Set) array.Array {
		if x.NDim() == 0 || y.NDim() == 0 {
			if s.PreferredElementType != dtype.Invalid {
				x, y = AsType(x, s.PreferredElementType), AsType(y, s.PreferredElementType)
			}
			return x.Mul(y)
		}
		d, weak := dotType(x, y, s)
		dims := lax.DotDims{LHSContract: []int{x.NDim() - 1}, RHSContract: []int{y.NDim() - 1}}
		return lax.Convert(lax.DotGeneral(x, y, dims, precision(s), d), d, weak)
	})
}
