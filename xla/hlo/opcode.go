package hlo

// Opcode is an operation's name as it stands in HLO text and protos: "add".
type Opcode string

// The opcodes of XLA as of jaxlib 0.12.0.1 that this package knows. An unknown
// one is kept and printed without attributes of its own.
const (
	OpAbs                    Opcode = "abs"
	OpAcos                   Opcode = "acos"
	OpAcosh                  Opcode = "acosh"
	OpAdd                    Opcode = "add"
	OpAddDependency          Opcode = "add-dependency"
	OpAfterAll               Opcode = "after-all"
	OpAllGather              Opcode = "all-gather"
	OpAllGatherDone          Opcode = "all-gather-done"
	OpAllGatherStart         Opcode = "all-gather-start"
	OpAllReduce              Opcode = "all-reduce"
	OpAllReduceDone          Opcode = "all-reduce-done"
	OpAllReduceStart         Opcode = "all-reduce-start"
	OpAllToAll               Opcode = "all-to-all"
	OpAnd                    Opcode = "and"
	OpAsin                   Opcode = "asin"
	OpAsinh                  Opcode = "asinh"
	OpAsyncDone              Opcode = "async-done"
	OpAsyncStart             Opcode = "async-start"
	OpAsyncUpdate            Opcode = "async-update"
	OpAtan2                  Opcode = "atan2"
	OpAtanh                  Opcode = "atanh"
	OpBatchNormGrad          Opcode = "batch-norm-grad"
	OpBatchNormInference     Opcode = "batch-norm-inference"
	OpBatchNormTraining      Opcode = "batch-norm-training"
	OpBitcast                Opcode = "bitcast"
	OpBitcastConvert         Opcode = "bitcast-convert"
	OpBroadcast              Opcode = "broadcast"
	OpCall                   Opcode = "call"
	OpCbrt                   Opcode = "cbrt"
	OpCeil                   Opcode = "ceil"
	OpCholesky               Opcode = "cholesky"
	OpClamp                  Opcode = "clamp"
	OpCLZ                    Opcode = "count-leading-zeros"
	OpCollectiveBroadcast    Opcode = "collective-broadcast"
	OpCollectivePermute      Opcode = "collective-permute"
	OpCollectivePermuteDone  Opcode = "collective-permute-done"
	OpCollectivePermuteStart Opcode = "collective-permute-start"
	OpCompare                Opcode = "compare"
	OpComplex                Opcode = "complex"
	OpConcatenate            Opcode = "concatenate"
	OpConditional            Opcode = "conditional"
	OpConstant               Opcode = "constant"
	OpConvert                Opcode = "convert"
	OpConvolution            Opcode = "convolution"
	OpCopy                   Opcode = "copy"
	OpCopyDone               Opcode = "copy-done"
	OpCopyStart              Opcode = "copy-start"
	OpCos                    Opcode = "cosine"
	OpCosh                   Opcode = "cosh"
	OpCustomCall             Opcode = "custom-call"
	OpDivide                 Opcode = "divide"
	OpDomain                 Opcode = "domain"
	OpDot                    Opcode = "dot"
	OpDynamicReshape         Opcode = "dynamic-reshape"
	OpDynamicSlice           Opcode = "dynamic-slice"
	OpDynamicUpdateSlice     Opcode = "dynamic-update-slice"
	OpErf                    Opcode = "erf"
	OpExp                    Opcode = "exponential"
	OpExpm1                  Opcode = "exponential-minus-one"
	OpFFT                    Opcode = "fft"
	OpFloor                  Opcode = "floor"
	OpFusion                 Opcode = "fusion"
	OpGather                 Opcode = "gather"
	OpGetDimensionSize       Opcode = "get-dimension-size"
	OpGetTupleElement        Opcode = "get-tuple-element"
	OpImag                   Opcode = "imag"
	OpInfeed                 Opcode = "infeed"
	OpIota                   Opcode = "iota"
	OpIsFinite               Opcode = "is-finite"
	OpLog                    Opcode = "log"
	OpLog1p                  Opcode = "log-plus-one"
	OpLogistic               Opcode = "logistic"
	OpMap                    Opcode = "map"
	OpMaximum                Opcode = "maximum"
	OpMinimum                Opcode = "minimum"
	OpMultiply               Opcode = "multiply"
	OpNegate                 Opcode = "negate"
	OpNot                    Opcode = "not"
	OpOptimizationBarrier    Opcode = "opt-barrier"
	OpOr                     Opcode = "or"
	OpOutfeed                Opcode = "outfeed"
	OpPad                    Opcode = "pad"
	OpParameter              Opcode = "parameter"
	OpPartitionID            Opcode = "partition-id"
	OpPopcnt                 Opcode = "popcnt"
	OpPower                  Opcode = "power"
	OpRaggedAllToAll         Opcode = "ragged-all-to-all"
	OpRaggedDot              Opcode = "ragged-dot"
	OpReal                   Opcode = "real"
	OpRecv                   Opcode = "recv"
	OpRecvDone               Opcode = "recv-done"
	OpReduce                 Opcode = "reduce"
	OpReducePrecision        Opcode = "reduce-precision"
	OpReduceScatter          Opcode = "reduce-scatter"
	OpReduceWindow           Opcode = "reduce-window"
	OpRemainder              Opcode = "remainder"
	OpReplicaID              Opcode = "replica-id"
	OpReshape                Opcode = "reshape"
	OpReverse                Opcode = "reverse"
	OpRng                    Opcode = "rng"
	OpRngBitGenerator        Opcode = "rng-bit-generator"
	OpRngGetAndUpdateState   Opcode = "rng-get-and-update-state"
	OpRoundNearestAfz        Opcode = "round-nearest-afz"
	OpRoundNearestEven       Opcode = "round-nearest-even"
	OpRsqrt                  Opcode = "rsqrt"
	OpScatter                Opcode = "scatter"
	OpSelect                 Opcode = "select"
	OpSelectAndScatter       Opcode = "select-and-scatter"
	OpSend                   Opcode = "send"
	OpSendDone               Opcode = "send-done"
	OpSetDimensionSize       Opcode = "set-dimension-size"
	OpShiftLeft              Opcode = "shift-left"
	OpShiftRightArithmetic   Opcode = "shift-right-arithmetic"
	OpShiftRightLogical      Opcode = "shift-right-logical"
	OpSign                   Opcode = "sign"
	OpSin                    Opcode = "sine"
	OpSinh                   Opcode = "sinh"
	OpSlice                  Opcode = "slice"
	OpSort                   Opcode = "sort"
	OpSqrt                   Opcode = "sqrt"
	OpStochasticConvert      Opcode = "stochastic-convert"
	OpSubtract               Opcode = "subtract"
	OpTan                    Opcode = "tan"
	OpTanh                   Opcode = "tanh"
	OpTopK                   Opcode = "topk"
	OpTranspose              Opcode = "transpose"
	OpTriangularSolve        Opcode = "triangular-solve"
	OpTuple                  Opcode = "tuple"
	OpWhile                  Opcode = "while"
	OpXor                    Opcode = "xor"
	OpExp2                   Opcode = "exp2"
	OpLog2                   Opcode = "log2"
	OpMulhi                  Opcode = "mulhi"
	OpCollectiveReduce       Opcode = "collective-reduce"
	OpScaledDot              Opcode = "scaled-dot"
	OpScan                   Opcode = "scan"
	OpShuffle                Opcode = "shuffle"
)

var knownOpcodes = func() map[Opcode]bool {
	m := map[Opcode]bool{}
	for _, op := range []Opcode{
		OpAbs, OpAcos, OpAcosh, OpAdd, OpAddDependency, OpAfterAll, OpAllGather, OpAllGatherDone, OpAllGatherStart,
		OpAllReduce, OpAllReduceDone, OpAllReduceStart, OpAllToAll, OpAnd, OpAsin, OpAsinh, OpAsyncDone, OpAsyncStart,
		OpAsyncUpdate, OpAtan2, OpAtanh, OpBatchNormGrad, OpBatchNormInference, OpBatchNormTraining, OpBitcast,
		OpBitcastConvert, OpBroadcast, OpCall, OpCbrt, OpCeil, OpCholesky, OpClamp, OpCLZ, OpCollectiveBroadcast,
		OpCollectivePermute, OpCollectivePermuteDone, OpCollectivePermuteStart, OpCompare, OpComplex, OpConcatenate,
		OpConditional, OpConstant, OpConvert, OpConvolution, OpCopy, OpCopyDone, OpCopyStart, OpCos, OpCosh, OpCustomCall,
		OpDivide, OpDomain, OpDot, OpDynamicReshape, OpDynamicSlice, OpDynamicUpdateSlice, OpErf, OpExp, OpExpm1, OpFFT,
		OpFloor, OpFusion, OpGather, OpGetDimensionSize, OpGetTupleElement, OpImag, OpInfeed, OpIota, OpIsFinite, OpLog,
		OpLog1p, OpLogistic, OpMap, OpMaximum, OpMinimum, OpMultiply, OpNegate, OpNot, OpOptimizationBarrier, OpOr, OpOutfeed,
		OpPad, OpParameter, OpPartitionID, OpPopcnt, OpPower, OpRaggedAllToAll, OpRaggedDot, OpReal, OpRecv, OpRecvDone,
		OpReduce, OpReducePrecision, OpReduceScatter, OpReduceWindow, OpRemainder, OpReplicaID, OpReshape, OpReverse, OpRng,
		OpRngBitGenerator, OpRngGetAndUpdateState, OpRoundNearestAfz, OpRoundNearestEven, OpRsqrt, OpScatter, OpSelect,
		OpSelectAndScatter, OpSend, OpSendDone, OpSetDimensionSize, OpShiftLeft, OpShiftRightArithmetic, OpShiftRightLogical,
		OpSign, OpSin, OpSinh, OpSlice, OpSort, OpSqrt, OpStochasticConvert, OpSubtract, OpTan, OpTanh, OpTopK, OpTranspose,
		OpTriangularSolve, OpTuple, OpWhile, OpXor, OpExp2, OpLog2, OpMulhi, OpCollectiveReduce, OpScaledDot, OpScan,
		OpShuffle,
	} {
		m[op] = true
	}
	return m
}()

// Known reports whether op is an opcode of XLA that this package lists.
func (op Opcode) Known() bool { return knownOpcodes[op] }
