package hlo

import (
	"google.golang.org/protobuf/proto"

	"gopherlo/xla/hlo/hlopb"
)

// Unmarshal reads a serialised HloModuleProto. References between instructions
// and computations are resolved; what else a compiler needs is checked by
// [Module.Verify]. Fields that this package does not know are kept.
func Unmarshal(data []byte) (*Module, error) {
	var p hlopb.Module
	if err := proto.Unmarshal(data, &p); err != nil {
		return nil, protoErr("HloModuleProto", data, &p, err)
	}
	return decodeModule(&p)
}

// protoErr is the error of bytes that protobuf refuses, with their place.
func protoErr(what string, data []byte, m proto.Message, err error) error {
	why := wireFault(data, m.ProtoReflect().Descriptor())
	if why == "" {
		why = err.Error()
	}
	return moduleErr("not a serialised " + what + ": " + why)
}

// UnmarshalWithConfig reads a serialised HloModuleProtoWithConfig, the form in
// which PJRT hands out optimised programs.
func UnmarshalWithConfig(data []byte) (*Module, error) {
	var p hlopb.ModuleWithConfig
	if err := proto.Unmarshal(data, &p); err != nil {
		return nil, protoErr("HloModuleProtoWithConfig", data, &p, err)
	}
	if p.HloModule == nil {
		return nil, moduleErr("the HloModuleProtoWithConfig holds no module")
	}
	m, err := decodeModule(p.HloModule)
	if err != nil {
		return nil, err
	}
	if c := p.Config; c != nil {
		m.Config = &Config{
			ReplicaCount: c.ReplicaCount, NumPartitions: c.NumPartitions,
			AliasPassthroughParams: c.AliasPassthroughParams,
			AllowSPMDToParameters:  c.AllowSpmdToParameters,
			AllowSPMDToOutput:      c.AllowSpmdToOutput,
			EntryComputationLayout: decodeProgramShape(c.EntryComputationLayout),
			unknown:                unknownOf(c),
		}
	}
	return m, nil
}

func unknownOf(m proto.Message) []byte { return m.ProtoReflect().GetUnknown() }

// decoder resolves ids to pointers while a module is read.
type decoder struct {
	comps map[int64]*Computation
}

func decodeModule(p *hlopb.Module) (*Module, error) {
	m := &Module{
		Name: p.Name, ID: p.Id,
		FrontendAttributes:      p.FrontendAttributes.GetMap(),
		HostProgramShape:        decodeProgramShape(p.HostProgramShape),
		SPMDOutputSharding:      decodeSharding(p.SpmdOutputSharding),
		SPMDParameterShardings:  mapSlice(p.SpmdParametersShardings, decodeSharding),
		UseAutoSPMDPartitioning: p.UseAutoSpmdPartitioning,
		IsDynamic:               p.IsDynamic,
		DeviceType:              p.DeviceType,
		BackendConfig:           string(p.BackendConfig),
		StackFrames:             decodeStackFrames(p.StackFrameIndex),
		unknown:                 unknownOf(p),
	}
	for _, e := range p.InputOutputAlias.GetEntries() {
		m.InputOutputAlias = append(m.InputOutputAlias, AliasEntry{e.OutputShapeIndex, e.ParameterNumber, e.ParameterShapeIndex, AliasKind(e.Kind)})
	}
	for _, e := range p.BufferDonor.GetEntries() {
		m.BufferDonors = append(m.BufferDonors, BufferDonor{e.ParameterNumber, e.ParameterShapeIndex})
	}
	d := decoder{comps: make(map[int64]*Computation, len(p.Computations))}
	for _, pc := range p.Computations {
		c := &Computation{
			ID: pc.Id, Name: pc.Name, IsFusion: pc.IsFusionComputation,
			ExecutionThread: pc.ExecutionThread, BackendConfig: string(pc.BackendConfig), unknown: unknownOf(pc),
		}
		if other := d.comps[c.ID]; other != nil {
			return nil, computationErr(c, "its id "+itoa(c.ID)+" is also that of "+other.Name)
		}
		d.comps[c.ID] = c
		m.Computations = append(m.Computations, c)
	}
	seqs := p.Schedule.GetSequences()
	m.IsScheduled = len(seqs) > 0
	if m.IsScheduled {
		m.Schedule = make(map[*Computation][]*Instruction, len(seqs))
	}
	for k, pc := range p.Computations {
		c := m.Computations[k]
		ids, err := d.instructions(c, pc)
		if err != nil {
			return nil, err
		}
		if s := seqs[c.ID]; s != nil {
			if m.Schedule[c], err = ids.resolve(c, nil, "scheduled instruction", s.InstructionIds); err != nil {
				return nil, err
			}
			delete(seqs, c.ID)
		}
	}
	for id := range seqs {
		return nil, moduleErr("the schedule names computation " + itoa(id) + ", which does not exist")
	}
	if m.Entry = d.comps[p.EntryComputationId]; m.Entry == nil {
		return nil, moduleErr("the entry computation " + itoa(p.EntryComputationId) + " does not exist")
	}
	return m, nil
}

// idTable finds the instructions of one computation by id. Ids may be full
// (computation id << 32 | local) or local only, on either side.
type idTable struct {
	full, local map[int64]*Instruction
}

func (t *idTable) find(id int64) *Instruction {
	if i := t.full[id]; i != nil {
		return i
	}
	if t.local == nil {
		t.local = make(map[int64]*Instruction, len(t.full))
		for _, i := range t.full {
			t.local[i.LocalID()] = i
		}
	}
	return t.local[id&(1<<32-1)]
}

func (t *idTable) resolve(c *Computation, i *Instruction, what string, ids []int64) ([]*Instruction, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	r := make([]*Instruction, len(ids))
	for k, id := range ids {
		if r[k] = t.find(id); r[k] == nil {
			e := &Error{Computation: c.Name, Msg: what + " " + itoa(id) + " does not exist in this computation"}
			if i != nil {
				e.Instruction = i.Name
			}
			return nil, e
		}
	}
	return r, nil
}

func (d *decoder) instructions(c *Computation, pc *hlopb.Computation) (*idTable, error) {
	ids := &idTable{full: make(map[int64]*Instruction, len(pc.Instructions))}
	c.Instructions = make([]*Instruction, len(pc.Instructions))
	for k, pi := range pc.Instructions {
		i := decodeInstruction(pi)
		c.Instructions[k] = i
		if other := ids.full[i.ID]; other != nil {
			return nil, instructionErr(c, i, "its id "+itoa(i.ID)+" is also that of "+other.Name)
		}
		ids.full[i.ID] = i
		if pi.Literal != nil {
			var err error
			if i.Literal, err = decodeLiteral(pi.Literal); err != nil {
				return nil, instructionErr(c, i, err.Error())
			}
		}
	}
	for k, pi := range pc.Instructions {
		if err := d.link(c, c.Instructions[k], pi, ids); err != nil {
			return nil, err
		}
	}
	if c.Root = ids.find(pc.RootId); c.Root == nil {
		return nil, computationErr(c, "the root instruction "+itoa(pc.RootId)+" does not exist in this computation")
	}
	return ids, nil
}

func (d *decoder) link(c *Computation, i *Instruction, p *hlopb.Instruction, ids *idTable) (err error) {
	if i.Operands, err = ids.resolve(c, i, "operand", p.OperandIds); err != nil {
		return err
	}
	if i.ControlPredecessors, err = ids.resolve(c, i, "control predecessor", p.ControlPredecessorIds); err != nil {
		return err
	}
	for _, id := range p.CalledComputationIds {
		called := d.comps[id]
		if called == nil {
			return instructionErr(c, i, "the called computation "+itoa(id)+" does not exist")
		}
		i.Called = append(i.Called, called)
	}
	return nil
}

func mapSlice[A, B any](in []A, f func(A) B) []B {
	if len(in) == 0 {
		return nil
	}
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = f(a)
	}
	return out
}

func decodeStackFrames(p *hlopb.StackFrameIndex) StackFrameIndex {
	return StackFrameIndex{
		FileNames: p.GetFileNames(), FunctionNames: p.GetFunctionNames(),
		Locations: mapSlice(p.GetFileLocations(), func(l *hlopb.StackFrameIndex_FileLocation) FileLocation {
			return FileLocation{l.FileNameId, l.FunctionNameId, l.Line, l.EndLine, l.Column, l.EndColumn}
		}),
		Frames: mapSlice(p.GetStackFrames(), func(f *hlopb.StackFrameIndex_StackFrame) StackFrame {
			return StackFrame{f.FileLocationId, f.ParentFrameId}
		}),
	}
}

func decodeProgramShape(p *hlopb.ProgramShape) *ProgramShape {
	if p == nil {
		return nil
	}
	return &ProgramShape{
		Parameters: mapSlice(p.Parameters, decodeShape), ParameterNames: p.ParameterNames,
		Result: decodeShape(p.Result),
	}
}

func decodeShape(p *hlopb.Shape) Shape {
	if p == nil {
		return Shape{}
	}
	s := Shape{
		ElementType: PrimitiveType(p.ElementType), Dimensions: p.Dimensions,
		Tuple: mapSlice(p.TupleShapes, decodeShape), unknown: unknownOf(p),
	}
	for _, dyn := range p.IsDynamicDimension {
		if dyn {
			s.Dynamic = p.IsDynamicDimension
			break
		}
	}
	if l := p.Layout; l != nil {
		s.Layout = decodeLayout(l)
	}
	return s
}

func decodeLayout(l *hlopb.Layout) *Layout {
	r := &Layout{
		MinorToMajor:      l.MinorToMajor,
		ElementSizeInBits: l.ElementSizeInBits, MemorySpace: l.MemorySpace,
		TailPaddingAlign: l.TailPaddingAlignmentInElements,
		IndexType:        PrimitiveType(l.IndexPrimitiveType), PointerType: PrimitiveType(l.PointerPrimitiveType),
		DynamicPrefixBytes: l.DynamicShapeMetadataPrefixBytes,
		unknown:            unknownOf(l),
	}
	for _, t := range l.Tiles {
		r.Tiles = append(r.Tiles, t.Dimensions)
	}
	for _, c := range l.SplitConfigs {
		r.SplitConfigs = append(r.SplitConfigs, SplitConfig{c.Dimension, c.SplitIndices})
	}
	if l.PhysicalShape != nil {
		s := decodeShape(l.PhysicalShape)
		r.PhysicalShape = &s
	}
	return r
}
