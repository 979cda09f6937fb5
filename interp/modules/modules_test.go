package modules

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files, and gives their folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	cache := tree(t, map[string]string{
		"example.org/dep@v1.2.0/dep.go":              "package dep",
		"example.org/dep@v1.2.0/go.mod":              "module example.org/dep\nrequire example.org/deep v0.1.0\n",
		"example.org/dep@v1.3.0/dep.go":              "package dep",
		"example.org/dep@v1.4.0-rc.1/dep.go":         "package dep",
		"example.org/deep@v0.1.0/sub/s.go":           "package sub",
		"example.org/deep@v0.2.0/sub/s.go":           "package sub",
		"example.org/!upper/case@v1.0.0/case.go":     "package case",
		"example.org/dep/v2@v2.0.0/dep.go":           "package dep",
		"example.org/dep@v1.2.0/nested/mod/other.go": "package mod",
		"example.org/dep/nested/mod@v0.0.1/mod.go":   "package mod",
	})
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOWORK", "")
	dir := tree(t, map[string]string{
		"mod/go.mod": `module example.org/mod

require (
	example.org/dep v1.2.0
	example.org/dep/nested/mod v0.0.1
	example.org/fork v1.0.0
	example.org/local v1.0.0
	example.org/absent v1.0.0
)

replace example.org/fork => example.org/deep v0.2.0

replace example.org/local => ../local
`,
		"mod/root.go":                     "package mod",
		"mod/geo/geo.go":                  "package geo",
		"mod/geo/only_test.go":            "package geo",
		"mod/tests/a_test.go":             "package tests",
		"mod/vendor/example.org/v/v.go":   "package v",
		"local/pkg/p.go":                  "package pkg",
		"local/go.mod":                    "module example.org/local\n",
		"plain/geo/geo.go":                "package geo",
		"plain/geo/deep/deep.go":          "package deep",
		"work/go.work":                    "go 1.26\n\nuse ./a\nuse ./b\n",
		"work/a/go.mod":                   "module example.org/a\n",
		"work/a/a.go":                     "package a",
		"work/b/go.mod":                   "module example.org/b\n",
		"work/b/sub/b.go":                 "package b",
		"bad/go.mod":                      "modul x\n",
		"mod/vendor/example.org/dep/d.go": "package dep",
	})
	for _, tt := range []struct{ in, path, want, version string }{
		{"mod", "example.org/mod", "mod", ""},
		{"mod", "example.org/mod/geo", "mod/geo", ""},
		{"mod/geo", "example.org/mod", "mod", ""},
		{"mod", "./geo", "mod/geo", ""},
		{"mod/geo", "..", "mod", ""},
		{"mod", "example.org/v", "mod/vendor/example.org/v", ""},
		{"mod", "example.org/dep", "mod/vendor/example.org/dep", ""},
		{"mod", "example.org/dep/nested/mod", "example.org/dep/nested/mod@v0.0.1", "v0.0.1"},
		{"mod", "example.org/fork/sub", "example.org/deep@v0.2.0/sub", "v0.2.0"},
		{"mod", "example.org/local/pkg", "local/pkg", "v1.0.0"},
		{"plain", "geo", "plain/geo", ""},
		{"plain", "./geo/deep", "plain/geo/deep", ""},
		{"plain", "geo/deep", "plain/geo/deep", ""},
		{"plain/geo", "../geo", "plain/geo", ""},
		{"work/a", "example.org/b/sub", "work/b/sub", ""},
		{"work", "example.org/a", "work/a", ""},
		{"plain", "example.org/dep", "example.org/dep@v1.3.0", "v1.3.0"},
		{"plain", "example.org/dep/v2", "example.org/dep/v2@v2.0.0", "v2.0.0"},
		{"plain", "example.org/Upper/case", "example.org/!upper/case@v1.0.0", "v1.0.0"},
	} {
		f, err := Find(filepath.Join(dir, filepath.FromSlash(tt.in)), Root{}, tt.path)
		if err != nil {
			t.Errorf("%s in %s: %v", tt.path, tt.in, err)
			continue
		}
		base := dir
		if strings.HasPrefix(f.Dir, cache) {
			base = cache
		}
		got, _ := filepath.Rel(base, f.Dir)
		if filepath.ToSlash(got) != tt.want || f.Root.Version != tt.version && f.Root.Path != "example.org/local" {
			t.Errorf("%s in %s is %s %s, want %s %s", tt.path, tt.in, got, f.Root.Version, tt.want, tt.version)
		}
	}
	dep, err := Find(filepath.Join(dir, "plain"), Root{}, "example.org/dep")
	if err != nil || !dep.Root.Guessed {
		t.Fatalf("%+v, %v", dep, err)
	}
	dep.Root = mustRead(t, filepath.Join(cache, "example.org", "dep@v1.2.0"))
	if f, err := Find(filepath.Join(dir, "plain"), dep.Root, "example.org/deep/sub"); err != nil || f.Root.Version != "v0.1.0" {
		t.Errorf("what a module of the cache requires: %+v, %v", f, err)
	}
	for path, want := range map[string]string{
		"example.org/mod/tests":  ErrNotFound.Error(),
		"example.org/absent/x":   "go mod download",
		"nosuch":                 ErrNotFound.Error(),
		"./none":                 "no folder ./none with Go files",
		"example.org/dep/no":     ErrNotFound.Error(),
		"example.org/..\x00/x/y": ErrNotFound.Error(),
	} {
		if f, err := Find(filepath.Join(dir, "mod"), Root{}, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v, want %s", path, f, err, want)
		}
	}
	if _, err := Find(filepath.Join(dir, "bad"), Root{}, "x"); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("a go.mod that is none: %v", err)
	}
}

func mustRead(t *testing.T, dir string) Root {
	t.Helper()
	r, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestListAndClosure(t *testing.T) {
	t.Setenv("GOMODCACHE", tree(t, map[string]string{
		"example.org/dep@v1.2.0/dep.go":   "package dep\nimport \"fmt\"\nvar _ = fmt.Sprint",
		"example.org/dep@v1.2.0/sub/s.go": "package sub",
	}))
	dir := tree(t, map[string]string{
		"mod/go.mod":        "module example.org/mod\n\nrequire example.org/dep v1.2.0\n",
		"mod/a/a.go":        "package a\nimport (\"os\"; \"example.org/mod/b\"; \"example.org/dep\")\nvar _ = os.Args",
		"mod/b/b.go":        "package b\nimport \"gopherlo/jaxlike\"",
		"mod/internal/i.go": "package internal",
		"plain/x/x.go":      "package x\nimport \"../y\"",
		"plain/y/y.go":      "package y",
	})
	mod, plain := filepath.Join(dir, "mod"), filepath.Join(dir, "plain")
	for _, tt := range []struct {
		dir, typed string
		want       []string
	}{
		{mod, "", []string{"example.org/dep", "example.org/dep/sub", "example.org/mod/a", "example.org/mod/b"}},
		{mod, "example.org/mod/a", []string{"example.org/mod/a"}},
		{mod, "example.org/dep/", []string{"example.org/dep/sub"}},
		{mod, "net/", nil},
		{plain, "", []string{"./x", "./y"}},
		{plain, "./x", []string{"./x"}},
	} {
		if got := List(tt.dir, tt.typed); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.typed, got, tt.want)
		}
	}
	builtin := func(p string) bool { return p == "os" || p == "fmt" || p == "gopherlo/jaxlike" }
	a, err := Find(mod, Root{}, "./a")
	if err != nil {
		t.Fatal(err)
	}
	folders, others, err := Closure(mod, []Folder{a}, builtin)
	var paths []string
	for _, f := range folders {
		paths = append(paths, f.Path)
	}
	if want := []string{"example.org/dep", "example.org/mod/a", "example.org/mod/b"}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("%q, %v, want %q", paths, err, want)
	}
	if want := []string{"fmt", "gopherlo/jaxlike", "os"}; !slices.Equal(others, want) {
		t.Errorf("%q, want %q", others, want)
	}
	x, err := Find(plain, Root{}, "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Closure(plain, []Folder{x}, builtin); err == nil || !strings.Contains(err.Error(), "by its place") {
		t.Errorf("a relative import: %v", err)
	}
}

// The versions are those that the go command chooses: the newest that is required, and
// what a module since Go 1.17 requires in turn only where its packages need it.
func TestChosenVersions(t *testing.T) {
	cache := tree(t, map[string]string{
		"example.org/a@v1.0.0/a.go":                               "package a",
		"example.org/a@v1.0.0/go.mod":                             "module example.org/a\n\ngo 1.20\n\nrequire (\n\texample.org/b v1.1.0\n\texample.org/old v1.0.0\n)\n",
		"cache/download/example.org/b/@v/v1.1.0.mod":              "module example.org/b\n\ngo 1.20\n\nrequire example.org/far v1.9.0\n",
		"example.org/b@v1.2.0/b.go":                               "package b",
		"cache/download/example.org/b/@v/v1.2.0.mod":              "module example.org/b\n\ngo 1.16\n\nrequire example.org/deep v0.3.0\n",
		"example.org/old@v1.0.0/old.go":                           "package old",
		"cache/download/example.org/old/@v/v1.0.0.mod":            "module example.org/old\n\nrequire example.org/deep v0.2.0\n",
		"cache/download/example.org/deep/@v/v0.3.0.mod":           "module example.org/deep\n\ngo 1.20\n\nrequire example.org/deeper v0.1.0\n",
		"example.org/deep@v0.3.0/deep.go":                         "package deep",
		"example.org/deeper@v0.1.0/deeper.go":                     "package deeper",
		"example.org/far@v1.9.0/far.go":                           "package far",
		"example.org/far@v1.8.0/far.go":                           "package far",
		"cache/download/example.org/far/@v/v1.8.0.mod":            "module example.org/far\n",
		"example.org/deep/of@v0.9.0-0.20200101000000-ab/x/x.go":   "package x",
		"cache/download/example.org/a/nested/@v/v0.0.1.mod":       "module example.org/a/nested\n",
		"cache/download/example.org/deeper/@v/v0.1.0.mod":         "module example.org/deeper\n",
		"example.org/a@v1.0.0/nested/in.go":                       "package nested",
		"cache/download/example.org/unused/@v/v1.0.0.mod":         "module example.org/unused\n",
		"cache/download/example.org/deep/of/@v/v0.9.0-0.2020.mod": "module example.org/deep/of\n",
	})
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOWORK", "off")
	dir := tree(t, map[string]string{
		"go.mod": "module example.org/main\n\ngo 1.26\n\nrequire (\n\texample.org/a v1.0.0\n\texample.org/a/nested v0.0.1\n\texample.org/b v1.2.0\n\texample.org/far v1.8.0\n)\n",
	})
	a, err := Find(dir, Root{}, "example.org/a")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"example.org/b":        "v1.2.0", // not that of a
		"example.org/deep":     "v0.3.0", // of b, which is old enough to be looked at as a whole
		"example.org/deeper":   "v0.1.0",
		"example.org/old":      "v1.0.0",
		"example.org/far":      "v1.8.0", // v1.9.0 is required by a version of b that is not used, and pruned
		"example.org/a/nested": "v1.0.0", // a folder of a: the module of that path is not there
	} {
		f, err := Find(dir, a.Root, path)
		if err != nil || f.Root.Version != want {
			t.Errorf("%s is of %q, want %s; %v", path, f.Root.Version, want, err)
		}
	}
}
