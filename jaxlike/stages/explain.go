package stages

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopherlo/jaxlike/core"
	"gopherlo/xla/flags"
)

// Difference is one part of a cache key in which two calls differ.
type Difference struct {
	// What is "shape", "dtype", "weak type", "static", "structure", "metadata
	// context", "x64 mode", "axes" or "option".
	What string
	// Path is the argument ("x", "state.Step") or option that it concerns.
	Path     string
	Old, New string
}

// String is "shape of x: float32[3] -> float32[4]".
func (d Difference) String() string {
	what := d.What
	switch {
	case d.Path == "":
	case d.What == "static" || d.What == "option":
		what += " " + d.Path
	default:
		what += " of " + d.Path
	}
	return what + ": " + d.Old + " -> " + d.New
}

// Explanation says what a call would find in the cache.
type Explanation struct {
	// Retrace and Recompile tell whether the call would run the function again
	// and compile again.
	Retrace, Recompile bool
	// First is set when nothing was traced for the function yet.
	First bool
	// Differences are those to the nearest entry.
	Differences []Difference
}

// String is a line, or several when more than one part differs.
func (e Explanation) String() string {
	switch {
	case e.First:
		return "never traced: the call traces and compiles"
	case !e.Retrace && !e.Recompile:
		return "cached: the call neither traces nor compiles"
	}
	head := "retrace"
	if !e.Retrace {
		head = "recompile"
	}
	if len(e.Differences) == 0 {
		return head + ": not compiled yet"
	}
	parts := make([]string, len(e.Differences))
	for i, d := range e.Differences {
		parts[i] = d.String()
	}
	return head + ": " + strings.Join(parts, "; ")
}

// Explain compares the key of a call with the entries that there are.
func (c *Callable) Explain(args []any, o *JitOptions) Explanation {
	a := c.Flatten(args, o.Static, "jit")
	probe := &traceEntry{key: c.traceKey(a, "jit"), def: a.Def, args: a, fn: c, meta: core.Current().Metadata}
	var best *traceEntry
	var diffs []Difference
	for _, e := range entriesOf(identityOf(c.ID), "jit") {
		d := e.differences(probe)
		if len(d) == 0 {
			return e.explainCompile(a, o)
		}
		if best == nil || len(d) <= len(diffs) {
			best, diffs = e, d
		}
	}
	if best == nil {
		return Explanation{First: true, Retrace: true, Recompile: true}
	}
	return Explanation{Retrace: true, Recompile: true, Differences: diffs}
}

// entriesOf lists the finished entries of a function, oldest first.
func entriesOf(id identity, api string) []*traceEntry {
	traceCache.Lock()
	defer traceCache.Unlock()
	f := traceCache.byFn[id]
	if f == nil {
		return nil
	}
	var out []*traceEntry
	for _, e := range f.list {
		if e.trace != nil && (api == "" || e.key.api == api) {
			out = append(out, e)
		}
	}
	return out
}

// explainCompile is for a call whose trace is there.
func (e *traceEntry) explainCompile(a *Args, o *JitOptions) Explanation {
	p := o.program(e.fn, a, e.trace)
	key := layersKey([]map[string]any{o.CompilerOptions})
	if p.slot(key).executable() != nil {
		return Explanation{}
	}
	// The nearest executable of the same program, whatever its donation.
	var diffs []Difference
	for i, x := range e.trace.executables() {
		if d := optionDifferences(x.given, o.CompilerOptions); i == 0 || len(d) <= len(diffs) {
			diffs = d
		}
	}
	return Explanation{Recompile: true, Differences: diffs}
}

func optionDifferences(old, now map[string]any) []Difference {
	keys := sortedKeys(old)
	for _, k := range sortedKeys(now) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var out []Difference
	for _, k := range keys {
		a, b := optionText(old, k), optionText(now, k)
		if a != b {
			out = append(out, Difference{What: "option", Path: k, Old: a, New: b})
		}
	}
	return out
}

func optionText(m map[string]any, k string) string {
	v, ok := m[k]
	if !ok {
		return "unset"
	}
	return core.PyRepr(v)
}

// differences lists the parts of the keys of e and of a call in which they
// differ.
func (e *traceEntry) differences(call *traceEntry) []Difference {
	var out []Difference
	add := func(what, path, from, to string) { out = append(out, Difference{what, path, from, to}) }
	changes, same := e.def.StaticChanges(call.def)
	if !same {
		add("structure", "the arguments", e.def.String(), call.def.String())
	}
	for _, ch := range changes {
		add("static", e.fn.pathOf(ch.Path.String(), e.args), core.PyRepr(ch.From), core.PyRepr(ch.To))
	}
	if same {
		names := argNames(e.fn, e.def, e.args.index())
		for i, a := range e.args.Avals {
			typeDifference(a, call.args.Avals[i], names[i], add)
		}
	}
	for i := range max(e.args.Count, call.args.Count) {
		a, hasA := e.args.Static[i]
		b, hasB := call.args.Static[i]
		if (hasA || hasB) && (hasA != hasB || staticKey(a) != staticKey(b)) {
			add("static", e.fn.paramName(i), core.PyRepr(a), core.PyRepr(b))
		}
	}
	if e.key.meta != call.key.meta {
		add("metadata context", "", e.meta.String(), call.meta.String())
	}
	if e.key.x64 != call.key.x64 {
		add("x64 mode", "", strconv.FormatBool(e.key.x64), strconv.FormatBool(call.key.x64))
	}
	if e.key.axes != call.key.axes {
		add("axes", "", "{"+strings.TrimPrefix(e.key.axes, ",")+"}", "{"+strings.TrimPrefix(call.key.axes, ",")+"}")
	}
	return out
}

func typeDifference(a, b *core.ShapedArray, name string, add func(what, path, from, to string)) {
	switch {
	case a.Equal(b):
	case !slices.Equal(a.Shape, b.Shape):
		add("shape", name, a.Long(), b.Long())
	case a.DType != b.DType:
		add("dtype", name, a.Long(), b.Long())
	default:
		add("weak type", name, a.LongWeak(), b.LongWeak())
	}
}

// pathOf puts the parameter's name in place of the first step, "[1]", of a path
// into the arguments.
func (c *Callable) pathOf(path string, a *Args) string {
	end := strings.IndexByte(path, ']')
	if end < 0 {
		return path
	}
	i, err := strconv.Atoi(path[1:end])
	if err != nil {
		return path
	}
	if index := a.index(); index != nil && i < len(index) {
		i = index[i]
	}
	return c.paramName(i) + path[end+1:]
}

// index maps dynamic arguments to parameters; nil when none is static.
func (a *Args) index() []int {
	if len(a.Static) == 0 {
		return nil
	}
	var out []int
	for i := range a.Count {
		if _, static := a.Static[i]; !static {
			out = append(out, i)
		}
	}
	return out
}

// retraceNotice is the retrace by one static path at which users are told.
const retraceNotice = 3

// noteRetrace counts the retraces that one static value alone has caused, and
// tells the user at the third: such a value is better an Array.
func noteRetrace(e *traceEntry) {
	if e.key.api != "jit" {
		return
	}
	var path string
	var last Difference
	others := entriesOf(e.key.id, e.key.api)
	count := 0
	for _, o := range others {
		d := o.differences(e)
		if len(d) != 1 || d[0].What != "static" || path != "" && d[0].Path != path {
			continue
		}
		path, last = d[0].Path, d[0]
		count++
	}
	if count == retraceNotice && !e.forced(path) {
		core.Warn("UserWarning", "retraced: %s %s -> %s (make it an Array)", path, last.Old, last.New)
	}
}

// forced tells whether the user made the argument static by static_argnums.
func (e *traceEntry) forced(path string) bool {
	for i := range e.args.Static {
		if e.fn.paramName(i) == path {
			return true
		}
	}
	return false
}

// CacheEntry is what the cache holds for one kind of call.
type CacheEntry struct {
	// Args are the types of the arguments, "x: float32[3]"; Static the values
	// of static ones, "n=2".
	Args, Static []string
	// Metadata is the context that the function was traced in, "None" outside.
	Metadata string
	X64      bool
	// Options are the compiler options of each executable.
	Options []map[string]any
	jaxpr   *core.Jaxpr
}

// Jaxpr is the traced program.
func (e CacheEntry) Jaxpr() *core.Jaxpr { return e.jaxpr }

// String is the entry on one line.
func (e CacheEntry) String() string {
	s := "(" + strings.Join(slices.Concat(e.Args, e.Static), ", ") + ")"
	if e.Metadata != "None" {
		s += " in context " + e.Metadata
	}
	if e.X64 {
		s += " x64"
	}
	for _, o := range e.Options {
		s += " | compiled"
		if len(o) > 0 {
			s += " with " + optionsText(o)
		}
	}
	return s
}

// optionsText is options as a cell writes them.
func optionsText(o map[string]any) string {
	parts := make([]string, 0, len(o))
	for _, k := range sortedKeys(o) {
		v := fmt.Sprintf("%#v", o[k])
		if l, ok := o[k].(flags.Level); ok {
			v = l.Name()
		}
		parts = append(parts, strconv.Quote(k)+": "+v)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// CacheInfo is what is cached for a function.
type CacheInfo struct {
	Entries []CacheEntry
	// Traces and Compiles count how often calls of this jit ran the function
	// and the compiler.
	Traces, Compiles int
}

// String is a summary with a line per entry.
func (i CacheInfo) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "entries: %d, traces: %d, compiles: %d", len(i.Entries), i.Traces, i.Compiles)
	for _, e := range i.Entries {
		b.WriteString("\n  " + e.String())
	}
	return b.String()
}

// cacheEntries lists what is cached for c.
func (c *Callable) cacheEntries() []CacheEntry {
	var out []CacheEntry
	for _, e := range entriesOf(identityOf(c.ID), "jit") {
		ce := CacheEntry{Metadata: e.meta.String(), X64: e.key.x64, jaxpr: e.trace.Jaxpr}
		names := argNames(e.fn, e.def, e.args.index())
		for i, a := range e.args.Avals {
			ce.Args = append(ce.Args, names[i]+": "+a.LongWeak())
		}
		for i := range e.args.Count {
			if v, ok := e.args.Static[i]; ok {
				ce.Static = append(ce.Static, e.fn.paramName(i)+"="+core.PyRepr(v))
			}
		}
		for _, s := range e.def.Statics() {
			ce.Static = append(ce.Static, e.fn.pathOf(s.Path.String(), e.args)+"="+core.PyRepr(s.To))
		}
		for _, x := range e.trace.executables() {
			ce.Options = append(ce.Options, x.given)
		}
		out = append(out, ce)
	}
	return out
}
