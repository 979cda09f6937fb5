// Package lowering turns a jaxpr into a StableHLO module as JAX 0.12.0.1 does
// (jax/_src/interpreters/mlir.py): one function per called jaxpr, constants
// where they are read, names and locations that are relative to the function.
package lowering

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// Options describe the entry function.
type Options struct {
	// Name is the traced function's name; the module is called "jit_" + Name.
	Name string
	// ArgNames and ResultNames are the path of each argument leaf ("params['w']")
	// and result leaf ("result[0]").
	ArgNames, ResultNames []string
	// Donated marks the argument leaves whose memory may be reused.
	Donated []bool
	// KeepUnused keeps arguments that no result needs.
	KeepUnused bool
	// Caller is the user's place that asked for the lowering.
	Caller *core.Frames
}

// Lowered is a module with what is needed to call it.
type Lowered struct {
	Module *stablehlo.Module
	// Kept are the indices of the argument leaves that are parameters.
	Kept []int
	// Donated are the parameters whose memory results take, Donors those whose
	// memory XLA may take for a result of another shape, Unusable the types of
	// donated ones whose memory fits no result.
	Donated, Donors []int
	Unusable        []*core.ShapedArray
	Jaxpr           *core.Jaxpr
}

// Lower makes the module of j.
func Lower(j *core.Jaxpr, o Options) *Lowered {
	l := &Lowered{Jaxpr: j}
	if o.KeepUnused {
		for i := range j.In {
			l.Kept = append(l.Kept, i)
		}
	} else {
		l.prune(j)
	}
	m := &moduleCtx{
		module: stablehlo.NewModule(ModuleName(o.Name)),
		funcs:  map[funcKey]*stablehlo.Func{}, prims: map[string]*stablehlo.Func{}, names: map[string]bool{"main": true},
		frames: frames{},
	}
	l.Module = m.module
	m.main(l, o)
	return l
}

// prune drops what no result needs; arguments that are not read any more are no
// parameters.
func (l *Lowered) prune(j *core.Jaxpr) {
	used := make([]bool, len(j.Out))
	for i := range used {
		used[i] = true
	}
	small, keep := partialeval.DCE(j, used, nil)
	l.Jaxpr = small.DropUnusedConsts()
	for i, k := range keep {
		if k {
			l.Kept = append(l.Kept, i)
		}
	}
}

// ModuleName is the module's name for a function's name: "jit_" and the name
// with everything but letters, digits, "_", "." and "-" as "_", without
// underscores at the end.
func ModuleName(fn string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || r == '.' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, "jit_"+fn)
	return strings.TrimRight(name, "_")
}

type funcKey struct {
	name  string
	jaxpr *core.Jaxpr
}

// moduleCtx is the module under construction.
type moduleCtx struct {
	module *stablehlo.Module
	funcs  map[funcKey]*stablehlo.Func
	prims  map[string]*stablehlo.Func // of outlined primitives
	names  map[string]bool
	suffix int // of the last name that clashed
	frames frames
}

// TypeOf is the tensor type of an abstract value.
func TypeOf(a *core.ShapedArray) stablehlo.Type {
	a = physical(a)
	dims := make([]int64, len(a.Shape))
	for i, d := range a.Shape {
		if dims[i] = int64(d); d < 0 {
			core.Raise("MLIRError", "Invalid type:\nerror: unknown: invalid tensor dimension size")
		}
	}
	return stablehlo.T(hlo.PrimitiveType(a.DType.PrimitiveType()), dims...)
}

// typesOf is the list of tensor types of abstract values.
func typesOf(as []*core.ShapedArray) []stablehlo.Type {
	out := make([]stablehlo.Type, len(as))
	for i, a := range as {
		out[i] = TypeOf(a)
	}
	return out
}

func (m *moduleCtx) main(l *Lowered, o Options) {
	j := l.Jaxpr
	f := m.module.NewFunc("main", true)
	args := make([]*stablehlo.Value, len(j.In))
	for i, v := range j.In {
		var loc *stablehlo.Loc
		if k := l.Kept[i]; k < len(o.ArgNames) && o.ArgNames[k] != "" {
			loc = stablehlo.NamedLoc(o.ArgNames[k])
		}
		args[i] = f.AddArg(TypeOf(v.Aval()), loc)
	}
	f.Results = typesOf(j.OutAvals())
	for i := range j.Out {
		name := "result"
		if i < len(o.ResultNames) {
			name = o.ResultNames[i]
		}
		f.SetResultAttr(i, "jax.result_info", stablehlo.String(name))
	}
	l.donate(f, o)
	m.entry(f, j, args, core.NameStack{}.Extend("jit("+o.Name+")"), o.Caller)
}

// donate marks donated parameters: the first result of equal type and shape
// that is still free takes the memory. Where none has, a result of as many
// elements may: XLA decides (_set_up_aliases in jax/_src/interpreters/mlir.py,
// JAX 0.12.0.1).
func (l *Lowered) donate(f *stablehlo.Func, o Options) {
	if len(o.Donated) == 0 {
		return
	}
	waiting := map[string][]int{}
	for i, v := range l.Jaxpr.In {
		if o.Donated[l.Kept[i]] {
			key := v.Aval().String()
			waiting[key] = append(waiting[key], i)
		}
	}
	free := map[int]int{} // results by their number of elements
	for r, a := range l.Jaxpr.OutAvals() {
		key := a.String()
		w := waiting[key]
		if len(w) == 0 {
			free[a.Size()]++
			continue
		}
		f.SetArgAttr(w[0], "tf.aliasing_output", stablehlo.Int{Value: int64(r), Bits: 32})
		l.Donated = append(l.Donated, w[0])
		waiting[key] = w[1:]
	}
	for i, v := range l.Jaxpr.In {
		if !slices.Contains(waiting[v.Aval().String()], i) {
			continue
		}
		if n := v.Aval().Size(); free[n] > 0 {
			free[n]--
			f.SetArgAttr(i, "jax.buffer_donor", stablehlo.Bool(true))
			l.Donors = append(l.Donors, i)
		} else {
			l.Unusable = append(l.Unusable, v.Aval())
		}
	}
}

// entry lowers j into the module's main function f under names, with the
// caller's place below each equation's own.
func (m *moduleCtx) entry(f *stablehlo.Func, j *core.Jaxpr, args []*stablehlo.Value, names core.NameStack, caller *core.Frames) {
	fn := &funcCtx{m: m, names: names, caller: caller, b: stablehlo.NewBuilder(f)}
	fn.b.SetLoc(fn.loc(names, nil))
	args = slices.Clone(args)
	m.constrainKeys(fn.b, j.InAvals(), args)
	out := fn.eval(j, args)
	m.constrainKeys(fn.b, j.OutAvals(), out)
	fn.b.Return(out...)
}

// uniqueName is name, or name_N if it is taken. One counter serves all names
// (MLIR's SymbolTable::insert).
func (m *moduleCtx) uniqueName(name string) string {
	s := name
	for m.names[s] {
		s = name + "_" + strconv.Itoa(m.suffix)
		m.suffix++
	}
	m.names[s] = true
	return s
}
