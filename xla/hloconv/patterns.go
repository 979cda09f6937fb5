package hloconv

import (
	"slices"

	"gopherlo/xla/stablehlo"
)

// patterns are the rewrites of each op in the order in which they are tried:
// first the folders, then the simplifications by the number of ops they match.
// They are those of stablehlo-target-independent-optimization (stablehlo:
// StablehloAggressiveFolder.cpp, StablehloAggressiveSimplification.cpp and its
// .td file), as in jaxlib 0.12.0.1.
var patterns map[string][]pattern

func init() {
	patterns = map[string][]pattern{
		"add":               {foldBinary(addElem), constantToRHS, dropWhen(1, isAnyZero)},
		"subtract":          {foldBinary(subElem), dropWhen(1, isAnyZero), subtractSelf},
		"multiply":          {foldBinary(mulElem), constantToRHS, absorbWhen(isIntZero, true), dropWhen(1, isAnyOne)},
		"divide":            {foldBinary(divElem)},
		"remainder":         {foldBinary(remElem)},
		"maximum":           {foldBinary(maxElem), constantToRHS},
		"minimum":           {foldBinary(minElem), constantToRHS},
		"and":               {foldBinary(andElem), constantToRHS, absorbWhen(isIntZero, false), dropWhen(1, isAllOnes)},
		"or":                {foldBinary(orElem), constantToRHS, absorbWhen(isAllOnes, true), dropWhen(1, isIntZero)},
		"xor":               {foldBinary(xorElem), constantToRHS, xorSelf, replaceWhen(1, isIntZero)},
		"abs":               {foldUnary(absElem)},
		"cosine":            {foldUnary(mathElem(cosine))},
		"exponential":       {foldUnary(mathElem(exponential))},
		"log":               {foldUnary(mathElem(logarithm))},
		"logistic":          {foldUnary(mathElem(logistic))},
		"negate":            {foldUnary(negElem)},
		"not":               {foldUnary(notElem)},
		"round_nearest_afz": {foldUnary(mathElem(roundAway))},

		"round_nearest_even": {foldUnary(mathElem(roundEven))},

		"rsqrt":            {foldUnary(mathElem(rsqrt))},
		"sign":             {foldUnary(signElem)},
		"sine":             {foldUnary(mathElem(sine))},
		"sqrt":             {foldUnary(mathElem(squareRoot))},
		"tan":              {foldUnary(mathElem(tangent))},
		"tanh":             {foldUnary(mathElem(tanh))},
		"clamp":            {foldClamp},
		"compare":          {foldCompare, comparePredNoop, compareCanon},
		"convert":          {foldConvert, dropSameType},
		"select":           {foldSelect, selectNot, selectBroadcastNot, selectCanon},
		"reshape":          {foldReshape, reshapeOfReshape, dropSameType},
		"transpose":        {foldTranspose, transposeOfTranspose, transposeNoop, transposeIsReshape},
		"broadcast_in_dim": {foldBroadcast, broadcastOfBroadcast, broadcastIsReshape, broadcastNoop, broadcastIsTranspose},
		"reverse":          {foldReverse, reverseNoop},
		"slice":            {foldSlice, dropSameType, sliceOfConcat},
		"pad":              {padNoop, padEmpty},
		"concatenate":      {foldConcat, foldConcatSplats, concatFlatten, concatNoop, concatRemoveEmpty},
		"iota":             {foldIota, iotaUnit, iotaBroadcast},
		"dynamic_slice":    {foldDynamicSlice, dynamicSliceIsSlice},

		"dynamic_update_slice": {updateAll, updateNothing},

		"gather":            {gatherIsSlice},
		"real":              {partOfComplex(0)},
		"imag":              {partOfComplex(1)},
		"complex":           {complexOfParts},
		"get_tuple_element": {elementOfTuple},
		"custom_call":       {customCallToFFI},
		"reduce":            {reduceNoDims, reduceToConstant, reduceRedundant, boolSplatReduce, reduceEmpty, reduceUnused},
		"scatter":           {scatterNothing},
		"sort":              {sortUnused},
		"while":             {foldWhile, whileCapture},
		"case":              {inlineCase},
	}
	short := patterns
	patterns = make(map[string][]pattern, len(short))
	for name, ps := range short {
		patterns["stablehlo."+name] = append(ps, zeroExtent)
	}
	for name := range emitters {
		if _, ok := patterns[name]; !ok {
			patterns[name] = []pattern{zeroExtent}
		}
	}
	patterns["chlo.erf"] = []pattern{foldUnary(mathElem(erf))}
	delete(patterns, "stablehlo.constant")
}

// constantToRHS swaps the operands of a commutative op so that a constant comes
// second.
func constantToRHS(r *rewriter, o *op) bool {
	l, x := o.in(0), o.in(1)
	if l.isConst() == nil || x.isConst() != nil {
		return false
	}
	n := r.create(o.name, fuse(o, l.def), []*value{x, l}, []stablehlo.Type{o.out().typ}, o.attrs...)
	n.frontend = o.frontend
	r.replace(o, n.out())
	return true
}

// dropWhen makes the op its first operand when operand i is a constant that ok
// accepts.
func dropWhen(i int, ok func(*stablehlo.Dense) bool) pattern {
	return func(r *rewriter, o *op) bool {
		d := o.in(i).isConst()
		if d == nil || !ok(d) {
			return false
		}
		r.replaceMerging(o, o.in(0))
		return true
	}
}

// replaceWhen is dropWhen that loses the op's attributes.
func replaceWhen(i int, ok func(*stablehlo.Dense) bool) pattern {
	return func(r *rewriter, o *op) bool {
		d := o.in(i).isConst()
		if d == nil || !ok(d) {
			return false
		}
		r.replace(o, o.in(0))
		return true
	}
}

// absorbWhen makes the op its second operand when that is a constant that ok
// accepts: x*0, x&0, x|-1.
func absorbWhen(ok func(*stablehlo.Dense) bool, merge bool) pattern {
	return func(r *rewriter, o *op) bool {
		d := o.in(1).isConst()
		if d == nil || !ok(d) {
			return false
		}
		if merge {
			r.replaceMerging(o, o.in(1))
		} else {
			r.replace(o, o.in(1))
		}
		return true
	}
}

func zeroOf(t stablehlo.Type) *stablehlo.Dense { return stablehlo.Splat(t, 0) }

func subtractSelf(r *rewriter, o *op) bool {
	t := o.out().typ
	if o.in(0) != o.in(1) || !t.Elem.IsInteger() && !t.Elem.IsPred() {
		return false
	}
	return r.fold(o, zeroOf(t))
}

func xorSelf(r *rewriter, o *op) bool {
	if o.in(0) != o.in(1) {
		return false
	}
	return r.fold(o, zeroOf(o.out().typ))
}

// dropSameType removes converts, reshapes and slices that change nothing.
func dropSameType(r *rewriter, o *op) bool {
	if !o.in(0).typ.Equal(o.out().typ) {
		return false
	}
	r.replaceMerging(o, o.in(0))
	return true
}

func reshapeOfReshape(r *rewriter, o *op) bool {
	in := o.in(0).defOf("stablehlo.reshape")
	if in == nil {
		return false
	}
	n := r.create(o.name, fuse(o, in), []*value{in.in(0)}, []stablehlo.Type{o.out().typ})
	mergeAttrs(o, n)
	r.replace(o, n.out())
	return true
}

func isIota(dims []int64) bool {
	for i, d := range dims {
		if d != int64(i) {
			return false
		}
	}
	return true
}

func transposeNoop(r *rewriter, o *op) bool {
	if !isIota(o.attrs.Ints("permutation")) {
		return false
	}
	r.replaceMerging(o, o.in(0))
	return true
}

func transposeOfTranspose(r *rewriter, o *op) bool {
	in := o.in(0).defOf("stablehlo.transpose")
	if in == nil {
		return false
	}
	inner, outer := in.attrs.Ints("permutation"), o.attrs.Ints("permutation")
	perm := make(stablehlo.Ints, len(outer))
	for i, p := range outer {
		perm[i] = inner[p]
	}
	n := r.create(o.name, fuse(o, in), []*value{in.in(0)}, []stablehlo.Type{o.out().typ}, stablehlo.Named{Key: "permutation", Value: perm})
	mergeAttrs(o, n)
	r.replace(o, n.out())
	return true
}

// transposeIsReshape turns a transpose that moves only dimensions of size one
// into a reshape.
func transposeIsReshape(r *rewriter, o *op) bool {
	var moved []int64
	for _, p := range o.attrs.Ints("permutation") {
		if o.in(0).typ.Dims[p] != 1 {
			moved = append(moved, p)
		}
	}
	if !slices.IsSorted(moved) {
		return false
	}
	n := r.create("stablehlo.reshape", o.loc, []*value{o.in(0)}, []stablehlo.Type{o.out().typ})
	r.replace(o, n.out())
	return true
}

func broadcastNoop(r *rewriter, o *op) bool {
	if !isIota(o.attrs.Ints("broadcast_dimensions")) || !o.in(0).typ.Equal(o.out().typ) {
		return false
	}
	r.replaceMerging(o, o.in(0))
	return true
}

// broadcastOfBroadcast merges two broadcasts unless the inner one is a reshape.
func broadcastOfBroadcast(r *rewriter, o *op) bool {
	in := o.in(0).defOf("stablehlo.broadcast_in_dim")
	if in == nil {
		return false
	}
	inner, outer := in.attrs.Ints("broadcast_dimensions"), o.attrs.Ints("broadcast_dimensions")
	if slices.IsSorted(inner) && in.out().typ.Size() == in.in(0).typ.Size() {
		return false
	}
	dims := make(stablehlo.Ints, len(inner))
	for i, d := range inner {
		dims[i] = outer[d]
	}
	n := r.create(o.name, fuse(o, in), []*value{in.in(0)}, []stablehlo.Type{o.out().typ}, stablehlo.Named{Key: "broadcast_dimensions", Value: dims})
	mergeAttrs(o, n)
	r.replace(o, n.out())
	return true
}

func broadcastIsReshape(r *rewriter, o *op) bool {
	if !slices.IsSorted(o.attrs.Ints("broadcast_dimensions")) || o.in(0).typ.Size() != o.out().typ.Size() {
		return false
	}
	n := r.create("stablehlo.reshape", o.loc, []*value{o.in(0)}, []stablehlo.Type{o.out().typ})
	mergeAttrs(o, n)
	r.replace(o, n.out())
	return true
}

func broadcastIsTranspose(r *rewriter, o *op) bool {
	dims := o.attrs.Ints("broadcast_dimensions")
	if o.in(0).typ.Size() != o.out().typ.Size() || o.in(0).typ.Rank() != o.out().typ.Rank() {
		return false
	}
	perm := make(stablehlo.Ints, len(dims))
	for i, d := range dims {
		perm[d] = int64(i)
	}
	n := r.create("stablehlo.transpose", o.loc, []*value{o.in(0)}, []stablehlo.Type{o.out().typ}, stablehlo.Named{Key: "permutation", Value: perm})
	mergeAttrs(o, n)
	r.replace(o, n.out())
	return true
}

// reverseNoop removes a reverse of dimensions of size one, of nothing, of an
// empty tensor or of a splat.
func reverseNoop(r *rewriter, o *op) bool {
	t := o.in(0).typ
	unit := true
	for _, d := range o.attrs.Ints("dimensions") {
		unit = unit && t.Dims[d] == 1
	}
	if d := o.in(0).isConst(); !unit && t.Size() != 0 && (d == nil || !d.Splat) {
		return false
	}
	r.replace(o, o.in(0))
	return true
}

func allZero(vs []int64) bool {
	for _, v := range vs {
		if v != 0 {
			return false
		}
	}
	return true
}

func padNoop(r *rewriter, o *op) bool {
	if !o.in(0).typ.Equal(o.out().typ) {
		return false
	}
	for _, k := range []string{"edge_padding_low", "edge_padding_high", "interior_padding"} {
		if !allZero(o.attrs.Ints(k)) {
			return false
		}
	}
	r.replace(o, o.in(0))
	return true
}

// padEmpty makes a pad of an empty tensor a broadcast of the padding value.
func padEmpty(r *rewriter, o *op) bool {
	if o.in(0).typ.Size() != 0 {
		return false
	}
	r.replace(o, r.broadcastScalar(o, o.in(1), o.out().typ))
	return true
}

func (r *rewriter) broadcastScalar(o *op, v *value, t stablehlo.Type) *value {
	return r.create("stablehlo.broadcast_in_dim", o.loc, []*value{v}, []stablehlo.Type{t},
		stablehlo.Named{Key: "broadcast_dimensions", Value: stablehlo.Ints{}}).out()
}

var inverted = map[string]string{"EQ": "EQ", "NE": "NE", "LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE"}

// comparePredNoop removes p != false and p == true.
func comparePredNoop(r *rewriter, o *op) bool {
	d := o.in(1).isConst()
	if d == nil || !d.Type.Elem.IsPred() || !d.Splat {
		return false
	}
	dir, v := o.attrs.Enum("comparison_direction"), d.Int(0) != 0
	if !(dir == "NE" && !v || dir == "EQ" && v) {
		return false
	}
	r.replace(o, o.in(0))
	return true
}

// compareCanon decides comparisons of an integer with itself and moves a
// constant to the right.
func compareCanon(r *rewriter, o *op) bool {
	if k := o.attrs.Enum("compare_type"); k != "SIGNED" && k != "UNSIGNED" {
		return false
	}
	dir := o.attrs.Enum("comparison_direction")
	if o.in(0) == o.in(1) {
		return r.fold(o, stablehlo.Splat(o.out().typ, dir == "EQ" || dir == "GE" || dir == "LE"))
	}
	if o.in(0).isConst() == nil || o.in(1).isConst() != nil {
		return false
	}
	o.attrs = append(stablehlo.Attrs(nil), o.attrs...)
	o.attrs.Set("comparison_direction", stablehlo.Enum{Kind: "comparison_direction", Value: inverted[dir]})
	o.setOperands([]*value{o.in(1), o.in(0)})
	r.push(o)
	return true
}

func selectNot(r *rewriter, o *op) bool {
	not := o.in(0).defOf("stablehlo.not")
	if not == nil {
		return false
	}
	n := r.create(o.name, fuse(o, not), []*value{not.in(0), o.in(2), o.in(1)}, []stablehlo.Type{o.out().typ})
	mergeAttrs(o, n)
	r.replace(o, n.out())
	return true
}

func selectBroadcastNot(r *rewriter, o *op) bool {
	b := o.in(0).defOf("stablehlo.broadcast_in_dim")
	if b == nil || !b.out().hasOneUse() {
		return false
	}
	not := b.in(0).defOf("stablehlo.not")
	if not == nil {
		return false
	}
	loc := fuse(o, b, not)
	nb := r.create(b.name, loc, []*value{not.in(0)}, []stablehlo.Type{b.out().typ},
		stablehlo.Named{Key: "broadcast_dimensions", Value: b.attrs.Get("broadcast_dimensions")})
	n := r.create(o.name, loc, []*value{nb.out(), o.in(2), o.in(1)}, []stablehlo.Type{o.out().typ})
	r.replace(o, n.out())
	return true
}

func selectCanon(r *rewriter, o *op) bool {
	if o.in(1) == o.in(2) {
		r.replace(o, o.in(1))
		return true
	}
	p := o.in(0).isConst()
	switch {
	case p == nil:
		return false
	case p.Splat && p.Int(0) != 0:
		r.replace(o, o.in(1))
		return true
	case p.Splat:
		r.replace(o, o.in(2))
		return true
	}
	t, f := o.in(1).isConst(), o.in(2).isConst()
	if t == nil || f == nil || p.Size() > maxFold {
		return false
	}
	return r.fold(o, pick(p, t, f, o.out().typ))
}

// partOfComplex makes real(complex(a, b)) a, imag of it b.
func partOfComplex(i int) pattern {
	return func(r *rewriter, o *op) bool {
		c := o.in(0).defOf("stablehlo.complex")
		if c == nil {
			return false
		}
		r.replace(o, c.in(i))
		return true
	}
}

func complexOfParts(r *rewriter, o *op) bool {
	re, im := o.in(0).defOf("stablehlo.real"), o.in(1).defOf("stablehlo.imag")
	if re == nil || im == nil || re.in(0) != im.in(0) {
		return false
	}
	r.replace(o, re.in(0))
	return true
}

func elementOfTuple(r *rewriter, o *op) bool {
	t := o.in(0).defOf("stablehlo.tuple")
	i := o.attrs.Int("index")
	if t == nil || i < 0 || i >= int64(len(t.operands)) {
		return false
	}
	r.replace(o, t.in(int(i)))
	return true
}

// zeroExtent makes an op's empty results, and its empty operands, constants.
func zeroExtent(r *rewriter, o *op) bool {
	if len(o.name) < 10 || o.name[:10] != "stablehlo." || impure[o.name] {
		return false
	}
	changed := false
	for _, v := range o.results {
		if v.typ.Elem.IsArray() && v.typ.Size() == 0 && v.uses != nil {
			r.replaceUses(v, r.constant(o.loc, &stablehlo.Dense{Type: v.typ}))
			changed = true
		}
	}
	for _, u := range o.operands {
		if v := u.val; v.typ.Elem.IsArray() && v.typ.Size() == 0 && v.isConst() == nil {
			u.set(r.constant(o.loc, &stablehlo.Dense{Type: v.typ}))
			r.push(o)
			changed = true
		}
	}
	return changed
}
