package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Module is the path of the module that the program is built of.
const Module = "gopherlo"

// Source is the source of the program.
type Source struct {
	// Where names it in messages.
	Where string
	// Root holds the module's own files, Vendor the packages of others.
	Root, Vendor fs.FS
	// Modules are those of vendor/modules.txt.
	Modules []Mod
	closers []func() error
}

// Mod is a module of which packages are vendored.
type Mod struct {
	Path, Version, Go string
	Packages          []string
}

// Missing says that no source has been found.
type Missing struct{ Looked []string }

func (m *Missing) Error() string {
	return "the source of this program was not found (looked at " + strings.Join(m.Looked, ", ") +
		"): set GOPHERLO_SOURCE to a checkout or to src.zip of the wheel"
}

// Env is the environment variable that names the source.
const Env = "GOPHERLO_SOURCE"

// Open finds the source.
func Open() (*Source, error) {
	if named := os.Getenv(Env); named != "" {
		s, err := at(named)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Env, err)
		}
		return s, nil
	}
	var looked []string
	for _, place := range places() {
		if _, err := os.Stat(place); err != nil {
			looked = append(looked, place)
			continue
		}
		return at(place)
	}
	return nil, &Missing{looked}
}

// places are where the source may be, the likeliest first.
func places() (list []string) {
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		list = append(list, exe+".src.zip", filepath.Join(filepath.Dir(exe), "..", "share", Module, "src.zip"))
	}
	// A build with -trimpath knows no folder.
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		list = append(list, filepath.Join(filepath.Dir(file), "..", ".."))
	}
	return list
}

// at opens a checkout or a zip of one with its vendor folder.
func at(place string) (*Source, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, err
	}
	s := &Source{Where: place}
	if info.IsDir() {
		s.Root = os.DirFS(place)
		err = s.folder(place)
	} else {
		err = s.archive(place)
	}
	if err == nil {
		err = s.modules()
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Source) archive(file string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	s.closers = append(s.closers, z.Close)
	s.Root = z
	s.Vendor, err = fs.Sub(z, "vendor")
	return err
}

// folder opens a checkout. Without a vendor folder the go command makes one
// from the module cache, in a place of its own.
func (s *Source) folder(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module "+Module+"\n") {
		return fmt.Errorf("%s is no checkout of the program", dir)
	}
	vendor := filepath.Join(dir, "vendor")
	if _, err := os.Stat(filepath.Join(vendor, "modules.txt")); err != nil {
		temp, err := os.MkdirTemp("", "gopherlo-vendor-")
		if err != nil {
			return err
		}
		s.closers = append(s.closers, func() error { return os.RemoveAll(temp) })
		vendor = filepath.Join(temp, "vendor")
		cmd := exec.Command(Go(), "mod", "vendor", "-o", vendor)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go mod vendor in %s: %w\n%s", dir, err, strings.TrimSpace(string(out)))
		}
	}
	s.Vendor = os.DirFS(vendor)
	return nil
}

// Go is the go command: that of the environment variable GO, else of PATH.
func Go() string {
	if g := os.Getenv("GO"); g != "" {
		return g
	}
	return "go"
}

// Close gives back what Open has taken.
func (s *Source) Close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// modules reads vendor/modules.txt.
func (s *Source) modules() error {
	text, err := fs.ReadFile(s.Vendor, "modules.txt")
	if err != nil {
		return fmt.Errorf("%s has no vendor/modules.txt", s.Where)
	}
	s.Modules, err = parseModules(string(text))
	return err
}

// parseModules reads the text of a modules.txt.
func parseModules(text string) (list []Mod, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "## "):
			if i := strings.Index(line, "go "); i >= 0 && len(list) > 0 {
				list[len(list)-1].Go = strings.Fields(line[i+3:])[0]
			}
		case len(words) >= 3 && words[0] == "#" && words[2] == "=>":
			// a replacement for all versions: a remark about go.mod
		case len(words) >= 3 && words[0] == "#":
			list = append(list, Mod{Path: words[1], Version: words[2]})
		case line != "" && len(list) > 0:
			last := &list[len(list)-1]
			last.Packages = append(last.Packages, line)
		case line != "":
			return nil, fmt.Errorf("modules.txt: %q before the first module", line)
		}
	}
	return list, nil
}
