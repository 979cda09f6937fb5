package stages

import (
	"reflect"
	"strconv"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/jaxlike/tree"
)

// Args are a call's arguments, flattened: values with their structure, and what
// is static.
type Args struct {
	Leaves []core.Value
	Avals  []*core.ShapedArray
	Def    *tree.Def
	// Names is the path of each leaf: "x", "params['w']"; empty for arguments
	// whose parameter has no name.
	Names []string
	// Static are the arguments of static_argnums, by index.
	Static map[int]any
	// Numbers are the leaves that are Go numbers, of transformations that do not
	// stage; nil for others. Where nobody has put another value in its place, the
	// function gets the number itself.
	Numbers []any
	Count   int
}

// treeOptions is how arguments are taken apart.
var treeOptions = tree.Options{Static: true, HostArrays: true, Expand: array.Expand}

// Flatten takes arguments apart for c. static lists the indices of static
// arguments. api is the transformation that is named in errors.
func (c *Callable) Flatten(args []any, static []int, api string) *Args {
	c.CheckCount(len(args))
	a := &Args{Count: len(args)}
	dynamic, places, index := args, c.Places(len(args)), []int(nil)
	if len(static) > 0 {
		dynamic, places, index = a.split(c, args, static)
	}
	leaves, def := tree.FlattenArgs(dynamic, places, treeOptions)
	a.Def = def
	a.Leaves = make([]core.Value, len(leaves))
	a.Avals = make([]*core.ShapedArray, len(leaves))
	for i, l := range leaves {
		v, ok := a.toValue(c, l, i, index, api)
		if !ok {
			c.badArgument(l, a.name(c, i, index), api)
		}
		a.Leaves[i], a.Avals[i] = v, v.Aval()
		if staged[api] {
			continue
		}
		if k := reflect.ValueOf(l).Kind(); k >= reflect.Bool && k <= reflect.Complex128 {
			if a.Numbers == nil {
				a.Numbers = make([]any, len(leaves))
			}
			a.Numbers[i] = l
		}
	}
	if c.Params != nil || c.Variadic {
		a.Names = argNames(c, def, index)
	}
	return a
}

// staged are the transformations whose functions get tracers for all that is not
// static.
var staged = map[string]bool{"jit": true, "checkpoint / remat": true, "custom_jvp": true, "custom_vjp": true}

// toValue is array.ToValue; a jit names the argument that is too large.
func (a *Args) toValue(c *Callable, leaf any, i int, index []int, api string) (v core.Value, ok bool) {
	if api != "jit" {
		return array.ToValue(leaf)
	}
	defer func() {
		if r := recover(); r != nil {
			e, isErr := r.(*core.Error)
			if !isErr || e.Name != "OverflowError" {
				panic(r)
			}
			core.Raise("OverflowError", "An overflow was encountered while parsing an argument to a jitted computation, whose argument path is %s. Got <class 'int'> with value %v", a.name(c, i, index), leaf)
		}
	}()
	return array.ToValue(leaf)
}

// split takes the static arguments out.
func (a *Args) split(c *Callable, args []any, static []int) (dynamic []any, places []reflect.Type, index []int) {
	a.Static = map[int]any{}
	for _, s := range static {
		if s < 0 {
			s += len(args)
		}
		if s < 0 || s >= len(args) {
			continue
		}
		a.Static[s] = plainNumber(args[s])
	}
	for i, x := range args {
		if _, is := a.Static[i]; is {
			continue
		}
		dynamic = append(dynamic, x)
		places = append(places, c.Place(i))
		index = append(index, i)
	}
	return dynamic, places, index
}

// plainNumber is the number that a transformation around made an array of, as an
// argument of its own: static arguments stay what they were.
func plainNumber(x any) any {
	a, ok := x.(array.Array)
	if !ok {
		return x
	}
	c, ok := a.Value().(*core.Const)
	if !ok || c.Py == nil || !c.Aval().Weak {
		return x
	}
	if n, ok := c.Py.(int64); ok {
		return int(n)
	}
	return c.Py
}

func (a *Args) name(c *Callable, leaf int, index []int) string {
	return argNames(c, a.Def, index)[leaf]
}

// argNames is the path of each leaf, with the parameter's name for the first
// step; index maps dynamic arguments to parameters.
func argNames(c *Callable, def *tree.Def, index []int) []string {
	var out []string
	for i, d := range def.Children() {
		k := i
		if index != nil {
			k = index[i]
		}
		name := c.paramName(k)
		if c.Variadic && k >= len(c.In)-1 && len(c.Params) == len(c.In) {
			name = c.Params[len(c.Params)-1] + "[" + strconv.Itoa(k-len(c.In)+1) + "]"
		}
		for _, p := range d.Paths() {
			out = append(out, name+p.Plain())
		}
	}
	return out
}

func (c *Callable) badArgument(v any, path, api string) {
	switch api {
	case "jit":
	case "grad": // and those made like it, which check arguments with words of their own
		core.TypeErrorf("Argument '%s' of type %s is not a valid JAX type.", core.PyStr(v), tree.ClassOf(v))
	case "vjp":
		core.Raise("InvalidInputException", "Argument %s of type %s is not a valid JAX type", core.PyRepr(v), tree.ClassOf(v))
	default:
		core.TypeErrorf("Argument %s of type %s is not a valid JAX type", core.PyRepr(v), tree.ClassOf(v))
	}
	fn := c.functionRepr()
	if c.Jitted {
		fn = "<PjitFunction of " + fn + ">"
	}
	msg := "Error interpreting argument to " + fn + " as an abstract array. The problematic value is of type " +
		tree.ClassOf(v) + " and was passed to the function at path " + path + "."
	msg += "\nThis typically means that a jit-wrapped function was called with a non-array argument, and this argument was not marked as static using the static_argnums or static_argnames parameters of jax.jit."
	core.TypeErrorf("%s", msg)
}

// functionRepr is Python's repr of a function; addresses print as "0x...".
func (c *Callable) functionRepr() string { return "<function " + c.Name + " at 0x...>" }

// key parts of static arguments.
func (a *Args) staticKey() string {
	if len(a.Static) == 0 {
		return ""
	}
	var b strings.Builder
	for i := range a.Count {
		if v, ok := a.Static[i]; ok {
			b.WriteString(strconv.Itoa(i) + "=" + staticKey(v) + ";")
		}
	}
	return b.String()
}

func staticKey(v any) string {
	if class := core.Unhashable(v); class != "" {
		core.ValueErrorf("Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type %s, %s. The error was:\nTypeError: unhashable type: '%s'\n", tree.ClassOf(v), core.PyStr(v), class)
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Func:
		return "func" + strconv.FormatUint(uint64(uintptr(funcWord(v))), 16)
	case reflect.Pointer:
		return "ptr" + strconv.FormatUint(uint64(rv.Pointer()), 16)
	}
	if rv.IsValid() {
		return rv.Type().String() + ":" + core.PyRepr(v)
	}
	return "nil"
}

// Trace is a staged function: its jaxpr, the structure of its results, and the
// tracers of outer traces that it closes over, which are leading inputs.
type Trace struct {
	Jaxpr  *core.Jaxpr
	Consts []core.Value
	OutDef *tree.Def
	Paths  []string // of the results: "result[0]"
}

func (c *Callable) trace(a *Args, api string) *Trace {
	Counts.Lock()
	Counts.Traces++
	Counts.Unlock()
	t := &Trace{}
	debug := &core.DebugInfo{TracedFor: api, FuncName: c.Name, FuncSource: c.Source(), ArgNames: a.Names}
	if a.Names == nil {
		debug.ArgNames = argNames(c, a.Def, nil)
	}
	j := partialeval.TraceToJaxpr(func(leaves []core.Value) []core.Value {
		outs, def := c.Run(a, leaves, api)
		t.OutDef = def
		return outs
	}, a.Avals, debug)
	t.Paths = make([]string, 0, t.OutDef.NumLeaves())
	for _, p := range t.OutDef.Paths() {
		t.Paths = append(t.Paths, "result"+p.Plain())
	}
	if j.HasTracerConsts() {
		j, t.Consts = j.SeparateConsts()
		debug.ArgNames = append(make([]string, len(t.Consts)), debug.ArgNames...)
	}
	debug.ResultPaths = t.Paths
	t.Jaxpr = j
	return t
}

// Run calls c on flattened values and gives its flattened results.
func (c *Callable) Run(a *Args, leaves []core.Value, api string) ([]core.Value, *tree.Def) {
	return c.FlattenResult(c.Call(c.Arguments(a, leaves)), api)
}

// Arguments are a's arguments for a call of c, with other values.
func (c *Callable) Arguments(a *Args, leaves []core.Value) []any {
	args := c.FitArgs(a, leaves)
	if len(a.Static) > 0 {
		args = c.withStatic(a, args)
	}
	return args
}

func (c *Callable) withStatic(a *Args, dynamic []any) []any {
	args := make([]any, a.Count)
	for i := range args {
		if v, ok := a.Static[i]; ok {
			args[i] = v
			continue
		}
		args[i], dynamic = dynamic[0], dynamic[1:]
	}
	for i, v := range args {
		if _, ok := a.Static[i]; !ok {
			continue
		}
		switch place := c.Place(i); {
		case place == nil:
		case place == reflect.TypeFor[array.Array]():
			if val, ok := array.ToValue(v); ok {
				args[i] = array.New(val)
			}
		case place.Kind() >= reflect.Bool && place.Kind() <= reflect.Complex128:
			args[i] = c.fitOne(i, v)
		}
	}
	return args
}

// resultOptions is how results are taken apart: plain numbers are results too,
// but for those in fields of a Go type, which belong to the structure.
var resultOptions = tree.Options{Static: true, HostArrays: true, Expand: array.Expand}

// FlattenResult takes a result apart; what is no array raises JAX's error.
func (c *Callable) FlattenResult(res any, api string) ([]core.Value, *tree.Def) {
	leaves, def := tree.FlattenWith(res, nil, resultOptions)
	out := make([]core.Value, len(leaves))
	for i, l := range leaves {
		v, ok := array.ToValue(l)
		if !ok {
			switch api {
			case "vmap":
				core.TypeErrorf("Output from batched function %s with type %s is not a valid JAX type", tree.ClassLiteral(l), tree.ClassOf(l))
			case "grad", "jvp", "vjp", "linearize", "jacrev":
				core.TypeErrorf("Argument %s of type %s is not a valid JAX type", tree.ClassLiteral(l), tree.ClassOf(l))
			}
			at := ""
			if p := def.Paths()[i].String(); p != "" {
				at = " at output component " + p
			}
			core.TypeErrorf("function %s traced for %s returned a value of type %s%s, which is not a valid JAX type", c.Source(), api, tree.ClassOf(l), at)
		}
		out[i] = v
	}
	return out, def
}
