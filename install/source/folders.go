package source

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folder is a package of the user's, or of a module that he has, which goes with a
// program.
type Folder struct {
	Path, Dir string
	// Module is the path of its module, or of the package itself; ModuleDir its
	// folder, Version "" for none.
	Module, ModuleDir, Version string
}

// writeFolders writes packages of the user's to dir/vendor, and gives the modules
// that they belong to. Those that the program has already are left out.
func (s *Source) writeFolders(dir string, packages []string, folders []Folder) (mods []Mod, err error) {
	vendor := filepath.Join(dir, "vendor")
	for _, f := range folders {
		if slices.Contains(packages, f.Path) {
			continue
		}
		to := filepath.Join(vendor, filepath.FromSlash(f.Path))
		if err := copyPackage(os.DirFS(f.Dir), ".", to, to); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(mods, func(m Mod) bool { return m.Path == f.Module })
		if i < 0 {
			i = len(mods)
			m := Mod{Path: f.Module, Version: f.Version, Go: s.goVersion()}
			if m.Version == "" {
				m.Version = ownVersion
			}
			mods = append(mods, m)
			if err := copyLicences(os.DirFS(f.ModuleDir), ".", filepath.Join(vendor, filepath.FromSlash(f.Module))); err != nil {
				return nil, err
			}
		}
		mods[i].Packages = append(mods[i].Packages, f.Path)
	}
	return mods, nil
}

// join adds modules to those of a program; one that is there already gets the
// packages.
func join(mods, more []Mod) []Mod {
	for _, m := range more {
		i := slices.IndexFunc(mods, func(have Mod) bool { return have.Path == m.Path })
		if i < 0 {
			mods = append(mods, m)
			continue
		}
		mods[i].Packages = append(mods[i].Packages, m.Packages...)
		slices.Sort(mods[i].Packages)
	}
	slices.SortFunc(mods, func(a, b Mod) int { return strings.Compare(a.Path, b.Path) })
	return mods
}

// ModuleFor is the module of a plain folder: its first part, as a module's packages
// lie below its path.
func ModuleFor(pkg string) string {
	first, _, _ := strings.Cut(path.Clean(pkg), "/")
	return first
}
