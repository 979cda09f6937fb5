package hlo

import "fmt"

// maxShapeDepth bounds how deep tuples nest in a module that passes Verify.
const maxShapeDepth = 64

// maxElements bounds the size of one array: more cannot be addressed in memory.
const maxElements = 1 << 40

// Verify checks what a compiler relies on: references, order, arity, parameter
// numbers, calls, literals, schedules, aliases and the shapes of most
// operations. XLA itself crashes on some modules that fail here (a negative
// parameter number corrupts its heap). The error is an *[Error].
func (m *Module) Verify() error {
	v := verifier{m: m, comps: make(map[*Computation]bool, len(m.Computations))}
	for _, c := range m.Computations {
		if c == nil {
			return moduleErr("one of its computations is nil")
		}
		if v.comps[c] {
			return computationErr(c, "stands twice in the module")
		}
		v.comps[c] = true
	}
	if m.Entry == nil {
		return moduleErr("has no entry computation; set Module.Entry")
	}
	if !v.comps[m.Entry] {
		return computationErr(m.Entry, "is the entry but not among Module.Computations")
	}
	for _, c := range m.Computations {
		if err := v.computation(c); err != nil {
			return err
		}
	}
	for _, check := range []func() error{v.callGraph, v.schedule, v.aliases, v.stackFrames, v.hostShape} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

type verifier struct {
	m     *Module
	comps map[*Computation]bool
}

func (v *verifier) computation(c *Computation) error {
	index := make(map[*Instruction]int, len(c.Instructions))
	for k, i := range c.Instructions {
		if i == nil {
			return computationErr(c, "one of its instructions is nil")
		}
		if _, twice := index[i]; twice {
			return instructionErr(c, i, "stands twice in the computation")
		}
		index[i] = k
	}
	if c.Root == nil {
		return computationErr(c, "has no root instruction; set Computation.Root")
	}
	if _, ok := index[c.Root]; !ok {
		return instructionErr(c, c.Root, "is the root but not among Computation.Instructions")
	}
	if err := v.parameters(c); err != nil {
		return err
	}
	for k, i := range c.Instructions {
		if err := v.references(i, k, index); err != nil {
			return instructionErr(c, i, err.Error())
		}
		if err := verifyInstruction(i); err != nil {
			return instructionErr(c, i, err.Error())
		}
		if int(i.Metadata.StackFrameID) > len(v.m.StackFrames.Frames) || i.Metadata.StackFrameID < 0 {
			return instructionErr(c, i, fmt.Sprintf("stack frame %d does not exist", i.Metadata.StackFrameID))
		}
	}
	return nil
}

func (v *verifier) parameters(c *Computation) error {
	count := int64(0)
	for _, i := range c.Instructions {
		if i.Opcode == OpParameter {
			count++
		}
	}
	var seen []*Instruction
	for _, i := range c.Instructions {
		if i.Opcode != OpParameter {
			continue
		}
		n := i.ParameterNumber
		if n < 0 || n >= int64(len(c.Instructions)) {
			return instructionErr(c, i, fmt.Sprintf("parameter number %d in a computation with %d parameters", n, count))
		}
		for int64(len(seen)) <= n {
			seen = append(seen, nil)
		}
		if seen[n] != nil {
			return instructionErr(c, i, fmt.Sprintf("parameter number %d is also that of %s", n, seen[n].Name))
		}
		seen[n] = i
	}
	for n, i := range seen {
		if i == nil {
			return computationErr(c, fmt.Sprintf("parameter number %d is missing; numbers must be 0..%d", n, len(seen)-1))
		}
	}
	return nil
}

func (v *verifier) references(i *Instruction, at int, index map[*Instruction]int) error {
	check := func(what string, list []*Instruction) error {
		for n, o := range list {
			k, ok := index[o]
			switch {
			case o == nil:
				return fmt.Errorf("%s %d is nil", what, n)
			case !ok:
				return fmt.Errorf("%s %d, %s, is in another computation", what, n, o.Name)
			case k == at:
				return fmt.Errorf("%s %d is the instruction itself", what, n)
			case k > at:
				return fmt.Errorf("%s %d, %s, comes after it; operands must come before their users", what, n, o.Name)
			}
		}
		return nil
	}
	if err := check("operand", i.Operands); err != nil {
		return err
	}
	for n, p := range i.ControlPredecessors { // may come later in the list
		if _, ok := index[p]; p == nil || !ok || p == i {
			return fmt.Errorf("control predecessor %d is not another instruction of this computation", n)
		}
	}
	for n, c := range i.Called {
		if !v.comps[c] {
			return fmt.Errorf("called computation %d is not in the module", n)
		}
		if c.Root == nil {
			return fmt.Errorf("called computation %s has no root", c.Name)
		}
	}
	return nil
}

// callGraph reports a computation that calls itself, directly or not.
func (v *verifier) callGraph() error {
	done := make(map[*Computation]bool, len(v.comps))
	active := make(map[*Computation]bool)
	type frame struct {
		c     *Computation
		calls []*Computation
	}
	for _, start := range v.m.Computations {
		if done[start] {
			continue
		}
		active[start] = true
		stack := []frame{{start, start.callsInOrder()}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if len(f.calls) == 0 {
				done[f.c], active[f.c] = true, false
				stack = stack[:len(stack)-1]
				continue
			}
			next := f.calls[0]
			f.calls = f.calls[1:]
			if active[next] {
				return computationErr(next, "calls itself; HLO has no recursion")
			}
			if !done[next] {
				active[next] = true
				stack = append(stack, frame{next, next.callsInOrder()})
			}
		}
	}
	return nil
}

func (v *verifier) schedule() error {
	if len(v.m.Schedule) > 0 && !v.m.IsScheduled {
		return moduleErr("has a schedule but IsScheduled is not set")
	}
	for c, seq := range v.m.Schedule {
		if !v.comps[c] {
			return moduleErr("the schedule names a computation that is not in the module")
		}
		if len(seq) != len(c.Instructions) {
			return computationErr(c, fmt.Sprintf("its schedule has %d instructions, it has %d", len(seq), len(c.Instructions)))
		}
		at := make(map[*Instruction]int, len(seq))
		for k, i := range seq {
			at[i] = k
		}
		for _, i := range c.Instructions {
			k, ok := at[i]
			if !ok {
				return instructionErr(c, i, "is not in the schedule")
			}
			for _, list := range [][]*Instruction{i.Operands, i.ControlPredecessors} {
				for _, o := range list {
					if at[o] >= k {
						return instructionErr(c, i, "is scheduled before "+o.Name+", which it needs")
					}
				}
			}
		}
	}
	return nil
}

func (v *verifier) aliases() error {
	params := v.m.Entry.Parameters()
	param := func(n int64, idx []int64) (*Shape, error) {
		if n < 0 || n >= int64(len(params)) {
			return nil, fmt.Errorf("parameter %d does not exist", n)
		}
		return subshape(&params[n].Shape, idx)
	}
	taken := map[string]bool{}
	for _, a := range v.m.InputOutputAlias {
		out, err := subshape(&v.m.Entry.Root.Shape, a.OutputIndex)
		if err != nil {
			return moduleErr("input_output_alias: output: " + err.Error())
		}
		in, err := param(a.ParameterNumber, a.ParameterIndex)
		if err != nil {
			return moduleErr("input_output_alias: " + err.Error())
		}
		if out.IsTuple() || in.IsTuple() {
			return moduleErr("input_output_alias: only arrays can be aliased")
		}
		if key := fmt.Sprint(a.ParameterNumber, a.ParameterIndex); taken[key] {
			return moduleErr(fmt.Sprintf("input_output_alias: parameter %d is aliased twice", a.ParameterNumber))
		} else {
			taken[key] = true
		}
	}
	for _, d := range v.m.BufferDonors {
		if _, err := param(d.ParameterNumber, d.ParameterIndex); err != nil {
			return moduleErr("buffer_donor: " + err.Error())
		}
	}
	return nil
}

// subshape follows an index into nested tuples.
func subshape(s *Shape, index []int64) (*Shape, error) {
	for _, k := range index {
		if !s.IsTuple() || k < 0 || k >= int64(len(s.Tuple)) {
			return nil, fmt.Errorf("there is no element %d in %s", k, s)
		}
		s = &s.Tuple[k]
	}
	return s, nil
}

func (v *verifier) stackFrames() error {
	x := &v.m.StackFrames
	in := func(id int32, n int) bool { return id > 0 && int(id) <= n }
	for k, l := range x.Locations {
		if !in(l.FileNameID, len(x.FileNames)) || !in(l.FunctionNameID, len(x.FunctionNames)) {
			return moduleErr(fmt.Sprintf("file location %d names a file or function that does not exist", k+1))
		}
	}
	depth := make([]bool, len(x.Frames)+1) // frames known to end at a root
	for k := range x.Frames {
		var chain []int32
		id := int32(k + 1)
		for ; id != 0 && !depth[id]; id = x.Frames[id-1].ParentFrameID {
			f := x.Frames[id-1]
			if !in(f.LocationID, len(x.Locations)) {
				return moduleErr(fmt.Sprintf("stack frame %d names a location that does not exist", id))
			}
			if f.ParentFrameID < 0 || int(f.ParentFrameID) > len(x.Frames) {
				return moduleErr(fmt.Sprintf("stack frame %d names a parent that does not exist", id))
			}
			if chain = append(chain, id); len(chain) > len(x.Frames) {
				return moduleErr(fmt.Sprintf("stack frame %d is its own ancestor", id))
			}
		}
		for _, id := range chain {
			depth[id] = true
		}
	}
	return nil
}

// hostShape checks a given entry layout against the entry computation.
func (v *verifier) hostShape() error {
	h := v.m.HostProgramShape
	if h == nil {
		return nil
	}
	params := v.m.Entry.Parameters()
	if len(h.Parameters) != len(params) {
		return moduleErr(fmt.Sprintf("the entry layout has %d parameters, the entry computation %d", len(h.Parameters), len(params)))
	}
	for k, p := range params {
		if !p.Shape.Compatible(h.Parameters[k]) {
			return moduleErr(fmt.Sprintf("the entry layout gives parameter %d as %s, the entry computation as %s", k, h.Parameters[k], p.Shape))
		}
	}
	if !v.m.Entry.Root.Shape.Compatible(h.Result) {
		return moduleErr(fmt.Sprintf("the entry layout gives the result as %s, the entry computation as %s", h.Result, v.m.Entry.Root.Shape))
	}
	return nil
}
