package hlo

// AssignIDs numbers the computations 1, 2, ... in their order and the
// instructions computation id << 32 | 1, 2, ..., as XLA's builder does.
func (m *Module) AssignIDs() {
	for k, c := range m.Computations {
		c.ID = int64(k + 1)
		for n, i := range c.Instructions {
			i.ID = c.ID<<32 | int64(n+1)
		}
	}
}

// numbering gives the ids to write: those of the module if no two are equal.
func (m *Module) numbering() *encoder {
	e := &encoder{comps: make(map[*Computation]int64, len(m.Computations))}
	if m.idsUnique() {
		for _, c := range m.Computations {
			e.comps[c] = c.ID
		}
		return e
	}
	e.instrs = make(map[*Instruction]int64)
	for k, c := range m.Computations {
		id := int64(k + 1)
		e.comps[c] = id
		for n, i := range c.Instructions {
			e.instrs[i] = id<<32 | int64(n+1)
		}
	}
	return e
}

func (m *Module) idsUnique() bool {
	comps := make(map[int64]bool, len(m.Computations))
	for _, c := range m.Computations {
		if comps[c.ID] {
			return false
		}
		comps[c.ID] = true
		ids := make(map[int64]bool, len(c.Instructions))
		for _, i := range c.Instructions {
			if ids[i.ID] {
				return false
			}
			ids[i.ID] = true
		}
	}
	return true
}

// Parameters returns the parameter instructions by parameter number; entries
// are nil where a number is missing.
func (c *Computation) Parameters() []*Instruction {
	var ps []*Instruction
	for _, i := range c.Instructions {
		if i.Opcode == OpParameter && i.ParameterNumber >= 0 && i.ParameterNumber < int64(len(c.Instructions)) {
			for int64(len(ps)) <= i.ParameterNumber {
				ps = append(ps, nil)
			}
			ps[i.ParameterNumber] = i
		}
	}
	return ps
}

// programShape derives the type of c from its parameters and root.
func (c *Computation) programShape() *ProgramShape {
	s := &ProgramShape{}
	for _, p := range c.Parameters() {
		if p == nil {
			continue
		}
		s.Parameters = append(s.Parameters, p.Shape)
		s.ParameterNames = append(s.ParameterNames, p.Name)
	}
	if c.Root != nil {
		s.Result = c.Root.Shape
	}
	return s
}

// programShape is the entry's type with layouts, given or derived.
func (m *Module) programShape() *ProgramShape {
	if m.HostProgramShape != nil {
		return m.HostProgramShape
	}
	s := m.Entry.programShape()
	for i := range s.Parameters {
		s.Parameters[i] = s.Parameters[i].WithDefaultLayout()
	}
	s.Result = s.Result.WithDefaultLayout()
	return s
}
