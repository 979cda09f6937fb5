package hlo

import (
	"fmt"
	"slices"
)

// shapeRules has the shape rule of each opcode that is not a plain elementwise one.
var shapeRules = map[Opcode]func(*Instruction) error{
	OpConstant:            verifyConstant,
	OpGetTupleElement:     verifyGetTupleElement,
	OpTuple:               verifyTuple,
	OpBroadcast:           verifyBroadcast,
	OpReshape:             verifyReshape,
	OpTranspose:           verifyTranspose,
	OpReverse:             verifyReverse,
	OpSlice:               verifySlice,
	OpConcatenate:         verifyConcatenate,
	OpPad:                 verifyPad,
	OpIota:                verifyIota,
	OpSelect:              verifySelect,
	OpClamp:               verifyClamp,
	OpConvert:             func(i *Instruction) error { return sameDims(i, "operand", &i.Operands[0].Shape) },
	OpReducePrecision:     func(i *Instruction) error { return sameDims(i, "operand", &i.Operands[0].Shape) },
	OpCopy:                verifySame,
	OpOptimizationBarrier: verifySame,
	OpDomain:              verifySame,
	OpDynamicSlice:        verifyDynamicSlice,
	OpDot:                 verifyDot,
	OpCall:                verifyCall,
	OpFusion:              verifyCall,
	OpWhile:               verifyWhile,
	OpConditional:         verifyConditional,
	OpReduce:              verifyReduce,
}

func verifySame(i *Instruction) error {
	if !i.Shape.Compatible(i.Operands[0].Shape) {
		return fmt.Errorf("operand of shape %s does not fit the result %s", i.Operands[0].Shape, i.Shape)
	}
	return nil
}

func verifyConstant(i *Instruction) error {
	if i.Literal == nil {
		return fmt.Errorf("has no literal")
	}
	if !i.Literal.Shape.Compatible(i.Shape) {
		return fmt.Errorf("literal of shape %s does not fit %s", i.Literal.Shape, i.Shape)
	}
	return i.Literal.verify(0)
}

func (l *Literal) verify(depth int) error {
	if l.Elided {
		return errElided
	}
	if err := validShape(&l.Shape, depth); err != nil {
		return err
	}
	if l.Shape.IsTuple() {
		if len(l.Tuple) != len(l.Shape.Tuple) {
			return fmt.Errorf("tuple literal has %d elements, its shape %d", len(l.Tuple), len(l.Shape.Tuple))
		}
		for k, e := range l.Tuple {
			if !e.Shape.Compatible(l.Shape.Tuple[k]) {
				return fmt.Errorf("element %d of the literal is %s, its shape says %s", k, e.Shape, l.Shape.Tuple[k])
			}
			if err := e.verify(depth + 1); err != nil {
				return err
			}
		}
		return nil
	}
	if want := l.Shape.NumElements() * int64(l.Shape.ElementType.Bytes()); l.Shape.ElementType.IsArray() && want != int64(len(l.Data)) {
		return fmt.Errorf("literal of shape %s has %d bytes, wants %d", l.Shape, len(l.Data), want)
	}
	return nil
}

func verifyGetTupleElement(i *Instruction) error {
	o := &i.Operands[0].Shape
	if !o.IsTuple() || i.TupleIndex < 0 || i.TupleIndex >= int64(len(o.Tuple)) {
		return fmt.Errorf("there is no element %d in %s", i.TupleIndex, o)
	}
	if !i.Shape.Compatible(o.Tuple[i.TupleIndex]) {
		return fmt.Errorf("element %d is %s, declared as %s", i.TupleIndex, o.Tuple[i.TupleIndex], i.Shape)
	}
	return nil
}

func verifyTuple(i *Instruction) error {
	if !i.Shape.IsTuple() || len(i.Shape.Tuple) != len(i.Operands) {
		return fmt.Errorf("a tuple of %d operands is declared as %s", len(i.Operands), i.Shape)
	}
	for k, o := range i.Operands {
		if !o.Shape.Compatible(i.Shape.Tuple[k]) {
			return fmt.Errorf("operand %d is %s, declared as %s", k, o.Shape, i.Shape.Tuple[k])
		}
	}
	return nil
}

// dataMoves checks that an operation on arrays keeps the element type.
func dataMoves(i *Instruction) error {
	for k, o := range i.Operands {
		if !o.Shape.ElementType.IsArray() {
			return fmt.Errorf("operand %d is %s, not an array", k, o.Shape)
		}
	}
	return wantType(i, i.Operands[0].Shape.ElementType)
}

func verifyBroadcast(i *Instruction) error {
	if err := dataMoves(i); err != nil {
		return err
	}
	o := &i.Operands[0].Shape
	if len(i.Dimensions) != len(o.Dimensions) || !distinctBelow(i.Dimensions, len(i.Shape.Dimensions)) {
		return fmt.Errorf("dimensions=%v do not map the %d dimensions of the operand into the result's %d", i.Dimensions, len(o.Dimensions), len(i.Shape.Dimensions))
	}
	for k, d := range i.Dimensions {
		if o.Dimensions[k] != i.Shape.Dimensions[d] {
			return fmt.Errorf("dimension %d of the operand has size %d, dimension %d of the result %d", k, o.Dimensions[k], d, i.Shape.Dimensions[d])
		}
	}
	return nil
}

func verifyReshape(i *Instruction) error {
	if err := dataMoves(i); err != nil {
		return err
	}
	if a, b := i.Operands[0].Shape.NumElements(), i.Shape.NumElements(); a != b {
		return fmt.Errorf("the operand %s has %d elements, the result %s %d", i.Operands[0].Shape, a, i.Shape, b)
	}
	return nil
}

func verifyTranspose(i *Instruction) error {
	if err := dataMoves(i); err != nil {
		return err
	}
	o := &i.Operands[0].Shape
	if len(i.Dimensions) != len(o.Dimensions) || len(i.Shape.Dimensions) != len(o.Dimensions) || !isPermutation(i.Dimensions) {
		return fmt.Errorf("dimensions=%v are no permutation of the operand's %d dimensions", i.Dimensions, len(o.Dimensions))
	}
	for k, d := range i.Dimensions {
		if i.Shape.Dimensions[k] != o.Dimensions[d] {
			return fmt.Errorf("dimension %d of the result has size %d, dimension %d of the operand %d", k, i.Shape.Dimensions[k], d, o.Dimensions[d])
		}
	}
	return nil
}

func verifyReverse(i *Instruction) error {
	if !distinctBelow(i.Dimensions, len(i.Shape.Dimensions)) {
		return fmt.Errorf("dimensions=%v are not different dimensions of %s", i.Dimensions, i.Shape)
	}
	return verifySame(i)
}

func verifySlice(i *Instruction) error {
	if err := dataMoves(i); err != nil {
		return err
	}
	o := &i.Operands[0].Shape
	if len(i.SliceDimensions) != len(o.Dimensions) || len(i.Shape.Dimensions) != len(o.Dimensions) {
		return fmt.Errorf("slices %d dimensions of an operand with %d", len(i.SliceDimensions), len(o.Dimensions))
	}
	for k, d := range i.SliceDimensions {
		if d.Start < 0 || d.Limit < d.Start || d.Limit > o.Dimensions[k] || d.Stride < 1 {
			return fmt.Errorf("[%d:%d:%d] is not within dimension %d of %s", d.Start, d.Limit, d.Stride, k, o)
		}
		if n := (d.Limit - d.Start + d.Stride - 1) / d.Stride; n != i.Shape.Dimensions[k] {
			return fmt.Errorf("[%d:%d:%d] has %d elements, dimension %d of the result %d", d.Start, d.Limit, d.Stride, n, k, i.Shape.Dimensions[k])
		}
	}
	return nil
}

func verifyConcatenate(i *Instruction) error {
	if err := dataMoves(i); err != nil {
		return err
	}
	if len(i.Dimensions) != 1 || !distinctBelow(i.Dimensions, len(i.Shape.Dimensions)) {
		return fmt.Errorf("dimensions=%v is not one dimension of %s", i.Dimensions, i.Shape)
	}
	d := i.Dimensions[0]
	sum := int64(0)
	for k, o := range i.Operands {
		if o.Shape.ElementType != i.Shape.ElementType || len(o.Shape.Dimensions) != len(i.Shape.Dimensions) {
			return fmt.Errorf("operand %d of shape %s does not fit the result %s", k, o.Shape, i.Shape)
		}
		for j, n := range o.Shape.Dimensions {
			if int64(j) != d && n != i.Shape.Dimensions[j] {
				return fmt.Errorf("operand %d of shape %s does not fit the result %s", k, o.Shape, i.Shape)
			}
		}
		sum += o.Shape.Dimensions[d]
	}
	if sum != i.Shape.Dimensions[d] {
		return fmt.Errorf("the operands have %d elements along dimension %d, the result %d", sum, d, i.Shape.Dimensions[d])
	}
	return nil
}

func verifyPad(i *Instruction) error {
	if err := dataMoves(i); err != nil {
		return err
	}
	o := &i.Operands[0].Shape
	if v := &i.Operands[1].Shape; !v.IsScalar() || v.ElementType != o.ElementType {
		return fmt.Errorf("the padding value is %s, wants a scalar %s", v, o.ElementType)
	}
	if len(i.Padding) != len(o.Dimensions) || len(i.Shape.Dimensions) != len(o.Dimensions) {
		return fmt.Errorf("pads %d dimensions of an operand with %d", len(i.Padding), len(o.Dimensions))
	}
	for k, d := range i.Padding {
		if d.Interior < 0 {
			return fmt.Errorf("interior padding of dimension %d is negative", k)
		}
		n := o.Dimensions[k] + max(0, o.Dimensions[k]-1)*d.Interior + d.Low + d.High
		if n != i.Shape.Dimensions[k] {
			return fmt.Errorf("dimension %d becomes %d by padding, declared as %d", k, n, i.Shape.Dimensions[k])
		}
	}
	return nil
}

func verifyIota(i *Instruction) error {
	if len(i.Dimensions) != 1 || !distinctBelow(i.Dimensions, len(i.Shape.Dimensions)) {
		return fmt.Errorf("iota_dimension is not a dimension of %s", i.Shape)
	}
	return nil
}

func verifySelect(i *Instruction) error {
	p := &i.Operands[0].Shape
	if p.ElementType != PRED {
		return fmt.Errorf("operand 0 is %s, wants pred", p)
	}
	for k, o := range i.Operands {
		if err := sameDims(i, fmt.Sprintf("operand %d", k), &o.Shape); err != nil {
			return err
		}
		if k > 0 && o.Shape.ElementType != i.Shape.ElementType {
			return fmt.Errorf("operand %d is %s, declared as %s", k, o.Shape.ElementType, i.Shape.ElementType)
		}
	}
	return nil
}

func verifyClamp(i *Instruction) error {
	for k, o := range i.Operands {
		if o.Shape.ElementType != i.Shape.ElementType {
			return fmt.Errorf("operand %d is %s, declared as %s", k, o.Shape.ElementType, i.Shape.ElementType)
		}
		if k != 1 && o.Shape.IsScalar() {
			continue // a scalar bound holds for all elements
		}
		if err := sameDims(i, fmt.Sprintf("operand %d", k), &o.Shape); err != nil {
			return err
		}
	}
	return nil
}

func verifyDynamicSlice(i *Instruction) error {
	if err := dataMoves(i); err != nil {
		return err
	}
	o := &i.Operands[0].Shape
	if !slices.Equal(i.DynamicSizes, i.Shape.Dimensions) || len(i.DynamicSizes) != len(o.Dimensions) {
		return fmt.Errorf("dynamic_slice_sizes=%v of %s do not give %s", i.DynamicSizes, o, i.Shape)
	}
	for k, n := range i.DynamicSizes {
		if n > o.Dimensions[k] {
			return fmt.Errorf("dynamic_slice_sizes=%v exceed %s", i.DynamicSizes, o)
		}
	}
	return nil
}

func verifyDot(i *Instruction) error {
	d := i.DotDimensions
	if d == nil {
		return fmt.Errorf("has no dimension numbers")
	}
	a, b := &i.Operands[0].Shape, &i.Operands[1].Shape
	if !a.ElementType.IsArray() || !b.ElementType.IsArray() {
		return fmt.Errorf("operands %s and %s are not arrays", a, b)
	}
	if len(d.LHSBatch) != len(d.RHSBatch) || len(d.LHSContracting) != len(d.RHSContracting) {
		return fmt.Errorf("the operands have different numbers of batch or contracting dimensions")
	}
	left, right := slices.Concat(d.LHSBatch, d.LHSContracting), slices.Concat(d.RHSBatch, d.RHSContracting)
	if !distinctBelow(left, len(a.Dimensions)) || !distinctBelow(right, len(b.Dimensions)) {
		return fmt.Errorf("dimension numbers %v and %v are not different dimensions of %s and %s", left, right, a, b)
	}
	for k := range left {
		if a.Dimensions[left[k]] != b.Dimensions[right[k]] {
			return fmt.Errorf("dimension %d of %s does not match dimension %d of %s", left[k], a, right[k], b)
		}
	}
	want := make([]int64, 0, len(i.Shape.Dimensions))
	for _, k := range d.LHSBatch {
		want = append(want, a.Dimensions[k])
	}
	want = append(want, freeDims(a, left)...)
	want = append(want, freeDims(b, right)...)
	if !slices.Equal(want, i.Shape.Dimensions) {
		return fmt.Errorf("gives dimensions %v, declared as %s", want, i.Shape)
	}
	return nil
}

// freeDims lists the sizes of the dimensions of s that are not in used.
func freeDims(s *Shape, used []int64) []int64 {
	var r []int64
	for k, n := range s.Dimensions {
		if !slices.Contains(used, int64(k)) {
			r = append(r, n)
		}
	}
	return r
}

// fits checks that c takes args and gives result.
func fits(c *Computation, args []*Shape, result *Shape) error {
	params := c.Parameters()
	if len(params) != len(args) {
		return fmt.Errorf("%s takes %d parameters, is given %d", c.Name, len(params), len(args))
	}
	for k, p := range params {
		if p == nil {
			return fmt.Errorf("%s lacks parameter %d", c.Name, k)
		}
		if args[k] != nil && !p.Shape.Compatible(*args[k]) {
			return fmt.Errorf("%s takes %s as parameter %d, is given %s", c.Name, p.Shape, k, args[k])
		}
	}
	if result != nil && !c.Root.Shape.Compatible(*result) {
		return fmt.Errorf("%s gives %s, wanted is %s", c.Name, c.Root.Shape, result)
	}
	return nil
}

func operandShapes(ops []*Instruction) []*Shape {
	r := make([]*Shape, len(ops))
	for k, o := range ops {
		r[k] = &o.Shape
	}
	return r
}

func verifyCall(i *Instruction) error {
	return fits(i.Called[0], operandShapes(i.Operands), &i.Shape)
}

func verifyWhile(i *Instruction) error {
	body, cond := i.Called[0], i.Called[1]
	arg := operandShapes(i.Operands)
	pred := ArrayShape(PRED)
	if err := fits(cond, arg, &pred); err != nil {
		return fmt.Errorf("condition %w", err)
	}
	if err := fits(body, arg, &i.Shape); err != nil {
		return fmt.Errorf("body %w", err)
	}
	return verifySame(i)
}

func verifyConditional(i *Instruction) error {
	index := &i.Operands[0].Shape
	if !index.IsScalar() || index.ElementType != PRED && index.ElementType != S32 {
		return fmt.Errorf("operand 0 is %s, wants a scalar pred or s32", index)
	}
	if index.ElementType == PRED && len(i.Called) != 2 {
		return fmt.Errorf("has %d branches for a pred, wants 2", len(i.Called))
	}
	if len(i.Operands) != len(i.Called)+1 {
		return fmt.Errorf("has %d operands for %d branches, wants one for each and the index", len(i.Operands), len(i.Called))
	}
	for k, c := range i.Called {
		if err := fits(c, operandShapes(i.Operands[k+1:k+2]), &i.Shape); err != nil {
			return fmt.Errorf("branch %d: %w", k, err)
		}
	}
	return nil
}

func verifyReduce(i *Instruction) error {
	if len(i.Operands)%2 != 0 {
		return fmt.Errorf("has %d operands, wants as many initial values as inputs", len(i.Operands))
	}
	n := len(i.Operands) / 2
	in := &i.Operands[0].Shape
	if !distinctBelow(i.Dimensions, len(in.Dimensions)) {
		return fmt.Errorf("dimensions=%v are not different dimensions of %s", i.Dimensions, in)
	}
	want := freeDims(in, i.Dimensions)
	for k := range n {
		out := &i.Shape
		if n > 1 || i.Shape.IsTuple() {
			if !i.Shape.IsTuple() || len(i.Shape.Tuple) != n {
				return fmt.Errorf("reduces %d inputs, declared as %s", n, i.Shape)
			}
			out = &i.Shape.Tuple[k]
		}
		o, init := &i.Operands[k].Shape, &i.Operands[n+k].Shape
		if !slices.Equal(o.Dimensions, in.Dimensions) {
			return fmt.Errorf("operand %d is %s, operand 0 %s; they must have the same dimensions", k, o, in)
		}
		if !init.IsScalar() {
			return fmt.Errorf("initial value %d is %s, not a scalar", k, init)
		}
		if !slices.Equal(out.Dimensions, want) {
			return fmt.Errorf("gives dimensions %v, declared as %s", want, i.Shape)
		}
	}
	if p := len(i.Called[0].Parameters()); p != 2*n {
		return fmt.Errorf("%s takes %d parameters, wants %d", i.Called[0].Name, p, 2*n)
	}
	return nil
}
