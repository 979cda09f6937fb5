package hloconv

import "gopherlo/xla/stablehlo"

// resize gives the splat d another type's dimensions.
func resize(d *stablehlo.Dense, t stablehlo.Type) *stablehlo.Dense {
	if t.Size() == 0 {
		return &stablehlo.Dense{Type: t}
	}
	return &stablehlo.Dense{Type: t, Splat: true, Data: d.Data}
}

func foldBroadcast(r *rewriter, o *op) bool {
	d := o.in(0).isConst()
	if d == nil || !d.Splat {
		return false
	}
	return r.fold(o, resize(d, o.out().typ))
}

func foldReshape(r *rewriter, o *op) bool {
	d := o.in(0).isConst()
	if d == nil {
		return false
	}
	return r.fold(o, &stablehlo.Dense{Type: o.out().typ, Splat: d.Splat, Data: d.Data})
}

// strides gives the distance between neighbours of each dimension.
func strides(dims []int64) []int64 {
	s, n := make([]int64, len(dims)), int64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		s[i] = n
		n *= dims[i]
	}
	return s
}

// gatherElems makes a constant of type t whose element at an index is that of d
// at base plus the index times step.
func gatherElems(d *stablehlo.Dense, t stablehlo.Type, base int64, step []int64) *stablehlo.Dense {
	n, es := t.Size(), int64(t.Elem.Bytes())
	data := make([]byte, 0, n*es)
	idx, pos := make([]int64, len(t.Dims)), base
	for range n {
		data = append(data, d.Data[pos*es:(pos+1)*es]...)
		for k := len(idx) - 1; k >= 0; k-- {
			idx[k]++
			pos += step[k]
			if idx[k] < t.Dims[k] {
				break
			}
			pos -= idx[k] * step[k]
			idx[k] = 0
		}
	}
	return densify(t, false, data)
}

func foldTranspose(r *rewriter, o *op) bool {
	d, t := o.in(0).isConst(), o.out().typ
	switch {
	case d == nil:
		return false
	case d.Splat:
		return r.fold(o, resize(d, t))
	case !isNumeric(t.Elem):
		return false
	}
	src := strides(d.Type.Dims)
	step := make([]int64, len(src))
	for i, p := range o.attrs.Ints("permutation") {
		step[i] = src[p]
	}
	return r.fold(o, gatherElems(d, t, 0, step))
}

func foldSlice(r *rewriter, o *op) bool {
	d, t := o.in(0).isConst(), o.out().typ
	switch {
	case d == nil || !isNumeric(t.Elem):
		return false
	case d.Splat:
		return r.fold(o, resize(d, t))
	}
	src := strides(d.Type.Dims)
	step, base := make([]int64, len(src)), int64(0)
	for i, s := range o.attrs.Ints("start_indices") {
		base += s * src[i]
		step[i] = src[i] * o.attrs.Ints("strides")[i]
	}
	return r.fold(o, gatherElems(d, t, base, step))
}

func foldReverse(r *rewriter, o *op) bool {
	d, t := o.in(0).isConst(), o.out().typ
	if d == nil || !isNumeric(t.Elem) || d.Splat || t.Size() <= 1 || t.Size() > maxFold {
		return false
	}
	step, base := strides(t.Dims), int64(0)
	unit := true
	for _, k := range o.attrs.Ints("dimensions") {
		unit = unit && t.Dims[k] == 1
		base += (t.Dims[k] - 1) * step[k]
		step[k] = -step[k]
	}
	if unit {
		return false
	}
	return r.fold(o, gatherElems(d, t, base, step))
}

func foldDynamicSlice(r *rewriter, o *op) bool {
	d := o.in(0).isConst()
	if d == nil || !d.Splat {
		return false
	}
	return r.fold(o, resize(d, o.out().typ))
}

// foldIota folds an integer iota of at most one element.
func foldIota(r *rewriter, o *op) bool {
	t := o.out().typ
	if !isInt(t.Elem) || t.Size() > 1 {
		return false
	}
	return r.fold(o, zeroOf(t))
}

func foldConcat(r *rewriter, o *op) bool {
	t := o.out().typ
	if !isNumeric(t.Elem) || t.Size() > maxFold {
		return false
	}
	for _, v := range o.inputs() {
		if v.isConst() == nil {
			return false
		}
	}
	dim := o.attrs.Int("dimension")
	outer := int64(1)
	for _, d := range t.Dims[:dim] {
		outer *= d
	}
	var data []byte
	for i := range outer {
		for _, v := range o.inputs() {
			all := v.isConst().Expand()
			n := int64(len(all)) / max(outer, 1)
			data = append(data, all[i*n:(i+1)*n]...)
		}
	}
	return r.fold(o, densify(t, false, data))
}

// foldConcatSplats joins neighbouring operands that are equal splats.
func foldConcatSplats(r *rewriter, o *op) bool {
	dim := o.attrs.Int("dimension")
	in := o.inputs()
	var out []*value
	for i := 0; i < len(in); {
		d := in[i].isConst()
		j := i + 1
		for d != nil && d.Splat && j < len(in) && in[j].isConst() != nil && in[j].isConst().Equal(d) {
			j++
		}
		if j == i+1 {
			out = append(out, in[i])
			i++
			continue
		}
		dims := append([]int64(nil), d.Type.Dims...)
		dims[dim] *= int64(j - i)
		out = append(out, r.constant(o.loc, resize(d, d.Type.WithDims(dims...))))
		i = j
	}
	if len(out) == len(in) {
		return false
	}
	n := r.create(o.name, o.loc, out, []stablehlo.Type{o.out().typ}, named("dimension", o.attrs.Get("dimension")))
	r.replace(o, n.out())
	return true
}
