package stages

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"gopherlo/jaxlike/core"
	"gopherlo/xla"
	"gopherlo/xla/hlocost"
)

// Costs estimates what one run of a program takes, by XLA's keys: "flops",
// "transcendentals", "bytes accessed", and by operand "bytes accessed0{}".
type Costs map[string]float64

// pluginCosts says that the plugin made the last estimate itself.
var pluginCosts atomic.Bool

// String prints the costs as a Python dict, sorted, and says when they were
// computed here.
func (c Costs) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(c)) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(core.PyString(k) + ": " + core.PyFloat(c[k]))
	}
	b.WriteByte('}')
	if !pluginCosts.Load() {
		b.WriteString("  (computed from the HLO by XLA's rules: the plugin has no cost analysis)")
	}
	return b.String()
}

// CostAnalysis is the plugin's estimate of the compiled program's costs, or one
// computed from its HLO where the plugin has none.
func (f Compiled) CostAnalysis() Costs {
	if p, ok := f.inside().exec.Exec.(xla.CostAnalyzer); ok {
		costs, err := p.CostAnalysis()
		switch {
		case err == nil:
			pluginCosts.Store(true)
			return costs
		case !errors.Is(err, &xla.StatusError{Code: xla.Unimplemented}):
			raise(err)
		}
	}
	return Costs(hlocost.Analyze(f.HLO()))
}

// CostAnalysis estimates the costs of the program as it was lowered, from its
// HLO.
func (l *Lowered) CostAnalysis() Costs { return Costs(hlocost.Analyze(l.Program.HLO())) }

// Origin says where an option was given.
type Origin string

// The origins, the stronger after the weaker.
const (
	FromXLAFlags Origin = "XLA_FLAGS"
	FromProcess  Origin = "process-wide"
	FromJit      Origin = "jit"
	FromCompile  Origin = "compile step"
)

// Option is one option of a compilation.
type Option struct {
	Name  string
	Value any
	// Default is XLA's, as its own usage text prints it; "" where not known.
	Default string
	From    Origin
}

// Options are the options of a compilation that differ from XLA's defaults,
// sorted by name.
type Options []Option

// Get finds an option by name.
func (o Options) Get(name string) (Option, bool) {
	for _, p := range o {
		if p.Name == name {
			return p, true
		}
	}
	return Option{}, false
}

// String is a table: name, value, origin, and the default where it is known.
func (o Options) String() string {
	if len(o) == 0 {
		return "all options are XLA's defaults"
	}
	name, value, from := 0, 0, 0
	for _, p := range o {
		name, value, from = max(name, len(p.Name)), max(value, len(p.value())), max(from, len(p.From))
	}
	lines := make([]string, len(o))
	for i, p := range o {
		line := fmt.Sprintf("%-*s  %-*s  %-*s", name, p.Name, value, p.value(), from, p.From)
		if p.Default != "" {
			line += "  default " + p.Default
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func (o Option) value() string {
	if s, ok := o.Value.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprint(o.Value)
}
