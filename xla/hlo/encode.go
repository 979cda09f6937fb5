package hlo

import (
	"google.golang.org/protobuf/proto"

	"gopherlo/xla/hlo/hlopb"
)

// Marshal serialises m as an HloModuleProto, the same bytes for the same
// module. Ids are kept where they are unique; otherwise the module is numbered
// as [Module.AssignIDs] would, without changing it.
func (m *Module) Marshal() ([]byte, error) {
	p, err := m.encode()
	if err != nil {
		return nil, err
	}
	return marshal(p)
}

// MarshalToCompile is Marshal for plugins of any age: the total order of a
// comparison of floating-point numbers is written in its older form too, the
// only one that plugins up to 2026 read.
func (m *Module) MarshalToCompile() ([]byte, error) {
	p, err := m.encode()
	if err != nil {
		return nil, err
	}
	for _, c := range p.Computations {
		types := make(map[int64]PrimitiveType, len(c.Instructions))
		for _, i := range c.Instructions {
			types[i.Id] = PrimitiveType(i.Shape.GetElementType())
		}
		for _, i := range c.Instructions {
			if i.ComparisonOrder != "TOTAL" || i.ComparisonType != "" || len(i.OperandIds) == 0 {
				continue
			}
			if t := types[i.OperandIds[0]]; t.IsFloat() {
				i.ComparisonType = "TOTALORDER"
			}
		}
	}
	return marshal(p)
}

// MarshalWithConfig serialises m as an HloModuleProtoWithConfig.
func (m *Module) MarshalWithConfig() ([]byte, error) {
	p, err := m.encode()
	if err != nil {
		return nil, err
	}
	w := &hlopb.ModuleWithConfig{HloModule: p}
	if c := m.Config; c != nil {
		w.Config = &hlopb.ModuleConfig{
			EntryComputationLayout: encodeProgramShape(c.EntryComputationLayout),
			ReplicaCount:           c.ReplicaCount, NumPartitions: c.NumPartitions,
			AliasPassthroughParams: c.AliasPassthroughParams,
			AllowSpmdToParameters:  c.AllowSPMDToParameters, AllowSpmdToOutput: c.AllowSPMDToOutput,
		}
		setUnknown(w.Config, c.unknown)
	}
	return marshal(w)
}

func marshal(p proto.Message) ([]byte, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(p)
	if err != nil {
		return nil, moduleErr("cannot be serialised: " + err.Error())
	}
	return b, nil
}

func setUnknown(p proto.Message, b []byte) {
	if len(b) > 0 {
		p.ProtoReflect().SetUnknown(b)
	}
}

// encoder holds the ids under which a module is written.
type encoder struct {
	comps  map[*Computation]int64
	instrs map[*Instruction]int64 // nil: use Instruction.ID
}

func (e *encoder) id(i *Instruction) int64 {
	if e.instrs == nil {
		return i.ID
	}
	return e.instrs[i]
}

func (m *Module) encode() (*hlopb.Module, error) {
	if m.Entry == nil {
		return nil, moduleErr("has no entry computation")
	}
	e := m.numbering()
	p := &hlopb.Module{
		Name: m.Name, Id: m.ID, EntryComputationName: m.Entry.Name, EntryComputationId: e.comps[m.Entry],
		HostProgramShape:        encodeProgramShape(m.programShape()),
		IsDynamic:               m.IsDynamic,
		SpmdOutputSharding:      encodeSharding(m.SPMDOutputSharding),
		SpmdParametersShardings: mapSlice(m.SPMDParameterShardings, encodeSharding),
		UseAutoSpmdPartitioning: m.UseAutoSPMDPartitioning,
		StackFrameIndex:         encodeStackFrames(&m.StackFrames),
		FrontendAttributes:      encodeFrontendAttributes(m.FrontendAttributes),
		DeviceType:              m.DeviceType, BackendConfig: []byte(m.BackendConfig),
	}
	setUnknown(p, m.unknown)
	if _, ok := e.comps[m.Entry]; !ok {
		return nil, computationErr(m.Entry, "is the entry but not among the module's computations")
	}
	if len(m.InputOutputAlias) > 0 {
		p.InputOutputAlias = &hlopb.InputOutputAlias{}
		for _, a := range m.InputOutputAlias {
			p.InputOutputAlias.Entries = append(p.InputOutputAlias.Entries, &hlopb.InputOutputAlias_Entry{
				OutputShapeIndex: a.OutputIndex, ParameterNumber: a.ParameterNumber, ParameterShapeIndex: a.ParameterIndex, Kind: int32(a.Kind),
			})
		}
	}
	if len(m.BufferDonors) > 0 {
		p.BufferDonor = &hlopb.BufferDonors{}
		for _, d := range m.BufferDonors {
			p.BufferDonor.Entries = append(p.BufferDonor.Entries, &hlopb.BufferDonors_Entry{ParameterNumber: d.ParameterNumber, ParameterShapeIndex: d.ParameterIndex})
		}
	}
	for _, c := range m.Computations {
		pc, err := e.computation(c)
		if err != nil {
			return nil, err
		}
		p.Computations = append(p.Computations, pc)
	}
	p.Schedule = e.schedule(m)
	return p, nil
}

func (e *encoder) schedule(m *Module) *hlopb.Schedule {
	if !m.IsScheduled {
		return nil
	}
	s := &hlopb.Schedule{Sequences: make(map[int64]*hlopb.Schedule_Sequence, len(m.Schedule))}
	for c, seq := range m.Schedule {
		ids := make([]int64, len(seq))
		for k, i := range seq {
			ids[k] = e.id(i)
		}
		s.Sequences[e.comps[c]] = &hlopb.Schedule_Sequence{InstructionIds: ids}
	}
	return s
}

func (e *encoder) computation(c *Computation) (*hlopb.Computation, error) {
	if c.Root == nil {
		return nil, computationErr(c, "has no root instruction")
	}
	p := &hlopb.Computation{
		Name: c.Name, Id: e.comps[c], RootId: e.id(c.Root), IsFusionComputation: c.IsFusion,
		ExecutionThread: c.ExecutionThread, BackendConfig: []byte(c.BackendConfig),
		ProgramShape: encodeProgramShape(c.programShape()),
		Instructions: make([]*hlopb.Instruction, len(c.Instructions)),
	}
	setUnknown(p, c.unknown)
	for k, i := range c.Instructions {
		pi := encodeInstruction(i)
		pi.Id = e.id(i)
		pi.OperandIds = e.ids(i.Operands)
		pi.ControlPredecessorIds = e.ids(i.ControlPredecessors)
		for _, called := range i.Called {
			id, ok := e.comps[called]
			if !ok {
				return nil, instructionErr(c, i, "calls a computation that is not in the module")
			}
			pi.CalledComputationIds = append(pi.CalledComputationIds, id)
		}
		if i.Literal != nil {
			var err error
			if pi.Literal, err = encodeLiteral(i.Literal); err != nil {
				return nil, instructionErr(c, i, err.Error())
			}
		}
		p.Instructions[k] = pi
	}
	return p, nil
}

func (e *encoder) ids(in []*Instruction) []int64 {
	if len(in) == 0 {
		return nil
	}
	ids := make([]int64, len(in))
	for k, i := range in {
		ids[k] = e.id(i)
	}
	return ids
}

func encodeFrontendAttributes(m map[string]string) *hlopb.FrontendAttributes {
	if len(m) == 0 {
		return nil
	}
	return &hlopb.FrontendAttributes{Map: m}
}

func encodeStackFrames(x *StackFrameIndex) *hlopb.StackFrameIndex {
	if len(x.Frames) == 0 && len(x.FileNames) == 0 {
		return nil
	}
	return &hlopb.StackFrameIndex{
		FileNames: x.FileNames, FunctionNames: x.FunctionNames,
		FileLocations: mapSlice(x.Locations, func(l FileLocation) *hlopb.StackFrameIndex_FileLocation {
			return &hlopb.StackFrameIndex_FileLocation{
				FileNameId: l.FileNameID, FunctionNameId: l.FunctionNameID,
				Line: l.Line, EndLine: l.EndLine, Column: l.Column, EndColumn: l.EndColumn,
			}
		}),
		StackFrames: mapSlice(x.Frames, func(f StackFrame) *hlopb.StackFrameIndex_StackFrame {
			return &hlopb.StackFrameIndex_StackFrame{FileLocationId: f.LocationID, ParentFrameId: f.ParentFrameID}
		}),
	}
}

func encodeProgramShape(s *ProgramShape) *hlopb.ProgramShape {
	if s == nil {
		return nil
	}
	return &hlopb.ProgramShape{
		Parameters: mapSlice(s.Parameters, encodeShape), ParameterNames: s.ParameterNames, Result: encodeShape(s.Result),
	}
}

func encodeShape(s Shape) *hlopb.Shape {
	p := &hlopb.Shape{ElementType: int32(s.ElementType), Dimensions: s.Dimensions, TupleShapes: mapSlice(s.Tuple, encodeShape)}
	setUnknown(p, s.unknown)
	if n := len(s.Dimensions); n > 0 { // XLA always writes one mark per dimension
		p.IsDynamicDimension = make([]bool, n)
		copy(p.IsDynamicDimension, s.Dynamic)
	}
	if l := s.Layout; l != nil {
		p.Layout = encodeLayout(l)
	}
	return p
}

func encodeLayout(l *Layout) *hlopb.Layout {
	p := &hlopb.Layout{
		MinorToMajor: l.MinorToMajor, ElementSizeInBits: l.ElementSizeInBits, MemorySpace: l.MemorySpace,
		TailPaddingAlignmentInElements: l.TailPaddingAlign,
		IndexPrimitiveType:             int32(l.IndexType), PointerPrimitiveType: int32(l.PointerType),
		DynamicShapeMetadataPrefixBytes: l.DynamicPrefixBytes,
	}
	setUnknown(p, l.unknown)
	for _, t := range l.Tiles {
		p.Tiles = append(p.Tiles, &hlopb.Layout_Tile{Dimensions: t})
	}
	for _, c := range l.SplitConfigs {
		p.SplitConfigs = append(p.SplitConfigs, &hlopb.Layout_Split{Dimension: c.Dimension, SplitIndices: c.SplitIndices})
	}
	if l.PhysicalShape != nil {
		p.PhysicalShape = encodeShape(*l.PhysicalShape)
	}
	return p
}
