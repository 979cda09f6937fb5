package symbols

import (
	"bytes"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated makes the tables of our own packages again: what cells see must
// be what the packages have. The standard library's only change with Go.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./gen", "-only", "own", "-out", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"own_export.zip", "own_table.go", "own_docs.zip"} {
		have, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, want) {
			t.Errorf("%s is stale: run go generate ./interp/symbols", name)
		}
	}
}

// TestTablesMatchExports looks for what the checker would accept and the
// interpreter not find.
func TestTablesMatchExports(t *testing.T) {
	im := NewImporter(token.NewFileSet())
	missing := 0
	for _, path := range Packages() {
		p, err := im.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			obj := p.Scope().Lookup(name)
			if !obj.Exported() || isConst(obj) || generic(obj) || isConstraint(obj) {
				continue
			}
			if _, ok := Lookup(path, name); !ok {
				missing++
				if missing < 20 {
					t.Errorf("%s.%s is in the export data but in no table", path, name)
				}
			}
		}
	}
}

func isConst(obj types.Object) bool {
	_, ok := obj.(*types.Const)
	return ok
}

func generic(obj types.Object) bool {
	switch t := obj.Type().(type) {
	case *types.Signature:
		return t.TypeParams().Len() > 0
	case *types.Named:
		return t.TypeParams().Len() > 0
	case *types.Alias:
		return t.TypeParams().Len() > 0
	}
	return false
}

func isConstraint(obj types.Object) bool {
	i, ok := obj.Type().Underlying().(*types.Interface)
	return ok && !i.IsMethodSet()
}

func TestDocs(t *testing.T) {
	if doc := Doc("strings", "ToUpper"); len(doc) == 0 {
		t.Error("strings.ToUpper has no documentation")
	}
	if doc := Doc("strings", "Builder.Len"); len(doc) == 0 {
		t.Error("strings.Builder.Len has no documentation")
	}
	if len(Source("slices")) == 0 {
		t.Error("the source of slices is missing")
	}
}

func TestUnknownPackage(t *testing.T) {
	if _, err := NewImporter(token.NewFileSet()).Import("no/such"); err == nil {
		t.Error("a package that is not there is imported")
	}
}
