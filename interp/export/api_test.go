package export

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/interp/symbols"
)

// What export believes of package cells is so.
func TestCellsAPI(t *testing.T) {
	fset := token.NewFileSet()
	src := symbols.NewImporter(fset)
	names, err := filepath.Glob("../../cells/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: src, IgnoreFuncBodies: true, DisableUnusedImportCheck: true}
	real, err := conf.Check(cellsPath, fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(fset, "cells.go", cellsAPI(), 0)
	if err != nil {
		t.Fatal(err)
	}
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
