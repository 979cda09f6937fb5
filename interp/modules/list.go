package modules

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mostListed bounds what List gives, and the folders that it looks at.
const mostListed = 400

// List lists import paths that a notebook in a folder can use beside the built-in
// ones and that begin with what has been typed: packages of its module and workspace
// and of what they require; outside of modules, folders beside the notebook.
func List(dir, typed string) (paths []string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	mains, err := around(dir)
	if err != nil {
		return nil
	}
	add := func(root, prefix string) {
		if prefix != "." && !strings.HasPrefix(prefix, typed) && !strings.HasPrefix(typed, prefix) {
			return
		}
		for _, rel := range folders(root, mostListed-len(paths)) {
			p := path.Join(prefix, rel)
			if prefix == "." {
				p = "./" + rel
			}
			if strings.HasPrefix(p, typed) && rel != "" || prefix != "." && strings.HasPrefix(p, typed) {
				paths = append(paths, p)
			}
		}
	}
	if len(mains) == 0 || strings.HasPrefix(typed, ".") {
		add(dir, ".")
	}
	for _, m := range mains {
		add(m.Dir, m.Path)
		for _, q := range m.mod.Require {
			if !strings.HasPrefix(q.Mod.Path, typed) && !strings.HasPrefix(typed, q.Mod.Path) {
				continue
			}
			if r, err := located([]Root{m}, q.Mod); err == nil {
				add(r.Dir, q.Mod.Path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// folders lists folders with Go files below a root, the root as "".
func folders(root string, most int) (list []string) {
	seen := 0
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		name := d.Name()
		if p != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" || name == "internal" || name == "node_modules") {
			return fs.SkipDir
		}
		if seen++; seen > mostListed || len(list) >= most {
			return fs.SkipAll
		}
		if rel, err := filepath.Rel(root, p); err == nil && hasGo(p) {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(rel), "."))
		}
		return nil
	})
	return list
}
