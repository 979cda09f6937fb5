// Package hlocost estimates what a module costs, by the rules and under the
// keys of XLA's HloCostAnalysis (xla/service/hlo_cost_analysis.cc), as JAX's
// cost_analysis() shows them: "flops", "transcendentals", "bytes accessed", and
// by operand "bytes accessed0{}" and "utilization0{}". PJRT plugins of June
// 2026 do not implement their own.
//
//	props := hlocost.Analyze(m)
//	props["flops"]
package hlocost

import (
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
)

// Properties are the costs by XLA's keys. Those that are zero are absent.
type Properties map[string]float64

// The keys that programs ask for.
const (
	Flops           = "flops"
	Transcendentals = "transcendentals"
	BytesAccessed   = "bytes accessed"
	utilization     = "utilization"
	output          = "bytes accessedout"
)

func operandBytes(i int) string       { return BytesAccessed + strconv.Itoa(i) + "{}" }
func operandUtilization(i int) string { return utilization + strconv.Itoa(i) + "{}" }

// outputBytes is the key of the output at a tuple index.
func outputBytes(index ...int) string {
	parts := make([]string, len(index))
	for i, n := range index {
		parts[i] = strconv.Itoa(n)
	}
	return output + "{" + strings.Join(parts, ",") + "}"
}

// Analyze gives the costs of a module's entry computation with all that it
// calls. A loop counts as one turn and a conditional as its dearest branch, as
// in XLA.
func Analyze(m *hlo.Module) Properties {
	if m == nil || m.Entry == nil {
		return Properties{}
	}
	a := analysis{done: map[*hlo.Computation]Properties{}}
	return a.computation(m.Entry).nonZero()
}

type analysis struct {
	// done holds finished computations, and nil for those under way: a
	// recursive module, which XLA refuses, must not hang us.
	done map[*hlo.Computation]Properties
}

func (p Properties) nonZero() Properties {
	for k, v := range p {
		if v == 0 {
			delete(p, k)
		}
	}
	return p
}

func (p Properties) add(q Properties) {
	for k, v := range q {
		p[k] += v
	}
}

func (p Properties) clone() Properties {
	q := make(Properties, len(p))
	q.add(p)
	return q
}

// scaled is what n applications of a computation cost: its bytes stay in
// registers (KeyToCopyFromSubcomputation).
func (p Properties) scaled(n float64) Properties {
	q := Properties{}
	for k, v := range p {
		if !strings.HasPrefix(k, BytesAccessed) && !strings.HasPrefix(k, utilization) {
			q[k] = v * n
		}
	}
	return q
}

func (a *analysis) computation(c *hlo.Computation) Properties {
	if c == nil {
		return Properties{}
	}
	if p, ok := a.done[c]; ok {
		return p
	}
	a.done[c] = nil
	sum := Properties{}
	for _, i := range c.Instructions {
		sum.add(a.instruction(i))
	}
	a.done[c] = sum
	return sum
}

// called is computation n that an instruction calls.
func (a *analysis) called(i *hlo.Instruction, n int) Properties {
	if n >= len(i.Called) {
		return Properties{}
	}
	return a.computation(i.Called[n])
}

// instruction starts with the default, that each operand is read once and the
// result written once, and lets the opcode's rule change it.
func (a *analysis) instruction(i *hlo.Instruction) Properties {
	p := Properties{}
	out := sizeOfAll(i.Shape)
	total := out
	p[outputBytes()] = out
	for n, o := range i.Operands {
		s := size(o.Shape)
		total += s
		p[operandBytes(n)] = s
		p[operandUtilization(n)] = 1
	}
	p[BytesAccessed] = total
	if rule, ok := rules[i.Opcode]; ok {
		return rule(a, i, p)
	}
	return p
}

// pointerBytes is the size of an entry of a tuple's index table.
const pointerBytes = 4

// size is ShapeUtil::ByteSizeOf: for a tuple its index table alone.
func size(s hlo.Shape) float64 {
	switch {
	case s.IsTuple():
		return float64(pointerBytes * len(s.Tuple))
	case s.ElementType == hlo.OpaqueType:
		return pointerBytes
	case s.ElementType == hlo.Token, !s.ElementType.IsArray():
		return 0
	}
	return elements(s) * float64(elementBits(s)) / 8
}

// sizeOfAll adds up a tuple's arrays.
func sizeOfAll(s hlo.Shape) float64 {
	if !s.IsTuple() {
		return size(s)
	}
	n := 0.0
	for _, t := range s.Tuple {
		n += sizeOfAll(t)
	}
	return n
}

// elementBits is an element's size in memory: types of less than a byte take a
// whole one unless the layout says otherwise.
func elementBits(s hlo.Shape) int {
	if s.Layout != nil && s.Layout.ElementSizeInBits > 0 {
		return int(s.Layout.ElementSizeInBits)
	}
	return max(8, s.ElementType.Bits())
}

func elements(s hlo.Shape) float64 {
	n := 1.0
	for _, d := range s.Dimensions {
		n *= float64(max(0, d))
	}
	return n
}

// elementsInAll counts through tuples.
func elementsInAll(s hlo.Shape) float64 {
	if !s.IsTuple() {
		return elements(s)
	}
	n := 0.0
	for _, t := range s.Tuple {
		n += elementsInAll(t)
	}
	return n
}

// firstArray is the shape itself, or the first of a tuple.
func firstArray(s hlo.Shape) hlo.Shape {
	if s.IsTuple() && len(s.Tuple) > 0 {
		return s.Tuple[0]
	}
	return s
}
