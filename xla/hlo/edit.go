package hlo

import (
	"maps"
	"slices"
)

// Walk calls f for every instruction, callees before callers and each
// computation in printed order, until f returns false.
func (m *Module) Walk(f func(c *Computation, i *Instruction) bool) {
	for _, c := range m.PostOrder() {
		for _, i := range m.printOrder(c) {
			if !f(c, i) {
				return
			}
		}
	}
}

// Instructions returns all instructions in the order of Walk.
func (m *Module) Instructions() []*Instruction {
	var list []*Instruction
	m.Walk(func(_ *Computation, i *Instruction) bool {
		list = append(list, i)
		return true
	})
	return list
}

// Find returns the instructions for which want is true, in the order of Walk.
func (m *Module) Find(want func(*Instruction) bool) []*Instruction {
	var list []*Instruction
	m.Walk(func(_ *Computation, i *Instruction) bool {
		if want(i) {
			list = append(list, i)
		}
		return true
	})
	return list
}

// FindOpcode returns the instructions with one of the opcodes.
func (m *Module) FindOpcode(ops ...Opcode) []*Instruction {
	return m.Find(func(i *Instruction) bool { return slices.Contains(ops, i.Opcode) })
}

// FindName returns the instruction of that name, with or without "%"; nil if there is none.
func (m *Module) FindName(name string) *Instruction {
	if len(name) > 0 && name[0] == '%' {
		name = name[1:]
	}
	if found := m.Find(func(i *Instruction) bool { return i.Name == name }); len(found) > 0 {
		return found[0]
	}
	return nil
}

// Computation returns the computation of that name, nil if there is none.
func (m *Module) Computation(name string) *Computation {
	for _, c := range m.Computations {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Attr returns a frontend attribute of the instruction.
func (i *Instruction) Attr(key string) (value string, ok bool) {
	value, ok = i.FrontendAttributes[key]
	return value, ok
}

// SetAttr sets a frontend attribute of the instruction, as set_xla_metadata does.
func (i *Instruction) SetAttr(key, value string) { setAttr(&i.FrontendAttributes, key, value) }

// RemoveAttr removes a frontend attribute of the instruction.
func (i *Instruction) RemoveAttr(key string) { delete(i.FrontendAttributes, key) }

// SetAttr sets a frontend attribute of the module.
func (m *Module) SetAttr(key, value string) { setAttr(&m.FrontendAttributes, key, value) }

// RemoveAttr removes a frontend attribute of the module.
func (m *Module) RemoveAttr(key string) { delete(m.FrontendAttributes, key) }

func setAttr(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}

// Add appends an instruction to c, with the next free number, and returns it.
// Its operands must be in c already. Verify reports what does not fit.
func (c *Computation) Add(i *Instruction) *Instruction {
	last := int64(0)
	for _, o := range c.Instructions {
		last = max(last, o.LocalID())
	}
	i.ID = c.ID<<32 | (last + 1)
	c.Instructions = append(c.Instructions, i)
	return i
}

// Users returns the instructions of c that take i as an operand.
func (c *Computation) Users(i *Instruction) []*Instruction {
	var users []*Instruction
	for _, u := range c.Instructions {
		if slices.Contains(u.Operands, i) {
			users = append(users, u)
		}
	}
	return users
}

// Replace makes the users of old, and the root, take by instead; by itself
// keeps its operands. Instructions are put in order again. Old stays in c; see
// RemoveDead.
func (c *Computation) Replace(old, by *Instruction) {
	for _, u := range c.Instructions {
		if u == by {
			continue
		}
		for k, o := range u.Operands {
			if o == old {
				u.Operands[k] = by
			}
		}
		for k, o := range u.ControlPredecessors {
			if o == old {
				u.ControlPredecessors[k] = by
			}
		}
	}
	if c.Root == old {
		c.Root = by
	}
	c.Instructions = c.PostOrder()
}

// RemoveDead removes the instructions whose value nobody uses, except
// parameters and those with an effect of their own, and returns how many.
// A schedule of c must be made anew.
func (c *Computation) RemoveDead() int {
	live := map[*Instruction]bool{}
	var stack []*Instruction
	keep := func(i *Instruction) {
		if !live[i] {
			live[i] = true
			stack = append(stack, i)
		}
	}
	for _, i := range c.Instructions {
		if i == c.Root || i.Opcode == OpParameter || i.hasEffect() {
			keep(i)
		}
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, o := range i.Operands {
			keep(o)
		}
		for _, o := range i.ControlPredecessors {
			keep(o)
		}
	}
	before := len(c.Instructions)
	c.Instructions = slices.DeleteFunc(c.Instructions, func(i *Instruction) bool { return !live[i] })
	return before - len(c.Instructions)
}

// hasEffect reports whether i does something beside giving its value, also in
// the computations that it calls.
func (i *Instruction) hasEffect() bool {
	switch i.Opcode {
	case OpSend, OpSendDone, OpRecv, OpRecvDone, OpInfeed, OpOutfeed, OpRng, OpRngGetAndUpdateState:
		return true
	case OpCustomCall:
		return i.CustomCallSideEffect
	}
	if i.ChannelID != 0 {
		return true
	}
	for _, c := range i.Called {
		if slices.ContainsFunc(c.Instructions, (*Instruction).hasEffect) {
			return true
		}
	}
	return false
}

// Clone returns a copy of m that can be edited alone: instructions,
// computations and attribute maps are new; other attributes are shared, so
// replace them rather than change them in place.
func (m *Module) Clone() *Module {
	n := *m
	comps := make(map[*Computation]*Computation, len(m.Computations))
	instrs := map[*Instruction]*Instruction{}
	n.Computations = make([]*Computation, len(m.Computations))
	for k, c := range m.Computations {
		d := *c
		n.Computations[k], comps[c] = &d, &d
		d.Instructions = make([]*Instruction, len(c.Instructions))
		for j, i := range c.Instructions {
			e := *i
			e.FrontendAttributes = maps.Clone(i.FrontendAttributes)
			d.Instructions[j], instrs[i] = &e, &e
		}
	}
	remap := func(list []*Instruction) []*Instruction {
		if list == nil {
			return nil
		}
		r := make([]*Instruction, len(list))
		for k, i := range list {
			r[k] = instrs[i]
		}
		return r
	}
	for _, c := range n.Computations {
		c.Root = instrs[c.Root]
		for _, i := range c.Instructions {
			i.Operands, i.ControlPredecessors = remap(i.Operands), remap(i.ControlPredecessors)
			i.Called = slices.Clone(i.Called)
			for k, d := range i.Called {
				i.Called[k] = comps[d]
			}
		}
	}
	n.Entry = comps[m.Entry]
	n.FrontendAttributes = maps.Clone(m.FrontendAttributes)
	if m.Schedule != nil {
		n.Schedule = make(map[*Computation][]*Instruction, len(m.Schedule))
		for c, seq := range m.Schedule {
			n.Schedule[comps[c]] = remap(seq)
		}
	}
	return &n
}
