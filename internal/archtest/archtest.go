// Package archtest holds the architecture as tests: who may import whom, which
// outside modules are used where, how long files and functions may be. It has
// no code for others; `go test ./internal/archtest` takes a fraction of a second
// because it parses import clauses and never builds anything.
//
// Start with rules.go, the table that DESIGN's layout and docs/architecture.md
// put in words.
package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// module is the path prefix of our own packages.
const module = "gopherlo"

// source is one Go file of the module.
type source struct {
	name    string // slash-separated, relative to the module's root
	pkg     string // package folder, "" for the root
	test    bool
	imports []string
	file    *ast.File
	text    []byte
}

// generated tells whether the text is written by a program or holds only a
// table, by the markers that exempt it from the length rules.
func generated(text []byte) bool {
	head := text[:min(len(text), 600)]
	return bytes.Contains(head, []byte("// Code generated ")) || bytes.Contains(head, []byte("//archtest:table"))
}

// moduleRoot is the folder of go.mod, two above this package.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod above %s", dir)
		}
		dir = parent
	}
}

// load parses every Go file of the module, whatever its build constraints.
func load(root string, fset *token.FileSet) ([]*source, error) {
	var sources []*source
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			if skipped := base != "." && (base[0] == '.' || base[0] == '_'); skipped || base == "testdata" || name == "build" || name == "bin" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		src, err := parse(root, name, fset)
		if err != nil {
			return err
		}
		sources = append(sources, src)
		return nil
	})
	return sources, err
}

func parse(root, name string, fset *token.FileSet) (*source, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	// Of generated files the imports are enough, and they are large.
	mode := parser.ParseComments | parser.SkipObjectResolution
	if generated(text) {
		mode |= parser.ImportsOnly
	}
	file, err := parser.ParseFile(fset, name, text, mode)
	if err != nil {
		return nil, err
	}
	src := &source{
		name: name, text: text, file: file,
		pkg:  strings.TrimPrefix(path.Dir(name), "."),
		test: strings.HasSuffix(name, "_test.go"),
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		src.imports = append(src.imports, imported)
	}
	return src, nil
}

// matches tells whether the package path pkg is covered by pattern: the path
// itself, or with "/..." the path and all below it.
func matches(pattern, pkg string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == base || strings.HasPrefix(pkg, base+"/")
	}
	return pattern == pkg
}

// matchesAny tells whether one of the patterns, separated by blanks, covers pkg.
func matchesAny(patterns, pkg string) bool {
	for pattern := range strings.FieldsSeq(patterns) {
		if matches(pattern, pkg) {
			return true
		}
	}
	return false
}
