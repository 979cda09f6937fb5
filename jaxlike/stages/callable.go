package stages

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// Callable is a Go function seen as JAX sees a Python one: a name, parameter
// names and declared types, and an identity for caches.
type Callable struct {
	Name     string
	Params   []string // as far as known
	In       []reflect.Type
	Out      []reflect.Type
	Variadic bool
	// Jitted marks a function that is jitted when seen by another transformation.
	Jitted bool
	// ID is the closure word of the function value and tells functions apart
	// while the Callable keeps the function alive.
	ID unsafe.Pointer
	// File and Line are where the function was written, if known.
	File string
	Line int

	call func(args []any) []any
	keep any
	// framed is set for a function of the user's itself: what wraps one, and the
	// library's functions, are no frames of a program.
	framed bool
}

// NamedFunc is a function with the names that it has in the source; the front
// end of cells makes it.
type NamedFunc struct {
	F      any
	Name   string
	Params []string
	File   string
	Line   int
}

func init() { tree.RegisterLeaf(reflect.TypeFor[NamedFunc](), "function") }

// CallableFunc is a func type that knows its Callable, such as jax.Func.
type CallableFunc interface{ Callable() *Callable }

// NewCallable makes a Callable of a function, a jax.Func or a NamedFunc. It
// raises a TypeError for anything else.
func NewCallable(f any) *Callable {
	switch f := f.(type) {
	case *Callable:
		return f
	case NamedFunc:
		return named(f)
	case *NamedFunc:
		return named(*f)
	case CallableFunc:
		return f.Callable()
	}
	rv := reflect.ValueOf(f)
	if rv.Kind() != reflect.Func || rv.IsNil() {
		core.TypeErrorf("Expected a callable value, got %s", core.PyStr(f))
	}
	return goFunc(rv, f)
}

func named(n NamedFunc) *Callable {
	c := *NewCallable(n.F)
	if n.Name != "" {
		c.Name = n.Name
	}
	if n.Params != nil {
		c.Params = n.Params
	}
	if n.File != "" {
		c.File, c.Line = n.File, n.Line
	}
	if _, wrapped := n.F.(CallableFunc); !wrapped && c.File != "" && n.File == "" {
		core.NameFunction(n.F, c.Name, c.Params...)
	}
	return &c
}

func goFunc(rv reflect.Value, f any) *Callable {
	t := rv.Type()
	c := &Callable{Name: runtimeName(rv), Variadic: t.IsVariadic(), ID: funcWord(f), keep: f, framed: true}
	if known := core.FunctionNames(rv.Pointer()); known != nil {
		c.Name, c.Params = known.Name, known.Params
	}
	if at, ok := runtimePlace(rv); ok {
		c.File, c.Line = at.File, at.Line
		c.framed = !core.OwnFunction(runtime.FuncForPC(rv.Pointer()).Name())
	}
	if o := core.TitleOf(c.ID); o != nil {
		c.Name, c.Params, c.File, c.Line = o.Name, o.Params, o.File, o.Line
	}
	for i := range t.NumIn() {
		c.In = append(c.In, t.In(i))
	}
	if c.Variadic {
		c.In[len(c.In)-1] = c.In[len(c.In)-1].Elem()
	}
	for i := range t.NumOut() {
		c.Out = append(c.Out, t.Out(i))
	}
	c.call = func(args []any) []any { return callGo(rv, args) }
	return c
}

// interrupts counts how often interpreted functions have been cut short.
var interrupts atomic.Int64

// Interrupt says that interpreted functions that run now are about to be cut
// short, as an interrupt of a cell does: what they return is no result, and
// traces of them are given up.
func Interrupt() { interrupts.Add(1) }

func callGo(rv reflect.Value, args []any) []any {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
		want := rv.Type().In(min(i, rv.Type().NumIn()-1))
		if !in[i].IsValid() {
			in[i] = reflect.Zero(want)
		}
		if n, ok := a.(NamedFunc); ok && want.Kind() == reflect.Func { // a static argument
			in[i] = reflect.ValueOf(n.F)
		}
		if want.Kind() == reflect.Func && !in[i].Type().AssignableTo(want) && !rv.Type().IsVariadic() {
			core.TypeErrorf("argument %d is a %s, the parameter is a %s: declare it as Func or any", i, in[i].Type(), want)
		}
	}
	before := interrupts.Load()
	outs := rv.Call(in)
	if interrupts.Load() != before {
		core.Raise("KeyboardInterrupt", "a function was interrupted")
	}
	res := make([]any, len(outs))
	for i, o := range outs {
		res[i] = o.Interface()
	}
	return res
}

// funcWord is the closure word of a func value in an interface: equal for every
// mention of one variable, different for different closures.
func funcWord(f any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1] }

// HasTitle reports whether a function value knows its own names.
func HasTitle(f any) bool { return core.TitleOf(funcWord(f)) != nil }

// runtimeName is a compiled function's own name, without package, method value
// and literal suffixes; literals are "<lambda>".
func runtimeName(rv reflect.Value) string {
	fn := runtime.FuncForPC(rv.Pointer())
	if fn == nil {
		return "<lambda>"
	}
	name := fn.Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	parts := strings.Split(name, ".")
	last := strings.TrimSuffix(parts[len(parts)-1], "-fm")
	if isLiteralName(last) && len(parts) > 1 || last == "makeFuncStub" {
		return "<lambda>"
	}
	return strings.Trim(last, "()*")
}

// isLiteralName tells the last part of a function literal's name ("func3", or
// "1" for a literal in a literal) from that of a function.
func isLiteralName(last string) bool {
	return strings.Trim(strings.TrimPrefix(last, "func"), "0123456789") == ""
}

// runtimePlace is where a compiled function was written; functions that are made
// at run time (interpreted ones, reflect.MakeFunc) have no place.
func runtimePlace(rv reflect.Value) (at core.Frame, ok bool) {
	if rv.Kind() != reflect.Func || rv.IsNil() {
		return at, false
	}
	fn := runtime.FuncForPC(rv.Pointer())
	if fn == nil || strings.HasSuffix(fn.Name(), "makeFuncStub") || strings.HasSuffix(fn.Name(), "methodValueCall") {
		return at, false
	}
	file, line := fn.FileLine(rv.Pointer())
	return core.Frame{File: filepath.Base(file), Line: line}, true
}

// Source is "NAME at FILE:LINE", as JAX's messages name a function.
func (c *Callable) Source() string {
	if c.File == "" {
		return c.Name
	}
	return fmt.Sprintf("%s at %s:%d", c.Name, c.File, c.Line)
}

// Wrap is a Callable with c's names and declared types whose calls go to f;
// transformations use it, as functools.wraps in Python. id tells its identity.
func (c *Callable) Wrap(id any, f func(args []any) []any) *Callable {
	w := *c
	w.call = f
	w.framed = false
	w.keep = id
	w.ID = funcWord(id)
	return &w
}

// described is c without the function itself.
func (c *Callable) described() *Callable {
	w := *c
	w.call, w.keep, w.ID = nil, nil, nil
	return &w
}

// Place is the declared type of argument i.
func (c *Callable) Place(i int) reflect.Type {
	if len(c.In) == 0 {
		return nil
	}
	if i < len(c.In) {
		return c.In[i]
	}
	if c.Variadic {
		return c.In[len(c.In)-1]
	}
	return nil
}

// Places are the declared types of n arguments.
func (c *Callable) Places(n int) []reflect.Type {
	out := make([]reflect.Type, n)
	for i := range out {
		out[i] = c.Place(i)
	}
	return out
}

// CheckCount raises Python's error for a wrong number of arguments.
func (c *Callable) CheckCount(n int) {
	want := len(c.In)
	if c.Variadic {
		if n >= want-1 {
			return
		}
		core.TypeErrorf("%s() takes at least %d arguments, %d given", c.Name, want-1, n)
	}
	if n == want {
		return
	}
	if n < want {
		missing := make([]string, 0, want-n)
		for i := n; i < want; i++ {
			missing = append(missing, "'"+c.paramName(i)+"'")
		}
		core.TypeErrorf("%s() missing %d required positional argument%s: %s", c.Name, len(missing), plural(len(missing)), englishList(missing))
	}
	core.TypeErrorf("%s() takes %d positional argument%s but %d %s given", c.Name, want, plural(want), n, wasWere(n))
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func englishList(s []string) string {
	switch len(s) {
	case 1:
		return s[0]
	case 2:
		return s[0] + " and " + s[1]
	}
	return strings.Join(s[:len(s)-1], ", ") + ", and " + s[len(s)-1]
}

func (c *Callable) paramName(i int) string {
	if i < len(c.Params) {
		return c.Params[i]
	}
	return fmt.Sprintf("args[%d]", i)
}

// Call applies the function to arguments that are trees of Arrays and plain
// values, fitting them to the declared types, and gives its result tree: None,
// one value, or a tuple of several. A last result of type error that is not nil is
// raised.
func (c *Callable) Call(args []any) any {
	var outs []any
	if c.framed {
		core.InFrame(core.Frame{File: c.File, Func: c.Name, Line: c.Line, EndLine: c.Line}, func() { outs = c.call(args) })
	} else {
		outs = c.call(args)
	}
	if n := len(c.Out); n > 0 && c.Out[n-1] == errorType && len(outs) == n {
		if err, _ := outs[n-1].(error); err != nil {
			panic(err)
		}
		outs = outs[:n-1]
	}
	switch len(outs) {
	case 0:
		return nil // Python's None
	case 1:
		return outs[0]
	}
	return tree.Tuple(outs)
}

var errorType = reflect.TypeFor[error]()

// Fit rebuilds flattened arguments for the function: leaves become Arrays in
// trees of the declared types.
func (c *Callable) Fit(def *tree.Def, leaves []core.Value) []any {
	return c.fit(def, arrays(leaves), nil)
}

// FitArgs is Fit for the dynamic ones among the arguments a.
func (c *Callable) FitArgs(a *Args, leaves []core.Value) []any {
	values := arrays(leaves)
	for i, n := range a.Numbers {
		if n != nil && leaves[i] == a.Leaves[i] {
			values[i] = n
		}
	}
	return c.fit(a.Def, values, a.index())
}

// arrays are values as Arrays.
func arrays(leaves []core.Value) []any {
	list := make([]any, len(leaves))
	for i, l := range leaves {
		list[i] = array.New(l)
	}
	return list
}

// fit is Fit where argument i is for parameter index[i].
func (c *Callable) fit(def *tree.Def, leaves []any, index []int) []any {
	kids := def.Children()
	args := make([]any, len(kids))
	for i, d := range kids {
		n, param := d.NumLeaves(), i
		if index != nil {
			param = index[i]
		}
		place := c.Place(param)
		if place == nil {
			place = anyType
		}
		v, err := d.Build(place, leaves[:n], array.ConvertLeaf)
		if err != nil {
			core.TypeErrorf("%s: argument %s: %s", c.Name, c.paramName(param), err)
		}
		leaves = leaves[n:]
		args[i] = v.Interface()
	}
	return args
}

var anyType = reflect.TypeFor[any]()

// Apply calls c as the user would: arguments are fitted to the declared types.
func (c *Callable) Apply(args []any) any {
	c.CheckCount(len(args))
	fitted := make([]any, len(args))
	for i, x := range args {
		fitted[i] = c.fitOne(i, x)
	}
	return c.Call(fitted)
}

func (c *Callable) fitOne(i int, x any) any {
	place := c.Place(i)
	if place == nil || place.Kind() == reflect.Interface {
		return x
	}
	if x != nil && reflect.TypeOf(x).AssignableTo(place) {
		return x
	}
	leaves, def := tree.FlattenWith(x, place, treeOptions)
	v, err := def.Build(place, leaves, array.ConvertLeaf)
	if err != nil {
		core.TypeErrorf("%s: argument %s: %s", c.Name, c.paramName(i), err)
	}
	return v.Interface()
}

// FunctionRepr is Python's repr of c.
func FunctionRepr(c *Callable) string { return c.functionRepr() }

// Renamed is c under another name, with parameters that take anything.
func (c *Callable) Renamed(name string, params []string) *Callable {
	w := *c
	w.Name, w.Params, w.In, w.Variadic = name, params, []reflect.Type{anyType}, true
	return &w
}

// LeafNames is the path of each leaf of the arguments.
func (c *Callable) LeafNames(a *Args) []string { return argNames(c, a.Def, nil) }

// ArgumentPaths names each leaf of the arguments as vmap's errors do:
// "argument x" with its path, "args[0]" where the parameter has no name.
func (c *Callable) ArgumentPaths(a *Args) []string {
	var out []string
	for i, d := range a.Def.Children() {
		name := "args[" + strconv.Itoa(i) + "]"
		if i < len(c.Params) {
			name = "argument " + c.Params[i]
		}
		for _, p := range d.Paths() {
			out = append(out, name+p.String())
		}
	}
	return out
}

// IsCallable tells whether NewCallable takes f.
func IsCallable(f any) bool {
	switch f := f.(type) {
	case NamedFunc:
		return IsCallable(f.F)
	case *NamedFunc:
		return f != nil && IsCallable(f.F)
	case *Callable, CallableFunc:
		return true
	}
	rv := reflect.ValueOf(f)
	return rv.Kind() == reflect.Func && !rv.IsNil()
}

// Around is c seen through another signature, with c's identity: calls get
// arguments as general trees and go to f, which gives one result.
func (c *Callable) Around(f func(args []any) any) *Callable {
	w := *c
	w.In, w.Out, w.Params, w.Variadic = nil, nil, nil, false
	w.call = func(args []any) []any { return []any{f(args)} }
	return &w
}
