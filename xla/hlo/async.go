package hlo

import "strings"

// XLA prints an async-start whose computation holds a single real instruction
// as that instruction: "custom-call-start". These functions know that form.

// asyncBody returns the computation that an async-start, -update or -done runs.
func (i *Instruction) asyncBody() *Computation {
	for range 1 << 20 { // bounded, should the operands form a cycle
		switch i.Opcode {
		case OpAsyncStart, OpAsyncUpdate, OpAsyncDone:
		default:
			return nil
		}
		if len(i.Called) > 0 {
			return i.Called[0]
		}
		if i.Opcode == OpAsyncStart || len(i.Operands) == 0 {
			return nil
		}
		i = i.Operands[0]
	}
	return nil
}

// asyncWrapped returns the instruction that stands for an async computation in
// text: its root, if all else are parameters that the root takes in order.
func (i *Instruction) asyncWrapped() *Instruction {
	c := i.asyncBody()
	if c == nil || c.Root == nil || c.Root.Opcode == OpParameter || strings.HasPrefix(string(c.Root.Opcode), "async-") {
		return nil
	}
	if len(c.Instructions) != len(c.Root.Operands)+1 {
		return nil
	}
	for k, o := range c.Root.Operands {
		if o.Opcode != OpParameter || o.ParameterNumber != int64(k) {
			return nil
		}
	}
	return c.Root
}

// asyncOpcode is the opcode to print: "negate-start" for an async-start around a negate.
func (i *Instruction) asyncOpcode() (op Opcode, wrapped *Instruction) {
	if !strings.HasPrefix(string(i.Opcode), "async-") {
		return i.Opcode, nil
	}
	w := i.asyncWrapped()
	if w == nil {
		return i.Opcode, nil
	}
	return w.Opcode + i.Opcode[len("async"):], w
}

// asyncBodies is the set of computations that are not printed for this reason.
func (m *Module) asyncBodies() map[*Computation]bool {
	var set map[*Computation]bool
	for _, c := range m.Computations {
		for _, i := range c.Instructions {
			if i.Opcode == OpAsyncStart && i.asyncWrapped() != nil {
				if set == nil {
					set = map[*Computation]bool{}
				}
				set[i.asyncBody()] = true
			}
		}
	}
	return set
}
