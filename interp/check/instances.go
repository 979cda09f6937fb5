package check

import (
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"weak"
)

// An instance of a generic type gets its methods from the type once, and go/types
// has no way to give it others. So when a cell adds a method to a generic type of an
// earlier cell, or changes the signature of one, each instance that the session
// knows becomes what a new instance is.

// Methods is held while types of cells get methods, which go/types leaves to its
// users: cells that run look for methods meanwhile.
var Methods sync.RWMutex

// setMethods changes the methods of a generic type by way of change. Instances are
// looked for in the session and in more.
func (k *checker) setMethods(n *types.Named, change func(), more ...types.Type) {
	w := k.reached(n, more...)
	Methods.Lock()
	defer Methods.Unlock()
	change()
	k.s.ctxt = types.NewContext()
	for _, old := range w.found {
		fresh := k.fresh(old)
		setContent(old, reflect.ValueOf(fresh).Elem())
	}
}

// fresh is an instance like another, complete, since goroutines of cells may be
// looking at the one whose content it becomes.
func (k *checker) fresh(old *types.Named) *types.Named {
	args := make([]types.Type, old.TypeArgs().Len())
	for i := range args {
		args[i] = old.TypeArgs().At(i)
	}
	t, err := types.Instantiate(k.s.ctxt, old.Origin(), args, false)
	if err != nil {
		return old
	}
	complete(t.(*types.Named))
	return t.(*types.Named)
}

// complete makes go/types work out the parts of a type.
func complete(t *types.Named) {
	t.Underlying()
	for range t.Methods() {
		continue
	}
}

// content is a copy of what a named type is, to be set again.
func content(t *types.Named) reflect.Value {
	v := reflect.New(reflect.TypeFor[types.Named]()).Elem()
	v.Set(reflect.ValueOf(t).Elem())
	return v
}

func setContent(t *types.Named, v reflect.Value) { reflect.ValueOf(t).Elem().Set(v) }

// remember notes the types of the round that begins.
func (k *checker) remember() {
	s := k.s
	if len(s.infos) == cap(s.infos) {
		live := make([]weak.Pointer[types.Info], 0, 2*len(s.infos)+8)
		for _, p := range s.infos {
			if p.Value() != nil {
				live = append(live, p)
			}
		}
		s.infos = live
	}
	s.infos = append(s.infos, weak.Make(k.info))
}

// reached finds all instances of a generic type. What it reaches is complete then.
func (k *checker) reached(n *types.Named, more ...types.Type) *reach {
	w := &reach{of: n, seen: map[types.Type]bool{}, objs: map[types.Object]bool{}}
	s := k.s
	for _, t := range more {
		w.typ(t)
	}
	if s.Known != nil {
		s.Known(w.typ)
	}
	for _, t := range k.types {
		w.typ(t)
	}
	for _, t := range s.outs {
		w.typ(t)
	}
	for obj, sym := range s.byObj {
		w.obj(obj)
		w.made(&sym.Made)
	}
	for m, fd := range s.methods {
		w.obj(m)
		w.obj(fd.BodyObj)
	}
	for _, all := range []map[token.Pos]made{s.fields, s.gives, k.fields, k.gives} {
		for _, m := range all {
			w.made(&m)
		}
	}
	for _, p := range s.infos {
		if info := p.Value(); info != nil {
			w.info(info)
		}
	}
	return w
}

// reach walks from type to type.
type reach struct {
	of    *types.Named
	found []*types.Named
	seen  map[types.Type]bool
	objs  map[types.Object]bool
}

func (w *reach) info(info *types.Info) {
	for _, tv := range info.Types {
		w.typ(tv.Type)
	}
	for _, obj := range info.Defs {
		w.obj(obj)
	}
	for _, obj := range info.Uses {
		w.obj(obj)
	}
	for _, obj := range info.Implicits {
		w.obj(obj)
	}
	for _, s := range info.Selections {
		w.typ(s.Recv())
		w.obj(s.Obj())
	}
	for _, inst := range info.Instances {
		w.list(inst.TypeArgs)
		w.typ(inst.Type)
	}
}

func (w *reach) made(m *made) {
	for ; m != nil; m = m.gives {
		for _, t := range m.params {
			w.typ(t)
		}
		for _, t := range m.results {
			w.typ(t)
		}
	}
}

func (w *reach) obj(obj types.Object) {
	if obj == nil || w.objs[obj] {
		return
	}
	w.objs[obj] = true
	if f, ok := obj.(*types.Func); ok && f.Origin() != f {
		w.obj(f.Origin())
	}
	w.typ(obj.Type())
}

func (w *reach) list(l *types.TypeList) {
	for t := range l.Types() {
		w.typ(t)
	}
}

func (w *reach) typ(t types.Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		w.named(t)
	case *types.Alias:
		w.list(t.TypeArgs())
		w.typ(t.Rhs())
	case *types.TypeParam:
		w.typ(t.Constraint())
	case *types.Map:
		w.typ(t.Key())
		w.typ(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			w.typ(f.Type())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			w.typ(v.Type())
		}
	case *types.Signature:
		w.signature(t)
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			w.typ(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			w.typ(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			w.typ(term.Type())
		}
	case interface{ Elem() types.Type }:
		w.typ(t.Elem())
	}
}

func (w *reach) signature(t *types.Signature) {
	for _, list := range []*types.TypeParamList{t.TypeParams(), t.RecvTypeParams()} {
		for p := range list.TypeParams() {
			w.typ(p)
		}
	}
	if t.Recv() != nil {
		w.typ(t.Recv().Type())
	}
	w.typ(t.Params())
	w.typ(t.Results())
}

// named looks into types of cells; what is compiled holds none but as type
// arguments.
func (w *reach) named(t *types.Named) {
	w.list(t.TypeArgs())
	if !IsCellType(t.Obj()) {
		return
	}
	if t != t.Origin() {
		w.typ(t.Origin())
		if t.Origin() == w.of {
			w.found = append(w.found, t)
		}
	}
	for p := range t.TypeParams().TypeParams() {
		w.typ(p)
	}
	w.typ(t.Underlying())
	for m := range t.Methods() {
		w.typ(m.Type())
	}
}
