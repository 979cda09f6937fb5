package interp

import (
	"go/parser"
	"go/types"
	"strings"
)

// options lists what a package, kw, has for the call that a text ends in: nil
// where none is called that takes some of it.
func (r *resolver) options(pkg *types.Package, text string) (list []candidate) {
	open := openCall(text)
	if open < 0 {
		return nil
	}
	fun, err := parser.ParseExpr(lastExpr(text[:open]))
	if err != nil {
		return nil
	}
	t := r.typeOf(fun)
	if t == nil {
		return nil
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || !sig.Variadic() {
		return nil
	}
	slice, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return nil
	}
	named, ok := slice.Elem().(*types.Named)
	if !ok || named.Obj().Pkg() != pkg || !types.IsInterface(named) {
		return nil
	}
	option := named.Underlying().(*types.Interface)
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().Results().Len() != 1 {
			continue
		}
		if types.Implements(f.Signature().Results().At(0).Type(), option) {
			list = append(list, r.candidate(f))
		}
	}
	return list
}

// openCall is the offset of the bracket of the innermost call that a text is in
// the arguments of, or -1.
func openCall(text string) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; c {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth == 0 {
				if c == '(' {
					return i
				}
				return -1
			}
			depth--
		case '"', '`', '\'':
			if i = strings.LastIndexByte(text[:i], c); i < 0 {
				return -1
			}
		}
	}
	return -1
}
