package export_test

import (
	"flag"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gopherlo/interp"
	"gopherlo/interp/export"
	"gopherlo/interp/notebook"
	"gopherlo/interp/symbols"
)

var update = flag.Bool("update", false, "write the expected programs")

func options() export.Options {
	return export.Options{
		Env:         interp.CheckEnv(),
		NewImporter: func(fset *token.FileSet) types.Importer { return symbols.NewImporter(fset) },
		FuncText:    interp.FuncText,
		ModuleCode:  interp.ModuleCode,
	}
}

// The programs of cells of all kinds. That they print what the cells print is
// tested in cmd/gopherlo, with the Go compiler.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nb, err := notebook.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			opts := options()
			opts.Env.Dir = func() string { return filepath.Dir(file) }
			p, err := export.Notebook(nb, opts)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := format.Source([]byte(p.Text)); err != nil || string(out) != p.Text {
				t.Errorf("the program is not formatted (%v)", err)
			}
			golden := strings.TrimSuffix(file, ".txt") + ".go.golden"
			if *update {
				if err := os.WriteFile(golden, []byte(p.Text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), p.Text); diff != "" {
				t.Errorf("program (-want +got), -update writes it:\n%s", diff)
			}
		})
	}
}

// The first notebook of the project is exported whole.
func TestNotebook01(t *testing.T) {
	nb, err := notebook.Read("../../notebooks/01-controlling-xla.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	p, err := export.Notebook(nb, options())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Remarks) > 0 || p.Name != "01-controlling-xla" || !strings.Contains(p.Text, "cells.Cell{N: 4, Body: cell4, MayFail: true}") {
		t.Errorf("%s, remarks %v:\n%s", p.Name, p.Remarks, p.Text)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ name, cells, want string }{
		{"mistake", "x := 1\n// %%\ny", "cell 2: line 1: undefined: y"},
		{"syntax", "x := (", "cell 1: line 1: "},
		{"unknown magic", "%nothing", "cell 1: line 1: magic %nothing cannot be exported"},
		{"unknown cell magic", "%%nothing\nx", "cell 1: line 1: magic %%nothing cannot be exported"},
		{"method", "type T struct{}\nfunc (T) M() int { return 1 }\n// %%\nfunc (T) M() string { return \"\" }", "cell 2: the method M of T has another signature"},
		{"local type", "x := func() any { type t int; return t(1) }()\ny := func() []struct{ a int } { return nil }()\nvar z = *new(struct{ t })\ntype t int", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := export.Notebook(notebook.Cells("t", test.cells), options())
			switch {
			case err == nil && test.want != "":
				t.Errorf("no error, want %q", test.want)
			case err != nil && (test.want == "" || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("error %q, want %q", err, test.want)
			}
		})
	}
}
