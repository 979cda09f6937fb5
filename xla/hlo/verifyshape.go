package hlo

import "fmt"

// validShape checks s by itself: known types, sizes, layouts.
func validShape(s *Shape, depth int) error {
	if depth > maxShapeDepth {
		return fmt.Errorf("tuples nest more than %d deep", maxShapeDepth)
	}
	if !s.ElementType.known() {
		return fmt.Errorf("element type %d does not exist", int32(s.ElementType))
	}
	if s.ElementType == Tuple {
		for i := range s.Tuple {
			if err := validShape(&s.Tuple[i], depth+1); err != nil {
				return err
			}
		}
	} else if len(s.Tuple) > 0 {
		return fmt.Errorf("%s has tuple elements but is no tuple", s.ElementType)
	}
	if !s.ElementType.IsArray() && len(s.Dimensions) > 0 {
		return fmt.Errorf("%s has dimensions but is no array", s.ElementType)
	}
	if len(s.Dynamic) > len(s.Dimensions) {
		return fmt.Errorf("%s has more dynamic marks than dimensions", s)
	}
	bounded := *s
	for i, d := range s.Dimensions {
		if d == UnboundedSize && s.IsDynamic(i) {
			return nil // no size to check
		}
		if d < 0 {
			return fmt.Errorf("dimension %d of %s is negative", i, s)
		}
	}
	if n := bounded.NumElements(); n < 0 || n > maxElements {
		return fmt.Errorf("%s has too many elements", s)
	}
	return validLayout(s)
}

func validLayout(s *Shape) error {
	l := s.Layout
	if l == nil || len(l.MinorToMajor) == 0 && len(s.Dimensions) == 0 {
		return nil
	}
	if len(l.MinorToMajor) != len(s.Dimensions) || !isPermutation(l.MinorToMajor) {
		return fmt.Errorf("the layout of %s is no permutation of its %d dimensions", s, len(s.Dimensions))
	}
	return nil
}

func isPermutation(v []int64) bool { return distinctBelow(v, len(v)) }

// distinctBelow reports whether v holds different numbers in 0..n-1.
func distinctBelow(v []int64, n int) bool {
	if len(v) > n {
		return false
	}
	seen := make([]bool, n)
	for _, d := range v {
		if d < 0 || d >= int64(n) || seen[d] {
			return false
		}
		seen[d] = true
	}
	return true
}

// arity is the number of operands an opcode takes; max -1 is no limit.
type arity struct{ min, max int }

var arities = func() map[Opcode]arity {
	m := map[Opcode]arity{
		OpConstant: {0, 0}, OpParameter: {0, 0}, OpIota: {0, 0}, OpPartitionID: {0, 0}, OpReplicaID: {0, 0}, OpRngGetAndUpdateState: {0, 0},
		OpSelect: {3, 3}, OpClamp: {3, 3}, OpTriangularSolve: {2, 2}, OpGather: {2, 2}, OpScatter: {3, -1},
		OpPad: {2, 2}, OpDot: {2, 3}, OpConvolution: {2, 2}, OpRaggedDot: {3, 3}, OpSelectAndScatter: {3, 3},
		OpReduce: {2, -1}, OpReduceWindow: {2, -1}, OpSort: {1, -1}, OpConcatenate: {1, -1}, OpConditional: {2, -1},
		OpDynamicSlice: {1, -1}, OpDynamicUpdateSlice: {2, -1}, OpBatchNormTraining: {3, 3}, OpBatchNormInference: {5, 5}, OpBatchNormGrad: {5, 5},
		OpAddDependency: {2, 2}, OpSetDimensionSize: {2, 2}, OpStochasticConvert: {2, 2}, OpOutfeed: {2, 2}, OpSend: {2, 2}, OpRng: {2, 2},
		OpDynamicReshape: {1, -1}, OpTopK: {1, 1},
	}
	for _, op := range []Opcode{
		OpWhile, OpGetTupleElement, OpBroadcast, OpReshape, OpTranspose, OpReverse, OpSlice, OpConvert, OpBitcast, OpBitcastConvert,
		OpCopy, OpFFT, OpCholesky, OpReducePrecision, OpOptimizationBarrier, OpDomain, OpGetDimensionSize, OpInfeed, OpRecv, OpRecvDone,
		OpSendDone, OpRngBitGenerator, OpCopyStart, OpCopyDone, OpAllReduceDone, OpAllGatherDone, OpCollectivePermuteDone,
	} {
		m[op] = arity{1, 1}
	}
	for op := range unaryOps {
		m[op] = arity{1, 1}
	}
	for op := range binaryOps {
		m[op] = arity{2, 2}
	}
	return m
}()

// calls is the number of computations an opcode calls; opcodes that are not
// listed call none, or any number.
var calls = map[Opcode]arity{
	OpWhile: {2, 2}, OpCall: {1, 1}, OpFusion: {1, 1}, OpReduce: {1, 1}, OpReduceWindow: {1, 1}, OpSelectAndScatter: {2, 2},
	OpMap: {1, 1}, OpSort: {1, 1}, OpScatter: {1, 1}, OpConditional: {1, -1}, OpAllReduce: {1, 1}, OpReduceScatter: {1, 1}, OpAllReduceStart: {1, 1},
}

func (a arity) check(n int, what string) error {
	switch {
	case n < a.min || a.max >= 0 && n > a.max:
		want := fmt.Sprint(a.min)
		if a.max < 0 {
			want += " or more"
		} else if a.max > a.min {
			want = fmt.Sprintf("%d to %d", a.min, a.max)
		}
		return fmt.Errorf("has %d %s, wants %s", n, what, want)
	}
	return nil
}

// verifyInstruction checks one instruction whose references are sound.
func verifyInstruction(i *Instruction) error {
	if i.Opcode == "" {
		return fmt.Errorf("has no opcode")
	}
	if err := validShape(&i.Shape, 0); err != nil {
		return err
	}
	if a, ok := arities[i.Opcode]; ok {
		if err := a.check(len(i.Operands), "operands"); err != nil {
			return err
		}
	}
	if a, ok := calls[i.Opcode]; ok {
		if err := a.check(len(i.Called), "called computations"); err != nil {
			return err
		}
	}
	if rule := shapeRules[i.Opcode]; rule != nil {
		return rule(i)
	}
	switch _, unary := unaryOps[i.Opcode]; {
	case unary:
		return unaryShape(i)
	case binaryOps[i.Opcode]:
		return binaryShape(i)
	}
	return nil
}

// unaryOps maps the elementwise unary opcodes to the types they take.
var unaryOps = map[Opcode]func(PrimitiveType) bool{
	OpAbs: numeric, OpNegate: numeric, OpSign: numeric, OpNot: integral, OpPopcnt: integral, OpCLZ: integral,
	OpCeil: PrimitiveType.IsFloat, OpFloor: PrimitiveType.IsFloat, OpRoundNearestAfz: PrimitiveType.IsFloat, OpRoundNearestEven: PrimitiveType.IsFloat,
	OpIsFinite: PrimitiveType.IsFloat, OpErf: PrimitiveType.IsFloat, OpExp2: inexact, OpLog2: inexact,
	OpExp: inexact, OpExpm1: inexact, OpLog: inexact, OpLog1p: inexact, OpLogistic: inexact, OpSin: inexact, OpCos: inexact, OpTan: inexact,
	OpTanh: inexact, OpSqrt: inexact, OpRsqrt: inexact, OpCbrt: inexact, OpAcos: inexact, OpAcosh: inexact, OpAsin: inexact, OpAsinh: inexact,
	OpAtanh: inexact, OpCosh: inexact, OpSinh: inexact,
	OpReal: inexact, OpImag: inexact,
}

var binaryOps = map[Opcode]bool{
	OpAdd: true, OpSubtract: true, OpMultiply: true, OpDivide: true, OpRemainder: true, OpPower: true, OpMaximum: true, OpMinimum: true,
	OpAnd: true, OpOr: true, OpXor: true, OpAtan2: true, OpShiftLeft: true, OpShiftRightArithmetic: true, OpShiftRightLogical: true,
	OpComplex: true, OpCompare: true, OpMulhi: true,
}

func numeric(t PrimitiveType) bool  { return t.IsArray() && !t.IsPred() }
func integral(t PrimitiveType) bool { return t.IsInteger() || t.IsPred() }
func inexact(t PrimitiveType) bool  { return t.IsFloat() || t.IsComplex() }

func sameDims(i *Instruction, what string, s *Shape) error {
	if !s.ElementType.IsArray() || !i.Shape.ElementType.IsArray() {
		return fmt.Errorf("%s of shape %s: %s works on arrays", what, s, i.Opcode)
	}
	if !i.Shape.SameDimensions(*s) && !anyDynamic(&i.Shape) && !anyDynamic(s) {
		return fmt.Errorf("%s of shape %s does not fit the result %s", what, s.WithoutLayout(), i.Shape.WithoutLayout())
	}
	return nil
}

func anyDynamic(s *Shape) bool {
	for i := range s.Dimensions {
		if s.IsDynamic(i) {
			return true
		}
	}
	return false
}

func wantType(i *Instruction, want PrimitiveType) error {
	if i.Shape.ElementType != want {
		return fmt.Errorf("gives %s, declared as %s", want, i.Shape.ElementType)
	}
	return nil
}

func unaryShape(i *Instruction) error {
	o := &i.Operands[0].Shape
	if err := sameDims(i, "operand", o); err != nil {
		return err
	}
	if !unaryOps[i.Opcode](o.ElementType) {
		return fmt.Errorf("%s does not take %s", i.Opcode, o.ElementType)
	}
	switch i.Opcode {
	case OpIsFinite:
		return wantType(i, PRED)
	case OpReal, OpImag, OpAbs:
		return wantType(i, o.ElementType.ComplexPart())
	}
	return wantType(i, o.ElementType)
}

func binaryShape(i *Instruction) error {
	a, b := &i.Operands[0].Shape, &i.Operands[1].Shape
	if err := sameDims(i, "operand 0", a); err != nil {
		return err
	}
	if err := sameDims(i, "operand 1", b); err != nil {
		return err
	}
	if a.ElementType != b.ElementType {
		return fmt.Errorf("operands are %s and %s; they must have one type", a.ElementType, b.ElementType)
	}
	t := a.ElementType
	switch i.Opcode {
	case OpCompare:
		if !comparisons[i.ComparisonDirection] {
			return fmt.Errorf("comparison direction %q does not exist; use EQ NE GE GT LE LT", i.ComparisonDirection)
		}
		return wantType(i, PRED)
	case OpComplex:
		switch t {
		case F32:
			return wantType(i, C64)
		case F64:
			return wantType(i, C128)
		}
		return fmt.Errorf("complex does not take %s", t)
	case OpAnd, OpOr, OpXor:
		if !integral(t) {
			return fmt.Errorf("%s does not take %s", i.Opcode, t)
		}
	case OpShiftLeft, OpShiftRightArithmetic, OpShiftRightLogical:
		if !t.IsInteger() {
			return fmt.Errorf("%s does not take %s", i.Opcode, t)
		}
	}
	return wantType(i, t)
}

var comparisons = map[string]bool{"EQ": true, "NE": true, "GE": true, "GT": true, "LE": true, "LT": true}
