package stages

import (
	"reflect"
	"slices"
	"sync/atomic"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// JitCache is what one jit keeps of its calls: counts, and a short way for
// calls like earlier ones.
type JitCache struct {
	traces, compiles atomic.Int64
	fast             atomic.Pointer[[]*fastCall]
}

// Info lists what is cached for the function, with this jit's counts.
func (j *JitCache) Info(c *Callable) CacheInfo {
	return CacheInfo{Entries: c.cacheEntries(), Traces: int(j.traces.Load()), Compiles: int(j.compiles.Load())}
}

// Trace is TraceArgs for a jit's call.
func (j *JitCache) Trace(c *Callable, a *Args) *Trace {
	t, fresh := c.traceArgs(a, "jit")
	if fresh {
		j.traces.Add(1)
	}
	return t
}

// Run runs a traced function on the arguments that it was traced for, without
// going by way of the primitive. ok is false where that would not do: under a
// transformation, or when a value is a tracer.
func (j *JitCache) Run(c *Callable, o *JitOptions, a *Args, t *Trace) (out array.Array, ok bool) {
	if core.Current().Trace != nil || len(t.Consts) > 0 {
		return out, false
	}
	args := make([]*core.Const, len(a.Leaves))
	for i, l := range a.Leaves {
		if args[i], ok = l.(*core.Const); !ok {
			return out, false
		}
	}
	x, fresh := o.program(c, a, t).compile(o.CompilerOptions)
	if fresh {
		j.compiles.Add(1)
	}
	j.remember(c, a, t, x)
	return x.result(args, t.OutDef), true
}

// program is the lowered program of a traced call.
func (o *JitOptions) program(c *Callable, a *Args, t *Trace) *Program {
	return ProgramOf(t.Jaxpr, c.Name, o.KeepUnused, padDonated(o.donation(a), len(t.Consts)), callerFrames)
}

// fastCall is a compiled program for calls whose arguments are arrays or
// numbers of these types, made outside of every context.
type fastCall struct {
	epoch int64
	avals []*core.ShapedArray
	slot  *slot
	out   *tree.Def
}

// maxFast is how many kinds of calls a jit knows a short way for.
const maxFast = 8

// remember makes the short way for further calls like this one, if it is a
// plain one.
func (j *JitCache) remember(c *Callable, a *Args, t *Trace, x *Executable) {
	if len(a.Static) > 0 || !core.Current().Plain() {
		return
	}
	for i, d := range a.Def.Children() {
		if p := c.Place(i); !d.IsLeaf() || p != nil && p.Kind() != reflect.Interface && !tree.IsLeafType(p) {
			return
		}
	}
	f := &fastCall{epoch: core.Epoch(), avals: a.Avals, slot: x.slot, out: t.OutDef}
	list := []*fastCall{f}
	if old := j.fast.Load(); old != nil {
		for _, o := range *old {
			if len(list) < maxFast && o.epoch == f.epoch && o.slot != f.slot {
				list = append(list, o)
			}
		}
	}
	j.fast.Store(&list)
}

// Fast runs a call that is like an earlier one.
func (j *JitCache) Fast(args []any) (out array.Array, ok bool) {
	list := j.fast.Load()
	if list == nil || !core.Current().Plain() {
		return out, false
	}
	var space [8]*core.Const
	consts := space[:0]
	for _, a := range args {
		v, ok := fastArgument(a)
		if !ok {
			return out, false
		}
		consts = append(consts, v)
	}
	epoch := core.Epoch()
	for _, f := range *list {
		if f.epoch == epoch && f.fits(consts) {
			x := f.slot.executable()
			if x == nil {
				break
			}
			return x.result(consts, f.out), true
		}
	}
	return out, false
}

func fastArgument(a any) (*core.Const, bool) {
	switch x := a.(type) {
	case array.Array:
		return x.Const()
	case int:
		if int(int32(x)) != x {
			return nil, false // an error that names the argument, or 64 bits
		}
		return fastNumber(x)
	case float64, bool:
		return fastNumber(x)
	}
	return nil, false
}

func fastNumber(x any) (*core.Const, bool) {
	v, _ := array.ToValue(x)
	c, ok := v.(*core.Const)
	return c, ok
}

func (f *fastCall) fits(args []*core.Const) bool {
	return slices.EqualFunc(f.avals, args, func(a *core.ShapedArray, c *core.Const) bool { return a.Equal(c.Aval()) })
}
