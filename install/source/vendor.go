package source

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// licences are the files at the root of a module that go with its packages.
var licences = regexp.MustCompile(`^(?i)(licen[cs]e|copying|notice|patents|authors|contributors)`)

// WriteVendor writes packages, and folders of the user's, to dir/vendor, the licences
// of their modules beside them, and dir/go.mod of a program that needs them. The
// program's own module is vendored like all others.
func (s *Source) WriteVendor(dir, module string, packages []string, folders ...Folder) error {
	mods := s.modulesOf(packages)
	vendor := filepath.Join(dir, "vendor")
	for _, p := range packages {
		tree, from := s.place(p)
		if err := copyPackage(tree, from, filepath.Join(vendor, filepath.FromSlash(p)), filepath.Join(vendor, rootOf(p, from))); err != nil {
			return fmt.Errorf("package %s: %w", p, err)
		}
	}
	for _, m := range mods {
		tree, from := s.Vendor, m.Path
		if m.Path == Module {
			tree, from = s.Root, "."
		}
		if err := copyLicences(tree, from, filepath.Join(vendor, filepath.FromSlash(m.Path))); err != nil {
			return fmt.Errorf("module %s: %w", m.Path, err)
		}
	}
	more, err := s.writeFolders(dir, packages, folders)
	if err != nil {
		return err
	}
	return s.writeModules(dir, module, join(mods, more))
}

// rootOf is the part of a package's vendored path that its tree does not have.
func rootOf(pkg, from string) string {
	return filepath.FromSlash(strings.TrimSuffix(strings.TrimSuffix(pkg, from), "/"))
}

// ownVersion stands for the version of the program's own module.
const ownVersion = "v0.0.0"

// modulesOf lists the modules of packages, with those packages.
func (s *Source) modulesOf(packages []string) (list []Mod) {
	own := Mod{Path: Module, Version: ownVersion, Go: s.goVersion()}
	of := map[string]*Mod{}
	for _, m := range s.Modules {
		for _, p := range m.Packages {
			of[p] = &Mod{Path: m.Path, Version: m.Version, Go: m.Go}
		}
	}
	byPath := map[string]*Mod{}
	for _, p := range packages {
		m := of[p]
		if m == nil {
			m = &own
		}
		if byPath[m.Path] == nil {
			byPath[m.Path] = m
		}
		byPath[m.Path].Packages = append(byPath[m.Path].Packages, p)
	}
	for _, m := range byPath {
		sort.Strings(m.Packages)
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b Mod) int { return strings.Compare(a.Path, b.Path) })
	return list
}

var goLine = regexp.MustCompile(`(?m)^go (\S+)$`)

// goVersion is that of the program's go.mod.
func (s *Source) goVersion() string {
	text, err := fs.ReadFile(s.Root, "go.mod")
	if m := goLine.FindSubmatch(text); err == nil && m != nil {
		return string(m[1])
	}
	return "1.26"
}

// modulesText is the text of a modules.txt in which all modules are explicit.
func modulesText(mods []Mod) string {
	var b strings.Builder
	for _, m := range mods {
		fmt.Fprintf(&b, "# %s %s\n## explicit", m.Path, m.Version)
		if m.Go != "" {
			fmt.Fprintf(&b, "; go %s", m.Go)
		}
		b.WriteString("\n")
		for _, p := range m.Packages {
			b.WriteString(p + "\n")
		}
	}
	return b.String()
}

func (s *Source) goMod(module string, mods []Mod) string {
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n\ngo %s\n\nrequire (\n", module, s.goVersion())
	for _, m := range mods {
		fmt.Fprintf(&b, "\t%s %s\n", m.Path, m.Version)
	}
	b.WriteString(")\n")
	return b.String()
}

// copyPackage copies the files of a package, not its tests, to the folder to,
// and what it embeds below root.
func copyPackage(tree fs.FS, from, to, root string) error {
	entries, err := fs.ReadDir(tree, from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasSuffix(e.Name(), "_test.go") || !e.Type().IsRegular() {
			continue
		}
		if err := copyFile(tree, path.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	files, err := embedded(tree, from)
	if err != nil {
		return err
	}
	for _, name := range files {
		if err := copyFile(tree, name, filepath.Join(root, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

func copyLicences(tree fs.FS, from, to string) error {
	entries, err := fs.ReadDir(tree, from)
	if err != nil {
		return nil // a module whose root is no package has been left out
	}
	for _, e := range entries {
		if !e.IsDir() && licences.MatchString(e.Name()) {
			if err := copyFile(tree, path.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func copyFile(tree fs.FS, from, to string) error {
	data, err := fs.ReadFile(tree, from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
