package hlo

// Instruction is one operation of a computation. A field that its opcode does
// not use is zero.
type Instruction struct {
	// ID is unique in the module: computation id << 32 | number in the
	// computation (older protos carry the number alone).
	ID     int64
	Name   string // without "%"
	Opcode Opcode
	Shape  Shape

	Operands            []*Instruction
	ControlPredecessors []*Instruction
	// Called lists the computations that the instruction calls, in the proto's
	// order (while: body, condition).
	Called []*Computation

	Metadata           OpMetadata
	FrontendAttributes map[string]string
	Sharding           *Sharding
	BackendConfig      string
	ResultAccuracy     *ResultAccuracy
	OriginalValue      *OriginalValue

	Literal          *Literal // constant, custom-call
	ParameterNumber  int64    // parameter
	TupleIndex       int64    // get-tuple-element
	Dimensions       []int64  // broadcast transpose concatenate reverse reduce sort map iota ...
	IsStable         bool     // sort, topk
	SliceDimensions  []SliceDimension
	DynamicSizes     []int64 // dynamic-slice
	Padding          []PaddingDimension
	Window           []WindowDimension // convolution reduce-window select-and-scatter
	ConvDimensions   *ConvDimensions
	DotDimensions    *DotDimensions
	RaggedDot        *RaggedDotDimensions
	GatherDimensions *GatherDimensions
	GatherSliceSizes []int64
	ScatterDims      *ScatterDimensions
	Precision        *PrecisionConfig

	FeatureGroupCount int64
	BatchGroupCount   int64
	IndicesAreSorted  bool
	UniqueIndices     bool

	ComparisonDirection string // "EQ" "NE" "GE" "GT" "LE" "LT"
	ComparisonOrder     string // "PARTIAL" (float), "TOTAL" (integer), or ""
	ComparisonType      string // older form of the order: "FLOAT" "TOTALORDER" "SIGNED" "UNSIGNED"

	FFTType         FFTType
	FFTLength       []int64
	ExponentBits    int32 // reduce-precision
	MantissaBits    int32
	Distribution    RandomDistribution // rng
	RngAlgorithm    RandomAlgorithm    // rng-bit-generator
	Delta           int64              // rng-get-and-update-state
	Cholesky        *CholeskyOptions
	TriangularSolve *TriangularSolveOptions
	K               int64 // topk
	Largest         bool  // topk
	Epsilon         float32
	FeatureIndex    int64

	FusionKind            string // "kLoop" "kInput" "kOutput" "kCustom"
	IsComposite           bool   // call
	CustomCallTarget      string
	CustomCallSideEffect  bool
	CustomCallSchedule    CustomCallSchedule
	CustomCallAPIVersion  CustomCallAPIVersion
	ConstrainLayout       bool // custom-call: OperandShapes are constraints; collectives: constrain_layout
	OperandShapes         []Shape
	OutputOperandAliasing []OutputOperandAliasing
	PaddingType           PaddingType

	ChannelID           int64
	ReplicaGroups       *ReplicaGroups
	SourceTargetPairs   []SourceTarget
	UseGlobalDeviceIDs  bool
	AllReduceID         int64
	IsHostTransfer      bool
	InfeedConfig        string
	OutfeedConfig       string
	OutfeedShape        *Shape
	DomainEntrySharding *Sharding
	DomainExitSharding  *Sharding
	ParameterReplicated []bool // parameter_replication, per leaf buffer

	AsyncExecutionThread      string
	IsCrossProgramPrefetch    bool
	CrossProgramPrefetchIndex *int32
	HasDynamicRoot            bool
	IsReverse                 bool // scan
	NumCarries                int64
	IsAssociative             int32 // scan: 0 unspecified, 1 true, 2 false, as XLA's TriState
	ConvKind                  int32

	unknown []byte
}

// LocalID is the part of ID that counts within the computation.
func (i *Instruction) LocalID() int64 { return i.ID & (1<<32 - 1) }

// OpMetadata says where an instruction came from.
type OpMetadata struct {
	OpType            string
	OpName            string
	SourceFile        string
	SourceLine        int32
	SourceEndLine     int32
	SourceColumn      int32
	SourceEndColumn   int32
	DeduplicatedName  string
	StackFrameID      int32 // 1-based index into the module's StackFrames, 0 for none
	SchedulingName    string
	GeneratedCodeSize int64
	WorkingSetSize    int64

	profileInfo []byte
	unknown     []byte
}

// Computation is a function of HLO instructions.
type Computation struct {
	ID   int64
	Name string // without "%"
	// Instructions are in the proto's order: operands before users.
	Instructions    []*Instruction
	Root            *Instruction
	IsFusion        bool
	ExecutionThread string // "" and "main" are the main thread
	BackendConfig   string

	unknown []byte
}

// Module is a whole HLO program.
type Module struct {
	Name         string
	ID           int64
	Computations []*Computation
	Entry        *Computation

	// Schedule gives the execution order of scheduled computations; nil for an
	// unscheduled module.
	Schedule map[*Computation][]*Instruction
	// IsScheduled is set with Schedule, also when that is empty.
	IsScheduled bool

	InputOutputAlias   []AliasEntry
	BufferDonors       []BufferDonor
	FrontendAttributes map[string]string
	StackFrames        StackFrameIndex
	// HostProgramShape is the entry's type with layouts; nil means to derive it
	// from the entry computation (XLA requires it in the proto; Marshal writes it).
	HostProgramShape *ProgramShape

	SPMDOutputSharding      *Sharding
	SPMDParameterShardings  []*Sharding
	UseAutoSPMDPartitioning bool
	IsDynamic               bool
	DeviceType              string
	BackendConfig           string

	// Config is what XLA keeps outside HloModuleProto; nil when it is not known.
	Config *Config

	// listed says that Computations stand in the order of a text, which
	// PostOrder keeps as long as called ones come before their callers.
	listed  bool
	unknown []byte
}

// Config is the part of XLA's HloModuleConfig that HLO text shows.
type Config struct {
	ReplicaCount           int64 // 0 means 1
	NumPartitions          int64 // 0 means 1
	AliasPassthroughParams bool
	// AllowSPMDToParameters and AllowSPMDToOutput are
	// allow_spmd_sharding_propagation_to_parameters and _to_output.
	AllowSPMDToParameters  []bool
	AllowSPMDToOutput      []bool
	EntryComputationLayout *ProgramShape

	unknown []byte
}

// AliasKind says whether an input and an output share a buffer.
type AliasKind int32

// XLA's alias kinds.
const (
	UndefinedAlias AliasKind = 0
	MayAlias       AliasKind = 1
	MustAlias      AliasKind = 2
)

// AliasEntry says that an output takes the buffer of a parameter.
type AliasEntry struct {
	OutputIndex     []int64
	ParameterNumber int64
	ParameterIndex  []int64
	Kind            AliasKind
}

// BufferDonor names a parameter whose buffer may be reused.
type BufferDonor struct {
	ParameterNumber int64
	ParameterIndex  []int64
}

// StackFrameIndex holds the source positions that instructions refer to. All ids are 1-based.
type StackFrameIndex struct {
	FileNames     []string
	FunctionNames []string
	Locations     []FileLocation
	Frames        []StackFrame
}

// FileLocation is a range of source text.
type FileLocation struct {
	FileNameID, FunctionNameID       int32
	Line, EndLine, Column, EndColumn int32
}

// StackFrame is one call in a stack; ParentFrameID is 0 for the outermost.
type StackFrame struct {
	LocationID, ParentFrameID int32
}

// Innermost gives the file and the line of a frame, or "" where there is none.
func (x *StackFrameIndex) Innermost(frameID int32) (file string, line int) {
	if frameID < 1 || int(frameID) > len(x.Frames) {
		return "", 0
	}
	id := x.Frames[frameID-1].LocationID
	if id < 1 || int(id) > len(x.Locations) {
		return "", 0
	}
	at := x.Locations[id-1]
	if at.FileNameID < 1 || int(at.FileNameID) > len(x.FileNames) {
		return "", 0
	}
	return x.FileNames[at.FileNameID-1], int(at.Line)
}
