package hlocost

import (
	"math"
	"math/bits"

	"gopherlo/xla/hlo"
)

// rule changes the default costs p of an instruction.
type rule func(a *analysis, i *hlo.Instruction, p Properties) Properties

// rules has a row per opcode whose costs are not the default.
var rules map[hlo.Opcode]rule

func init() { // not in the declaration: the rules use the table
	rules = map[hlo.Opcode]rule{
		hlo.OpParameter:           noBytes,
		hlo.OpConstant:            noBytes,
		hlo.OpIota:                keep,
		hlo.OpBitcast:             noBytes,
		hlo.OpGetTupleElement:     noBytes,
		hlo.OpAfterAll:            noBytes,
		hlo.OpAddDependency:       noBytes,
		hlo.OpOptimizationBarrier: keep,
		hlo.OpTranspose:           transpose,
		hlo.OpTuple:               tuple,
		hlo.OpSlice:               slice,
		hlo.OpDynamicSlice:        dynamicSlice,
		hlo.OpDynamicUpdateSlice:  dynamicUpdateSlice,
		hlo.OpGather:              gather,
		hlo.OpScatter:             scatter,
		hlo.OpReduce:              reduce,
		hlo.OpReduceWindow:        reduceWindow,
		hlo.OpSelectAndScatter:    selectAndScatter,
		hlo.OpMap:                 mapping,
		hlo.OpDot:                 dot,
		hlo.OpConvolution:         convolution,
		hlo.OpFFT:                 fft,
		hlo.OpSort:                sorting,
		hlo.OpCholesky:            cholesky,
		hlo.OpTriangularSolve:     triangularSolve,
		hlo.OpRng:                 random,
		hlo.OpRngBitGenerator:     randomBits,
		hlo.OpCall:                call,
		hlo.OpWhile:               while,
		hlo.OpConditional:         conditional,
		hlo.OpFusion:              fusion,
		hlo.OpCustomCall:          customCall,
		hlo.OpAllReduce:           allReduce,
	}
	for _, op := range []hlo.Opcode{
		hlo.OpAbs, hlo.OpAdd, hlo.OpAnd, hlo.OpBitcastConvert, hlo.OpCeil, hlo.OpClamp, hlo.OpCLZ, hlo.OpCompare, hlo.OpComplex, hlo.OpConvert,
		hlo.OpDivide, hlo.OpFloor, hlo.OpImag, hlo.OpIsFinite, hlo.OpMaximum, hlo.OpMinimum, hlo.OpMultiply, hlo.OpNegate,
		hlo.OpNot, hlo.OpOr, hlo.OpPopcnt, hlo.OpReal, hlo.OpReducePrecision, hlo.OpRemainder, hlo.OpRoundNearestAfz,
		hlo.OpRoundNearestEven, hlo.OpSelect, hlo.OpShiftLeft, hlo.OpShiftRightArithmetic, hlo.OpShiftRightLogical,
		hlo.OpSign, hlo.OpStochasticConvert, hlo.OpSubtract, hlo.OpXor,
	} {
		rules[op] = elementwise(Flops)
	}
	for _, op := range []hlo.Opcode{
		hlo.OpAtan2, hlo.OpCbrt, hlo.OpCos, hlo.OpErf, hlo.OpExp, hlo.OpExpm1, hlo.OpLog, hlo.OpLog1p, hlo.OpLogistic,
		hlo.OpPower, hlo.OpRsqrt, hlo.OpSin, hlo.OpSqrt, hlo.OpTan, hlo.OpTanh,
	} {
		rules[op] = elementwise(Transcendentals)
	}
}

func keep(_ *analysis, _ *hlo.Instruction, p Properties) Properties { return p }

func elementwise(key string) rule {
	return func(_ *analysis, i *hlo.Instruction, p Properties) Properties {
		p[key] = elements(i.Shape)
		return p
	}
}

// noBytes: the instruction forwards a pointer. Its operands still count as
// used.
func noBytes(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	p[BytesAccessed], p[outputBytes()] = 0, 0
	for n := range i.Operands {
		p[operandBytes(n)] = 0
	}
	return p
}

// tuple writes its index table and reads no operand.
func tuple(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	p[BytesAccessed], p[outputBytes()] = size(i.Shape), size(i.Shape)
	for n := range i.Operands {
		p[operandBytes(n)] = 0
	}
	return p
}

func slice(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	out := size(i.Shape)
	p[BytesAccessed], p[operandBytes(0)] = 2*out, out
	p[operandUtilization(0)] = share(i.Shape, shapeOf(i, 0))
	return p
}

func dynamicSlice(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	out := size(i.Shape)
	p[BytesAccessed], p[operandBytes(0)] = 2*out+sizeOf(i, 1), out
	p[operandUtilization(0)] = share(i.Shape, shapeOf(i, 0))
	return p
}

// dynamicUpdateSlice writes into its first operand.
func dynamicUpdateSlice(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	update := sizeOf(i, 1)
	p[BytesAccessed] = 2*update + sizeOf(i, 2)
	p[outputBytes()], p[operandBytes(0)] = update, 0
	p[operandUtilization(0)] = 1 - share(shapeOf(i, 1), i.Shape)
	return p
}

func gather(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	out := size(i.Shape)
	p[BytesAccessed], p[operandBytes(0)] = 2*out+sizeOf(i, 1), out
	p[operandUtilization(0)] = share(i.Shape, shapeOf(i, 0))
	return p
}

// scatter has n operands, the indices, and n updates.
func scatter(a *analysis, i *hlo.Instruction, p Properties) Properties {
	n := len(i.Operands) / 2
	updates := 0.0
	for k := range n {
		s := sizeOf(i, n+1+k)
		updates += s
		p[operandBytes(k)] = s
	}
	p[BytesAccessed] = 3*updates + sizeOf(i, n)
	p[outputBytes()] = updates
	p.add(a.called(i, 0).scaled(elements(shapeOf(i, n+1))))
	return p
}

func reduce(a *analysis, i *hlo.Instruction, p Properties) Properties {
	p.add(a.called(i, 0).scaled(elements(shapeOf(i, 0)) - elements(firstArray(i.Shape))))
	return p
}

func windowElements(i *hlo.Instruction) float64 {
	n := 1.0
	for _, d := range i.Window {
		n *= float64(d.Size)
	}
	return n
}

func reduceWindow(a *analysis, i *hlo.Instruction, p Properties) Properties {
	p.add(a.called(i, 0).scaled((windowElements(i) - 1) * elements(firstArray(i.Shape))))
	return p
}

func selectAndScatter(a *analysis, i *hlo.Instruction, p Properties) Properties {
	source := elements(shapeOf(i, 1))
	p.add(a.called(i, 0).scaled(source * (windowElements(i) - 1)))
	p.add(a.called(i, 1).scaled(source))
	return p
}

func mapping(a *analysis, i *hlo.Instruction, p Properties) Properties {
	p.add(a.called(i, 0).scaled(elements(i.Shape)))
	return p
}

// fma is a multiplication and an addition.
const fma = 2

func dot(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	width := 1.0
	if i.DotDimensions != nil && len(i.Operands) > 0 {
		lhs := shapeOf(i, 0).Dimensions
		for _, d := range i.DotDimensions.LHSContracting {
			if d >= 0 && int(d) < len(lhs) {
				width *= float64(lhs[d])
			}
		}
	}
	p[Flops] = fma * elements(i.Shape) * width
	return p
}

func fft(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	const fmaPerComplexMul = 4
	factors := 1.0
	for _, d := range i.FFTLength {
		factors *= float64(max(0, bits.Len64(uint64(d))-1))
	}
	p[Flops] = fma * fmaPerComplexMul * factors * elements(shapeOf(i, 0))
	return p
}

// sorting assumes N log N comparisons.
func sorting(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	n := elements(shapeOf(i, 0))
	if n > 0 {
		p[Flops] = n * math.Ceil(math.Log2(n))
	}
	return p
}

// cholesky reads and writes half a matrix, in n^3/3 operations each.
func cholesky(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	in, out := sizeOf(i, 0)/2, size(i.Shape)/2
	p[BytesAccessed], p[operandBytes(0)], p[outputBytes()] = in+out, in, out
	p[Flops] = math.Floor(lastDim(shapeOf(i, 0)) * elements(shapeOf(i, 0)) / 3)
	return p
}

// triangularSolve reads half of the first operand.
func triangularSolve(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	half := sizeOf(i, 0) / 2
	p[BytesAccessed] = size(i.Shape) + half + sizeOf(i, 1)
	p[operandBytes(0)] = half
	p[Flops] = fma * lastDim(shapeOf(i, 0)) * elements(shapeOf(i, 1))
	return p
}

func random(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	p[Transcendentals] = elements(i.Shape)
	return p
}

func randomBits(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	p[Transcendentals] = elementsInAll(i.Shape)
	return p
}

func call(a *analysis, i *hlo.Instruction, _ Properties) Properties { return a.called(i, 0).clone() }

func while(a *analysis, i *hlo.Instruction, _ Properties) Properties {
	p := a.called(i, 0).clone()
	p.add(a.called(i, 1))
	return p
}

// conditional takes the greatest of its branches, key by key.
func conditional(a *analysis, i *hlo.Instruction, _ Properties) Properties {
	p := Properties{}
	for n := range i.Called {
		for k, v := range a.called(i, n) {
			p[k] = max(p[k], v)
		}
	}
	return p
}

// unknown is what XLA writes where nobody knows.
const unknown = -1

func customCall(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	for _, k := range []string{Flops, BytesAccessed, outputBytes(), "optimal_seconds"} {
		p[k] = unknown
	}
	for n := range i.Operands {
		p[operandBytes(n)] = unknown
	}
	return p
}

// transpose costs nothing when it only names the dimensions anew.
func transpose(a *analysis, i *hlo.Instruction, p Properties) Properties {
	in, out := shapeOf(i, 0).Layout, i.Shape.Layout
	if in == nil || out == nil || len(in.MinorToMajor) != len(i.Dimensions) || len(out.MinorToMajor) != len(i.Dimensions) {
		return p
	}
	for k, d := range out.MinorToMajor {
		if d < 0 || int(d) >= len(i.Dimensions) || i.Dimensions[d] != in.MinorToMajor[k] {
			return p
		}
	}
	return noBytes(a, i, p)
}

// allReduce adds each element once.
func allReduce(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	for _, o := range i.Operands {
		p[Flops] += elements(o.Shape)
	}
	return p
}

// shapeOf is the shape of operand n, an invalid one when there is none: the
// analysis may meet modules that XLA would refuse.
func shapeOf(i *hlo.Instruction, n int) hlo.Shape {
	if n >= len(i.Operands) || i.Operands[n] == nil {
		return hlo.Shape{}
	}
	return i.Operands[n].Shape
}

func sizeOf(i *hlo.Instruction, n int) float64 { return size(shapeOf(i, n)) }

// share is how much of an operand a result takes from it.
func share(part, whole hlo.Shape) float64 {
	if n := elements(whole); n > 0 {
		return elementsInAll(part) / n
	}
	return 0
}

func lastDim(s hlo.Shape) float64 {
	if len(s.Dimensions) == 0 {
		return 1
	}
	return float64(s.Dimensions[len(s.Dimensions)-1])
}
