package source

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Extra is a package to be built in, as it was asked for.
type Extra struct {
	// Path is its import path, Version the wanted one, "" for the newest.
	Path, Version string
	// Dir is the folder of its module when that is a local one.
	Dir, Module string
}

// ParseExtra reads PATH, PATH@VERSION or the folder of a package in a local
// module, which starts with "." or "/".
func ParseExtra(text string) (Extra, error) {
	if !strings.HasPrefix(text, ".") && !filepath.IsAbs(text) {
		path, version, _ := strings.Cut(text, "@")
		if isStandard(path) {
			return Extra{}, fmt.Errorf("%q is no import path of a module; a local folder is written ./%s", path, path)
		}
		return Extra{Path: path, Version: version}, nil
	}
	dir, err := filepath.Abs(text)
	if err != nil {
		return Extra{}, err
	}
	root := dir
	for {
		mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			name := modulePath(string(mod))
			rel, err := filepath.Rel(root, dir)
			if name == "" || err != nil {
				return Extra{}, fmt.Errorf("%s has no module line", filepath.Join(root, "go.mod"))
			}
			e := Extra{Path: name, Dir: root, Module: name}
			if rel != "." {
				e.Path += "/" + filepath.ToSlash(rel)
			}
			if isStandard(e.Path) {
				return Extra{}, fmt.Errorf("the module %s needs a dot in the first part of its path, as in example.com/%s", name, name)
			}
			return e, nil
		}
		up := filepath.Dir(root)
		if up == root {
			return Extra{}, fmt.Errorf("%s is in no Go module: no go.mod there or above; `go mod init` makes one", text)
		}
		root = up
	}
}

func modulePath(mod string) string {
	for line := range strings.Lines(mod) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			name, _, _ = strings.Cut(name, "//")
			return strings.Trim(strings.TrimSpace(name), "\"`")
		}
	}
	return ""
}

// Fetch gets packages with all that they need, by the user's go command and its
// settings, into a folder: a module with a vendor folder.
func Fetch(dir string, extras []Extra) (*Source, error) {
	var mod, main strings.Builder
	mod.WriteString("module gopherlo.invalid/with\n\ngo 1.26\n")
	main.WriteString("package with\n\nimport (\n")
	for _, e := range extras {
		fmt.Fprintf(&main, "\t_ %q\n", e.Path)
		if e.Dir != "" {
			fmt.Fprintf(&mod, "require %s v0.0.0\nreplace %s => %q\n", e.Module, e.Module, e.Dir)
		}
	}
	main.WriteString(")\n")
	files := map[string]string{"go.mod": mod.String(), "with.go": main.String()}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	for _, e := range extras {
		if e.Dir != "" {
			continue
		}
		if err := get(dir, e); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Path, err)
		}
	}
	for _, args := range [][]string{{"get", "."}, {"mod", "vendor"}} {
		if err := goRun(dir, nil, args...); err != nil {
			return nil, err
		}
	}
	s := &Source{Where: dir, Root: os.DirFS(dir), Vendor: os.DirFS(filepath.Join(dir, "vendor"))}
	return s, s.modules()
}

// get adds a package to the module in a folder. Without a network the newest
// version of the module cache serves as the newest.
func get(dir string, e Extra) error {
	if e.Version != "" {
		return goRun(dir, nil, "get", e.Path+"@"+e.Version)
	}
	err := goRun(dir, nil, "get", e.Path+"@latest")
	if err == nil {
		return nil
	}
	cache, envErr := exec.Command(Go(), "env", "GOMODCACHE").Output()
	if envErr != nil {
		return err
	}
	offline := []string{"GOPROXY=file://" + filepath.Join(strings.TrimSpace(string(cache)), "cache", "download"), "GOSUMDB=off"}
	if goRun(dir, offline, "get", e.Path+"@latest") != nil {
		return err
	}
	return nil
}

// goRun runs the go command in a folder; the error holds what it says.
func goRun(dir string, env []string, args ...string) error {
	cmd := exec.Command(Go(), args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOWORK=off"), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("the go command was not found: install Go from https://go.dev/dl/ or set GO")
	case errors.As(err, &exit):
		return fmt.Errorf("go %s:\n%s", strings.Join(args, " "), strings.TrimSpace(string(out)))
	}
	return err
}

// Merge adds the packages that more holds to a tree written by WriteTree. Where
// both have a module, the versions must be the same, or more's must find all its
// packages in the tree's version.
func (s *Source) Merge(dir string, more *Source) error {
	tree, err := at(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	mods := slices.Clone(tree.Modules)
	for _, m := range more.Modules {
		i := slices.IndexFunc(mods, func(o Mod) bool { return o.Path == m.Path })
		if i < 0 {
			mods = append(mods, Mod{Path: m.Path, Version: m.Version, Go: m.Go})
			i = len(mods) - 1
		}
		for _, p := range m.Packages {
			if slices.Contains(mods[i].Packages, p) {
				continue
			}
			if mods[i].Version != m.Version {
				return fmt.Errorf("%s needs %s %s, of which this program has %s without that package", p, m.Path, m.Version, mods[i].Version)
			}
			if err := copyPackage(more.Vendor, p, filepath.Join(dir, "vendor", filepath.FromSlash(p)), filepath.Join(dir, "vendor")); err != nil {
				return fmt.Errorf("package %s: %w", p, err)
			}
			mods[i].Packages = append(mods[i].Packages, p)
		}
		slices.Sort(mods[i].Packages)
		if err := copyLicences(more.Vendor, m.Path, filepath.Join(dir, "vendor", filepath.FromSlash(m.Path))); err != nil {
			return err
		}
	}
	slices.SortFunc(mods, func(a, b Mod) int { return strings.Compare(a.Path, b.Path) })
	return s.writeModules(dir, Module, mods)
}

// Build makes the program out of a tree, with packages for cells to import.
func Build(dir, out, version string, paths []string) error {
	offline := []string{"GOFLAGS=-mod=vendor -trimpath", "GOPROXY=off", "GOTOOLCHAIN=local"}
	if len(paths) > 0 {
		err := goRun(dir, offline, "run", "./interp/symbols/gen", "-out", filepath.Join("interp", "symbols"), "-with", strings.Join(paths, ","))
		if err != nil {
			return err
		}
	}
	return goRun(dir, append(offline, "CGO_ENABLED=1"), "build", "-ldflags", "-X "+Module+"/install.Version="+version, "-o", out, "./cmd/gopherlo")
}
