package stages

import (
	"maps"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

// Recompile compiles m, an edited copy of the module that f was compiled from,
// with f's options and more on top. It gives what the compiler made of it.
func (f Compiled) Recompile(m *hlo.Module, more map[string]any) *hlo.Module {
	x := f.inside().exec
	program, err := xla.HLOProgram(m)
	if err != nil {
		raise(err)
	}
	given := maps.Clone(x.given)
	if given == nil {
		given = map[string]any{}
	}
	maps.Copy(given, more)
	opts, err := mergeOptions(given)
	if err != nil {
		raise(err)
	}
	exec, err := Client().Compile(program, compileOptions(opts))
	if err != nil {
		raise(err)
	}
	defer exec.Delete()
	opt, err := exec.OptimizedModule()
	if err != nil {
		raise(err)
	}
	return opt
}
