package hloconv

import (
	"slices"

	"gopherlo/xla/stablehlo"
)

func named(key string, v stablehlo.Attr) stablehlo.Named { return stablehlo.Named{Key: key, Value: v} }

func ones(n int) stablehlo.Ints {
	s := make(stablehlo.Ints, n)
	for i := range s {
		s[i] = 1
	}
	return s
}

// concatFlatten takes the operands of concatenations that are used only here.
func concatFlatten(r *rewriter, o *op) bool {
	dim := o.attrs.Int("dimension")
	flat, changed := []*value{}, false
	for _, v := range o.inputs() {
		if in := v.defOf(o.name); in != nil && in.out().hasOneUse() && in.attrs.Int("dimension") == dim {
			flat = append(flat, in.inputs()...)
			changed = true
			continue
		}
		flat = append(flat, v)
	}
	if !changed {
		return false
	}
	o.setOperands(flat)
	r.push(o)
	return true
}

func concatNoop(r *rewriter, o *op) bool {
	if len(o.operands) != 1 || !o.in(0).typ.Equal(o.out().typ) {
		return false
	}
	r.replace(o, o.in(0))
	return true
}

func concatRemoveEmpty(r *rewriter, o *op) bool {
	dim := o.attrs.Int("dimension")
	var keep []*value
	for _, v := range o.inputs() {
		if v.typ.Dims[dim] != 0 {
			keep = append(keep, v)
		}
	}
	if len(keep) == 0 || len(keep) == len(o.operands) {
		return false
	}
	o.setOperands(keep)
	r.push(o)
	return true
}

// sliceOfConcat slices only the operands of a concatenation that it needs.
func sliceOfConcat(r *rewriter, o *op) bool {
	c := o.in(0).defOf("stablehlo.concatenate")
	if c == nil {
		return false
	}
	dim := c.attrs.Int("dimension")
	start, limit := o.attrs.Ints("start_indices")[dim], o.attrs.Ints("limit_indices")[dim]
	first, last, offset, pos := -1, -1, int64(0), int64(0)
	for i, v := range c.inputs() {
		d := v.typ.Dims[dim]
		if pos+d > start && first < 0 {
			first, offset = i, pos
		}
		if pos < limit {
			last = i + 1
		}
		pos += d
	}
	n := last - first
	if first < 0 || n <= 0 || n == len(c.operands) || n > 1 && !c.out().hasOneUse() {
		return false
	}
	parts := c.inputs()[first:last]
	dims := slices.Clone(c.out().typ.Dims)
	dims[dim] = 0
	for _, v := range parts {
		dims[dim] += v.typ.Dims[dim]
	}
	nc := r.create(c.name, c.loc, parts, []stablehlo.Type{c.out().typ.WithDims(dims...)}, named("dimension", c.attrs.Get("dimension")))
	ns, nl := slices.Clone(o.attrs.Ints("start_indices")), slices.Clone(o.attrs.Ints("limit_indices"))
	ns[dim] -= offset
	nl[dim] -= offset
	s := r.create(o.name, o.loc, []*value{nc.out()}, []stablehlo.Type{o.out().typ},
		named("start_indices", stablehlo.Ints(ns)), named("limit_indices", stablehlo.Ints(nl)), named("strides", o.attrs.Get("strides")))
	r.replace(o, s.out())
	return true
}

// iotaUnit makes an iota over a dimension of size one a zero.
func iotaUnit(r *rewriter, o *op) bool {
	if o.out().typ.Dims[o.attrs.Int("iota_dimension")] != 1 {
		return false
	}
	return r.fold(o, zeroOf(o.out().typ))
}

// iotaBroadcast makes an iota of several dimensions a broadcast of one.
func iotaBroadcast(r *rewriter, o *op) bool {
	t := o.out().typ
	if t.Rank() < 2 {
		return false
	}
	dim := o.attrs.Int("iota_dimension")
	i := r.create(o.name, o.loc, nil, []stablehlo.Type{t.WithDims(t.Dims[dim])}, named("iota_dimension", stablehlo.Int{}))
	b := r.create("stablehlo.broadcast_in_dim", o.loc, []*value{i.out()}, []stablehlo.Type{t}, named("broadcast_dimensions", stablehlo.Ints{dim}))
	r.replace(o, b.out())
	return true
}

// constInt gives the number of a scalar integer constant.
func constInt(v *value) (int64, bool) {
	d := v.isConst()
	if d == nil || !d.Splat || !d.Type.Elem.IsInteger() && !d.Type.Elem.IsPred() {
		return 0, false
	}
	return signedInt(d), true
}

// signedInt reads a splat as MLIR's getSExtValue does: the sign bit counts
// whatever the type says.
func signedInt(d *stablehlo.Dense) int64 {
	sh := 64 - bitsOf(d.Type.Elem)
	return d.Int(0) << sh >> sh
}

// dynamicSliceIsSlice turns a dynamic slice at constant places into a slice.
func dynamicSliceIsSlice(r *rewriter, o *op) bool {
	x := o.in(0)
	sizes := o.attrs.Ints("slice_sizes")
	start, limit := make(stablehlo.Ints, len(sizes)), make(stablehlo.Ints, len(sizes))
	for i := range sizes {
		n, ok := constInt(o.in(i + 1))
		if !ok {
			return false
		}
		start[i] = max(0, min(n, x.typ.Dims[i]-sizes[i]))
		limit[i] = start[i] + sizes[i]
	}
	s := r.create("stablehlo.slice", o.loc, []*value{x}, []stablehlo.Type{o.out().typ},
		named("start_indices", start), named("limit_indices", limit), named("strides", ones(len(sizes))))
	mergeAttrs(o, s)
	r.replace(o, s.out())
	return true
}

// updateAll makes an update of everything the update itself.
func updateAll(r *rewriter, o *op) bool {
	if !o.in(0).typ.Equal(o.in(1).typ) {
		return false
	}
	for _, v := range o.inputs()[2:] {
		if n, ok := constInt(v); !ok || n != 0 {
			return false
		}
	}
	r.replaceMerging(o, o.in(1))
	return true
}

func updateNothing(r *rewriter, o *op) bool {
	if d := o.in(1).isConst(); d == nil || d.Size() != 0 {
		return false
	}
	r.replaceMerging(o, o.in(0))
	return true
}

// gatherIsSlice turns a gather at one constant place into a slice and, when it
// collapses dimensions, a reshape.
func gatherIsSlice(r *rewriter, o *op) bool {
	idx := o.in(1).isConst()
	d, ok := o.attrs.Get("dimension_numbers").(*stablehlo.GatherDims)
	if !ok || idx == nil || d.IndexVectorDim != 0 || idx.Type.Rank() > 1 || idx.Size() != int64(len(d.StartIndexMap)) {
		return false
	}
	x, t := o.in(0), o.out().typ
	limit := slices.Clone(o.attrs.Ints("slice_sizes"))
	start := make([]int64, len(limit))
	for i, m := range d.StartIndexMap {
		n := max(0, min(idx.Int(int64(i)), x.typ.Dims[m]-limit[m]))
		start[m] += n
		limit[m] += n
	}
	dims := make([]int64, len(limit))
	var keep []int64
	for i := range dims {
		dims[i] = limit[i] - start[i]
		if !slices.Contains(d.CollapsedSliceDims, int64(i)) {
			keep = append(keep, dims[i])
		}
	}
	s := r.create("stablehlo.slice", o.loc, []*value{x}, []stablehlo.Type{t.WithDims(dims...)},
		named("start_indices", stablehlo.Ints(start)), named("limit_indices", stablehlo.Ints(limit)), named("strides", ones(len(start))))
	if len(d.CollapsedSliceDims) > 0 {
		s = r.create("stablehlo.reshape", o.loc, []*value{s.out()}, []stablehlo.Type{t.WithDims(keep...)})
	}
	s.out().typ = t
	r.replace(o, s.out())
	return true
}

// customCallToFFI moves mhlo.backend_config into backend_config, as the typed
// FFI interface has it.
func customCallToFFI(r *rewriter, o *op) bool {
	cfg := o.attrs.Get("mhlo.backend_config")
	if cfg == nil {
		return false
	}
	if v, ok := o.attrs.Get("api_version").(stablehlo.Int); ok && v.Value != 1 {
		return false
	}
	if s, ok := o.attrs.Get("backend_config").(stablehlo.String); o.attrs.Get("backend_config") != nil && (!ok || s != "") {
		return false
	}
	o.attrs = append(stablehlo.Attrs(nil), o.attrs...)
	o.attrs.Set("backend_config", cfg)
	o.attrs.Set("api_version", stablehlo.Int{Value: 4, Bits: 32})
	o.attrs.Delete("mhlo.backend_config")
	return true
}
