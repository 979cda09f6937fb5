package stages

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/lowering"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla"
	"gopherlo/xla/flags"
	"gopherlo/xla/hlo"
	"gopherlo/xla/hloconv"
)

// Platform is the platform that programs run on: the first that JAX_PLATFORMS
// (or the older JAX_PLATFORM_NAME) names, by default "cpu".
var Platform = platformOf(os.Getenv("JAX_PLATFORMS"), os.Getenv("JAX_PLATFORM_NAME"))

func platformOf(list ...string) string {
	for _, names := range list {
		name, _, _ := strings.Cut(strings.ToLower(names), ",")
		switch name = strings.TrimSpace(name); name {
		case "":
		case "gpu":
			return "cuda"
		default:
			return name
		}
	}
	return "cpu"
}

// Client gives the runtime's client, making it at the first use.
func Client() xla.Client {
	c, err := xla.Open(Platform)
	if err != nil {
		raise(err)
	}
	return c
}

// listText is a list of numbers as XLA's messages have it.
func listText(ns []int64) string { return strings.ReplaceAll(fmt.Sprint(ns), " ", ", ") }

// raise panics with err as JAX would raise it.
func raise(err error) {
	e := &core.Error{Name: "RuntimeError", Message: err.Error(), Cause: err}
	var (
		status  *xla.StatusError
		level   *flags.LevelError
		flag    *flags.Error
		typ     *flags.TypeError
		unhash  *flags.UnhashableError
		already *core.Error
		extent  *hloconv.ExtentError
	)
	switch {
	case errors.As(err, &already):
		e = already
	case errors.As(err, &extent):
		e.Message = "Bad StatusOr access: INVALID_ARGUMENT: overflow in static extent product: dimensions=" + listText(extent.Type.Dims) + "."
	case errors.As(err, &status):
		e.Name, e.Message = "JaxRuntimeError", status.Error()
		e.Advice = flags.Advice(xla.FlagNames(Platform), e.Message)
	case errors.As(err, &level):
		e.Name = "ValueError"
		e.Advice = "effort levels are " + strings.Join(flags.LevelNames(), ", ")
	case errors.As(err, &flag):
		e.Advice = flags.Advice(xla.FlagNames(Platform), e.Message)
	case errors.As(err, &typ), errors.As(err, &unhash):
		e.Name = "TypeError"
	}
	panic(e)
}

// defaults are the process-wide effort levels (jax_optimization_level,
// jax_memory_fitting_level), at first those of the environment. A wrong one
// there is an error of the first compilation.
var defaults = struct {
	sync.Mutex
	flags.Options
	wrong error
}{}

func init() {
	level := func(name string, otherwise flags.Level) flags.Level {
		v := os.Getenv(name)
		if v == "" {
			return otherwise
		}
		l, err := flags.ParseConfigLevel(v)
		if err != nil {
			defaults.wrong = &core.Error{Name: "ValueError", Message: fmt.Sprintf("Invalid value %q for JAX flag %s", v, strings.ToLower(name))}
			return otherwise
		}
		return l
	}
	defaults.Optimization = level("JAX_OPTIMIZATION_LEVEL", flags.DefaultOptimization)
	defaults.MemoryFitting = level("JAX_MEMORY_FITTING_LEVEL", flags.DefaultMemoryFitting)
}

// SetDefaultLevel sets a process-wide effort level. It counts for what is compiled
// from now on: as in JAX 0.12.0.1, programs that are compiled already are not
// compiled again for it.
func SetDefaultLevel(key string, v any) {
	l, err := flags.ParseConfigLevel(v)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	defaults.Lock()
	defer defaults.Unlock()
	if key == "jax_optimization_level" {
		defaults.Optimization = l
	} else {
		defaults.MemoryFitting = l
	}
}

func mergeOptions(layers ...map[string]any) (flags.Options, error) {
	defaults.Lock()
	base, wrong := defaults.Options, defaults.wrong
	defaults.Unlock()
	if wrong != nil {
		return flags.Options{}, wrong
	}
	return base.Merge(layers...)
}

// Program is a lowered module with its HLO, made when it is first asked for.
type Program struct {
	Lowered *lowering.Lowered
	Name    string

	once sync.Once
	mod  *hlo.Module
	err  error

	// given and results are set for a program that a user wrote: it has no
	// jaxpr.
	given   *xla.Program
	results []*core.ShapedArray

	mu     sync.Mutex
	execs  map[string]*slot          // by options
	firsts map[string]map[string]any // options of jits, by key

	listed sync.Once
}

// HLO is the module as HLO, made once. It must not be changed.
func (p *Program) HLO() *hlo.Module {
	m, err := p.converted()
	if err != nil {
		raise(err)
	}
	return m
}

func (p *Program) converted() (*hlo.Module, error) {
	p.once.Do(func() { p.mod, p.err = hloconv.Convert(p.Lowered.Module) })
	return p.mod, p.err
}

// source is the program as XLA gets it, and the types of its results.
func (p *Program) source() (xla.Program, []*core.ShapedArray) {
	if p.given != nil {
		return *p.given, p.results
	}
	code, err := p.HLO().MarshalToCompile()
	if err != nil {
		raise(err)
	}
	outs := p.Lowered.Jaxpr.OutAvals()
	return xla.Program{Format: xla.FormatHLO, Code: code, NumParams: len(p.Lowered.Kept), NumResults: len(outs)}, outs
}

// Executable is a compiled program: what it runs and how to call it.
type Executable struct {
	Exec    xla.LoadedExecutable
	Program *Program
	Options flags.Options
	outs    []*core.ShapedArray
	donated []int          // the parameters that a call consumes
	given   map[string]any // the options that jit and the compile step gave
	slot    *slot
}

// layersKey is equal for options that Python's dicts take for equal: True, 1
// and 1.0 are one value. JAX puts the options of the compile step after those of
// jit; the same option in both is another key than in one.
func layersKey(layers []map[string]any) string {
	var b strings.Builder
	for _, l := range layers {
		b.WriteString(optionsKey(l))
	}
	return b.String()
}

func anyOptions(layers []map[string]any) bool {
	return slices.ContainsFunc(layers, func(l map[string]any) bool { return len(l) > 0 })
}

func mergedOptions(layers []map[string]any) map[string]any {
	merged := map[string]any{}
	for _, l := range layers {
		maps.Copy(merged, l)
	}
	return merged
}

func optionsKey(m map[string]any) string {
	keys := sortedKeys(m)
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(core.PyString(k) + ":" + hashKey(m[k]) + ",")
	}
	return b.String()
}

func hashKey(v any) string {
	switch x := v.(type) {
	case bool:
		if x {
			return "1"
		}
		return "0"
	case float32:
		return hashKey(float64(x))
	case float64:
		if n := math.Trunc(x); n == x && math.Abs(x) < 1<<63 {
			return strconv.FormatInt(int64(n), 10)
		}
		return core.PyFloat(x)
	case string:
		return core.PyString(x)
	case flags.Level:
		return "level" + x.String()
	}
	return fmt.Sprintf("%v", v)
}

// Run executes on all argument leaves (those that are no parameters are
// ignored) and gives the results.
func (x *Executable) Run(args []*core.Const) []core.Value {
	outs := x.execute(args)
	res := make([]core.Value, len(outs))
	for i, o := range outs {
		res[i] = core.NewDeviceConst(x.outs[i], o)
	}
	return res
}

// result is Run as an Array of structure def.
func (x *Executable) result(args []*core.Const, def *tree.Def) array.Array {
	if !def.IsLeaf() {
		return array.NewResults(x.Run(args), def)
	}
	return array.New(core.NewDeviceConst(x.outs[0], x.execute(args)[0]))
}

func (x *Executable) execute(args []*core.Const) []xla.Buffer {
	l := x.Program.Lowered
	bufs := make([]xla.Buffer, len(l.Kept))
	for i, k := range l.Kept {
		bufs[i] = deviceBuffer(args[k])
	}
	outs, err := x.Exec.Execute(bufs, x.donated)
	if err != nil {
		raise(deletedArgument(err, args, l.Kept))
	}
	return outs
}

// deletedArgument gives the error of using a deleted array in JAX's words.
func deletedArgument(err error, args []*core.Const, kept []int) error {
	if !errors.Is(err, xla.ErrDeleted) {
		return err
	}
	for _, k := range kept {
		if args[k].Deleted() {
			return args[k].DeletedError()
		}
	}
	return err
}

// deviceBuffer gives a constant's device copy, made once.
func deviceBuffer(c *core.Const) xla.Buffer {
	if b, ok := c.Buffer().(xla.Buffer); ok && b != nil {
		if b.Deleted() {
			panic(c.DeletedError())
		}
		return b
	}
	data, err := c.Host()
	if err != nil {
		raise(err)
	}
	a := c.Aval()
	t := lowering.TypeOf(a)
	b, err := Client().NewBuffer(data, t.Elem, t.Dims, Client().Devices()[0])
	if err != nil {
		raise(err)
	}
	c.SetBuffer(b)
	return b
}

// OnDevice gives a constant that is on the device, not a literal any more.
func OnDevice(c *core.Const) *core.Const {
	if c.Py == nil && c.Buffer() != nil {
		return c
	}
	return core.NewDeviceConst(c.Aval(), deviceBuffer(c.Detached()))
}

// rt is the core.Runtime.
type rt struct{}

func init() { core.SetRuntime(rt{}) }

// eager caches the programs of primitives that run alone.
var eager = core.NewCache[string, *Program](maxEager)

// Apply implements core.Runtime: a primitive runs as a program of its own, a
// jit as the program of its body.
func (rt) Apply(p *core.Primitive, params core.Params, args []*core.Const) []core.Value {
	if p.SharesNames {
		return applyJit(params, args)
	}
	avals := make([]*core.ShapedArray, len(args))
	for i, a := range args {
		avals[i] = a.Aval()
	}
	meta := core.Current().Metadata
	key := p.Name + "[" + params.Key() + "]" + core.AvalsKey(avals) + meta.Key()
	prog, ok := eager.Get(key)
	if !ok {
		prog = eager.GetOrPut(key, &Program{Name: "jit_" + p.Name, Lowered: lowering.Lower(
			onePrimitive(p, params, avals, meta), lowering.Options{Name: p.Name, KeepUnused: true})})
	}
	return prog.Compile().Run(args)
}

// onePrimitive is the jaxpr that applies p to its inputs.
func onePrimitive(p *core.Primitive, params core.Params, avals []*core.ShapedArray, meta *core.Metadata) *core.Jaxpr {
	e := &core.Eqn{Prim: p, Params: params, Ctx: core.EqnContext{Metadata: meta}}
	j := &core.Jaxpr{Debug: &core.DebugInfo{FuncName: p.Name}}
	for _, a := range avals {
		v := core.NewVar(a)
		j.In = append(j.In, v)
		e.In = append(e.In, v)
	}
	for _, a := range p.AbstractEval(avals, params) {
		v := core.NewVar(a)
		e.Out = append(e.Out, v)
		j.Out = append(j.Out, v)
	}
	j.Eqns = []*core.Eqn{e}
	return j
}

// applyJit runs a jit on concrete values.
func applyJit(params core.Params, args []*core.Const) []core.Value {
	j := params.Jaxpr("jaxpr")
	var donated []bool
	if t, ok := params.Get("donated_invars").(core.Tuple); ok {
		donated = make([]bool, len(t))
		for i, d := range t {
			donated[i], _ = d.(bool)
		}
	}
	prog := ProgramOf(j, params.Str("name"), params.Bool("keep_unused"), donated, nil)
	var opts map[string]any
	if kvs, ok := params.Get("compiler_options_kvs").(core.Tuple); ok && len(kvs) > 0 {
		opts = map[string]any{}
		for _, kv := range kvs {
			pair := kv.(core.Tuple)
			opts[pair[0].(string)] = pair[1]
		}
	}
	return prog.Compile(opts).Run(args)
}

// ProgramOf is the lowered program of a jaxpr, made once per setting. caller, if
// there is one, gives the places that the program was called from first.
func ProgramOf(j *core.Jaxpr, name string, keepUnused bool, donated []bool, caller func() *core.Frames) *Program {
	key := "program:" + name + ":" + fmt.Sprint(keepUnused) + core.BoolKey(donated)
	p := j.Memo(key, func() any {
		o := lowering.Options{Name: name, KeepUnused: keepUnused, Donated: donated}
		if caller != nil {
			o.Caller = caller()
		}
		if j.Debug != nil {
			o.ArgNames, o.ResultNames = j.Debug.ArgNames, j.Debug.ResultPaths
		}
		return &Program{Name: lowering.ModuleName(name), Lowered: lowering.Lower(j, o)}
	}).(*Program)
	p.listed.Do(func() {
		programsOf(j).add(p)
		p.warnUnusable()
	})
	return p
}

// programList are the programs made of one jaxpr, for other settings each.
type programList struct {
	mu   sync.Mutex
	list []*Program
}

func programsOf(j *core.Jaxpr) *programList {
	return j.Memo("programs", func() any { return &programList{} }).(*programList)
}

func (l *programList) add(p *Program) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, p)
}

// executables lists what was compiled of a trace.
func (t *Trace) executables() []*Executable {
	l := programsOf(t.Jaxpr)
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []*Executable
	for _, p := range l.list {
		p.mu.Lock()
		for _, k := range sortedKeys(p.execs) {
			if x := p.execs[k].executable(); x != nil {
				out = append(out, x)
			}
		}
		p.mu.Unlock()
	}
	return out
}

// warnUnusable tells of donated arguments whose memory no result can take.
func (p *Program) warnUnusable() {
	var types []string
	for _, a := range p.Lowered.Unusable {
		types = append(types, a.Long())
	}
	if len(types) > 0 {
		core.Warn("UserWarning", "Some donated buffers were not usable: %s.\nSee an explanation at https://docs.jax.dev/en/latest/201/jit.html#jax-201-buffer-donation.", strings.Join(types, ", "))
	}
}
