package partialeval

import (
	"slices"

	"gopherlo/jaxlike/core"
)

// node is a value of a partial trace as its jaxpr is made: an unknown, or one
// use of a known value. Every use is a node of its own.
type node struct {
	tracer  *PartialTracer // nil for known values
	known   core.Value
	literal *core.Const
	eqn     int // -1: none
	parents []*node
}

// builder makes the jaxpr of a partial trace. The order of its constants is
// that of a topological sort of the values, so the sort is JAX's
// (tracers_to_jaxpr, and topological_sort of jaxlib).
type builder struct {
	t    *PartialTrace
	of   map[*PartialTracer]*node
	made map[int][]*node // the operands of equations
}

// ToJaxpr gives the program of the recorded equations that outs need: inputs
// are the unknowns in, constants become leading inputs and their values are
// given.
func (t *PartialTrace) ToJaxpr(in []*PartialTracer, outs []core.Value, debug *core.DebugInfo) (*core.Jaxpr, []core.Value) {
	b := &builder{t: t, of: map[*PartialTracer]*node{}, made: map[int][]*node{}}
	var ends, outNodes []*node
	for _, x := range in {
		ends = append(ends, b.unknown(x, -1))
	}
	for i, e := range t.eqns {
		ops := make([]*node, len(e.in))
		for k, v := range e.in {
			ops[k] = b.node(v, e.asVar != nil && e.asVar[k])
		}
		b.made[i] = ops
		for _, o := range e.out {
			b.unknown(o, i).parents = ops
		}
	}
	for _, o := range outs {
		outNodes = append(outNodes, b.node(o, false))
	}
	nodes := toposort(append(ends, outNodes...))
	slices.SortStableFunc(nodes, func(x, y *node) int { return x.eqn - y.eqn })
	return b.emit(in, nodes, outNodes, debug)
}

func (b *builder) unknown(x *PartialTracer, eqn int) *node {
	n := &node{tracer: x, eqn: eqn}
	b.of[x] = n
	return n
}

func (b *builder) node(v core.Value, asVar bool) *node {
	if p, ok := v.(*PartialTracer); ok && p.trace == b.t {
		return b.of[p]
	}
	if c, ok := v.(*core.Const); ok && c.Literalable() && !asVar {
		return &node{literal: c, eqn: -1}
	}
	return &node{known: v, eqn: -1}
}

func (b *builder) emit(in []*PartialTracer, nodes, outs []*node, debug *core.DebugInfo) (*core.Jaxpr, []core.Value) {
	vars := map[*node]*core.Var{}
	constVars := map[core.Value]*core.Var{}
	var cv []*core.Var
	var cs []core.Value
	atom := func(n *node) core.Atom {
		if n.literal != nil {
			return core.NewLiteral(n.literal, n.literal.Aval())
		}
		return vars[n]
	}
	atoms := func(ns []*node) []core.Atom {
		out := make([]core.Atom, len(ns))
		for i, n := range ns {
			out[i] = atom(n)
		}
		return out
	}
	var eqns []*core.Eqn
	done := map[int]bool{}
	for _, n := range nodes {
		switch {
		case n.eqn >= 0 && !done[n.eqn]:
			done[n.eqn] = true
			e := b.t.eqns[n.eqn]
			ne := &core.Eqn{Prim: e.prim, Params: e.params, Ctx: e.ctx, Source: e.src, In: atoms(b.made[n.eqn])}
			for _, o := range e.out {
				v := core.NewVar(o.aval)
				vars[b.of[o]] = v
				ne.Out = append(ne.Out, v)
			}
			eqns = append(eqns, ne)
		case n.eqn >= 0 || n.literal != nil:
		case n.tracer != nil:
			vars[n] = core.NewVar(n.tracer.aval)
		default:
			v, ok := constVars[n.known]
			if !ok {
				v = core.NewVar(n.known.Aval())
				constVars[n.known] = v
				cv, cs = append(cv, v), append(cs, n.known)
			}
			vars[n] = v
		}
	}
	for _, x := range in {
		cv = append(cv, vars[b.of[x]])
	}
	return &core.Jaxpr{In: cv, Out: atoms(outs), Eqns: eqns, Debug: debug}, cs
}

// toposort gives the nodes that ends need, parents first.
func toposort(ends []*node) []*node {
	var unique []*node
	seen := map[*node]bool{}
	for _, n := range ends {
		if !seen[n] {
			seen[n] = true
			unique = append(unique, n)
		}
	}
	children := map[*node]int{}
	stack := slices.Clone(unique)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		children[n]++
		if children[n] == 1 {
			stack = append(stack, n.parents...)
		}
	}
	var free, sorted []*node
	for _, n := range unique {
		children[n]--
	}
	for _, n := range unique {
		if children[n] == 0 {
			free = append(free, n)
		}
	}
	for len(free) > 0 {
		n := free[len(free)-1]
		free = free[:len(free)-1]
		sorted = append(sorted, n)
		for _, p := range n.parents {
			if children[p] == 1 {
				free = append(free, p)
			} else {
				children[p]--
			}
		}
	}
	slices.Reverse(sorted)
	return sorted
}
