package stages

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla"
	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// JitOptions are the settings of one jit.
type JitOptions struct {
	CompilerOptions map[string]any
	Static, Donate  []int
	KeepUnused      bool
	Inline          bool
}

// Traced is a function staged at the types of some arguments.
type Traced struct {
	Fn    *Callable
	Args  *Args
	Trace *Trace
	Opts  JitOptions
}

// Jaxpr is the staged program.
func (t *Traced) Jaxpr() *core.Jaxpr { return t.Trace.Jaxpr }

// DisplaySource shows the traced program.
func (t *Traced) DisplaySource() (language, text string) { return "jaxpr", t.Jaxpr().String() }

// Lower makes the program's module.
func (t *Traced) Lower() *Lowered {
	donated := t.Opts.donation(t.Args)
	p := ProgramOf(t.Trace.Jaxpr, t.Fn.Name, t.Opts.KeepUnused, padDonated(donated, len(t.Trace.Consts)), callerFrames)
	return &Lowered{traced: t, Program: p}
}

// callerFrames are the places of the call that goes on now.
func callerFrames() *core.Frames { return core.CurrentSource().Frames }

func padDonated(donated []bool, consts int) []bool {
	if len(donated) == 0 || consts == 0 {
		return donated
	}
	return append(make([]bool, consts), donated...)
}

// donation marks the leaves of donated arguments.
func (o *JitOptions) donation(a *Args) []bool {
	if len(o.Donate) == 0 {
		return nil
	}
	out := make([]bool, 0, len(a.Leaves))
	arg := 0
	for _, d := range a.Def.Children() {
		for {
			if _, static := a.Static[arg]; !static {
				break
			}
			arg++
		}
		is := slices.Contains(o.Donate, arg) || slices.Contains(o.Donate, arg-a.Count)
		for range d.NumLeaves() {
			out = append(out, is)
		}
		arg++
	}
	return out
}

// Donation is the parameter donated_invars: a flag per operand, nil when nothing
// is donated. consts is the number of leading operands that are no arguments.
func (o *JitOptions) Donation(a *Args, consts int) any {
	d := padDonated(o.donation(a), consts)
	if !slices.Contains(d, true) {
		return nil
	}
	t := make(core.Tuple, len(d))
	for i, b := range d {
		t[i] = b
	}
	return t
}

// KVs is the parameter compiler_options_kvs: pairs, sorted by key, since Go maps
// have no order.
func (o *JitOptions) KVs() core.Tuple {
	var t core.Tuple
	for _, k := range sortedKeys(o.CompilerOptions) {
		t = append(t, core.Tuple{k, o.CompilerOptions[k]})
	}
	return t
}

// Lowered is a function as a module, not yet compiled.
type Lowered struct {
	traced  *Traced
	Program *Program
}

// AsText prints the module: as StableHLO, or with "hlo" as HLO.
func (l *Lowered) AsText(dialect ...string) string {
	switch d := oneDialect(dialect); d {
	case "stablehlo":
		return l.stableHLO().Text()
	case "hlo":
		return l.Program.HLO().Text(hlo.ShortParsable())
	default:
		core.ValueErrorf("unknown dialect: %s", d)
		return ""
	}
}

func (l *Lowered) stableHLO() *stablehlo.Module {
	m := l.Program.Lowered.Module
	if m == nil {
		core.ValueErrorf("the program was given as HLO and has no StableHLO text: ask for AsText(%q)", "hlo")
	}
	return m
}

func oneDialect(d []string) string {
	if len(d) == 0 {
		return "stablehlo"
	}
	return d[0]
}

// AsTextDebug prints the module as AsText does, with op names and source places.
func (l *Lowered) AsTextDebug(dialect ...string) string {
	switch d := oneDialect(dialect); d {
	case "stablehlo":
		return l.stableHLO().DebugText()
	case "hlo":
		return l.Program.HLO().Text(hlo.ShortParsableMetadata())
	default:
		core.ValueErrorf("unknown dialect: %s", d)
		return ""
	}
}

// HLO is the module as a value of its own: walk it, edit it, compile it.
func (l *Lowered) HLO() *hlo.Module {
	code, err := l.Program.HLO().Marshal()
	if err != nil {
		raise(err)
	}
	m, err := hlo.Unmarshal(code)
	if err != nil {
		raise(err)
	}
	return m
}

// CompilerIR is the module as a value: a *stablehlo.Module, or with "hlo" a
// *hlo.Module.
func (l *Lowered) CompilerIR(dialect ...string) any {
	switch d := oneDialect(dialect); d {
	case "stablehlo":
		return l.stableHLO()
	case "hlo":
		return l.HLO()
	default:
		core.ValueErrorf("unknown dialect: %s", d)
		return nil
	}
}

// Jaxpr is the staged program.
func (l *Lowered) Jaxpr() *core.Jaxpr { return l.traced.Trace.Jaxpr }

// InTree is the structure of the arguments: the positional ones and no keywords.
func (l *Lowered) InTree() *tree.Def { return l.traced.InTree() }

// OutTree is the structure of the results.
func (l *Lowered) OutTree() *tree.Def { return l.traced.Trace.OutDef }

// Compile compiles the module. Options given here are on top of jit's.
func (l *Lowered) Compile(options ...map[string]any) Compiled {
	checkHashable(options)
	layers := append([]map[string]any{l.traced.Opts.CompilerOptions}, options...)
	x := l.Program.Compile(layers...)
	c := &compiled{traced: l.traced, exec: x}
	return func(args ...any) array.Array { return c.call(args) }
}

func checkHashable(layers []map[string]any) {
	for _, l := range layers {
		for _, k := range sortedKeys(l) {
			if class := core.Unhashable(l[k]); class != "" {
				core.TypeErrorf("unhashable type: '%s'", class)
			}
		}
	}
}

// DisplaySource shows the module as HLO.
func (l *Lowered) DisplaySource() (language, text string) { return "hlo", l.AsText("hlo") }

// String is the module as StableHLO, as JAX prints a lowered module; as HLO
// where it was given so.
func (l *Lowered) String() string {
	if l.Program.Lowered.Module == nil {
		return l.AsText("hlo")
	}
	return l.AsText()
}

// Compiled is a compiled function, called like any function.
type Compiled func(args ...any) array.Array

// compiled is what a Compiled's closure holds.
type compiled struct {
	traced *Traced
	exec   *Executable
}

// inside is the question that a Compiled answers with its inner part.
type inside struct{}

func (f Compiled) inside() *compiled { return f(inside{}).Info().(*compiled) }

// Try calls f and gives what it raises as an error value.
func (f Compiled) Try(args ...any) (out array.Array, err error) {
	err = core.Catch(func() { out = f(args...) })
	return out, err
}

// AsText prints the program that the compiler made, as JAX prints it.
func (f Compiled) AsText() string { return f.HLO().Text(hlo.CompiledText()) }

// HLO is the program that the compiler made.
func (f Compiled) HLO() *hlo.Module {
	m, err := f.inside().exec.Exec.OptimizedModule()
	if err != nil {
		raise(err)
	}
	return m
}

// Lowered is the module before the compiler's passes.
func (f Compiled) Lowered() *Lowered {
	c := f.inside()
	return &Lowered{traced: c.traced, Program: c.exec.Program}
}

// MemoryAnalysis gives sizes in bytes.
func (f Compiled) MemoryAnalysis() xla.MemoryStats {
	s, err := f.inside().exec.Exec.MemoryStats()
	if err != nil {
		raise(err)
	}
	return s
}

// InTree is the structure of the arguments, OutTree that of the results.
func (f Compiled) InTree() *tree.Def { return f.inside().traced.InTree() }

// OutTree is the structure of the results.
func (f Compiled) OutTree() *tree.Def { return f.inside().traced.Trace.OutDef }

// DisplaySource shows the optimised program.
func (f Compiled) DisplaySource() (language, text string) { return "hlo", f.AsText() }

// Callable makes a Compiled usable where functions are wanted.
func (f Compiled) Callable() *Callable {
	c := f.inside()
	return c.traced.Fn.Wrap(c, func(args []any) []any { return []any{f(args...)} })
}

func (c *compiled) call(args []any) array.Array {
	if len(args) == 1 {
		if _, ok := args[0].(inside); ok {
			return array.WithInfo(c)
		}
	}
	leaves := c.check(args)
	consts := make([]*core.Const, 0, len(leaves)+len(c.traced.Trace.Consts))
	for _, v := range append(append([]core.Value{}, c.traced.Trace.Consts...), leaves...) {
		k, ok := v.(*core.Const)
		if !ok {
			core.TypeErrorf("Cannot apply JAX transformations to a function lowered and compiled for a particular signature. Detected argument of Tracer type %s.", TracerClass(v))
		}
		consts = append(consts, k)
	}
	return array.NewResults(c.exec.Run(consts), c.traced.Trace.OutDef)
}

// TracerClass is the class of a traced value in JAX's words.
func TracerClass(v core.Value) string {
	if c := core.TracerClass(v); c != "" {
		return "<class '" + c + "'>"
	}
	return fmt.Sprintf("<class '%T'>", v)
}

// check flattens the arguments and compares them with what the program was
// compiled for: structure first, then types (weakness does not matter).
func (c *compiled) check(args []any) []core.Value {
	index := c.traced.Args.index()
	leaves, def := tree.FlattenArgs(args, c.places(len(args), index), treeOptions)
	want := c.traced.Args.Def
	if !def.Equal(want) {
		raiseTree(want, def)
	}
	out := make([]core.Value, len(leaves))
	var bad []string
	for i, l := range leaves {
		v, ok := array.ToValue(l)
		if !ok {
			c.traced.Fn.badArgument(l, argNames(c.traced.Fn, def, index)[i], "call")
		}
		out[i] = v
		if exp := c.traced.Args.Avals[i]; !exp.SameType(v.Aval()) {
			bad = append(bad, fmt.Sprintf("Argument '%s' compiled with %s and called with %s",
				argNames(c.traced.Fn, def, index)[i], exp.Long(), v.Aval().Long()))
		}
	}
	if len(bad) > 0 {
		core.TypeErrorf("Argument types differ from the types for which this computation was compiled. Perhaps you are calling the compiled executable with a different enable_x64 mode than when it was AOT compiled? The mismatches are:\n%s", strings.Join(bad, "\n"))
	}
	return out
}

// places are the declared types of n arguments, without those of the static ones,
// which a compiled function does not take. index maps arguments to parameters,
// nil where there are no static ones.
func (c *compiled) places(n int, index []int) []reflect.Type {
	if n != len(index) {
		return c.traced.Fn.Places(n)
	}
	out := make([]reflect.Type, n)
	for i, k := range index {
		out[i] = c.traced.Fn.Place(k)
	}
	return out
}

func raiseTree(want, got *tree.Def) {
	ms := want.Mismatches(got)
	var b strings.Builder
	fmt.Fprintf(&b, "Function compiled with input pytree does not match the input pytree it was called with. There are %d mismatches, including:", len(ms))
	for _, m := range ms {
		b.WriteString("\n    * at args" + m.Path.String() + ", seen " + m.Seen + " but now given " + m.Given + ", so " + m.Why)
	}
	core.TypeErrorf("%s", b.String())
}
