package modules

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Root is a module and its folder.
type Root struct {
	Path    string // "" for plain folders
	Dir     string
	Version string // of a module in the cache
	Guessed bool   // no go.mod has chosen the version
	// mod is its go.mod, nil without, text that file's text.
	mod  *modfile.File
	text string
	// by are the modules whose requirements have chosen its version; without, it
	// stands for itself.
	by []Root
}

// Folder is the folder of a package.
type Folder struct {
	Path string // the import path
	Dir  string // absolute
	Root Root
}

// ErrNotFound tells that no folder has the package.
var ErrNotFound = errors.New("no such package")

// Find finds the package that an import path means in a notebook of the folder dir.
// from is the module of the package that imports it, zero for cells. Paths that begin
// with "./" or "../" are folders relative to dir.
func Find(dir string, from Root, importPath string) (Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Folder{}, err
	}
	mains, err := around(dir)
	if err != nil {
		return Folder{}, err
	}
	if importPath == "." || importPath == ".." || strings.HasPrefix(importPath, "./") || strings.HasPrefix(importPath, "../") {
		return relative(dir, mains, importPath)
	}
	if f, ok := from.holds(importPath); ok {
		return f, nil
	}
	for _, m := range mains {
		if f, ok := m.holds(importPath); ok {
			return f, nil
		}
	}
	for _, m := range mains {
		vendored := Root{Path: importPath, Dir: filepath.Join(m.Dir, "vendor", filepath.FromSlash(importPath))}
		if f, ok := vendored.holds(importPath); ok {
			f.Root = Root{Dir: filepath.Join(m.Dir, "vendor")}
			return f, nil
		}
	}
	if f, ok, err := required(mains, importPath); ok || err != nil {
		return f, err
	}
	others := from.by
	if others == nil {
		others = []Root{from}
	}
	if f, ok, err := required(others, importPath); ok || err != nil {
		return f, err
	}
	if f, ok := (Root{Dir: dir}).holds(importPath); ok && len(mains) == 0 {
		return f, nil
	}
	if f, ok := latest(importPath); ok {
		return f, nil
	}
	return Folder{}, ErrNotFound
}

// holds finds a package of the module itself.
func (r Root) holds(importPath string) (Folder, bool) {
	rel, ok := below(importPath, r.Path)
	if !ok || r.Dir == "" {
		return Folder{}, false
	}
	dir := filepath.Join(r.Dir, filepath.FromSlash(rel))
	return Folder{Path: importPath, Dir: dir, Root: r}, hasGo(dir)
}

// below is the rest of a path below that of a module.
func below(importPath, module string) (rel string, ok bool) {
	if module == "" || importPath == module {
		return strings.TrimPrefix(importPath, module), true
	}
	rest, ok := strings.CutPrefix(importPath, module+"/")
	return rest, ok
}

// relative is the package of a folder that is named by its place.
func relative(dir string, mains []Root, importPath string) (Folder, error) {
	folder := filepath.Join(dir, filepath.FromSlash(importPath))
	if !hasGo(folder) {
		return Folder{}, fmt.Errorf("there is no folder %s with Go files", importPath)
	}
	for _, m := range mains {
		if rel, err := filepath.Rel(m.Dir, folder); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return Folder{Path: path.Join(m.Path, filepath.ToSlash(rel)), Dir: folder, Root: m}, nil
		}
	}
	name := path.Clean(importPath)
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	if name == "." || name == ".." {
		name = filepath.Base(folder)
	}
	return Folder{Path: name, Dir: folder, Root: Root{Dir: filepath.Dir(folder)}}, nil
}

// hasGo reports whether a folder holds Go files.
func hasGo(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !e.IsDir() {
			return true
		}
	}
	return false
}
