package plugin

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// EnvPath names the variable with folders (or files) that are searched first;
// it is gopjrt's and PJRT's own. The value None means: use no plugin at all.
const (
	EnvPath = "PJRT_PLUGIN_LIBRARY_PATH"
	None    = "none"
)

// Origin says by which rule a plugin was found.
type Origin string

// The origins, in the order of the search.
const (
	FromEnv    Origin = "environment" // EnvPath
	FromPrefix Origin = "prefix"      // site-packages of the binary's own prefix
	FromData   Origin = "installed"   // the data folder of `gopherlo plugin install`
	FromSystem Origin = "system"      // gopjrt's and the linker's folders
)

// Found is one plugin file.
type Found struct {
	Platform string
	Path     string // absolute
	Origin   Origin
}

// NotFoundError says that no file was found and where was looked.
type NotFoundError struct {
	Platform string
	Searched []string
}

// Error names the command that helps.
func (e *NotFoundError) Error() string {
	return "no PJRT plugin for \"" + e.Platform + "\" found (searched " + strings.Join(e.Searched, ", ") + "): install one with `gopherlo plugin install " + e.Platform + "`"
}

// Find gives the plugin of a platform that is to be used.
func Find(platform string) (Found, error) {
	all, searched := List(platform)
	if len(all) == 0 {
		return Found{}, &NotFoundError{Platform: platform, Searched: searched}
	}
	return all[0], nil
}

// List gives every plugin file of a platform in search order, and the folders
// that were looked in.
func List(platform string) (found []Found, searched []string) {
	p, ok := Lookup(platform)
	if !ok {
		return nil, nil
	}
	s := search{platform: p}
	env := os.Getenv(EnvPath)
	if env == None {
		return nil, []string{EnvPath + "=" + None}
	}
	s.env(env)
	s.prefix()
	s.folder(DataDir(p.Name), FromData)
	for _, dir := range systemDirs() {
		s.folder(dir, FromSystem)
	}
	return s.found, s.searched
}

type search struct {
	platform Platform
	found    []Found
	searched []string
}

func (s *search) env(list string) {
	for _, entry := range filepath.SplitList(list) {
		if entry == "" {
			continue
		}
		if st, err := os.Stat(entry); err == nil && !st.IsDir() {
			if s.matches(filepath.Base(entry)) {
				s.add(entry, FromEnv)
			}
			s.searched = append(s.searched, entry)
			continue
		}
		s.folder(entry, FromEnv)
	}
}

func (s *search) matches(base string) bool {
	return slices.ContainsFunc(s.platform.Files, func(pattern string) bool {
		ok, err := filepath.Match(pattern, base)
		return err == nil && ok
	})
}

// prefix looks in the site-packages of the prefix that holds this binary: a
// wheel puts it in PREFIX/bin.
func (s *search) prefix() {
	exe, err := os.Executable()
	if err != nil {
		return
	}
	for _, site := range SitePackages(filepath.Dir(filepath.Dir(exe))) {
		for _, pkg := range s.platform.Packages {
			s.add(filepath.Join(site, filepath.FromSlash(pkg)), FromPrefix)
		}
		s.searched = append(s.searched, site)
	}
}

// SitePackages lists the site-packages folders below a Python prefix.
func SitePackages(prefix string) []string {
	sites, err := filepath.Glob(filepath.Join(prefix, "lib", "python3*", "site-packages"))
	if err != nil {
		return nil // the prefix holds a glob character that is malformed
	}
	slices.Sort(sites)
	slices.Reverse(sites)
	return sites
}

func (s *search) folder(dir string, origin Origin) {
	if dir == "" {
		return
	}
	s.searched = append(s.searched, dir)
	for _, pattern := range s.platform.Files {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			continue
		}
		slices.Sort(files)
		for _, f := range files {
			s.add(f, origin)
		}
	}
}

func (s *search) add(path string, origin Origin) {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return
	}
	if slices.ContainsFunc(s.found, func(f Found) bool { return f.Path == abs }) {
		return
	}
	s.found = append(s.found, Found{Platform: s.platform.Name, Path: abs, Origin: origin})
}

// EnvData overrides the data folder.
const EnvData = "GOPHERLO_DATA"

// DataRoot is our own data folder: $GOPHERLO_DATA, else $XDG_DATA_HOME/gopherlo,
// else ~/.local/share/gopherlo; "" when there is no home.
func DataRoot() string {
	if dir := os.Getenv(EnvData); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gopherlo")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "gopherlo")
}

// DataDir is the folder of one platform's installed plugin.
func DataDir(platform string) string {
	root := DataRoot()
	if root == "" {
		return ""
	}
	return filepath.Join(root, "plugins", platform)
}

// systemDirs are the folders that gopjrt v0.10.0 searches by default
// (pjrt/dynamiclib_posix.go), without those of ld.so.conf's includes that do
// not exist.
func systemDirs() []string {
	var dirs []string
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".local", "lib", "gomlx", "pjrt"))
	}
	dirs = append(dirs, "/usr/local/lib/gomlx/pjrt")
	for _, d := range filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")) {
		if filepath.IsAbs(d) {
			dirs = append(dirs, d)
		}
	}
	return append(dirs, ldConf("/etc/ld.so.conf", 0)...)
}

// ldConf reads the folders of a linker configuration. depth bounds includes
// that include each other.
func ldConf(file string, depth int) []string {
	f, err := os.Open(file)
	if err != nil || depth > 8 {
		return nil
	}
	defer f.Close()
	var dirs []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if pattern, ok := strings.CutPrefix(line, "include "); ok {
			files, err := filepath.Glob(strings.TrimSpace(pattern))
			if err != nil {
				continue
			}
			for _, inc := range files {
				dirs = append(dirs, ldConf(inc, depth+1)...)
			}
			continue
		}
		if filepath.IsAbs(line) {
			dirs = append(dirs, line)
		}
	}
	return dirs
}
