package hlotool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

// styles are the ways to print HLO, by the name that the command takes.
var styles = map[string]func() hlo.PrintOptions{
	"lowered":          hlo.ShortParsable,
	"lowered-metadata": hlo.ShortParsableMetadata,
	"compiled":         hlo.CompiledText,
	"default":          hlo.DefaultOptions,
	"canonical":        hlo.Canonical,
}

// Styles lists their names.
func Styles() []string { return slices.Sorted(maps.Keys(styles)) }

// Style gives the print options of a style: lowered is JAX's
// lowered.as_text("hlo"), lowered-metadata the same with debug_info, compiled
// is compiled.as_text(), default XLA's own, canonical the form in which equal
// programs of other names print alike.
func Style(name string) (hlo.PrintOptions, error) {
	if f, ok := styles[name]; ok {
		return f(), nil
	}
	return hlo.PrintOptions{}, fmt.Errorf("unknown style %q; known: %s", name, strings.Join(Styles(), ", "))
}

// Print gives the program's HLO text.
func (f *File) Print(style string) (string, error) {
	o, err := Style(style)
	if err != nil {
		return "", err
	}
	m, err := f.Module()
	if err != nil {
		return "", err
	}
	return m.Text(o), nil
}

// Summary says in a few lines what a program holds.
func (f *File) Summary() (string, error) {
	if err := f.Verify(); err != nil {
		return "", err
	}
	m, err := f.Module()
	if err != nil {
		return "", err
	}
	count := map[hlo.Opcode]int{}
	total := 0
	for _, i := range m.Instructions() {
		count[i.Opcode]++
		total++
	}
	ops := slices.SortedFunc(maps.Keys(count), func(a, b hlo.Opcode) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(string(a), string(b))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, module %s: %d computations, %d instructions\n", f.Name, f.Kind, m.Name, len(m.Computations), total)
	params, results := xla.Signature(m)
	for n, p := range m.Entry.Parameters() {
		fmt.Fprintf(&b, "  parameter %d  %s  %s\n", n, p.Name, params[n])
	}
	for n, r := range results {
		fmt.Fprintf(&b, "  result %d     %s\n", n, r)
	}
	b.WriteString("  opcodes     ")
	for _, op := range ops {
		fmt.Fprintf(&b, " %s %d", op, count[op])
	}
	b.WriteByte('\n')
	return b.String(), nil
}
