package export

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// What export believes of package cells is so.
func TestCellsAPI(t *testing.T) {
	fset := token.NewFileSet()
	src := importer.ForCompiler(fset, "source", nil)
	real, err := src.Import(cellsPath)
	if err != nil {
		t.Skipf("the source of %s cannot be imported: %v", cellsPath, err)
	}
	f, err := parser.ParseFile(fset, "cells.go", cellsAPI(), 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: src, IgnoreFuncBodies: true}
	said, err := conf.Check(cellsPath, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range said.Scope().Names() {
		got, want := said.Scope().Lookup(name), real.Scope().Lookup(name)
		if want == nil {
			t.Errorf("package cells has no %s", name)
			continue
		}
		if a, b := shape(got), shape(want); a != b {
			t.Errorf("%s is %s, export says %s", name, b, a)
		}
	}
}

// shape is a type without names of parameters.
func shape(obj types.Object) string {
	if sig, ok := obj.Type().(*types.Signature); ok {
		strip := func(tuple *types.Tuple) *types.Tuple {
			var vars []*types.Var
			for v := range tuple.Variables() {
				vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
			}
			return types.NewTuple(vars...)
		}
		return types.TypeString(types.NewSignatureType(nil, nil, nil, strip(sig.Params()), strip(sig.Results()), sig.Variadic()), nil)
	}
	return types.TypeString(obj.Type().Underlying(), nil)
}
