package hloconv

import (
	"fmt"
	"strings"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// emitFn lowers one op to instructions.
type emitFn func(c *comp, o *op) error

// emitters has a row per op.
var emitters map[string]emitFn

// unaryNames and binaryNames are the elementwise ops whose HLO opcode is their
// name with dashes for underscores and whose result has the operands' type.
var (
	unaryNames = strings.Fields(`abs cbrt ceil cosine count_leading_zeros exponential exponential_minus_one floor
		log log_plus_one logistic negate not popcnt round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh`)
	binaryNames = strings.Fields(`add and atan2 divide maximum minimum multiply or power remainder shift_left
		shift_right_arithmetic shift_right_logical subtract xor`)
)

func init() {
	emitters = map[string]emitFn{
		"stablehlo.constant":             emitConstant,
		"stablehlo.convert":              emitElementwise,
		"stablehlo.bitcast_convert":      emitElementwise,
		"stablehlo.is_finite":            emitElementwise,
		"stablehlo.real":                 emitElementwise,
		"stablehlo.imag":                 emitElementwise,
		"stablehlo.complex":              emitElementwise,
		"stablehlo.compare":              emitCompare,
		"stablehlo.select":               emitSelect,
		"stablehlo.clamp":                emitClamp,
		"stablehlo.reduce_precision":     emitReducePrecision,
		"stablehlo.broadcast_in_dim":     emitBroadcast,
		"stablehlo.reshape":              emitReshape,
		"stablehlo.transpose":            emitTranspose,
		"stablehlo.reverse":              emitDimensions("dimensions"),
		"stablehlo.iota":                 emitIota,
		"stablehlo.concatenate":          emitConcatenate,
		"stablehlo.slice":                emitSlice,
		"stablehlo.pad":                  emitPad,
		"stablehlo.dynamic_slice":        emitDynamicSlice,
		"stablehlo.dynamic_update_slice": emitPlain,
		"stablehlo.dot_general":          emitDot,
		"stablehlo.convolution":          emitConvolution,
		"stablehlo.gather":               emitGather,
		"stablehlo.scatter":              emitScatter,
		"stablehlo.reduce":               emitReduce,
		"stablehlo.reduce_window":        emitReduceWindow,
		"stablehlo.select_and_scatter":   emitSelectAndScatter,
		"stablehlo.sort":                 emitSort,
		"stablehlo.while":                emitWhile,
		"stablehlo.case":                 emitCase,
		"func.call":                      emitCall,
		"stablehlo.optimization_barrier": emitBarrier,
		"stablehlo.tuple":                emitTuple,
		"stablehlo.get_tuple_element":    emitElement,
		"stablehlo.fft":                  emitFFT,
		"stablehlo.rng":                  emitRng,
		"stablehlo.rng_bit_generator":    emitRngBits,
		"stablehlo.cholesky":             emitCholesky,
		"stablehlo.triangular_solve":     emitTriangularSolve,
		"stablehlo.partition_id":         emitPlain,
		"stablehlo.replica_id":           emitPlain,
		"stablehlo.custom_call":          emitCustomCall,
		"sdy.sharding_constraint":        emitConstraint,
		resultShardingOp:                 emitResultSharding,
		"chlo.erf":                       emitElementwise,
		"chlo.top_k":                     emitTopK,
	}
	for _, n := range unaryNames {
		emitters["stablehlo."+n] = emitElementwise
	}
	for _, n := range binaryNames {
		emitters["stablehlo."+n] = emitElementwise
	}
}

// opcode is the HLO opcode of an op's name.
func opcode(name string) hlo.Opcode {
	switch name {
	case "stablehlo.dot_general":
		return hlo.OpDot
	case "stablehlo.optimization_barrier":
		return hlo.OpOptimizationBarrier
	}
	_, short, _ := strings.Cut(name, ".")
	return hlo.Opcode(strings.ReplaceAll(short, "_", "-"))
}

// simple adds the one instruction of an op, with its results' default shape.
func (c *comp) simple(o *op) (*hlo.Instruction, error) {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return nil, err
	}
	return c.add(opcode(o.name), shapesOf(o.results), ins...), nil
}

func emitPlain(c *comp, o *op) error {
	in, err := c.simple(o)
	if err == nil {
		c.results(o, in)
	}
	return err
}

// emitElementwise gives the result the first operand's layout.
func emitElementwise(c *comp, o *op) error {
	_, err := c.elementwise(o, 0)
	return err
}

func (c *comp) elementwise(o *op, like int) (*hlo.Instruction, error) {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return nil, err
	}
	if like >= len(ins) {
		return nil, fmt.Errorf("too few operands")
	}
	in := c.add(opcode(o.name), likeLayout(o.out().typ, ins[like]), ins...)
	if a, ok := o.attrs.Get("result_accuracy").(stablehlo.Raw); ok && strings.Contains(string(a), "<HIGHEST>") {
		in.ResultAccuracy = &hlo.ResultAccuracy{Mode: 1}
	}
	c.vals[o.out()] = in
	return in, nil
}

// emitConstant adds a constant; a splat of several elements is a scalar and a
// broadcast.
func emitConstant(c *comp, o *op) error {
	d := o.lit
	if !d.Splat || d.Type.Rank() == 0 || d.Size() == 1 {
		c.vals[o.out()] = c.literal(d)
		return nil
	}
	s := c.literal(resize(d, stablehlo.T(d.Type.Elem)))
	c.vals[o.out()] = c.add(hlo.OpBroadcast, shapeOf(d.Type), s)
	return nil
}

func (c *comp) literal(d *stablehlo.Dense) *hlo.Instruction {
	in := c.add(hlo.OpConstant, shapeOf(d.Type))
	in.Literal = &hlo.Literal{Shape: shapeOf(d.Type), Data: append([]byte(nil), d.Expand()...)}
	return in
}

func emitCompare(c *comp, o *op) error {
	in, err := c.elementwise(o, 0)
	if err != nil {
		return err
	}
	in.ComparisonDirection = o.attrs.Enum("comparison_direction")
	in.ComparisonOrder = "TOTAL"
	if e := o.in(0).typ.Elem; (e.IsFloat() || e.IsComplex()) && o.attrs.Enum("compare_type") != "TOTALORDER" {
		in.ComparisonOrder = "PARTIAL"
	}
	return nil
}

// emitSelect broadcasts a scalar predicate first; the result has the
// predicate's layout.
func emitSelect(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	t := o.out().typ
	if o.in(0).typ.Rank() != t.Rank() {
		ins[0] = c.broadcastLike(ins[0], t.WithElem(hlo.PRED), ins[1])
	}
	c.vals[o.out()] = c.add(hlo.OpSelect, likeLayout(t, ins[0]), ins...)
	return nil
}

// broadcastLike broadcasts a scalar to type t in the layout of like.
func (c *comp) broadcastLike(in *hlo.Instruction, t stablehlo.Type, like *hlo.Instruction) *hlo.Instruction {
	return c.add(hlo.OpBroadcast, likeLayout(t, like), in)
}

func (c *comp) broadcast(in *hlo.Instruction, t stablehlo.Type, dims ...int64) *hlo.Instruction {
	b := c.add(hlo.OpBroadcast, shapeOf(t), in)
	b.Dimensions = dims
	return b
}

// emitClamp broadcasts scalar limits first.
func emitClamp(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	t := o.out().typ
	for _, i := range []int{0, 2} {
		if o.in(i).typ.Rank() != t.Rank() {
			ins[i] = c.broadcastLike(ins[i], t, ins[1])
		}
	}
	c.vals[o.out()] = c.add(hlo.OpClamp, likeLayout(t, ins[1]), ins...)
	return nil
}

func emitReducePrecision(c *comp, o *op) error {
	in, err := c.elementwise(o, 0)
	if err != nil {
		return err
	}
	in.ExponentBits = int32(o.attrs.Int("exponent_bits"))
	in.MantissaBits = int32(o.attrs.Int("mantissa_bits"))
	return nil
}

// emitBroadcast adds one broadcast, or, when a dimension of size one grows, a
// broadcast that keeps it, a reshape without it and a broadcast to the result
// (XlaBuilder::BroadcastInDim).
func emitBroadcast(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	dims, src, dst := o.attrs.Ints("broadcast_dimensions"), o.in(0).typ, o.out().typ
	grows := make([]bool, dst.Rank())
	mid := append([]int64(nil), dst.Dims...)
	any := false
	for i, d := range dims {
		mid[d] = src.Dims[i]
		grows[d] = src.Dims[i] != dst.Dims[d]
		any = any || grows[d]
	}
	x := c.broadcast(ins[0], dst.WithDims(mid...), dims...)
	if any {
		var keep, kept []int64
		for i, d := range mid {
			if !grows[i] {
				keep, kept = append(keep, d), append(kept, int64(i))
			}
		}
		x = c.add(hlo.OpReshape, shapeOf(dst.WithDims(keep...)), x)
		x = c.broadcast(x, dst, kept...)
	}
	c.vals[o.out()] = x
	return nil
}

func emitReshape(c *comp, o *op) error { return emitPlain(c, o) }

// emitTranspose permutes the operand's layout along with its dimensions.
func emitTranspose(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	perm := o.attrs.Ints("permutation")
	inverse := make([]int64, len(perm))
	for i, p := range perm {
		inverse[p] = int64(i)
	}
	s := shapeOf(o.out().typ)
	if l := ins[0].Shape.Layout; l != nil && len(l.MinorToMajor) == len(perm) {
		for i, m := range l.MinorToMajor {
			s.Layout.MinorToMajor[i] = inverse[m]
		}
	}
	in := c.add(hlo.OpTranspose, s, ins...)
	in.Dimensions = perm
	c.vals[o.out()] = in
	return nil
}

// emitDimensions adds an instruction with the dimensions of an attribute.
func emitDimensions(key string) emitFn {
	return func(c *comp, o *op) error {
		in, err := c.simple(o)
		if err != nil {
			return err
		}
		in.Dimensions = o.attrs.Ints(key)
		c.results(o, in)
		return nil
	}
}

func emitIota(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	in.Dimensions = []int64{o.attrs.Int("iota_dimension")}
	c.results(o, in)
	return nil
}

func emitConcatenate(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	in.Dimensions = []int64{o.attrs.Int("dimension")}
	c.results(o, in)
	return nil
}

func emitSlice(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	for i, s := range o.attrs.Ints("start_indices") {
		in.SliceDimensions = append(in.SliceDimensions, hlo.SliceDimension{
			Start: s, Limit: o.attrs.Ints("limit_indices")[i], Stride: o.attrs.Ints("strides")[i],
		})
	}
	c.results(o, in)
	return nil
}

func emitPad(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	for i, low := range o.attrs.Ints("edge_padding_low") {
		in.Padding = append(in.Padding, hlo.PaddingDimension{
			Low: low, High: o.attrs.Ints("edge_padding_high")[i], Interior: o.attrs.Ints("interior_padding")[i],
		})
	}
	c.results(o, in)
	return nil
}

func emitDynamicSlice(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	in.DynamicSizes = o.attrs.Ints("slice_sizes")
	c.results(o, in)
	return nil
}

func emitTuple(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	c.vals[o.out()] = c.tuple(ins)
	return nil
}

func emitElement(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	i := o.attrs.Int("index")
	if i < 0 || i >= int64(len(ins[0].Shape.Tuple)) {
		return fmt.Errorf("index %d is out of range", i)
	}
	c.vals[o.out()] = c.element(ins[0], int(i))
	return nil
}

// emitBarrier wraps several operands in a tuple.
func emitBarrier(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	if len(ins) == 1 {
		c.vals[o.out()] = c.add(hlo.OpOptimizationBarrier, ins[0].Shape.Clone(), ins...)
		return nil
	}
	t := c.tuple(ins)
	b := c.add(hlo.OpOptimizationBarrier, t.Shape.Clone(), t)
	for i, v := range o.results {
		c.vals[v] = c.element(b, i)
	}
	return nil
}
