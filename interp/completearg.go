package interp

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"gopherlo/interp/symbols"
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
	return optionTypeOf(s.view.TypeOf(call.Fun))
}

// optionTypeOf is the interface of the options that functions of a type take, nil
// without.
func optionTypeOf(t types.Type) (*types.Named, *types.Interface) {
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
	return packageOptions(pkg, option)
}

func packageOptions(pkg *types.Package, option *types.Interface) (list []candidate) {
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
	if list = s.in.optionsOf(s.optionType()); len(list) == 0 {
		return nil
	}
	named := s.documentedOptions()
	if len(named) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(c candidate) bool { return c.obj == nil || !slices.Contains(named, c.obj.Name()) })
}

var optionsDocRE = regexp.MustCompile(`Options: ([A-Za-z,\s]+)\.`)

// documentedOptions are the options that the documentation of the called function
// names: many share a type.
func (s *scene) documentedOptions() []string {
	fun := s.call().Fun
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		fun = sel.Sel
	}
	id, ok := fun.(*ast.Ident)
	if !ok {
		return nil
	}
	obj := s.view.Info.ObjectOf(id)
	if sym := s.view.Sym(obj); sym != nil && sym.Obj != nil {
		obj = sym.Obj
	}
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	m := optionsDocRE.FindStringSubmatch(symbols.Doc(obj.Pkg().Path(), obj.Name()))
	if m == nil {
		return nil
	}
	return strings.FieldsFunc(m[1], func(c rune) bool { return c == ',' || unicode.IsSpace(c) })
}

// optionsOf lists the options of a type, as cells write them.
func (in *Interp) optionsOf(named *types.Named, option *types.Interface) (list []candidate) {
	if named == nil {
		return nil
	}
	if pkg := named.Obj().Pkg(); pkg != nil && pkg.Path() == preimported["kw"] {
		// Until it is imported itself, a package has only what others' declarations name.
		if _, err := in.session.Importer().Import(pkg.Path()); err != nil {
			return nil
		}
		for _, c := range packageOptions(pkg, option) {
			c.name = "kw." + c.name
			list = append(list, c)
		}
		return list
	}
	for name := range predeclared {
		if obj := in.predeclaredObject(name); obj != nil && givesOption(obj, option) {
			list = append(list, candidate{name: name, obj: obj})
		}
	}
	return list
}
