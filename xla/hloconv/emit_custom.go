package hloconv

import (
	"fmt"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// emitCustomCall lowers a call of native code. Layouts, when given, hold for
// operands and results.
func emitCustomCall(c *comp, o *op) error {
	target, _ := o.attrs.Get("call_target_name").(stablehlo.String)
	if target == "ApproxTopK" {
		return c.approxTopK(o)
	}
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	in := c.add(hlo.OpCustomCall, shapesOf(o.results), ins...)
	in.CustomCallTarget = string(target)
	in.CustomCallSideEffect = o.attrs.Bool("has_side_effect")
	in.CustomCallAPIVersion = hlo.APIVersionOriginal
	if v, ok := o.attrs.Get("api_version").(stablehlo.Int); ok {
		in.CustomCallAPIVersion = hlo.CustomCallAPIVersion(v.Value)
	}
	switch cfg := o.attrs.Get("backend_config").(type) {
	case stablehlo.String:
		in.BackendConfig = string(cfg)
	case stablehlo.Dict:
		in.BackendConfig = stablehlo.AttrText(cfg)
	}
	if err := customLayouts(in, o); err != nil {
		return err
	}
	if in.OutputOperandAliasing, err = outputAliases(o); err != nil {
		return err
	}
	if in.Called, err = c.calledComputations(o); err != nil {
		return err
	}
	c.results(o, in)
	return nil
}

// layouts reads a list of layouts, one per type.
func layouts(o *op, key string, vals []*value) ([]hlo.Shape, error) {
	a, ok := o.attrs.Get(key).(stablehlo.Array)
	if !ok {
		return nil, nil
	}
	if len(a) != len(vals) {
		return nil, fmt.Errorf("%s has %d entries, not %d", key, len(a), len(vals))
	}
	shapes := make([]hlo.Shape, len(vals))
	for i, v := range vals {
		l, ok := a[i].(stablehlo.Index)
		shapes[i] = shapeOf(v.typ)
		if !ok || len(l) != v.typ.Rank() {
			return nil, fmt.Errorf("%s: entry %d does not fit type %s", key, i, v.typ)
		}
		if shapes[i].Layout != nil {
			shapes[i].Layout.MinorToMajor = append([]int64{}, l...)
		}
	}
	return shapes, nil
}

func customLayouts(in *hlo.Instruction, o *op) error {
	operands, err := layouts(o, "operand_layouts", o.inputs())
	if err != nil {
		return err
	}
	results, err := layouts(o, "result_layouts", o.results)
	if err != nil {
		return err
	}
	if operands != nil && results != nil {
		in.ConstrainLayout, in.OperandShapes = true, operands
		if len(results) == 1 {
			in.Shape = results[0]
		} else {
			in.Shape = hlo.TupleShape(results...)
		}
	}
	return nil
}

func outputAliases(o *op) ([]hlo.OutputOperandAliasing, error) {
	a, ok := o.attrs.Get("output_operand_aliases").(stablehlo.Array)
	if !ok {
		return nil, nil
	}
	var out []hlo.OutputOperandAliasing
	for _, e := range a {
		e, ok := e.(stablehlo.OutputAlias)
		if !ok || e.OperandIndex < 0 || e.OperandIndex >= int64(len(o.operands)) {
			return nil, fmt.Errorf("bad output_operand_aliases")
		}
		out = append(out, hlo.OutputOperandAliasing{
			OutputIndex: e.OutputTupleIndices, OperandIndex: e.OperandIndex, OperandShape: e.OperandTupleIndices,
		})
	}
	return out, nil
}

// calledComputations builds the functions that a custom call names.
func (c *comp) calledComputations(o *op) ([]*hlo.Computation, error) {
	a, ok := o.attrs.Get("called_computations").(stablehlo.Array)
	if !ok {
		return nil, nil
	}
	var out []*hlo.Computation
	for _, e := range a {
		name, _ := e.(stablehlo.Symbol)
		f := c.g.fn(string(name))
		if f == nil {
			return nil, fmt.Errorf("function %s is not defined", name)
		}
		hc, err := c.function(f)
		if err != nil {
			return nil, err
		}
		out = append(out, hc)
	}
	return out, nil
}

// approxTopK lowers the ApproxTopK call as XLA does where no backend has it: a
// stable sort of everything and a slice (ApproxTopKFallback in
// xla/hlo/builder/lib/approx_topk.cc).
func (c *comp) approxTopK(o *op) error {
	cfg, _ := o.attrs.Get("backend_config").(stablehlo.Dict)
	attrs := stablehlo.Attrs(cfg)
	n, dim, k := len(o.results), attrs.Int("reduction_dim"), attrs.Int("top_k")
	called, err := c.calledComputations(o)
	if err != nil {
		return err
	}
	if n == 0 || len(o.operands) != 2*n || len(called) != 1 || !attrs.Bool("is_fallback") {
		return fmt.Errorf("ApproxTopK of this form cannot be converted to HLO")
	}
	if err := inRange("reduction_dim", []int64{dim}, o.in(0).typ.Rank()); err != nil {
		return err
	}
	ins, err := c.operands(o.inputs()[:n])
	if err != nil {
		return err
	}
	sorted := c.add(hlo.OpSort, tupleOf(ins), ins...)
	sorted.Dimensions, sorted.IsStable, sorted.Called = []int64{dim}, true, called
	var parts []*hlo.Instruction
	for i, v := range o.results {
		e := c.element(sorted, i)
		s := c.add(hlo.OpSlice, shapeOf(v.typ), e)
		for d, size := range o.in(i).typ.Dims {
			if int64(d) == dim {
				size = k
			}
			s.SliceDimensions = append(s.SliceDimensions, hlo.SliceDimension{Limit: size, Stride: 1})
		}
		parts = append(parts, s)
	}
	t := c.tuple(parts)
	for i, v := range o.results {
		c.vals[v] = c.element(t, i)
	}
	return nil
}
