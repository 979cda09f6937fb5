package check

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gopherlo/interp/modules"
)

// stamps are the files of a package as they were when they were read.
type stamps struct {
	dir   string
	files map[string]stamp
}

type stamp struct {
	size int64
	time time.Time
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// read notes the Go files of a folder.
func (st *stamps) read(dir string) {
	st.dir, st.files = dir, map[string]stamp{}
	for _, name := range sources(dir) {
		st.files[name] = stampOf(filepath.Join(dir, name))
	}
}

// sources lists the Go files of a folder but for tests.
func sources(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			list = append(list, name)
		}
	}
	return list
}

// same reports whether the files are as they were.
func (st *stamps) same() bool {
	list := sources(st.dir)
	if st.dir == "" || len(list) != len(st.files) {
		return false
	}
	for _, name := range list {
		if was, ok := st.files[name]; !ok || stampOf(filepath.Join(st.dir, name)) != was {
			return false
		}
	}
	return true
}

// changed reports whether files of the package, or of one that it imports, are others
// than those that it was loaded from. Those of the module cache do not change.
func (p *Package) changed() bool { return p.changedBut(map[*Package]bool{}) }

// changedBut does not look again at packages that have been seen.
func (p *Package) changedBut(seen map[*Package]bool) bool {
	if seen[p] {
		return false
	}
	seen[p] = true
	if p.Folder.Root.Version == "" && !p.stamps.same() {
		return true
	}
	return slices.ContainsFunc(p.Deps, func(d *Package) bool { return d.changedBut(seen) })
}

// reload drops the packages that the cell imports by itself and that have changed, so
// that they are loaded again.
func (k *checker) reload() {
	if len(k.s.packages) == 0 {
		return
	}
	for _, sp := range k.c.Imports {
		path := unquote(sp.Path.Value)
		if k.s.known[path] {
			continue
		}
		folder, err := modules.Find(k.s.env.Dir(), modules.Root{}, path)
		p := k.s.packages[folder.Path]
		switch {
		case err != nil || p == nil:
		case p.Folder.Dir != folder.Dir: // of another folder, where the cells are now
			k.drop(p)
		case p.changed():
			k.dropChanged(p)
			k.note("package %s has been loaded again; functions and values of earlier cells keep that of then", p.Pkg.Name())
		}
	}
}

// drop forgets a package, unless the cell fails its check.
func (k *checker) drop(p *Package) {
	delete(k.s.packages, p.Path)
	k.undo = append(k.undo, func() { k.s.packages[p.Path] = p })
}

// dropChanged forgets a package and those of its imports that have changed.
func (k *checker) dropChanged(p *Package) {
	k.drop(p)
	for _, d := range p.Deps {
		if k.s.packages[d.Path] == d && d.changed() {
			k.dropChanged(d)
		}
	}
}

// stale tells once of packages that the cell uses and whose files have changed.
func (k *checker) stale() (notes []string) {
	if len(k.s.packages) == 0 {
		return nil
	}
	for _, pkg := range k.pkg.Imports() {
		if p := k.s.PackageOf(pkg); p != nil && !p.told && p.changed() {
			p.told = true
			notes = append(notes, "the files of package "+pkg.Name()+" have changed; run its import again to use them")
		}
	}
	return notes
}

// adviseImport tells with a mistake of packages whose files have changed, perhaps for
// its sake.
func (k *checker) adviseImport(d *Diagnostic) {
	if stale := k.stale(); len(stale) > 0 {
		d.Hint = strings.TrimPrefix(d.Hint+"\n    "+strings.Join(stale, "\n    "), "\n    ")
	}
}

// sameNameRE finds a type that is wanted and one of the same name that is given.
var sameNameRE = regexp.MustCompile(`type \*?(\w+)\.(\w+)\) as (?:[\]\[*]*)(\w+)\.(\w+) value`)

// otherVersion explains types of a package that go by one name.
func (k *checker) otherVersion(msg string) string {
	m := sameNameRE.FindStringSubmatch(msg)
	if m == nil || m[1] != m[3] || m[2] != m[4] {
		return ""
	}
	for _, p := range k.s.packages {
		if p.Pkg.Name() == m[1] {
			return "the one is of before package " + m[1] + " was loaded again: make the value anew"
		}
	}
	return ""
}
