package hlo

// SliceDimension is the range that slice takes of one dimension.
type SliceDimension struct{ Start, Limit, Stride int64 }

// PaddingDimension is the padding of one dimension.
type PaddingDimension struct{ Low, High, Interior int64 }

// WindowDimension is one dimension of a window.
type WindowDimension struct {
	Size, Stride, PaddingLow, PaddingHigh int64
	WindowDilation, BaseDilation          int64
	Reversal                              bool
}

// ConvDimensions names the dimensions of a convolution.
type ConvDimensions struct {
	InputBatch, InputFeature          int64
	InputSpatial                      []int64
	KernelInputFeature, KernelOutputF int64
	KernelSpatial                     []int64
	OutputBatch, OutputFeature        int64
	OutputSpatial                     []int64
}

// DotDimensions names the dimensions of a dot.
type DotDimensions struct {
	LHSContracting, RHSContracting, LHSBatch, RHSBatch []int64
}

// RaggedDotDimensions names the dimensions of a ragged-dot.
type RaggedDotDimensions struct {
	Dot                 DotDimensions
	LHSRagged, RHSGroup []int64
}

// GatherDimensions names the dimensions of a gather.
type GatherDimensions struct {
	OffsetDims, CollapsedSliceDims, StartIndexMap []int64
	IndexVectorDim                                int64
	OperandBatchingDims, StartIndicesBatchingDims []int64
}

// ScatterDimensions names the dimensions of a scatter.
type ScatterDimensions struct {
	UpdateWindowDims, InsertedWindowDims, ScatterDimsToOperandDims []int64
	IndexVectorDim                                                 int64
	InputBatchingDims, ScatterIndicesBatchingDims                  []int64
}

// Precision is the precision of one operand of a dot or convolution.
type Precision int32

// XLA's precisions.
const (
	PrecisionDefault Precision = 0
	PrecisionHigh    Precision = 1
	PrecisionHighest Precision = 2
)

// PrecisionConfig is the precision of a dot or convolution. Algorithm is XLA's
// number; see [DotAlgorithmByName].
type PrecisionConfig struct {
	Operands  []Precision
	Algorithm DotAlgorithm
}

// DotAlgorithm is XLA's PrecisionConfig.Algorithm; 0 is unset.
type DotAlgorithm int32

// RandomDistribution is the distribution of an rng instruction.
type RandomDistribution int32

// XLA's distributions.
const (
	RngUniform RandomDistribution = 1
	RngNormal  RandomDistribution = 2
)

// RandomAlgorithm is the algorithm of an rng-bit-generator.
type RandomAlgorithm int32

// XLA's algorithms.
const (
	RngDefault  RandomAlgorithm = 0
	RngThreeFry RandomAlgorithm = 1
	RngPhilox   RandomAlgorithm = 2
)

// FFTType is the kind of an fft.
type FFTType int32

// XLA's kinds of fft.
const (
	FFT   FFTType = 0
	IFFT  FFTType = 1
	RFFT  FFTType = 2
	IRFFT FFTType = 3
)

// CholeskyOptions are the options of cholesky.
type CholeskyOptions struct{ Lower bool }

// Transpose says how triangular-solve takes its matrix.
type Transpose int32

// XLA's forms.
const (
	NoTranspose   Transpose = 1
	DoTranspose   Transpose = 2
	AdjointMatrix Transpose = 3
)

// TriangularSolveOptions are the options of triangular-solve.
type TriangularSolveOptions struct {
	LeftSide, Lower, UnitDiagonal bool
	TransposeA                    Transpose
}

// CustomCallSchedule says when a custom-call wants to run.
type CustomCallSchedule int32

// CustomCallAPIVersion is the calling convention of a custom-call.
type CustomCallAPIVersion int32

// XLA's calling conventions.
const (
	APIVersionOriginal               CustomCallAPIVersion = 1
	APIVersionStatusReturning        CustomCallAPIVersion = 2
	APIVersionStatusReturningUnified CustomCallAPIVersion = 3
	APIVersionTypedFFI               CustomCallAPIVersion = 4
)

// PaddingType is the kind of padding of a custom-call.
type PaddingType int32

// OutputOperandAliasing says that an output shares the buffer of an operand.
type OutputOperandAliasing struct {
	OutputIndex  []int64
	OperandIndex int64
	OperandShape []int64
}

// SourceTarget is one pair of a collective-permute.
type SourceTarget struct{ Source, Target int64 }

// ReplicaGroups says which devices take part in a collective: as lists, or as
// an iota, or as axes of a mesh; the first non-nil of Mesh, Iota, List counts.
type ReplicaGroups struct {
	List [][]int64
	// InDeviceList says that List stands in the collective_device_list field
	// (newer) rather than in replica_groups.
	InDeviceList bool
	Iota         *IotaGroups
	Mesh         *MeshGroups
}

// IotaGroups is iota(product of ReshapeDims) reshaped, transposed and split
// into NumGroups groups of GroupSize.
type IotaGroups struct {
	NumGroups, GroupSize int64
	ReshapeDims          []int64
	TransposePerm        []int32
}

// MeshGroups are the groups along some axes of a mesh.
type MeshGroups struct {
	Mesh Mesh
	Axes []AxisRef
}

// Mesh is a named arrangement of devices.
type Mesh struct {
	Axes      []MeshAxis
	DeviceIDs []int64
	Iota      *MeshIota
}

// MeshAxis is one axis of a mesh.
type MeshAxis struct {
	Name string
	Size int64
}

// MeshIota orders a mesh's devices as a reshaped, transposed iota.
type MeshIota struct{ ReshapeDims, TransposePerm []int64 }

// AxisRef refers to an axis of a mesh, or to a part of it.
type AxisRef struct {
	Axis int64
	Sub  *SubAxis
}

// SubAxis is a factor of an axis.
type SubAxis struct{ PreSize, Size int64 }

// ShardingType is the kind of a sharding.
type ShardingType int32

// XLA's kinds.
const (
	ShardingReplicated ShardingType = 0
	ShardingMaximal    ShardingType = 1
	ShardingTuple      ShardingType = 2
	ShardingOther      ShardingType = 3 // tiled
	ShardingManual     ShardingType = 4
	ShardingUnknown    ShardingType = 5
	ShardingUnreduced  ShardingType = 6
)

// Sharding says how a value is spread over devices.
type Sharding struct {
	Type                   ShardingType
	TileShape              *Shape
	TileDimensions         []int64
	TileDevices            []int64
	Tuple                  []*Sharding
	ReplicateOnLastTileDim bool
	LastTileDims           []ShardingType
	IotaReshapeDims        []int64
	IotaTransposePerm      []int32
	IsShardGroup           bool
	ShardGroupID           int64
	ShardGroupType         int32
	Named                  *NamedSharding
	Metadata               []OpMetadata

	unknown []byte
}

// NamedSharding is a sharding written with the axes of a mesh.
type NamedSharding struct {
	Mesh           Mesh
	Dims           []NamedDim
	ReplicatedAxes []AxisRef
	UnreducedAxes  []AxisRef
	ManualAxes     []AxisRef
	Metadata       []OpMetadata

	unknown []byte
}

// NamedDim is the sharding of one dimension.
type NamedDim struct {
	Axes   []AxisRef
	Closed bool
}

// ResultAccuracy is the accuracy wanted of a function: a mode or a tolerance.
type ResultAccuracy struct {
	Mode      int32 // 0 default, 1 highest
	Tolerance *Tolerance
}

// Tolerance is an accuracy in numbers.
type Tolerance struct {
	Atol, Rtol float64
	ULPs       int64
}

// OriginalValue says which instructions of the program before optimisation a
// value came from, per leaf of its shape.
type OriginalValue struct {
	Elements      []OriginalElement
	SyntheticCall bool

	unknown []byte
}

// OriginalElement is one leaf of an OriginalValue; Name is empty where the leaf's origin is not known.
type OriginalElement struct {
	ShapeIndex    []int64
	Known         bool
	Name          string
	OriginalIndex []int64
}
