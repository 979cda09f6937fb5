package lax

import (
	"slices"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// whileFlat loops over flat lists of values.
func whileFlat(cond, body partialeval.Fun, init []core.Value) []core.Value {
	avals := make([]*core.ShapedArray, len(init))
	for i, v := range init {
		avals[i] = v.Aval()
	}
	c, cc := partialeval.TraceToJaxpr(cond, avals, &core.DebugInfo{TracedFor: "while_cond"}).SeparateConsts()
	b, bc := partialeval.TraceToJaxpr(body, avals, &core.DebugInfo{TracedFor: "while_body"}).SeparateConsts()
	return bindWhile(c, cc, b, bc, init)
}

// bindWhile applies a loop. A carry that the body gives back unchanged and that
// the condition does not read becomes a constant of the body.
func bindWhile(cond *core.Jaxpr, condConsts []core.Value, body *core.Jaxpr, bodyConsts, init []core.Value) []core.Value {
	nc, nb := len(condConsts), len(bodyConsts)
	changes := make([]bool, len(init))
	for i, f := range partialeval.Forwarding(body) {
		changes[i] = f != nb+i
	}
	small, kept := partialeval.DCE(cond, []bool{true}, slices.Concat(trues(nc), changes))
	move, stay := make([]bool, len(init)), kept[nc:]
	for i, s := range stay {
		move[i] = !s
	}
	var fixed []core.Value
	if slices.Contains(move, true) {
		cond = small
		body = moveToFront(partialeval.PruneOutputs(body, stay), slices.Concat(make([]bool, nb), move))
		var carried []core.Value
		for i, v := range init {
			if move[i] {
				fixed = append(fixed, v)
			} else {
				carried = append(carried, v)
			}
		}
		init = carried
		bodyConsts = append(slices.Clone(fixed), bodyConsts...)
	}
	outs := WhileP.Bind(whileParams(cond, nc, body, len(bodyConsts)), slices.Concat(condConsts, bodyConsts, init)...)
	return mergeLists(move, outs, fixed)
}
