package interp

import (
	"go/ast"
	"go/types"
)

// call is the call that the word is an argument of, nil without.
func (s *scene) call() *ast.CallExpr {
	for up := 1; up < len(s.path); up++ {
		switch n := s.at(up).(type) {
		case *ast.SelectorExpr, *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			if n.Fun == s.at(up-1) {
				return nil
			}
			return n
		}
		return nil
	}
	return nil
}

// optionType is the interface of the options that the call around the word takes,
// nil when it takes none.
func (s *scene) optionType() (*types.Named, *types.Interface) {
	call := s.call()
	if call == nil {
		return nil, nil
	}
	t := s.view.TypeOf(call.Fun)
	if t == nil {
		return nil, nil
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || !sig.Variadic() {
		return nil, nil
	}
	slice, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return nil, nil
	}
	named, ok := types.Unalias(slice.Elem()).(*types.Named)
	if !ok || !types.IsInterface(named) {
		return nil, nil
	}
	return named, named.Underlying().(*types.Interface)
}

// options lists what a package has for the call around the word: nil where none
// is called that takes some of it.
func (s *scene) options(pkg *types.Package) (list []candidate) {
	named, option := s.optionType()
	if named == nil || named.Obj().Pkg() != pkg {
		return nil
	}
	for _, name := range pkg.Scope().Names() {
		if obj, ok := pkg.Scope().Lookup(name).(*types.Func); ok && givesOption(obj, option) {
			list = append(list, candidate{name: name, obj: obj})
		}
	}
	return list
}

// givesOption reports exported functions that give what an interface asks for,
// and types that have it.
func givesOption(obj types.Object, option *types.Interface) bool {
	switch obj := obj.(type) {
	case *types.Func:
		res := obj.Signature().Results()
		return obj.Exported() && res.Len() == 1 && option.NumMethods() > 0 && types.Implements(res.At(0).Type(), option)
	case *types.TypeName:
		return obj.Exported() && !types.IsInterface(obj.Type()) && option.NumMethods() > 0 && types.Implements(obj.Type(), option)
	}
	return false
}

// argumentOptions lists the options of the call that the word is an argument of,
// as a cell writes them.
func (s *scene) argumentOptions() (list []candidate) {
	named, option := s.optionType()
	if named == nil {
		return nil
	}
	if pkg := named.Obj().Pkg(); pkg != nil && pkg.Path() == preimported["kw"] {
		// Until it is imported itself, a package has only what others' declarations name.
		if _, err := s.in.session.Importer().Import(pkg.Path()); err != nil {
			return nil
		}
		for _, c := range s.options(pkg) {
			c.name = "kw." + c.name
			list = append(list, c)
		}
		return list
	}
	for name := range predeclared {
		if obj := s.in.predeclaredObject(name); obj != nil && givesOption(obj, option) {
			list = append(list, candidate{name: name, obj: obj})
		}
	}
	return list
}
