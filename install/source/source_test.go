package source

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestParseModules(t *testing.T) {
	got, err := parseModules("# a.org/x v1.2.3\n## explicit; go 1.21\na.org/x\na.org/x/sub\n# b.org/y v0.1.0\n## explicit\n# b.org/y => ../y\n# c.org/z v1.0.0 => d.org/z v1.0.1\nc.org/z\n")
	want := []Mod{
		{"a.org/x", "v1.2.3", "1.21", []string{"a.org/x", "a.org/x/sub"}},
		{"b.org/y", "v0.1.0", "", nil},
		{"c.org/z", "v1.0.0", "", []string{"c.org/z"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := parseModules("a.org/x\n"); err == nil {
		t.Error("a package without a module is taken")
	}
}

func TestParseExtra(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"good/go.mod": "// a module\nmodule \"example.com/good\" // with a remark\n", "good/sub/a.go": "package sub",
		"bad/go.mod": "module dotless\n",
	})
	for _, test := range []struct {
		text string
		want Extra
		err  string
	}{
		{"a.org/x", Extra{Path: "a.org/x"}, ""},
		{"a.org/x/v2@v2.1.0", Extra{Path: "a.org/x/v2", Version: "v2.1.0"}, ""},
		{dir + "/good", Extra{Path: "example.com/good", Dir: dir + "/good", Module: "example.com/good"}, ""},
		{dir + "/good/sub", Extra{Path: "example.com/good/sub", Dir: dir + "/good", Module: "example.com/good"}, ""},
		{"fmt", Extra{}, "no import path of a module"},
		{dir + "/bad", Extra{}, "needs a dot"},
		{dir, Extra{}, "is in no Go module"},
	} {
		got, err := ParseExtra(test.text)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: error %v, want %q", test.text, err, test.err)
			}
			continue
		}
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v", test.text, got, err)
		}
	}
}

// small is the source of a little program.
func small() *Source {
	root := fstest.MapFS{
		"go.mod":             {Data: []byte("module gopherlo\n\ngo 1.26\n")},
		"LICENSE":            {Data: []byte("licence")},
		"lib/lib.go":         {Data: []byte("package lib\nimport (\"fmt\"; \"a.org/x\"; _ \"gopherlo/lib/inner\")\nfunc F() { fmt.Println(x.X) }\n")},
		"lib/lib_test.go":    {Data: []byte("package lib\nimport \"a.org/tests\"\n")},
		"lib/gen.go":         {Data: []byte("//go:build ignore\n\npackage main\nimport \"a.org/gen\"\n")},
		"lib/windows.go":     {Data: []byte("//go:build windows\n\npackage lib\nimport \"a.org/windows\"\n")},
		"lib/inner/inner.go": {Data: []byte("package inner\nimport _ \"embed\"\n//go:embed data/*.txt\nvar text string\n")},
		"lib/inner/data/a.txt": {
			Data: []byte("a"),
		},
	}
	vendor := fstest.MapFS{
		"modules.txt":     {Data: []byte("# a.org/x v1.0.0\n## explicit; go 1.20\na.org/x\n# a.org/other v1.0.0\n## explicit\na.org/other\n")},
		"a.org/x/x.go":    {Data: []byte("package x\nconst X = 1\n")},
		"a.org/x/COPYING": {Data: []byte("free")},
		"a.org/other/o.go": {
			Data: []byte("package other\n"),
		},
	}
	s := &Source{Where: "memory", Root: root, Vendor: vendor}
	if err := s.modules(); err != nil {
		panic(err)
	}
	return s
}

func TestPackages(t *testing.T) {
	got, err := small().Packages("gopherlo/lib", "strings")
	want := []string{"a.org/x", "gopherlo/lib", "gopherlo/lib/inner"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if _, err := small().Packages("gopherlo/none"); err == nil || !strings.Contains(err.Error(), "package gopherlo/none is not in the source at memory") {
		t.Error(err)
	}
}

// A program that was written builds with nothing else.
func TestProgram(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	p := Program{Module: "notebook/p", Main: "// written\n\npackage main\n\nimport \"gopherlo/lib\"\n\nfunc main() { lib.F() }\n", Imports: []string{"gopherlo/lib"}}
	for range 2 { // the second replaces the first
		if err := p.Write(small(), dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"vendor/gopherlo/LICENSE", "vendor/a.org/x/COPYING", "vendor/gopherlo/lib/inner/data/a.txt"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"vendor/a.org/other", "vendor/gopherlo/lib/lib_test.go"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if _, err := exec.LookPath(Go()); err != nil {
		t.Skip("no go command")
	}
	cmd := exec.Command(Go(), "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOMODCACHE="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "1\n" {
		t.Errorf("%s, %v", out, err)
	}
	linked := filepath.Join(t.TempDir(), "file")
	write(t, filepath.Dir(linked), map[string]string{"file": "precious"})
	for _, name := range []string{"go.mod", "vendor"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(linked, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Write(small(), dir); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(linked); err != nil || string(text) != "precious" {
		t.Errorf("through a link: %q, %v", text, err)
	}
	other := filepath.Join(t.TempDir(), "mine")
	write(t, other, map[string]string{"main.go": "package main\n"})
	if err := p.Write(small(), other); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("another's folder: %v", err)
	}
}

func TestMerge(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod":             "module gopherlo\n\ngo 1.26\n",
		"vendor/modules.txt": "# a.org/x v1.0.0\n## explicit\na.org/x\n",
	})
	more := func(version string) *Source {
		s := &Source{Root: fstest.MapFS{}, Vendor: fstest.MapFS{
			"modules.txt":      {Data: []byte("# a.org/x " + version + "\n## explicit\na.org/x\na.org/x/sub\n# new.org/n v0.1.0\n## explicit; go 1.20\nnew.org/n\n")},
			"a.org/x/x.go":     {Data: []byte("package x\n")},
			"a.org/x/sub/s.go": {Data: []byte("package sub\n")},
			"new.org/n/n.go":   {Data: []byte("package n\n")},
		}}
		if err := s.modules(); err != nil {
			t.Fatal(err)
		}
		return s
	}
	if err := small().Merge(dir, more("v1.1.0")); err == nil || !strings.Contains(err.Error(), "a.org/x/sub needs a.org/x v1.1.0, of which this program has v1.0.0") {
		t.Error(err)
	}
	if err := small().Merge(dir, more("v1.0.0")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "vendor", "modules.txt"))
	want := "# a.org/x v1.0.0\n## explicit\na.org/x\na.org/x/sub\n# new.org/n v0.1.0\n## explicit; go 1.20\nnew.org/n\n"
	if err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}

// The checkout that the test is built in has what programs need.
func TestCheckout(t *testing.T) {
	s, err := at(filepath.Join("..", ".."))
	if err != nil {
		t.Skip(err) // no go command, or no module cache
	}
	defer s.Close()
	got, err := s.Packages("gopherlo/cells", "gopherlo/xla/pjrt")
	if err != nil || !slices.Contains(got, "gopherlo/jaxlike/core") || !slices.Contains(got, "github.com/gomlx/gopjrt/pjrt") {
		t.Errorf("%v, %v", got, err)
	}
	for _, p := range got {
		if strings.Contains(p, "yaegi") {
			t.Errorf("a program needs %s", p)
		}
	}
}

func TestZip(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "tree"), map[string]string{"go.mod": "module gopherlo\n", "vendor/modules.txt": "# a.org/x v1.0.0\n"})
	file := filepath.Join(dir, "new", "src.zip")
	if err := Zip(filepath.Join(dir, "tree"), file); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(file)
	if err != nil || len(z.File) != 2 {
		t.Fatal(z, err)
	}
	_ = z.Close()
	t.Setenv(Env, file)
	s, err := Open()
	if err != nil || len(s.Modules) != 1 {
		t.Fatal(s, err)
	}
	_ = s.Close()
	if err := Zip(filepath.Join(dir, "none"), filepath.Join(dir, "half.zip")); err == nil {
		t.Error("what is not there was packed")
	}
	if _, err := os.Stat(filepath.Join(dir, "half.zip")); err == nil {
		t.Error("half a zip is left")
	}
	t.Setenv(Env, filepath.Join(dir, "none"))
	if _, err := Open(); err == nil || !strings.Contains(err.Error(), Env) {
		t.Error(err)
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A local module may be in a folder whose name has spaces.
func TestFetch(t *testing.T) {
	if _, err := exec.LookPath(Go()); err != nil {
		t.Skip("no go command")
	}
	dir := filepath.Join(t.TempDir(), "my modules")
	write(t, dir, map[string]string{"go.mod": "module example.com/mine\n\ngo 1.26\n", "a/a.go": "package a\n"})
	e, err := ParseExtra(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Fetch(t.TempDir(), []Extra{e})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Modules) != 1 || !slices.Equal(s.Modules[0].Packages, []string{"example.com/mine/a"}) {
		t.Errorf("%+v", s.Modules)
	}
}
