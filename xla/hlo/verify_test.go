package hlo_test

import (
	"errors"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
)

func TestVerifyGolden(t *testing.T) {
	eachModule(t, func(name string, _ []byte, m *hlo.Module, _ map[string][]byte) {
		if err := m.Verify(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// vec is f32[4], the shape of most values in these tests.
var vec = hlo.ArrayShape(hlo.F32, 4)

// sample builds a small sound module: main(x) = sin(x) + x, calling nothing,
// and id(x) = x.
func sample() *hlo.Module {
	x := &hlo.Instruction{Name: "x", Opcode: hlo.OpParameter, Shape: vec}
	sin := &hlo.Instruction{Name: "sin", Opcode: hlo.OpSin, Shape: vec, Operands: []*hlo.Instruction{x}}
	add := &hlo.Instruction{Name: "add", Opcode: hlo.OpAdd, Shape: vec, Operands: []*hlo.Instruction{sin, x}}
	main := &hlo.Computation{Name: "main", Instructions: []*hlo.Instruction{x, sin, add}, Root: add}
	p := &hlo.Instruction{Name: "p", Opcode: hlo.OpParameter, Shape: vec}
	id := &hlo.Computation{Name: "id", Instructions: []*hlo.Instruction{p}, Root: p}
	return &hlo.Module{Name: "m", Computations: []*hlo.Computation{id, main}, Entry: main}
}

func TestVerifyFaults(t *testing.T) {
	scalar := hlo.ArrayShape(hlo.F32)
	// last replaces the module's add by another instruction on sin.
	last := func(m *hlo.Module, i hlo.Instruction) {
		add := m.Entry.Root
		ops := i.Operands
		if ops == nil {
			i.Operands = add.Operands[:1]
		}
		i.Name = "last"
		*add = i
	}
	tests := []struct {
		name   string
		damage func(m *hlo.Module)
		want   string
	}{
		{"sound", func(*hlo.Module) {}, ""},
		{"no entry", func(m *hlo.Module) { m.Entry = nil }, "no entry computation"},
		{"foreign entry", func(m *hlo.Module) { m.Computations = m.Computations[:1] }, "not among Module.Computations"},
		{"computation twice", func(m *hlo.Module) { m.Computations = append(m.Computations, m.Entry) }, "twice"},
		{"no root", func(m *hlo.Module) { m.Entry.Root = nil }, "no root"},
		{"foreign root", func(m *hlo.Module) { m.Entry.Root = m.Computations[0].Root }, "is the root but not among"},
		{"negative parameter number", func(m *hlo.Module) { m.Entry.Instructions[0].ParameterNumber = -1 }, "parameter number -1"},
		{"parameter number gap", func(m *hlo.Module) { m.Entry.Instructions[0].ParameterNumber = 1 }, "parameter number 0 is missing"},
		{"huge parameter number", func(m *hlo.Module) { m.Entry.Instructions[0].ParameterNumber = 1 << 40 }, "parameter number"},
		{"parameter number twice", func(m *hlo.Module) {
			m.Entry.Instructions[1].Opcode, m.Entry.Instructions[1].Operands = hlo.OpParameter, nil
		}, "is also that of x"},
		{"operand after user", func(m *hlo.Module) {
			m.Entry.Instructions[0], m.Entry.Instructions[1] = m.Entry.Instructions[1], m.Entry.Instructions[0]
		}, "must come before their users"},
		{"operand of another computation", func(m *hlo.Module) { m.Entry.Root.Operands[1] = m.Computations[0].Root }, "another computation"},
		{"own operand", func(m *hlo.Module) { m.Entry.Root.Operands[1] = m.Entry.Root }, "the instruction itself"},
		{"nil operand", func(m *hlo.Module) { m.Entry.Root.Operands[1] = nil }, "operand 1 is nil"},
		{"arity", func(m *hlo.Module) { m.Entry.Root.Operands = m.Entry.Root.Operands[:1] }, "has 1 operands, wants 2"},
		{"no opcode", func(m *hlo.Module) { m.Entry.Root.Opcode = "" }, "no opcode"},
		{"shape", func(m *hlo.Module) { m.Entry.Root.Shape = hlo.ArrayShape(hlo.F32, 5) }, "does not fit the result f32[5]"},
		{"element type", func(m *hlo.Module) { m.Entry.Root.Shape.ElementType = hlo.S32 }, "gives f32, declared as s32"},
		{"unknown element type", func(m *hlo.Module) { m.Entry.Root.Shape.ElementType = 999 }, "element type 999"},
		{"negative dimension", func(m *hlo.Module) { m.Entry.Root.Shape = hlo.ArrayShape(hlo.F32, -4) }, "negative"},
		{"huge shape", func(m *hlo.Module) { m.Entry.Root.Shape = hlo.ArrayShape(hlo.F32, 1<<32, 1<<32) }, "too many elements"},
		{"layout", func(m *hlo.Module) { m.Entry.Root.Shape.Layout = &hlo.Layout{MinorToMajor: []int64{7}} }, "no permutation"},
		{"bitwise on floats", func(m *hlo.Module) { m.Entry.Root.Opcode = hlo.OpAnd }, "and does not take f32"},
		{"comparison direction", func(m *hlo.Module) {
			m.Entry.Root.Opcode, m.Entry.Root.ComparisonDirection = hlo.OpCompare, "XX"
		}, "direction"},
		{"call of nothing", func(m *hlo.Module) { last(m, hlo.Instruction{Opcode: hlo.OpCall, Shape: vec}) }, "0 called computations, wants 1"},
		{"call of a foreign computation", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpCall, Shape: vec, Called: []*hlo.Computation{{Name: "z"}}})
		}, "not in the module"},
		{"recursion", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpCall, Shape: vec, Called: []*hlo.Computation{m.Entry}})
		}, "calls itself"},
		{"call result", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpCall, Shape: scalar, Called: m.Computations[:1]})
		}, "id gives f32[4], wanted is f32[]"},
		{"tuple index", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpGetTupleElement, Shape: vec})
		}, "no element 0"},
		{"reshape", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpReshape, Shape: hlo.ArrayShape(hlo.F32, 2, 3)})
		}, "has 4 elements"},
		{"transpose", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpTranspose, Shape: vec, Dimensions: []int64{1}})
		}, "no permutation"},
		{"broadcast", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpBroadcast, Shape: hlo.ArrayShape(hlo.F32, 4, 5), Dimensions: []int64{1}})
		}, "has size 4"},
		{"slice", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpSlice, Shape: vec, SliceDimensions: []hlo.SliceDimension{{Limit: 9, Stride: 1}}})
		}, "not within dimension 0"},
		{"literal missing", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpConstant, Shape: vec, Operands: []*hlo.Instruction{}})
		}, "no literal"},
		{"literal too short", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpConstant, Shape: vec, Operands: []*hlo.Instruction{}, Literal: &hlo.Literal{Shape: vec, Data: make([]byte, 4)}})
		}, "has 4 bytes, wants 16"},
		{"reduce", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpReduce, Shape: scalar, Called: m.Computations[:1]})
		}, "has 1 operands, wants 2 or more"},
		{"dot", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpDot, Shape: scalar, Operands: m.Entry.Root.Operands, DotDimensions: &hlo.DotDimensions{LHSContracting: []int64{0}, RHSContracting: []int64{1}}})
		}, "not different dimensions"},
		{"while", func(m *hlo.Module) {
			last(m, hlo.Instruction{Opcode: hlo.OpWhile, Shape: vec, Called: []*hlo.Computation{m.Computations[0], m.Computations[0]}})
		}, "condition id gives f32[4], wanted is pred[]"},
		{"schedule", func(m *hlo.Module) {
			m.IsScheduled = true
			m.Schedule = map[*hlo.Computation][]*hlo.Instruction{m.Entry: m.Entry.Instructions[:1]}
		}, "its schedule has 1 instructions"},
		{"alias", func(m *hlo.Module) { m.InputOutputAlias = []hlo.AliasEntry{{ParameterNumber: 3}} }, "parameter 3 does not exist"},
		{"donor", func(m *hlo.Module) { m.BufferDonors = []hlo.BufferDonor{{ParameterNumber: -1}} }, "parameter -1 does not exist"},
		{"stack frame", func(m *hlo.Module) { m.Entry.Root.Metadata.StackFrameID = 1 }, "stack frame 1"},
		{"frame cycle", func(m *hlo.Module) {
			m.StackFrames = hlo.StackFrameIndex{
				FileNames: []string{"f"}, FunctionNames: []string{"g"},
				Locations: []hlo.FileLocation{{FileNameID: 1, FunctionNameID: 1}}, Frames: []hlo.StackFrame{{1, 2}, {1, 1}},
			}
		}, "its own ancestor"},
		{"entry layout", func(m *hlo.Module) { m.HostProgramShape = &hlo.ProgramShape{Result: vec} }, "entry layout has 0 parameters"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := sample()
			tt.damage(m)
			err := m.Verify()
			if tt.want == "" {
				if err != nil {
					t.Errorf("Verify: %v", err)
				}
				return
			}
			var e *hlo.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Verify gives %v, want an *Error with %q", err, tt.want)
			}
		})
	}
}

// A module built by hand gets ids and an entry layout when it is written.
func TestMarshalBuilt(t *testing.T) {
	m := sample()
	b, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	r, err := hlo.Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	if r.HostProgramShape == nil || r.HostProgramShape.Result.String() != "f32[4]{0}" {
		t.Errorf("host program shape %+v", r.HostProgramShape)
	}
	if r.Entry.ID != 2 || r.Entry.Root.ID != 2<<32|3 {
		t.Errorf("ids %d and %d, want 2 and 2<<32|3", r.Entry.ID, r.Entry.Root.ID)
	}
	if m.Entry.ID != 0 {
		t.Error("Marshal changed the module's ids")
	}
}
