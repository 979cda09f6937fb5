package hloconv

import (
	"fmt"
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// build makes the HLO module, in the order in which XLA's exporter hands out
// names and ids (xla/hlo/translate/mhlo_to_hlo/mlir_hlo_to_hlo.cc and
// xla/hlo/builder/xla_builder.cc).
func build(g *graph) (*hlo.Module, error) {
	b := &builder{g: g, names: newUniquer(), frames: newFrameIndex(), done: make(map[*fn]*hlo.Computation), busy: make(map[*fn]bool)}
	main := g.fn("main")
	if main == nil {
		return nil, fmt.Errorf("module %s has no function main", g.src.Name)
	}
	for _, f := range g.funcs { // private functions are built when called
		if f.src.Private {
			continue
		}
		if _, err := b.function(f); err != nil {
			return nil, err
		}
	}
	m := &hlo.Module{Name: sanitize(g.src.Name), Computations: b.comps, Entry: b.done[main], StackFrames: b.frames.renumber(b.comps)}
	if s := meshes(g.src); s != "" {
		m.FrontendAttributes = map[string]string{"xla.sdy.meshes": s}
	}
	donations(m, main)
	return m, nil
}

// builder holds what the module's computations share.
type builder struct {
	g       *graph
	names   *uniquer
	frames  *frameIndex
	comps   []*hlo.Computation // in order of completion
	done    map[*fn]*hlo.Computation
	busy    map[*fn]bool // being built: a call of one would not end
	regions int
}

// comp is a computation being built.
type comp struct {
	*builder
	ins  []*hlo.Instruction
	own  []*rootState     // of the instructions' names
	ret  *hlo.Instruction // the root, once known
	vals map[*value]*hlo.Instruction
	// The op being lowered: its metadata and frontend attributes.
	meta     hlo.OpMetadata
	frontend map[string]string
	main     bool // the module's entry
}

// at sets the op being lowered; nil for none. A constant numbers its stack
// frames but carries no metadata.
func (c *comp) at(o *op) {
	c.meta, c.frontend = hlo.OpMetadata{}, nil
	if o == nil {
		return
	}
	m := c.frames.metadata(o.loc)
	if o.lit == nil {
		c.meta, c.frontend = m, shardyAttrs(o)
	}
}

// newComp makes a computation of about so many instructions.
func (b *builder) newComp(size int) *comp {
	return &comp{
		builder: b, vals: make(map[*value]*hlo.Instruction, size),
		ins: make([]*hlo.Instruction, 0, size), own: make([]*rootState, 0, size),
	}
}

// function builds a function once.
func (b *builder) function(f *fn) (*hlo.Computation, error) {
	if c := b.done[f]; c != nil {
		return c, nil
	}
	if b.busy[f] {
		return nil, fmt.Errorf("function %s calls itself", f.src.Name)
	}
	b.busy[f] = true
	defer delete(b.busy, f)
	c := b.newComp(len(f.body.args) + f.body.ops())
	c.params(f.body)
	if err := c.argShardings(f); err != nil {
		return nil, fmt.Errorf("function %s: %w", f.src.Name, err)
	}
	c.main = f.src.Name == "main"
	if err := c.body(f.body, nil); err != nil {
		return nil, fmt.Errorf("function %s: %w", f.src.Name, err)
	}
	b.done[f] = c.finish(f.src.Name)
	return b.done[f], nil
}

// params adds a parameter per argument of a block.
func (c *comp) params(b *block) {
	for i, a := range b.args {
		c.vals[a] = c.parameter(i, shapeOf(a.typ), opName(a.loc), "Arg_"+strconv.Itoa(i))
	}
}

// parameter adds a parameter named after the last part of an op_name, which is
// also its metadata; without one, by the other name.
func (c *comp) parameter(i int, s hlo.Shape, opName, other string) *hlo.Instruction {
	c.at(nil)
	if n := lastPart(opName); n != "" {
		other = strings.ReplaceAll(n, ".", "_")
	}
	p := c.addNamed(hlo.OpParameter, s, other)
	p.ParameterNumber = int64(i)
	p.Metadata.OpName = opName
	return p
}

// body lowers the ops of a block. The block's return, with the extra values
// after it, becomes the root.
func (c *comp) body(b *block, extra []*value) error {
	for o := b.first; o != nil; o = o.next {
		if isReturn(o) {
			return c.root(o, extra)
		}
		emit, ok := emitters[o.name]
		if !ok {
			return fmt.Errorf("op %s cannot be converted to HLO", o.name)
		}
		c.at(o)
		if err := emit(c, o); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return fmt.Errorf("a block does not end in a return")
}

// root makes the computation's result the last instruction.
func (c *comp) root(ret *op, extra []*value) error {
	vals := append(ret.inputs(), extra...)
	ins, err := c.operands(vals)
	if err != nil {
		return err
	}
	c.at(nil)
	if c.main && resultShardings(c.g.fn("main").src) {
		return c.shardedRoot(ins)
	}
	if len(ins) == 1 {
		c.ret = ins[0]
		return nil
	}
	c.ret = c.tuple(ins)
	return nil
}

// operands gives the instructions of values.
func (c *comp) operands(vals []*value) ([]*hlo.Instruction, error) {
	ins := make([]*hlo.Instruction, len(vals))
	for i, v := range vals {
		if ins[i] = c.vals[v]; ins[i] == nil {
			return nil, fmt.Errorf("operand %d is of another computation", i)
		}
	}
	return ins, nil
}

// add appends an instruction named after the op being lowered.
func (c *comp) add(code hlo.Opcode, s hlo.Shape, operands ...*hlo.Instruction) *hlo.Instruction {
	name := string(code)
	if c.meta.OpName != "" {
		name = baseName(c.meta.OpName)
	}
	return c.addNamed(code, s, name, operands...)
}

func (c *comp) addNamed(code hlo.Opcode, s hlo.Shape, name string, operands ...*hlo.Instruction) *hlo.Instruction {
	unique, own := c.names.get(name)
	i := &hlo.Instruction{
		Opcode: code, Name: unique, Shape: s, Operands: operands,
		Metadata: c.meta, FrontendAttributes: cloneMap(c.frontend),
	}
	c.ins, c.own = append(c.ins, i), append(c.own, own)
	return i
}

func cloneMap(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	n := make(map[string]string, len(m))
	for k, v := range m {
		n[k] = v
	}
	return n
}

// tuple appends a tuple of instructions.
func (c *comp) tuple(ins []*hlo.Instruction) *hlo.Instruction {
	return c.add(hlo.OpTuple, tupleOf(ins), ins...)
}

func tupleOf(ins []*hlo.Instruction) hlo.Shape {
	shapes := make([]hlo.Shape, len(ins))
	for i, in := range ins {
		shapes[i] = in.Shape
	}
	return hlo.TupleShape(shapes...)
}

// element appends a get-tuple-element.
func (c *comp) element(t *hlo.Instruction, i int) *hlo.Instruction {
	e := c.add(hlo.OpGetTupleElement, t.Shape.Tuple[i], t)
	e.TupleIndex = int64(i)
	return e
}

// results binds the op's results: to in itself, or to its elements.
func (c *comp) results(o *op, in *hlo.Instruction) {
	if len(o.results) == 1 && !in.Shape.IsTuple() {
		c.vals[o.results[0]] = in
		return
	}
	for i, v := range o.results {
		c.vals[v] = c.element(in, i)
	}
}

// finish ends the computation: each instruction goes through the uniquer a
// second time, as when XLA builds a computation from its proto.
func (c *comp) finish(symbol string) *hlo.Computation {
	id := int64(len(c.comps) + 1)
	for i, in := range c.ins {
		in.Name = c.own[i].fresh()
		in.ID = id<<32 | int64(i+1)
	}
	hc := &hlo.Computation{ID: id, Name: sanitize(symbol) + "." + strconv.FormatInt(id, 10), Instructions: c.ins, Root: c.ret}
	c.comps = append(c.comps, hc)
	return hc
}

// shapeOf is a type's shape with the descending layout.
func shapeOf(t stablehlo.Type) hlo.Shape {
	if t.Elem == hlo.Tuple {
		shapes := make([]hlo.Shape, len(t.Tuple))
		for i, e := range t.Tuple {
			shapes[i] = shapeOf(e)
		}
		return hlo.TupleShape(shapes...)
	}
	return hlo.ArrayShape(t.Elem, t.Dims...).WithDefaultLayout()
}

// shapesOf is the shape of an op's results: a tuple unless there is one.
func shapesOf(vs []*value) hlo.Shape {
	if len(vs) == 1 {
		return shapeOf(vs[0].typ)
	}
	shapes := make([]hlo.Shape, len(vs))
	for i, v := range vs {
		shapes[i] = shapeOf(v.typ)
	}
	return hlo.TupleShape(shapes...)
}

// likeLayout is a type's shape with the layout of in, for elementwise ops.
func likeLayout(t stablehlo.Type, in *hlo.Instruction) hlo.Shape {
	if in.Shape.Layout != nil && len(in.Shape.Dimensions) == len(t.Dims) && t.Elem != hlo.Tuple {
		s := hlo.ArrayShape(t.Elem, t.Dims...)
		s.Layout = in.Shape.Layout.Clone()
		return s
	}
	return shapeOf(t)
}

// donations sets the module's aliases and buffer donors from the attributes of
// main's arguments.
func donations(m *hlo.Module, main *fn) {
	results := len(main.src.Results)
	for i, a := range main.src.ArgAttrs {
		if v, ok := a.Get("tf.aliasing_output").(stablehlo.Int); ok {
			e := hlo.AliasEntry{ParameterNumber: int64(i), Kind: hlo.MayAlias}
			if results != 1 {
				e.OutputIndex = []int64{v.Value}
			}
			m.InputOutputAlias = append(m.InputOutputAlias, e)
		}
		if a.Bool("jax.buffer_donor") {
			m.BufferDonors = append(m.BufferDonors, hlo.BufferDonor{ParameterNumber: int64(i)})
		}
	}
}
