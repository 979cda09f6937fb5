package source

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Packages lists the packages that the given ones need, themselves included,
// without those of the standard library.
func (s *Source) Packages(paths ...string) ([]string, error) {
	seen := map[string]bool{}
	work := slices.Clone(paths)
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] || p == "C" || isStandard(p) {
			continue
		}
		imports, err := s.imports(p)
		if err != nil {
			return nil, err
		}
		seen[p] = true
		work = append(work, imports...)
	}
	list := make([]string, 0, len(seen))
	for p := range seen {
		list = append(list, p)
	}
	sort.Strings(list)
	return list, nil
}

// isStandard reports paths of Go's own packages.
func isStandard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return first != Module && !strings.Contains(first, ".")
}

// place is the tree and the folder of a package.
func (s *Source) place(p string) (tree fs.FS, dir string) {
	if rest, ok := strings.CutPrefix(p, Module+"/"); ok {
		return s.Root, rest
	}
	return s.Vendor, p
}

// imports lists what the files of a package import, for every platform. What
// other platforms import need not be there.
func (s *Source) imports(p string) ([]string, error) {
	tree, dir := s.place(p)
	files, err := goFiles(tree, dir)
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("package %s is not in the source at %s", p, s.Where)
	}
	here := buildContext(tree)
	found := map[string]bool{}
	for _, name := range files {
		text, err := fs.ReadFile(tree, path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", p, err)
		}
		built, _ := here.MatchFile(dir, name)
		for _, sp := range f.Imports {
			q, _ := strconv.Unquote(sp.Path.Value)
			if built || s.has(q) {
				found[q] = true
			}
		}
	}
	list := make([]string, 0, len(found))
	for q := range found {
		list = append(list, q)
	}
	return list, nil
}

// has reports a package that the source holds.
func (s *Source) has(p string) bool {
	if isStandard(p) {
		return true
	}
	tree, dir := s.place(p)
	files, err := goFiles(tree, dir)
	return err == nil && len(files) > 0
}

// goFiles lists the Go files of a folder, without tests and without programs
// that only go generate runs.
func goFiles(tree fs.FS, dir string) (list []string, err error) {
	entries, err := fs.ReadDir(tree, dir)
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name[0] == '_' || name[0] == '.' {
			continue
		}
		text, err := fs.ReadFile(tree, path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if !strings.Contains(string(text), "//go:build ignore\n") {
			list = append(list, name)
		}
	}
	return list, err
}

// buildContext reads packages of a tree as the go command would here.
func buildContext(tree fs.FS) *build.Context {
	c := build.Default
	c.CgoEnabled = true
	c.JoinPath = path.Join
	c.IsAbsPath = func(string) bool { return false }
	c.HasSubdir = func(string, string) (string, bool) { return "", false }
	c.IsDir = func(dir string) bool {
		info, err := fs.Stat(tree, dir)
		return err == nil && info.IsDir()
	}
	c.ReadDir = func(dir string) ([]fs.FileInfo, error) {
		entries, err := fs.ReadDir(tree, dir)
		if err != nil {
			return nil, err
		}
		infos := make([]fs.FileInfo, 0, len(entries))
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				return nil, err
			}
			infos = append(infos, info)
		}
		return infos, nil
	}
	c.OpenFile = func(name string) (io.ReadCloser, error) { return tree.Open(name) }
	return &c
}

// embedded lists the files that a package embeds.
func embedded(tree fs.FS, dir string) (list []string, err error) {
	pkg, err := buildContext(tree).ImportDir(dir, 0)
	if err != nil && pkg == nil {
		return nil, err
	}
	for _, pattern := range pkg.EmbedPatterns {
		pattern = strings.TrimPrefix(pattern, "all:")
		matches, err := fs.Glob(tree, path.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, m := range matches {
			err := fs.WalkDir(tree, m, func(name string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					list = append(list, name)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}
