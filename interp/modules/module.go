package modules

import (
	"cmp"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// around lists the modules that a folder is in: that of the next go.mod above it,
// and those of a workspace.
func around(dir string) (list []Root, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		r, err := read(d)
		if err != nil {
			return nil, err
		}
		if r.mod != nil {
			list = append(list, r)
			break
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	used, err := workspace(dir)
	return append(list, used...), err
}

// read reads the go.mod of a folder; without one, the module has no path.
func read(dir string) (Root, error) {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return Root{Dir: dir}, nil
	}
	f, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return Root{}, err
	}
	if f.Module == nil {
		return Root{}, fmt.Errorf("%s: no module line", name)
	}
	if full, err := modfile.Parse(name, data, nil); err == nil {
		f = full // with its replacements
	}
	return Root{Path: f.Module.Mod.Path, Dir: dir, mod: f, text: string(data)}, nil
}

// workspace lists the modules of the next go.work above a folder.
func workspace(dir string) (list []Root, err error) {
	if os.Getenv("GOWORK") == "off" {
		return nil, nil
	}
	for ; ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, "go.work")
		data, err := os.ReadFile(name)
		if err != nil {
			if dir == filepath.Dir(dir) {
				return nil, nil
			}
			continue
		}
		f, err := modfile.ParseWork(name, data, nil)
		if err != nil {
			return nil, err
		}
		for _, u := range f.Use {
			r, err := read(folderAt(dir, u.Path))
			if err != nil {
				return nil, err
			}
			if r.mod != nil {
				list = append(list, r)
			}
		}
		return list, nil
	}
}

// folderAt is a folder named in a file of dir.
func folderAt(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// required finds a package of a module that these modules require, in the version
// that the go command takes. Of modules whose paths lead to the package the longest
// has it.
func required(mains []Root, importPath string) (f Folder, ok bool, err error) {
	mains = slices.DeleteFunc(slices.Clone(mains), func(m Root) bool { return m.mod == nil })
	if len(mains) == 0 {
		return Folder{}, false, nil
	}
	var wants []module.Version
	for _, q := range chosen(mains) {
		if _, under := below(importPath, q.Path); under {
			wants = append(wants, q)
		}
	}
	slices.SortFunc(wants, func(a, b module.Version) int { return len(b.Path) - len(a.Path) })
	var missing error
	for _, want := range wants {
		m, err := located(mains, want)
		if err != nil {
			return Folder{}, false, err
		}
		m.by = mains
		if f, ok := m.holds(importPath); ok {
			return f, true, nil
		}
		if m.Version != "" && !exists(m.Dir) && missing == nil {
			missing = fmt.Errorf("%s %s, which go.mod requires, is not in the module cache; `go mod download` fetches it", want.Path, want.Version)
		}
	}
	return Folder{}, false, missing
}

// replaced is what the module has in the place of a version.
func (r Root) replaced(want module.Version) (module.Version, bool) {
	for _, re := range r.mod.Replace {
		if re.Old.Path == want.Path && (re.Old.Version == "" || re.Old.Version == want.Version) {
			return re.New, true
		}
	}
	return module.Version{}, false
}

// located is the place of a version that modules require.
func located(mains []Root, want module.Version) (Root, error) {
	have := want
	for _, main := range mains {
		re, ok := main.replaced(want)
		if !ok {
			continue
		}
		if re.Version == "" {
			m, err := read(folderAt(main.Dir, re.Path))
			m.Path = want.Path
			return m, err
		}
		have = re
		break
	}
	dir, err := cached(have)
	if err != nil {
		return Root{}, err
	}
	m, err := read(dir)
	m.Path, m.Version = want.Path, have.Version
	return m, err
}

func exists(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}

// Cache is the module cache.
func Cache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	list := filepath.SplitList(cmp.Or(os.Getenv("GOPATH"), build.Default.GOPATH))
	if len(list) == 0 { // no home either: there is none
		return filepath.Join(string(filepath.Separator), "go", "pkg", "mod")
	}
	return filepath.Join(list[0], "pkg", "mod")
}

// cached is the folder of a version in the module cache.
func cached(m module.Version) (string, error) {
	p, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	v, err := module.EscapeVersion(m.Version)
	if err != nil {
		return "", err
	}
	return filepath.Join(Cache(), filepath.FromSlash(p)+"@"+v), nil
}

// latest finds a package in the newest version of its module that the cache has,
// for notebooks outside of modules.
func latest(importPath string) (Folder, bool) {
	if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") {
		return Folder{}, false
	}
	for mod := importPath; strings.Contains(mod, "/"); mod = mod[:strings.LastIndex(mod, "/")] {
		for _, v := range versions(mod) {
			dir, err := cached(module.Version{Path: mod, Version: v})
			if err != nil {
				continue
			}
			r, err := read(dir)
			if err != nil {
				continue
			}
			r.Path, r.Version, r.Guessed = mod, v, true
			if f, ok := r.holds(importPath); ok {
				return f, true
			}
		}
	}
	return Folder{}, false
}

// versions lists the versions of a module in the cache, the newest first, releases
// before others.
func versions(mod string) (list []string) {
	p, err := module.EscapePath(mod)
	if err != nil {
		return nil
	}
	pattern := filepath.Join(Cache(), filepath.FromSlash(p)) + "@*"
	found, _ := filepath.Glob(pattern)
	for _, dir := range found {
		v, err := module.UnescapeVersion(dir[strings.LastIndex(dir, "@")+1:])
		if err == nil && semver.IsValid(v) {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if ra, rb := semver.Prerelease(a) == "", semver.Prerelease(b) == ""; ra != rb {
			if ra {
				return -1
			}
			return 1
		}
		return semver.Compare(b, a)
	})
	return list
}
