package jaxlike

import (
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/stages"
)

// jitInfo is the jit part of a Func.
type jitInfo struct {
	opts  stages.JitOptions
	mode  lax.InlineMode
	cache stages.JitCache
}

// Jit compiles f when it is first called with arguments of given types, and
// runs the compiled program. Options: CompilerOptions, StaticArgnums,
// StaticArgnames, DonateArgnums, KeepUnused, Inline.
func Jit(f any, opts ...Option) Func {
	s := gather("jit", opts, "compiler_options", "static_argnums", "static_argnames", "donate_argnums", "keep_unused", "inline")
	fn := stages.NewCallable(f)
	j := &jitInfo{mode: lax.InlineAuto, opts: stages.JitOptions{
		CompilerOptions: s.compilerOptions, Static: staticIndices(fn, s), Donate: s.donate, KeepUnused: s.keepUnused,
	}}
	checkDonated(fn, &j.opts)
	stages.CheckHashable(j.opts.CompilerOptions)
	if s.inline {
		j.mode = lax.InlineLate
	}
	info := &funcInfo{fn: fn, jit: j}
	info.call = func(args []any) Array { return j.call(fn, args) }
	return newFunc(info)
}

// staticIndices joins static_argnums with the indices of static_argnames.
func staticIndices(fn *stages.Callable, s *settings) []int {
	out := slices.Clone(s.static)
	if n := len(fn.In); !fn.Variadic {
		for _, i := range out {
			if i >= n || i < -n {
				core.ValueErrorf("Jitted function has static_argnums=%s, but only accepts %d positional arguments.", core.PyRepr(core.NewInts(out...)), n)
			}
		}
	}
	for _, name := range s.staticNames {
		i := slices.Index(fn.Params, name)
		if i < 0 {
			core.ValueErrorf("Jitted function has invalid argnames {'%s'} in static_argnames. Function does not take these args.", name)
		}
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// checkDonated refuses donated arguments that there are not, or that are static.
func checkDonated(fn *stages.Callable, o *stages.JitOptions) {
	n := len(fn.In)
	if fn.Variadic {
		return
	}
	for _, i := range o.Donate {
		if i >= n || i < -n {
			core.ValueErrorf("Jitted function has donate_argnums=%s, but only accepts %d positional arguments.", core.PyRepr(core.NewInts(o.Donate...)), n)
		}
		i = (i + n) % n
		if (slices.Contains(o.Static, i) || slices.Contains(o.Static, i-n)) && i < len(fn.Params) {
			core.ValueErrorf("static_argnames and donate_argnames cannot intersect. Argument names {'%s'} appear in both static_argnames and donate_argnames", fn.Params[i])
		}
	}
}

func (j *jitInfo) call(fn *stages.Callable, args []any) Array {
	if out, ok := j.cache.Fast(args); ok {
		return out
	}
	if core.Current().NoJit {
		a := fn.Flatten(args, j.opts.Static, "jit")
		return array.NewResults(fn.Run(a, a.Leaves, "jit"))
	}
	a := fn.Flatten(args, j.opts.Static, "jit")
	t := j.cache.Trace(fn, a)
	for i, v := range a.Leaves {
		if _, abstract := v.(array.ShapeDtypeStruct); abstract {
			core.TypeErrorf("Argument '%s' of shape %s of type <class 'jax.ShapeDtypeStruct'> is not a valid JAX type.", fn.LeafNames(a)[i], v.Aval().Long())
		}
	}
	if out, ok := j.cache.Run(fn, &j.opts, a, t); ok {
		return out
	}
	in := a.Leaves
	if len(t.Consts) > 0 {
		in = append(slices.Clone(t.Consts), a.Leaves...)
	}
	return array.NewResults(lax.Jit.Bind(j.params(fn, a, t), in...), t.OutDef)
}

func (j *jitInfo) params(fn *stages.Callable, a *stages.Args, t *stages.Trace) core.Params {
	p := lax.JitParams(t.Jaxpr, fn.Name, j.mode)
	if d := j.opts.Donation(a, len(t.Consts)); d != nil {
		p = p.With("donated_invars", d)
	}
	if j.opts.KeepUnused {
		p = p.With("keep_unused", true)
	}
	if len(j.opts.CompilerOptions) > 0 {
		p = p.With("compiler_options_kvs", j.opts.KVs())
	}
	return p
}

func (j *jitInfo) trace(fn *stages.Callable, args []any) *Traced {
	a := fn.Flatten(args, j.opts.Static, "jit")
	t := j.cache.Trace(fn, a)
	return &Traced{Fn: fn, Args: a, Trace: t, Opts: j.opts}
}

// MakeJaxpr gives a function that stages f at its arguments' types and returns
// the jaxpr.
func MakeJaxpr(f any, opts ...Option) func(args ...any) *Jaxpr {
	s := gather("make_jaxpr", opts, "static_argnums")
	fn := stages.NewCallable(f)
	return func(args ...any) *Jaxpr {
		a := fn.Flatten(args, s.static, "jit")
		t := fn.TraceArgs(a, "jit")
		if len(t.Consts) > 0 {
			return t.Jaxpr.Attach(t.Consts)
		}
		return t.Jaxpr
	}
}
