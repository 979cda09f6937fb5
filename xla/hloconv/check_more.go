package hloconv

import (
	"fmt"

	"gopherlo/xla/stablehlo"
)

func checkDynamicSlice(o *op) error {
	sizes := o.attrs.Ints("slice_sizes")
	if len(o.operands) == 0 || len(o.results) != 1 || len(sizes) != o.in(0).typ.Rank() || len(o.operands) != 1+len(sizes) {
		return fmt.Errorf("start indices do not fit the operand")
	}
	for i, s := range sizes {
		if s < 0 || s > o.in(0).typ.Dims[i] {
			return fmt.Errorf("size %d does not fit %s", s, o.in(0).typ)
		}
	}
	return same(o.out().typ, o.in(0).typ.WithDims(sizes...))
}

func checkUpdate(o *op) error {
	if len(o.operands) < 2 || len(o.results) != 1 || len(o.operands) != 2+o.in(0).typ.Rank() || o.in(1).typ.Rank() != o.in(0).typ.Rank() {
		return fmt.Errorf("start indices do not fit the operand")
	}
	return same(o.in(0).typ, o.out().typ)
}

func checkDot(o *op) error {
	d, ok := o.attrs.Get("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok {
		return fmt.Errorf("has no dimension numbers")
	}
	if len(d.LHSBatch) != len(d.RHSBatch) || len(d.LHSContracting) != len(d.RHSContracting) {
		return fmt.Errorf("dimension numbers do not match")
	}
	l := append(append([]int64(nil), d.LHSBatch...), d.LHSContracting...)
	if err := distinct("left dimensions", l, o.in(0).typ.Rank()); err != nil {
		return err
	}
	r := append(append([]int64(nil), d.RHSBatch...), d.RHSContracting...)
	return distinct("right dimensions", r, o.in(1).typ.Rank())
}

func checkGather(o *op) error {
	d, ok := o.attrs.Get("dimension_numbers").(*stablehlo.GatherDims)
	sizes, x := o.attrs.Ints("slice_sizes"), o.in(0).typ
	if !ok || len(sizes) != x.Rank() {
		return fmt.Errorf("dimension numbers do not fit %s", x)
	}
	for i, s := range sizes {
		if s < 0 || s > x.Dims[i] {
			return fmt.Errorf("slice size %d does not fit %s", s, x)
		}
	}
	if err := inRange("collapsed_slice_dims", d.CollapsedSliceDims, x.Rank()); err != nil {
		return err
	}
	return inRange("start_index_map", d.StartIndexMap, x.Rank())
}

func checkScatter(o *op) error {
	n := len(o.results)
	if _, ok := o.attrs.Get("scatter_dimension_numbers").(*stablehlo.ScatterDims); !ok || n == 0 || len(o.operands) != 2*n+1 {
		return fmt.Errorf("operands do not fit")
	}
	if err := pairs(o.inputs()[:n], o.results); err != nil {
		return err
	}
	return checkBody(o.regions[0], 2*n, n)
}

// checkBody checks the number of a region's arguments and returned values.
func checkBody(b *block, args, returned int) error {
	if len(b.args) != args || b.last == nil || len(b.last.operands) != returned {
		return fmt.Errorf("region does not have %d arguments and %d results", args, returned)
	}
	return nil
}

func checkReduce(o *op) error {
	n := len(o.results)
	if n == 0 || len(o.operands) != 2*n {
		return fmt.Errorf("operands do not fit %d results", n)
	}
	if err := distinct("dimensions", o.attrs.Ints("dimensions"), o.in(0).typ.Rank()); err != nil {
		return err
	}
	return checkBody(o.regions[0], 2*n, n)
}

func checkWindowed(o *op) error {
	n := len(o.results)
	if n == 0 || len(o.operands) != 2*n {
		return fmt.Errorf("operands do not fit %d results", n)
	}
	if err := checkWindow(o); err != nil {
		return err
	}
	return checkBody(o.regions[0], 2*n, n)
}

// checkWindow checks the window of reduce_window and select_and_scatter.
func checkWindow(o *op) error {
	rank := o.in(0).typ.Rank()
	if len(o.attrs.Ints("window_dimensions")) != rank {
		return fmt.Errorf("window does not fit %s", o.in(0).typ)
	}
	return checkWindowLists(o, rank)
}

func checkWindowLists(o *op, rank int) error {
	for _, k := range []string{"window_strides", "base_dilations", "window_dilations", "lhs_dilation", "rhs_dilation"} {
		if v := o.attrs.Ints(k); v != nil && len(v) != rank {
			return fmt.Errorf("%s has %d numbers, not %d", k, len(v), rank)
		}
	}
	if p := o.attrs.Get("padding"); p != nil {
		if d, ok := p.(*stablehlo.Dense); !ok || d.Type.Size() != int64(2*rank) {
			return fmt.Errorf("padding does not fit %d dimensions", rank)
		}
	}
	return nil
}

func checkSelectAndScatter(o *op) error {
	if err := checkWindow(o); err != nil {
		return err
	}
	if err := checkBody(o.regions[0], 2, 1); err != nil {
		return err
	}
	return checkBody(o.regions[1], 2, 1)
}

func checkSort(o *op) error {
	if err := pairs(o.inputs(), o.results); err != nil {
		return err
	}
	if len(o.operands) == 0 {
		return fmt.Errorf("has no operands")
	}
	if err := inRange("dimension", []int64{o.attrs.Int("dimension")}, o.in(0).typ.Rank()); err != nil {
		return err
	}
	return checkBody(o.regions[0], 2*len(o.operands), 1)
}

func checkWhile(o *op) error {
	n := len(o.results)
	if err := pairs(o.inputs(), o.results); err != nil {
		return err
	}
	if err := checkBody(o.regions[0], n, 1); err != nil {
		return err
	}
	if err := checkBody(o.regions[1], n, n); err != nil {
		return err
	}
	for _, r := range o.regions {
		if err := pairs(o.results, r.args); err != nil {
			return err
		}
	}
	return pairs(o.results, o.regions[1].last.inputs())
}

func checkCase(o *op) error {
	if len(o.regions) == 0 {
		return fmt.Errorf("has no branches")
	}
	for _, r := range o.regions {
		if err := checkBody(r, 0, len(o.results)); err != nil {
			return err
		}
		if err := pairs(o.results, r.last.inputs()); err != nil {
			return err
		}
	}
	return nil
}

func checkConvolution(o *op) error {
	c, ok := o.attrs.Get("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		return fmt.Errorf("has no dimension numbers")
	}
	n := len(c.InputSpatial)
	if len(c.KernelSpatial) != n || len(c.OutputSpatial) != n || o.in(1).typ.Rank() != n+2 || o.in(0).typ.Rank() != n+2 {
		return fmt.Errorf("dimension numbers do not fit the operands")
	}
	if err := inRange("kernel_spatial_dimensions", c.KernelSpatial, n+2); err != nil {
		return err
	}
	if r := o.attrs.Get("window_reversal"); r != nil {
		if b, ok := r.(stablehlo.Bools); !ok || len(b) != n {
			return fmt.Errorf("window_reversal does not fit")
		}
	}
	return checkWindowLists(o, n)
}
