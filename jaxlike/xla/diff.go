package xla

import (
	"fmt"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/stages"
	"gopherlo/xla/hlotool"
)

// Difference is the difference between two programs in the form of `diff -u`,
// "" when there is none. A cell shows it coloured.
type Difference string

// DisplaySource gives what a cell shows.
func (d Difference) DisplaySource() (language, text string) {
	if d == "" {
		return "text", "no difference"
	}
	return "diff", string(d)
}

// Diff compares two programs by their text: modules, lowered functions and
// compiled ones by their HLO without op names and source places, a *StableHLO, a
// jaxpr or a string by its own text.
//
//	xla.Diff(f.Lower(x), f.Lower(x).Compile())
//	xla.Diff(c, jit(f, compiler_options{"xla_cpu_enable_fast_math": true}).Lower(x).Compile())
func Diff(a, b any) Difference {
	nameA, textA := programText(a)
	nameB, textB := programText(b)
	return Difference(hlotool.DiffText(nameA, nameB, textA, textB))
}

// programText is a program's text for comparisons, and what it is called there.
func programText(program any) (name, text string) {
	switch p := program.(type) {
	case *Module:
		return p.Name, p.Text(ShortParsable())
	case *stages.Lowered:
		m := p.HLO()
		return m.Name + " (lowered)", m.Text(ShortParsable())
	case Compiled:
		m := p.HLO()
		return m.Name + " (compiled)", m.Text(ShortParsable())
	case *StableHLO:
		return p.Name, p.Text()
	case string:
		return "text", p
	case fmt.Stringer:
		return "text", p.String()
	}
	core.TypeErrorf("xla.Diff takes modules, lowered or compiled functions, jaxprs and texts, not %T", program)
	return "", ""
}
