package hlo

import (
	"cmp"
	"slices"
)

// PostOrder returns the module's computations, called ones before their
// callers: the order of HLO text. It is a depth-first walk from the
// computations that nobody calls, by ids; a module from [Parse] keeps the order
// of its text.
func (m *Module) PostOrder() []*Computation {
	if m.listed && m.calleesFirst() {
		return slices.Clone(m.Computations)
	}
	called := map[*Computation]bool{}
	for _, c := range m.Computations {
		for _, i := range c.Instructions {
			for _, d := range i.Called {
				called[d] = true
			}
		}
	}
	comps := slices.Clone(m.Computations)
	slices.SortStableFunc(comps, func(a, b *Computation) int { return cmp.Compare(a.ID, b.ID) })
	w := postOrder{seen: make(map[*Computation]bool, len(comps))}
	for _, c := range comps {
		if !called[c] {
			w.visit(c)
		}
	}
	for _, c := range comps { // only those in a call cycle are left
		w.visit(c)
	}
	return w.order
}

func (m *Module) calleesFirst() bool {
	seen := make(map[*Computation]bool, len(m.Computations))
	for _, c := range m.Computations {
		for _, i := range c.Instructions {
			for _, d := range i.Called {
				if !seen[d] {
					return false
				}
			}
		}
		seen[c] = true
	}
	return true
}

type postOrder struct {
	seen  map[*Computation]bool
	order []*Computation
}

func (w *postOrder) visit(c *Computation) {
	if w.seen[c] {
		return
	}
	type frame struct {
		c     *Computation
		calls []*Computation
	}
	w.seen[c] = true
	stack := []frame{{c, c.callsInOrder()}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if len(f.calls) == 0 {
			w.order = append(w.order, f.c)
			stack = stack[:len(stack)-1]
			continue
		}
		next := f.calls[0]
		f.calls = f.calls[1:]
		if !w.seen[next] {
			w.seen[next] = true
			stack = append(stack, frame{next, next.callsInOrder()})
		}
	}
}

// callsInOrder lists the called computations by ascending instruction id.
func (c *Computation) callsInOrder() []*Computation {
	var callers []*Instruction
	for _, i := range c.Instructions {
		if len(i.Called) > 0 {
			callers = append(callers, i)
		}
	}
	sortByID(callers)
	var calls []*Computation
	for _, i := range callers {
		calls = append(calls, i.Called...)
	}
	return calls
}

func sortByID(in []*Instruction) {
	byID := func(a, b *Instruction) int { return cmp.Compare(a.LocalID(), b.LocalID()) }
	if !slices.IsSortedFunc(in, byID) {
		slices.SortStableFunc(in, byID)
	}
}

// printOrder is the order of c's instructions in text: the schedule if there is one.
func (m *Module) printOrder(c *Computation) []*Instruction {
	if m != nil {
		if s, ok := m.Schedule[c]; ok {
			return s
		}
	}
	return c.PostOrder()
}

// PostOrder returns the instructions with operands and control predecessors
// before their users: a depth-first walk from each instruction that has no
// user, in order of ids.
func (c *Computation) PostOrder() []*Instruction {
	index := make(map[*Instruction]int32, len(c.Instructions))
	for k, i := range c.Instructions {
		index[i] = int32(k)
	}
	used := make([]bool, len(c.Instructions))
	mark := func(list []*Instruction) {
		for _, o := range list {
			if k, ok := index[o]; ok {
				used[k] = true
			}
		}
	}
	for _, i := range c.Instructions {
		mark(i.Operands)
		mark(i.ControlPredecessors)
	}
	sorted := slices.Clone(c.Instructions)
	sortByID(sorted)
	order := make([]*Instruction, 0, len(sorted))
	seen := make([]bool, len(sorted))
	type frame struct {
		i    *Instruction
		next int
	}
	var stack []frame
	for _, root := range sorted {
		if used[index[root]] || seen[index[root]] {
			continue
		}
		seen[index[root]] = true
		stack = append(stack, frame{i: root})
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			o := f.i.edge(f.next)
			f.next++
			if o == nil {
				order = append(order, f.i)
				stack = stack[:len(stack)-1]
				continue
			}
			if k, ok := index[o]; ok && !seen[k] {
				seen[k] = true
				stack = append(stack, frame{i: o})
			}
		}
	}
	return order
}

// edge returns the n-th instruction that i waits for, nil after the last:
// control predecessors, the last first, then operands (XLA's walk keeps a stack).
func (i *Instruction) edge(n int) *Instruction {
	if k := len(i.ControlPredecessors) - 1 - n; k >= 0 {
		return i.ControlPredecessors[k]
	}
	if n -= len(i.ControlPredecessors); n < len(i.Operands) {
		return i.Operands[n]
	}
	return nil
}
