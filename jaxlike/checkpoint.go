package jaxlike

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/stages"
)

// CheckpointPolicy says which known values of a checkpointed function are kept for the
// backward pass; those that are not kept are computed again.
type CheckpointPolicy = core.Policy

// CheckpointPolicies are the policies of jax.checkpoint_policies.
var CheckpointPolicies = struct {
	EverythingSaveable, NothingSaveable, DotsSaveable, DotsWithNoBatchDimsSaveable *CheckpointPolicy

	SaveOnlyTheseNames, SaveAnyNamesButThese, SaveAnythingExceptTheseNames func(names ...string) *CheckpointPolicy
	SaveFromBothPolicies                                                   func(a, b *CheckpointPolicy) *CheckpointPolicy
}{
	EverythingSaveable: policy("everything_saveable", func(*core.Primitive, core.Params) bool { return true }),
	NothingSaveable:    policy("nothing_saveable", func(*core.Primitive, core.Params) bool { return false }),
	DotsSaveable: policy("dots_saveable", func(p *core.Primitive, _ core.Params) bool {
		return p.Name == "dot_general" || p.Name == "conv_general_dilated"
	}),
	DotsWithNoBatchDimsSaveable: policy("dots_with_no_batch_dims_saveable", func(p *core.Primitive, params core.Params) bool {
		return p.Name == "dot_general" && !lax.HasBatchDims(params)
	}),
}

func init() {
	p := &CheckpointPolicies
	p.SaveOnlyTheseNames, p.SaveAnyNamesButThese = SaveOnlyTheseNames, SaveAnyNamesButThese
	p.SaveAnythingExceptTheseNames, p.SaveFromBothPolicies = SaveAnythingExceptTheseNames, SaveFromBothPolicies
}

func policy(name string, save func(p *core.Primitive, params core.Params) bool) *CheckpointPolicy {
	return &CheckpointPolicy{Name: name, Save: func(p *core.Primitive, _ []*core.ShapedArray, params core.Params) bool { return save(p, params) }}
}

// SaveOnlyTheseNames keeps the values that CheckpointName gave one of the names.
func SaveOnlyTheseNames(names ...string) *CheckpointPolicy {
	return namePolicy("save_only_these_names", func(name string) bool { return slices.Contains(names, name) })
}

// SaveAnyNamesButThese keeps the values that CheckpointName gave another name.
func SaveAnyNamesButThese(names ...string) *CheckpointPolicy {
	return namePolicy("save_any_names_but_these", func(name string) bool { return !slices.Contains(names, name) })
}

// SaveAnythingExceptTheseNames keeps everything, as in JAX, where names are for
// documentation only.
func SaveAnythingExceptTheseNames(names ...string) *CheckpointPolicy {
	return policy("save_anything_except_these_names.<locals>.<lambda>", func(*core.Primitive, core.Params) bool { return true })
}

// SaveFromBothPolicies keeps what either policy keeps.
func SaveFromBothPolicies(a, b *CheckpointPolicy) *CheckpointPolicy {
	all, none := CheckpointPolicies.EverythingSaveable, CheckpointPolicies.NothingSaveable
	switch {
	case a == all || b == all:
		return all
	case a == none:
		return b
	case b == none:
		return a
	}
	return &CheckpointPolicy{Name: "save_from_both_policies.<locals>.policy", Save: func(p *core.Primitive, in []*core.ShapedArray, params core.Params) bool {
		return a.Save(p, in, params) || b.Save(p, in, params)
	}}
}

func namePolicy(maker string, keep func(name string) bool) *CheckpointPolicy {
	return policy(maker+".<locals>.policy", func(p *core.Primitive, params core.Params) bool {
		return p == lax.NameP && keep(params.Str("name"))
	})
}

// checkpointSettings reads the options of Checkpoint.
func checkpointSettings(opts []Option) *settings {
	return gather("checkpoint", opts, "policy", "prevent_cse", "static_argnums")
}

// Policy says what Checkpoint keeps.
func Policy(p *CheckpointPolicy) Option {
	return option{"policy", func(s *settings) { s.policy = p }}
}

// PreventCSE says whether the compiler is kept from finding that values which
// are computed again are there already: one bool, or one per argument.
func PreventCSE(on ...bool) Option {
	return option{"prevent_cse", func(s *settings) { s.preventCSE = on }}
}

// Checkpoint makes f compute its intermediate values again in the backward pass
// instead of keeping them. Options: Policy, PreventCSE, StaticArgnums.
func Checkpoint(f any, opts ...Option) Func {
	s := checkpointSettings(opts)
	fn := stages.NewCallable(f)
	return newFunc(&funcInfo{fn: fn, call: func(args []any) Array { return checkpointCall(fn, s, args) }})
}

// Remat is Checkpoint.
func Remat(f any, opts ...Option) Func { return Checkpoint(f, opts...) }

func checkpointCall(fn *stages.Callable, s *settings, args []any) Array {
	for _, i := range s.static {
		if i < -len(args) || i >= len(args) {
			core.ValueErrorf("the `static_argnums` argument to `jax.checkpoint` / `jax.remat` can only take integer values greater than or equal to `-len(args)` and less than `len(args)`, but got %s, while `len(args)` = %d",
				core.PyRepr(core.NewInts(s.static...)), len(args))
		}
	}
	a := fn.Flatten(args, s.static, "checkpoint / remat")
	t := traceForCheckpoint(fn, a)
	j, consts := t.Jaxpr, t.Consts
	if len(consts) == 0 && len(j.Consts) > 0 {
		full := j
		consts = full.Consts
		j = full.Memo("separate", func() any { s, _ := full.SeparateConsts(); return s }).(*core.Jaxpr)
	}
	p := lax.RematParams(j, preventCSE(s, a, len(consts)), s.policy)
	return array.NewResults(lax.RematP.Bind(p, append(slices.Clone(consts), a.Leaves...)...), t.OutDef)
}

// traceForCheckpoint traces f; the error of a value that is needed while tracing
// gets a hint.
func traceForCheckpoint(fn *stages.Callable, a *stages.Args) *stages.Trace {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if e, ok := r.(*core.Error); ok && concretization[e.Name] && strings.Contains(e.Message, "for checkpoint") {
			c := *e
			c.Message += "\n\nConsider using the `static_argnums` parameter for `jax.remat` or `jax.checkpoint`. See the `jax.checkpoint` docstring and its example involving `static_argnums`:\nhttps://docs.jax.dev/en/latest/_autosummary/jax.checkpoint.html\n"
			panic(&c)
		}
		panic(r)
	}()
	return fn.TraceArgs(a, "checkpoint / remat")
}

var concretization = map[string]bool{
	"ConcretizationTypeError": true, "TracerBoolConversionError": true,
}

// preventCSE is the parameter: a bool, or one per operand where arguments have
// their own.
func preventCSE(s *settings, a *stages.Args, consts int) any {
	switch len(s.preventCSE) {
	case 0:
		return true
	case 1:
		return s.preventCSE[0]
	}
	t := make(core.Tuple, consts)
	for i := range t {
		t[i] = false
	}
	for i, d := range a.Def.Children() {
		for range d.NumLeaves() {
			t = append(t, s.preventCSE[i])
		}
	}
	return t
}

// CheckpointName names a value, or the values of a tree, for the policies of
// Checkpoint.
func CheckpointName[T any](x T, name string) T {
	out, _ := CheckpointNameAny(x, name).(T)
	return out
}

// CheckpointNameAny is CheckpointName for callers without type parameters.
func CheckpointNameAny(x any, name string) any { return lax.Name(x, name) }
