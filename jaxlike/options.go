package jaxlike

import (
	"maps"
	"reflect"
	"strings"

	"gopherlo/jaxlike/core"
	"gopherlo/xla/flags"
)

// Option is a setting of a transformation.
type Option interface {
	apply(s *settings)
}

// settings are all options of a transformation call; names holds those given.
type settings struct {
	names                         []string
	compilerOptions               map[string]any
	static, donate                []int
	staticNames                   []string
	keepUnused, inline            bool
	argnums, nondiff              []int
	argnumsTuple                  bool
	hasAux, allowInt, holomorphic bool
	inAxes, outAxes               any
	axisName                      string
	axisSize                      int
	policy                        *CheckpointPolicy
	preventCSE                    []bool
}

type option struct {
	name string
	set  func(s *settings)
}

func (o option) apply(s *settings) {
	s.names = append(s.names, o.name)
	o.set(s)
}

// gather applies options for a transformation that takes only those named.
func gather(api string, opts []Option, takes ...string) *settings {
	s := &settings{argnums: []int{0}, inAxes: 0, outAxes: 0}
	for _, o := range opts {
		if o != nil {
			o.apply(s)
		}
	}
	for _, n := range s.names {
		ok := false
		for _, t := range takes {
			ok = ok || t == n
		}
		if !ok {
			core.TypeErrorf("%s() got an unexpected keyword argument '%s'", api, n)
		}
	}
	return s
}

// CompilerOptions are XLA's options for one jit or one compile step, by flag
// name; optimization_level and memory_fitting_level take O0 to O3.
type CompilerOptions map[string]any

func (c CompilerOptions) apply(s *settings) {
	s.names = append(s.names, "compiler_options")
	s.compilerOptions = maps.Clone(map[string]any(c))
}

// The effort levels of XLA's optimization_level and memory_fitting_level.
const (
	UNKNOWN = flags.Unknown
	O0      = flags.O0
	O1      = flags.O1
	O2      = flags.O2
	O3      = flags.O3
)

// StaticArgnums marks arguments, by index, whose values are part of the trace.
func StaticArgnums(i ...int) Option {
	return option{"static_argnums", func(s *settings) { s.static = i }}
}

// StaticArgnames marks arguments by parameter name.
func StaticArgnames(names ...string) Option {
	return option{"static_argnames", func(s *settings) { s.staticNames = names }}
}

// DonateArgnums lets results reuse the memory of these arguments.
func DonateArgnums(i ...int) Option {
	return option{"donate_argnums", func(s *settings) { s.donate = i }}
}

// KeepUnused keeps arguments that the result does not need as parameters.
func KeepUnused(keep bool) Option {
	return option{"keep_unused", func(s *settings) { s.keepUnused = keep }}
}

// Inline makes a jit inside another no call of its own.
func Inline(on bool) Option { return option{"inline", func(s *settings) { s.inline = on }} }

// Argnums says which arguments to differentiate: with one index the gradient
// has the form of that argument, with several it is a tuple.
func Argnums(i ...int) Option {
	return option{"argnums", func(s *settings) { s.argnums, s.argnumsTuple = i, len(i) != 1 }}
}

// ArgnumsTuple is Argnums whose gradient is a tuple also for one index.
func ArgnumsTuple(i ...int) Option {
	return option{"argnums", func(s *settings) { s.argnums, s.argnumsTuple = i, true }}
}

// NondiffArgnums marks arguments of a function with rules of its own that are
// not differentiated: functions and other plain values. The rules get them
// first, before the primals, or before the residuals.
func NondiffArgnums(i ...int) Option {
	return option{"nondiff_argnums", func(s *settings) { s.nondiff = i }}
}

// HasAux says that the function returns a pair of which only the first is
// differentiated.
func HasAux(on bool) Option { return option{"has_aux", func(s *settings) { s.hasAux = on }} }

// AllowInt allows integer arguments to be differentiated (gradients float0).
func AllowInt(on bool) Option { return option{"allow_int", func(s *settings) { s.allowInt = on }} }

// Holomorphic promises that the function is holomorphic.
func Holomorphic(on bool) Option {
	return option{"holomorphic", func(s *settings) { s.holomorphic = on }}
}

// InAxes says which dimension of each argument is mapped: one int for all,
// nil for none, or one entry (an int, nil or a tree of them) per argument. The
// tree of an only argument is written InAxes(Tuple{tree}), as (tree,) in JAX. For
// a struct a map says it by field names, Tuple{map[string]any{"W": 0}}; fields
// that it does not name are not mapped.
func InAxes(axes ...any) Option {
	return option{"in_axes", func(s *settings) { s.inAxes = axesOf(axes) }}
}

// OutAxes says where the mapped dimension of the results goes; a map stands for a
// struct as in [InAxes].
func OutAxes(axes ...any) Option {
	return option{"out_axes", func(s *settings) { s.outAxes = axesOf(axes) }}
}

// axesOf makes the specification: one entry stands for itself, several (or one
// slice or tuple) for a tuple.
func axesOf(axes []any) any {
	if len(axes) != 1 {
		return Tuple(axes)
	}
	rv := reflect.ValueOf(axes[0])
	if rv.Kind() == reflect.Slice {
		t := make(Tuple, rv.Len())
		for i := range t {
			t[i] = rv.Index(i).Interface()
		}
		return t
	}
	return axes[0]
}

// AxisName names the mapped axis for collectives.
func AxisName(name string) Option {
	return option{"axis_name", func(s *settings) { s.axisName = name }}
}

// AxisSize gives the size of the mapped axis where no argument does.
func AxisSize(n int) Option { return option{"axis_size", func(s *settings) { s.axisSize = n }} }

// String lists the options as keyword arguments.
func (s *settings) String() string { return strings.Join(s.names, ", ") }
