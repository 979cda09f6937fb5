package stages

import (
	"reflect"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/lowering"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla"
	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// CompileHLO compiles a module that a user wrote or edited, after the verifier.
// The function takes one argument per parameter; numbers and slices become
// arrays of the parameter's type.
func CompileHLO(m *hlo.Module, options ...map[string]any) Compiled {
	given, err := xla.HLOProgram(m)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	p := &Program{Name: m.Name, Lowered: &lowering.Lowered{}, given: &given}
	p.once.Do(func() { p.mod = m.Clone() })
	return p.userFunction(m, options)
}

// CompileStableHLO compiles the text of a StableHLO module. What is compiled
// is the HLO that JAX would show for it; a module that has none goes to the
// plugin as it is.
func CompileStableHLO(text string, options ...map[string]any) Compiled {
	s, err := stablehlo.Parse(text)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	p := &Program{Name: s.Name, Lowered: &lowering.Lowered{Module: s}}
	m, err := p.converted()
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	given, err := xla.HLOProgram(m)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	p.given = &given
	return p.userFunction(m, options)
}

// userFunction makes the function of a program that was not traced.
func (p *Program) userFunction(m *hlo.Module, options []map[string]any) Compiled {
	checkHashable(options)
	params, _ := xla.Signature(m)
	fn := &Callable{Name: strings.TrimPrefix(m.Name, "jit_")}
	args := &Args{Count: len(params)}
	var kids []*tree.Def
	for i, s := range params {
		name := m.Entry.Parameters()[i].Name
		fn.Params = append(fn.Params, name)
		fn.In = append(fn.In, reflect.TypeFor[any]())
		args.Names = append(args.Names, name)
		args.Avals = append(args.Avals, avalOf(s, "parameter "+name))
		p.Lowered.Kept = append(p.Lowered.Kept, i)
		kids = append(kids, tree.LeafDef())
	}
	args.Def = tree.TupleDef(kids...)
	out := m.Entry.Root.Shape
	if out.IsTuple() && len(out.Tuple) == 1 {
		out = out.Tuple[0]
	}
	trace := &Trace{OutDef: p.addResults(out)}
	c := &compiled{traced: &Traced{Fn: fn, Args: args, Trace: trace}}
	// What jit gives stands first; here it is the compile step alone.
	c.exec = p.Compile(append([]map[string]any{nil}, options...)...)
	return func(args ...any) array.Array { return c.call(c.fit(args)) }
}

// addResults gives the structure of a result and adds its arrays to p.results.
func (p *Program) addResults(s hlo.Shape) *tree.Def {
	if !s.IsTuple() {
		p.results = append(p.results, avalOf(s, "result"))
		return tree.LeafDef()
	}
	kids := make([]*tree.Def, len(s.Tuple))
	for i, t := range s.Tuple {
		kids[i] = p.addResults(t)
	}
	return tree.TupleDef(kids...)
}

func avalOf(s hlo.Shape, what string) *core.ShapedArray {
	dt := dtype.DType(s.ElementType)
	if !s.ElementType.IsArray() || !dt.Valid() {
		core.TypeErrorf("a program whose %s has the type %s cannot be called as a function of arrays", what, s)
	}
	shape := make([]int, len(s.Dimensions))
	for i, d := range s.Dimensions {
		if s.IsDynamic(i) || d < 0 {
			core.TypeErrorf("a program whose %s has the type %s, of a size that is not fixed, cannot be called as a function of arrays", what, s)
		}
		shape[i] = int(d)
	}
	return core.NewAval(dt, shape...)
}

// fit gives numbers and slices the types of the parameters, where that loses
// no kind: an integer fits a float, but not the other way round.
func (c *compiled) fit(args []any) []any {
	if len(args) != len(c.traced.Args.Avals) {
		return args // an error, or the question for the inner part
	}
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = fitted(a, c.traced.Args.Avals[i])
	}
	return out
}

func fitted(a any, want *core.ShapedArray) any {
	switch a.(type) {
	case array.Array, core.Value, inside:
		return a
	}
	v, ok := array.ToValue(a)
	k, isConst := v.(*core.Const)
	if !ok || !isConst || k.Aval().DType == want.DType || !kindFits(k.Aval().DType, want.DType) {
		return a
	}
	from := k.Aval().DType
	data, err := k.Host()
	if err != nil {
		return a
	}
	n, size, to := k.Aval().Size(), from.Size(), want.DType.Size()
	cast := make([]byte, n*to)
	for j := range n {
		if err := want.DType.Put(cast[j*to:(j+1)*to], from.Get(data[j*size:(j+1)*size])); err != nil {
			return a
		}
	}
	return array.New(core.NewHostConst(core.NewAval(want.DType, k.Aval().Shape...), cast))
}

func kindFits(from, to dtype.DType) bool {
	switch {
	case from.IsInt():
		return to.IsInt() || to.IsFloat() || to.IsComplex()
	case from.IsFloat():
		return to.IsFloat() || to.IsComplex()
	case from.IsComplex():
		return to.IsComplex()
	}
	return false
}
