package hloconv

import (
	"fmt"

	"gopherlo/xla/stablehlo"
)

// check verifies what the passes and the emitters rely on: values are defined
// before their uses, blocks end in a return, and ops have the operands, regions
// and attributes that their rows need. It runs before the first pass and after
// each.
func check(b *block) error {
	err := checkBlock(b)
	b.forget()
	return err
}

// forget ends the scope of a block's values.
func (b *block) forget() {
	for _, a := range b.args {
		a.defined = false
	}
	for o := b.first; o != nil; o = o.next {
		for _, v := range o.results {
			v.defined = false
		}
	}
}

func checkBlock(b *block) error {
	for _, a := range b.args {
		a.defined = true
	}
	if b.last == nil || !isReturn(b.last) {
		return fmt.Errorf("a block does not end in a return")
	}
	for o := b.first; o != nil; o = o.next {
		if isReturn(o) && o != b.last {
			return fmt.Errorf("%s is not the last op of its block", o.name)
		}
		for i, u := range o.operands {
			if !u.val.defined {
				return fmt.Errorf("%s: operand %d is not defined before it", o.name, i)
			}
		}
		if err := checkOp(o); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		for _, r := range o.regions {
			err := checkBlock(r)
			r.forget()
			if err != nil {
				return err
			}
		}
		for _, v := range o.results {
			v.defined = true
		}
	}
	return nil
}

func isReturn(o *op) bool {
	switch o.name {
	case "func.return", "stablehlo.return", "sdy.return":
		return true
	}
	return false
}

// ExtentError says that a type has more elements than can be counted.
type ExtentError struct{ Type stablehlo.Type }

func (e *ExtentError) Error() string { return fmt.Sprintf("result type %s is too large", e.Type) }

func checkOp(o *op) error {
	for _, v := range o.results {
		if t := v.typ; t.Elem.IsArray() && t.Size() < 0 {
			return &ExtentError{Type: t}
		}
	}
	c, ok := checks[o.name]
	if !ok {
		return nil
	}
	if c.operands >= 0 && len(o.operands) != c.operands {
		return fmt.Errorf("has %d operands, not %d", len(o.operands), c.operands)
	}
	if len(o.regions) != c.regions && c.regions >= 0 {
		return fmt.Errorf("has %d regions, not %d", len(o.regions), c.regions)
	}
	if c.operands >= 0 && len(o.results) != 1 && !c.many {
		return fmt.Errorf("has %d results, not one", len(o.results))
	}
	if c.more != nil {
		return c.more(o)
	}
	return nil
}

// opCheck is what an op must have. -1 operands are any number.
type opCheck struct {
	operands, regions int
	many              bool // any number of results
	more              func(*op) error
}

var checks = map[string]opCheck{
	"stablehlo.constant":         {more: checkConstant},
	"stablehlo.iota":             {more: dimOf("iota_dimension", func(o *op) stablehlo.Type { return o.out().typ })},
	"stablehlo.convert":          {operands: 1, more: sameDims},
	"stablehlo.reshape":          {operands: 1, more: sameSize},
	"stablehlo.transpose":        {operands: 1, more: checkTranspose},
	"stablehlo.broadcast_in_dim": {operands: 1, more: checkBroadcast},
	"stablehlo.reverse":          {operands: 1, more: checkReverse},
	"stablehlo.slice":            {operands: 1, more: checkSlice},
	"stablehlo.pad":              {operands: 2, more: checkPad},
	"stablehlo.concatenate":      {operands: -1, more: checkConcat},
	"stablehlo.compare":          {operands: 2, more: checkCompare},
	"stablehlo.select":           {operands: 3, more: checkSelect},
	"stablehlo.clamp":            {operands: 3, more: func(o *op) error { return same(o.in(1).typ, o.out().typ) }},
	"stablehlo.complex":          {operands: 2, more: func(o *op) error { return same(o.in(0).typ, o.in(1).typ) }},
	"stablehlo.real":             {operands: 1, more: sameDims},
	"stablehlo.imag":             {operands: 1, more: sameDims},
	"stablehlo.dynamic_slice":    {operands: -1, more: checkDynamicSlice},

	"stablehlo.dynamic_update_slice": {operands: -1, more: checkUpdate},

	"stablehlo.dot_general":        {operands: 2, more: checkDot},
	"stablehlo.gather":             {operands: 2, more: checkGather},
	"stablehlo.scatter":            {operands: -1, regions: 1, more: checkScatter},
	"stablehlo.reduce":             {operands: -1, regions: 1, more: checkReduce},
	"stablehlo.reduce_window":      {operands: -1, regions: 1, more: checkWindowed},
	"stablehlo.select_and_scatter": {operands: 3, regions: 2, more: checkSelectAndScatter},
	"stablehlo.sort":               {operands: -1, regions: 1, more: checkSort},
	"stablehlo.while":              {operands: -1, regions: 2, more: checkWhile},
	"stablehlo.case":               {operands: 1, regions: -1, many: true, more: checkCase},
	"stablehlo.get_tuple_element":  {operands: 1},
	"stablehlo.convolution":        {operands: 2, more: checkConvolution},
	"stablehlo.fft":                {operands: 1},
	"stablehlo.rng":                {operands: 3},
	"stablehlo.rng_bit_generator":  {operands: 1, many: true, more: resultCount(2)},
	"stablehlo.cholesky":           {operands: 1},
	"stablehlo.triangular_solve":   {operands: 2},
	"stablehlo.reduce_precision":   {operands: 1},
	"stablehlo.bitcast_convert":    {operands: 1},
	"stablehlo.is_finite":          {operands: 1, more: sameDims},
	"stablehlo.partition_id":       {},
	"stablehlo.replica_id":         {},
	"chlo.top_k":                   {operands: 1, many: true, more: resultCount(2)},
	"stablehlo.optimization_barrier": {operands: -1, more: func(o *op) error {
		return pairs(o.inputs(), o.results)
	}},
}

func init() {
	for _, n := range unaryNames {
		checks["stablehlo."+n] = opCheck{operands: 1, more: sameDims}
	}
	for _, n := range binaryNames {
		checks["stablehlo."+n] = opCheck{operands: 2, more: func(o *op) error {
			if err := same(o.in(0).typ, o.in(1).typ); err != nil {
				return err
			}
			return same(o.in(0).typ, o.out().typ)
		}}
	}
}

func same(a, b stablehlo.Type) error {
	if !a.Equal(b) {
		return fmt.Errorf("types %s and %s differ", a, b)
	}
	return nil
}

func sameDims(o *op) error {
	if !o.in(0).typ.SameDims(o.out().typ) {
		return fmt.Errorf("result type %s does not fit operand type %s", o.out().typ, o.in(0).typ)
	}
	return nil
}

func sameSize(o *op) error {
	if a, b := o.in(0).typ, o.out().typ; a.Size() != b.Size() || a.Elem != b.Elem {
		return fmt.Errorf("cannot turn %s into %s", a, b)
	}
	return nil
}

func resultCount(n int) func(*op) error {
	return func(o *op) error {
		if len(o.results) != n {
			return fmt.Errorf("has %d results, not %d", len(o.results), n)
		}
		return nil
	}
}

// pairs checks that two lists of values have the same types.
func pairs(as, bs []*value) error {
	if len(as) != len(bs) {
		return fmt.Errorf("%d values where %d are needed", len(bs), len(as))
	}
	for i := range as {
		if err := same(as[i].typ, bs[i].typ); err != nil {
			return err
		}
	}
	return nil
}

func checkConstant(o *op) error {
	if o.lit == nil {
		return fmt.Errorf("has no value")
	}
	n := o.lit.Size()
	if o.lit.Splat {
		n = 1
	}
	if int64(len(o.lit.Data)) != n*int64(o.lit.Type.Elem.Bytes()) {
		return fmt.Errorf("has %d bytes for type %s", len(o.lit.Data), o.lit.Type)
	}
	return same(o.lit.Type, o.out().typ)
}

func dimOf(key string, t func(*op) stablehlo.Type) func(*op) error {
	return func(o *op) error { return inRange(key, []int64{o.attrs.Int(key)}, t(o).Rank()) }
}

// inRange checks that dimension numbers are below rank.
func inRange(what string, dims []int64, rank int) error {
	for _, d := range dims {
		if d < 0 || d >= int64(rank) {
			return fmt.Errorf("%s: dimension %d is not below %d", what, d, rank)
		}
	}
	return nil
}

// distinct is inRange for dimensions that must differ.
func distinct(what string, dims []int64, rank int) error {
	seen := make(map[int64]bool, len(dims))
	for _, d := range dims {
		if seen[d] {
			return fmt.Errorf("%s: dimension %d twice", what, d)
		}
		seen[d] = true
	}
	return inRange(what, dims, rank)
}

func checkTranspose(o *op) error {
	perm, in, out := o.attrs.Ints("permutation"), o.in(0).typ, o.out().typ
	if len(perm) != in.Rank() || len(perm) != out.Rank() {
		return fmt.Errorf("permutation %v for type %s", perm, in)
	}
	if err := distinct("permutation", perm, in.Rank()); err != nil {
		return err
	}
	for i, p := range perm {
		if in.Dims[p] != out.Dims[i] {
			return fmt.Errorf("result type %s does not fit", out)
		}
	}
	return nil
}

func checkBroadcast(o *op) error {
	dims, in, out := o.attrs.Ints("broadcast_dimensions"), o.in(0).typ, o.out().typ
	if len(dims) != in.Rank() {
		return fmt.Errorf("broadcast_dimensions %v for type %s", dims, in)
	}
	if err := distinct("broadcast_dimensions", dims, out.Rank()); err != nil {
		return err
	}
	for i, d := range dims {
		if in.Dims[i] != 1 && in.Dims[i] != out.Dims[d] {
			return fmt.Errorf("%s cannot become %s", in, out)
		}
	}
	return nil
}

func checkReverse(o *op) error {
	if err := distinct("dimensions", o.attrs.Ints("dimensions"), o.in(0).typ.Rank()); err != nil {
		return err
	}
	return same(o.in(0).typ, o.out().typ)
}

func checkSlice(o *op) error {
	s, l, st := o.attrs.Ints("start_indices"), o.attrs.Ints("limit_indices"), o.attrs.Ints("strides")
	in, out := o.in(0).typ, o.out().typ
	if n := in.Rank(); len(s) != n || len(l) != n || len(st) != n || out.Rank() != n {
		return fmt.Errorf("ranges do not fit type %s", in)
	}
	for i := range s {
		if s[i] < 0 || s[i] > l[i] || l[i] > in.Dims[i] || st[i] < 1 || out.Dims[i] != (l[i]-s[i]+st[i]-1)/st[i] {
			return fmt.Errorf("range %d:%d:%d does not fit dimension %d of %s and %s", s[i], l[i], st[i], i, in, out)
		}
	}
	return nil
}

func checkPad(o *op) error {
	in, out := o.in(0).typ, o.out().typ
	lo, hi, mid := o.attrs.Ints("edge_padding_low"), o.attrs.Ints("edge_padding_high"), o.attrs.Ints("interior_padding")
	if n := in.Rank(); len(lo) != n || len(hi) != n || len(mid) != n || out.Rank() != n || o.in(1).typ.Rank() != 0 {
		return fmt.Errorf("padding does not fit type %s", in)
	}
	for i, d := range in.Dims {
		if mid[i] < 0 || out.Dims[i] != lo[i]+hi[i]+d+max(0, d-1)*mid[i] {
			return fmt.Errorf("result type %s does not fit", out)
		}
	}
	return nil
}

func checkConcat(o *op) error {
	if len(o.operands) == 0 || len(o.results) != 1 {
		return fmt.Errorf("has no operands")
	}
	dim, out := o.attrs.Int("dimension"), o.out().typ
	if err := inRange("dimension", []int64{dim}, out.Rank()); err != nil {
		return err
	}
	sum := int64(0)
	for _, v := range o.inputs() {
		if v.typ.Rank() != out.Rank() || v.typ.Elem != out.Elem {
			return fmt.Errorf("operand type %s does not fit %s", v.typ, out)
		}
		sum += v.typ.Dims[dim]
		for i, d := range v.typ.Dims {
			if int64(i) != dim && d != out.Dims[i] {
				return fmt.Errorf("operand type %s does not fit %s", v.typ, out)
			}
		}
	}
	if sum != out.Dims[dim] {
		return fmt.Errorf("result type %s does not fit", out)
	}
	return nil
}

func checkCompare(o *op) error {
	if _, ok := inverted[o.attrs.Enum("comparison_direction")]; !ok {
		return fmt.Errorf("unknown direction %q", o.attrs.Enum("comparison_direction"))
	}
	if err := sameDims(o); err != nil {
		return err
	}
	return same(o.in(0).typ, o.in(1).typ)
}

func checkSelect(o *op) error {
	p, t := o.in(0).typ, o.out().typ
	if !p.Elem.IsPred() || p.Rank() != 0 && !p.SameDims(t) {
		return fmt.Errorf("predicate type %s does not fit %s", p, t)
	}
	if err := same(o.in(1).typ, t); err != nil {
		return err
	}
	return same(o.in(2).typ, t)
}
