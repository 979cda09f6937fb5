package check

import (
	"os"
	"path/filepath"
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

func (st *stamps) add(dir string, names []string) {
	st.dir, st.files = dir, map[string]stamp{}
	for _, n := range names {
		st.files[n] = stampOf(filepath.Join(dir, n))
	}
}

// same reports whether the files are as they were.
func (st *stamps) same() bool {
	if st.dir == "" {
		return false
	}
	entries, err := os.ReadDir(st.dir)
	if err != nil {
		return false
	}
	for _, e := range entries { // a new file
		name := e.Name()
		if _, known := st.files[name]; !known && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !st.ignored(name) {
			return false
		}
	}
	for name, was := range st.files {
		if stampOf(filepath.Join(st.dir, name)) != was {
			return false
		}
	}
	return true
}

// ignored reports a file that is for other systems.
func (st *stamps) ignored(name string) bool {
	ctxt := pureContext()
	ok, err := ctxt.MatchFile(st.dir, name)
	return err == nil && !ok
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
			delete(k.s.packages, p.Path)
		case p.changed():
			p.drop()
			k.note("package %s has been loaded again; values made before keep their types of then", p.Pkg.Name())
		}
	}
}

// drop forgets a package and those of its imports that have changed.
func (p *Package) drop() {
	delete(p.s.packages, p.Path)
	for _, d := range p.Deps {
		if d.changed() {
			d.drop()
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
