package hloconv

import (
	"fmt"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// closed builds a region that captures nothing: its arguments are parameters.
func (c *comp) closed(r *block) (*hlo.Computation, error) {
	n := c.newComp(r.ops())
	symbol := c.nextRegion()
	n.params(r)
	if err := n.body(r, nil); err != nil {
		return nil, err
	}
	return n.finish(symbol), nil
}

// nextRegion counts regions when their lowering starts.
func (b *builder) nextRegion() string {
	b.regions++
	return fmt.Sprintf("region_%d", b.regions-1)
}

// open builds a region of a while or case, whose values, its arguments and then
// its captures, come as one parameter. A while's body returns the captures too.
func (c *comp) open(r *block, captures []*value, isBody bool) (*hlo.Computation, error) {
	n := c.newComp(r.ops())
	symbol := c.nextRegion()
	vals := append(append([]*value(nil), r.args...), captures...)
	switch len(vals) {
	case 0:
		n.parameter(0, hlo.TupleShape(), "", "arg_empty_tuple")
	case 1:
		v := vals[0]
		loc := v.loc
		if v.def != nil {
			loc = v.def.loc
		}
		n.vals[v] = n.parameter(0, c.captureShape(v), opName(loc), "Arg_")
	default:
		shapes := make([]hlo.Shape, len(vals))
		for i, v := range vals {
			shapes[i] = c.captureShape(v)
		}
		p := n.parameter(0, hlo.TupleShape(shapes...), "", "arg_tuple")
		for i, v := range vals {
			n.vals[v] = n.element(p, i)
		}
	}
	var extra []*value
	if isBody {
		extra = captures
	}
	if err := n.body(r, extra); err != nil {
		return nil, err
	}
	return n.finish(symbol), nil
}

// captureShape is the shape that a value has inside a region: the default
// layout, as for every parameter.
func (c *comp) captureShape(v *value) hlo.Shape { return shapeOf(v.typ) }

// captures are the outside values that regions use, in order of first use.
func captures(regions ...*block) []*value {
	var out []*value
	seen := make(map[*value]bool)
	for _, r := range regions {
		r.walk(func(o *op) {
			for _, u := range o.operands {
				v := u.val
				home := v.owner
				if v.def != nil {
					home = v.def.block
				}
				if !seen[v] && !isWithin(home, r) {
					seen[v] = true
					out = append(out, v)
				}
			}
		})
	}
	return out
}

func (c *comp) closedAll(o *op) ([]*hlo.Computation, error) {
	var out []*hlo.Computation
	for _, r := range o.regions {
		hc, err := c.closed(r)
		if err != nil {
			return nil, err
		}
		out = append(out, hc)
	}
	return out, nil
}

// withRegions builds the op's regions, then the op.
func (c *comp) withRegions(o *op) (*hlo.Instruction, error) {
	called, err := c.closedAll(o)
	if err != nil {
		return nil, err
	}
	in, err := c.simple(o)
	if err != nil {
		return nil, err
	}
	in.Called = called
	return in, nil
}

func emitReduce(c *comp, o *op) error {
	in, err := c.withRegions(o)
	if err != nil {
		return err
	}
	in.Dimensions = o.attrs.Ints("dimensions")
	c.results(o, in)
	return nil
}

func emitReduceWindow(c *comp, o *op) error {
	in, err := c.withRegions(o)
	if err != nil {
		return err
	}
	in.Window = window(o, o.attrs.Ints("window_dimensions"), "base_dilations", "window_dilations")
	c.results(o, in)
	return nil
}

func emitSelectAndScatter(c *comp, o *op) error {
	called, err := c.closedAll(o)
	if err != nil {
		return err
	}
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	in := c.add(hlo.OpSelectAndScatter, shapeOf(o.out().typ), ins...)
	in.Called = called
	in.Window = window(o, o.attrs.Ints("window_dimensions"), "", "")
	c.results(o, in)
	return nil
}

func emitSort(c *comp, o *op) error {
	in, err := c.withRegions(o)
	if err != nil {
		return err
	}
	in.Dimensions = []int64{o.attrs.Int("dimension")}
	in.IsStable = o.attrs.Bool("is_stable")
	c.results(o, in)
	return nil
}

func emitScatter(c *comp, o *op) error {
	in, err := c.withRegions(o)
	if err != nil {
		return err
	}
	d := o.attrs.Get("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	in.ScatterDims = &hlo.ScatterDimensions{
		UpdateWindowDims: d.UpdateWindowDims, InsertedWindowDims: d.InsertedWindowDims,
		ScatterDimsToOperandDims: d.ScatterDimsToOperandDims, IndexVectorDim: d.IndexVectorDim,
		InputBatchingDims: d.InputBatchingDims, ScatterIndicesBatchingDims: d.ScatterIndicesBatchingDims,
	}
	in.IndicesAreSorted = o.attrs.Bool("indices_are_sorted")
	in.UniqueIndices = o.attrs.Bool("unique_indices")
	c.results(o, in)
	return nil
}

// emitWhile carries the captured values along, after the loop's own. The body is
// built before the condition.
func emitWhile(c *comp, o *op) error {
	cond, body := o.regions[0], o.regions[1]
	caps := captures(cond, body)
	ins, err := c.operands(append(o.inputs(), caps...))
	if err != nil {
		return err
	}
	hb, err := c.open(body, caps, true)
	if err != nil {
		return err
	}
	hc, err := c.open(cond, caps, false)
	if err != nil {
		return err
	}
	called := []*hlo.Computation{hb, hc}
	if len(ins) == 1 {
		w := c.add(hlo.OpWhile, ins[0].Shape.Clone(), ins[0])
		w.Called = called
		if len(o.results) == 1 {
			c.vals[o.out()] = w
		}
		return nil
	}
	t := c.tuple(ins)
	w := c.add(hlo.OpWhile, t.Shape.Clone(), t)
	w.Called = called
	for i, v := range o.results {
		c.vals[v] = c.element(w, i)
	}
	return nil
}

// emitCase passes each branch its captured values, as a tuple unless there is
// exactly one.
func emitCase(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	var called []*hlo.Computation
	for _, r := range o.regions {
		caps := captures(r)
		vals, err := c.operands(caps)
		if err != nil {
			return err
		}
		if len(vals) == 1 {
			ins = append(ins, vals[0])
		} else {
			ins = append(ins, c.tuple(vals))
		}
		hc, err := c.open(r, caps, false)
		if err != nil {
			return err
		}
		called = append(called, hc)
	}
	in := c.add(hlo.OpConditional, shapesOf(o.results), ins...)
	in.Called = called
	c.results(o, in)
	return nil
}

// emitCall builds the callee at its first call; calls share it.
func emitCall(c *comp, o *op) error {
	name, _ := o.attrs.Get("callee").(stablehlo.Symbol)
	f := c.g.fn(string(name))
	if f == nil {
		return fmt.Errorf("function %s is not defined", name)
	}
	if err := pairs(o.inputs(), f.body.args); err != nil {
		return fmt.Errorf("call of %s: %w", name, err)
	}
	if err := pairs(o.results, f.body.last.inputs()); err != nil {
		return fmt.Errorf("call of %s: %w", name, err)
	}
	hc, err := c.function(f)
	if err != nil {
		return err
	}
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	in := c.add(hlo.OpCall, hc.Root.Shape.Clone(), ins...)
	in.Called = []*hlo.Computation{hc}
	c.results(o, in)
	return nil
}
