package lower

import (
	"fmt"
	"go/ast"
	"go/types"

	"gopherlo/interp/check"
)

// substitution maps the type parameters of the generic function that is being
// emitted to the type arguments of one instance.
type substitution struct {
	params map[*types.TypeParam]types.Type
	locals map[*types.Named]types.Type // types declared inside the function
	pkg    *types.Package              // of source packages
	own    map[types.Object]bool       // types declared inside the function
}

// sub puts type arguments into a type.
func (l *lowerer) sub(t types.Type) types.Type {
	if l.subst == nil || t == nil {
		return t
	}
	return l.subst.apply(l, t)
}

func (s *substitution) apply(l *lowerer, t types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if a, ok := s.params[t]; ok {
			return a
		}
		return t
	case *types.Alias:
		return s.apply(l, types.Unalias(t))
	case *types.Named:
		return s.named(l, t)
	case *types.Pointer:
		if e := s.apply(l, t.Elem()); e != t.Elem() {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := s.apply(l, t.Elem()); e != t.Elem() {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := s.apply(l, t.Elem()); e != t.Elem() {
			return types.NewArray(e, t.Len())
		}
	case *types.Chan:
		if e := s.apply(l, t.Elem()); e != t.Elem() {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Map:
		k, e := s.apply(l, t.Key()), s.apply(l, t.Elem())
		if k != t.Key() || e != t.Elem() {
			return types.NewMap(k, e)
		}
	case *types.Tuple:
		return s.tuple(l, t)
	case *types.Signature:
		ps, rs := s.tuple(l, t.Params()), s.tuple(l, t.Results())
		if ps != t.Params() || rs != t.Results() {
			return types.NewSignatureType(nil, nil, nil, ps, rs, t.Variadic())
		}
	case *types.Struct:
		return s.structure(l, t)
	case *types.Interface:
		return s.iface(l, t)
	}
	return t
}

func (s *substitution) tuple(l *lowerer, t *types.Tuple) *types.Tuple {
	changed := false
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		v := t.At(i)
		vars[i] = v
		if n := s.apply(l, v.Type()); n != v.Type() {
			vars[i] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), n)
			changed = true
		}
	}
	if !changed {
		return t
	}
	return types.NewTuple(vars...)
}

func (s *substitution) structure(l *lowerer, t *types.Struct) types.Type {
	changed := false
	fields := make([]*types.Var, t.NumFields())
	tags := make([]string, len(fields))
	for i := range fields {
		f := t.Field(i)
		fields[i], tags[i] = f, t.Tag(i)
		if n := s.apply(l, f.Type()); n != f.Type() {
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), n, f.Embedded())
			changed = true
		}
	}
	if !changed {
		return t
	}
	return types.NewStruct(fields, tags)
}

func (s *substitution) iface(l *lowerer, t *types.Interface) types.Type {
	changed := false
	methods := make([]*types.Func, t.NumMethods())
	for i := range methods {
		m := t.Method(i)
		methods[i] = m
		if n := s.apply(l, m.Type()); n != m.Type() {
			methods[i] = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), n.(*types.Signature))
			changed = true
		}
	}
	if !changed {
		return t
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

func (s *substitution) named(l *lowerer, t *types.Named) types.Type {
	if n := t.TypeArgs().Len(); n > 0 {
		args := make([]types.Type, n)
		changed := false
		for i := range args {
			args[i] = s.apply(l, t.TypeArgs().At(i))
			changed = changed || args[i] != t.TypeArgs().At(i)
		}
		if !changed {
			return t
		}
		inst, err := types.Instantiate(l.env.Ctxt, t.Origin(), args, false)
		if err != nil {
			panic(unsupported("instance of " + t.String() + ": " + err.Error()))
		}
		return inst
	}
	obj := t.Obj()
	if len(s.params) == 0 || !s.own[obj] {
		return t
	}
	// A type declared in a generic function is another one in each instance.
	if n, ok := s.locals[t]; ok {
		return n
	}
	fresh := types.NewNamed(types.NewTypeName(obj.Pos(), obj.Pkg(), obj.Name(), nil), nil, nil)
	s.locals[t] = fresh
	fresh.SetUnderlying(s.apply(l, t.Underlying()).Underlying())
	return fresh
}

// instance returns the lowered name of one instance of a function of a source
// package, and sees to it that it is emitted.
func (l *lowerer) instance(label string, decl *ast.FuncDecl, info *types.Info, params *types.TypeParamList, targs []types.Type, where Pos) string {
	key := l.instanceKey(label, targs)
	name := l.name(key, "g_"+decl.Name.Name)
	l.once(key, func() {
		s := instanceOf(decl, info, params, targs)
		l.work = append(l.work, func() { l.function(name, decl, info, s, where) })
	})
	return name
}

func (l *lowerer) instanceKey(label string, targs []types.Type) string {
	key := "inst " + label
	for _, t := range targs {
		key += fmt.Sprintf(" %d", l.env.Types.ID(t))
	}
	return key
}

// instanceOf puts type arguments into a function.
func instanceOf(decl *ast.FuncDecl, info *types.Info, params *types.TypeParamList, targs []types.Type) *substitution {
	s := &substitution{params: map[*types.TypeParam]types.Type{}, locals: map[*types.Named]types.Type{}}
	if def := info.Defs[decl.Name]; !check.Interpreted(def.Pkg()) {
		s.pkg = def.Pkg()
	}
	s.own = localTypes(decl, info)
	for i := range params.Len() {
		s.params[params.At(i)] = targs[i]
	}
	return s
}

// instance is one instance of a generic function of a cell, or of a package that
// is run as cells are: a variable, as an ordinary function is, which a later version
// of the function is assigned to.
type instance struct {
	emit  string // of the function
	name  string
	targs []types.Type
}

// cellInstance returns the lowered name of one instance, and sees to it that it is
// emitted.
func (l *lowerer) cellInstance(fd *check.FuncDecl, targs []types.Type) string {
	fd = l.res.Latest(fd)
	key := l.instanceKey(fd.Emit, targs)
	i := instance{fd.Emit, l.name(key, "i_"+fd.Name), targs}
	l.once(key, func() {
		sig := instanceOf(fd.Body, fd.Info, fd.TypeParams(), targs).apply(l, fd.Plain()).(*types.Signature)
		l.globals = append(l.globals, "var "+i.name+" func"+l.signature(sig)+"\n")
		l.instances = append(l.instances, i)
		l.version(fd, i, sig)
	})
	return i.name
}

// version emits the body of an instance and assigns it to the variable.
func (l *lowerer) version(fd *check.FuncDecl, i instance, sig *types.Signature) {
	l.env.seq++
	impl := fmt.Sprintf("%sǃc%d", i.name, l.env.seq)
	l.prelude = append(l.prelude, i.name+" = "+impl)
	if fd.Recv == nil && l.traceable(sig) {
		line, _ := l.position(fd.Body.Pos())
		l.prelude = append(l.prelude, "_ = "+l.origin(i.name, fd.Name, check.ParamNames(fd.Body.Type.Params), fd.Cell, line))
	}
	lower := func() {
		s := instanceOf(fd.Body, fd.Info, fd.TypeParams(), i.targs)
		l.function(impl, fd.Body, fd.Info, s, place(fd.Cell, fd.Title()))
	}
	l.work = append(l.work, func() {
		if fd.Late() {
			l.late(fd, sig, impl, lower)
		} else {
			lower()
		}
	})
}

// redeclared emits the instances that earlier cells have of a generic function
// anew. One whose type arguments do not fit any more, since their methods have
// changed, stays as it is.
func (l *lowerer) redeclared(fd *check.FuncDecl) {
	for _, i := range l.env.instances[fd.Emit] {
		inst, err := types.Instantiate(l.env.Ctxt, fd.BodyObj.Type(), i.targs, true)
		if err != nil {
			continue
		}
		l.version(fd, i, inst.(*types.Signature))
	}
	if fd.Recv == nil {
		return
	}
	for _, n := range l.env.dynamic[fd.Recv] {
		l.methodImpl(n, fd.Name, l.cellInstance(fd, l.typeArgs(n.TypeArgs())))
	}
}

// keep remembers the instances that a cell is the first to have. The types are the
// numbered ones, which get the methods that later cells declare.
func (e *Env) keep(instances []instance, dynamic []*types.Named) {
	for _, i := range instances {
		for k, t := range i.targs {
			i.targs[k] = e.Types.Type(e.Types.ID(t))
		}
		e.instances[i.emit] = append(e.instances[i.emit], i)
	}
	for _, n := range dynamic {
		n = e.Types.Type(e.Types.ID(n)).(*types.Named)
		e.dynamic[n.Origin()] = append(e.dynamic[n.Origin()], n)
	}
}

// localTypes finds the types that a function declares.
func localTypes(decl *ast.FuncDecl, info *types.Info) map[types.Object]bool {
	own := map[types.Object]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if ts, ok := n.(*ast.TypeSpec); ok {
			if obj := info.Defs[ts.Name]; obj != nil {
				own[obj] = true
			}
		}
		return true
	})
	return own
}

// typeArgs collects the type arguments of an instance with the current
// substitution put in.
func (l *lowerer) typeArgs(list *types.TypeList) []types.Type {
	args := make([]types.Type, list.Len())
	for i := range args {
		args[i] = l.sub(list.At(i))
	}
	return args
}

// where is the place of a function for traces.
func place(cell int, name string) Pos { return Pos{Cell: cell, Func: name} }
