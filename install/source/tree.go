package source

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// roots are the packages that a tree of the program must be able to build.
var roots = []string{Module + "/cmd/gopherlo", Module + "/cells", Module + "/interp/symbols/gen"}

// WriteTree writes the source of the program to a folder, the packages of
// others in its vendor folder: the go command builds it without network.
func (s *Source) WriteTree(dir string) error {
	packages, err := s.Packages(roots...)
	if err != nil {
		return err
	}
	var others []string
	for _, p := range packages {
		tree, from := s.place(p)
		to, root := filepath.Join(dir, "vendor", filepath.FromSlash(p)), filepath.Join(dir, "vendor")
		if rest, own := strings.CutPrefix(p, Module+"/"); own {
			to, root = filepath.Join(dir, filepath.FromSlash(rest)), dir
		} else {
			others = append(others, p)
		}
		if err := copyPackage(tree, from, to, root); err != nil {
			return err
		}
	}
	if err := copyLicences(s.Root, ".", dir); err != nil {
		return err
	}
	mods := s.modulesOf(others)
	for _, m := range mods {
		if err := copyLicences(s.Vendor, m.Path, filepath.Join(dir, "vendor", filepath.FromSlash(m.Path))); err != nil {
			return err
		}
	}
	return s.writeModules(dir, Module, mods)
}

// writeModules writes go.mod and vendor/modules.txt.
func (s *Source) writeModules(dir, module string, mods []Mod) error {
	if err := os.MkdirAll(filepath.Join(dir, "vendor"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "vendor", "modules.txt"), []byte(modulesText(mods)), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(s.goMod(module, mods)), 0o644)
}

// Zip packs a folder, the same bytes whenever it holds the same files.
func Zip(dir, file string) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
		if err != nil { // half of it would stand in the way of the whole elsewhere
			_ = os.Remove(file)
		}
	}()
	z := zip.NewWriter(out)
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		w, err := z.CreateHeader(&zip.FileHeader{Name: filepath.ToSlash(rel), Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		_, err = io.Copy(w, in)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}
