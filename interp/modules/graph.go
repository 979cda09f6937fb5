package modules

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// chosen lists the modules whose packages a program of these main modules sees, with
// the versions that the go command chooses: of each the newest that one of the others
// requires. Modules of which the cache does not have the go.mod require nothing.
func chosen(mains []Root) []module.Version {
	var key strings.Builder
	key.WriteString(Cache() + "\x00")
	for _, m := range mains {
		key.WriteString(m.Dir + "\x00" + m.text + "\x00")
		for _, re := range m.mod.Replace {
			if re.New.Version == "" {
				text, _ := os.ReadFile(filepath.Join(folderAt(m.Dir, re.New.Path), "go.mod"))
				key.Write(text)
			}
		}
	}
	choices.mu.Lock()
	defer choices.mu.Unlock()
	if list, ok := choices.made[key.String()]; ok {
		return list
	}
	g := graph{mains: mains, newest: map[string]string{}, seen: map[visit]bool{}}
	for _, m := range mains {
		for _, q := range m.mod.Require {
			g.add(q.Mod, !prunes(m.mod))
		}
	}
	list := make([]module.Version, 0, len(g.newest))
	for _, path := range slices.Sorted(maps.Keys(g.newest)) {
		list = append(list, module.Version{Path: path, Version: g.newest[path]})
	}
	if !g.gaps {
		choices.made = map[string][]module.Version{key.String(): list}
	}
	return list
}

// choices are the lists of the modules that have been asked for.
var choices = struct {
	mu   sync.Mutex
	made map[string][]module.Version
}{made: map[string][]module.Version{}}

// graph is the walk through requirements.
type graph struct {
	mains  []Root
	newest map[string]string
	seen   map[visit]bool
	gaps   bool // a go.mod is not in the cache
}

// visit is a module that has been looked at, and whether with all that it requires
// in turn.
type visit struct {
	mod module.Version
	all bool
}

// add enters a requirement, and those of its module. The go.mod of a module since Go
// 1.17 lists all that its packages need, so those further on do not count; with all,
// they do.
func (g *graph) add(want module.Version, all bool) {
	if slices.ContainsFunc(g.mains, func(m Root) bool { return m.Path == want.Path }) {
		return
	}
	g.enter(want)
	if g.seen[visit{want, all}] {
		return
	}
	g.seen[visit{want, all}] = true
	mod, ok := g.requirements(want)
	if !ok {
		g.gaps = true
		return
	}
	all = all || !prunes(mod)
	for _, q := range mod.Require {
		if all {
			g.add(q.Mod, true)
		} else {
			g.enter(q.Mod)
		}
	}
}

func (g *graph) enter(want module.Version) {
	if semver.Compare(want.Version, g.newest[want.Path]) > 0 || g.newest[want.Path] == "" {
		g.newest[want.Path] = want.Version
	}
}

// requirements is the go.mod of a version.
func (g *graph) requirements(want module.Version) (*modfile.File, bool) {
	for _, m := range g.mains {
		re, ok := m.replaced(want)
		if !ok {
			continue
		}
		if re.Version == "" {
			r, err := read(folderAt(m.Dir, re.Path))
			return r.mod, err == nil && r.mod != nil
		}
		want = re
		break
	}
	p, errPath := module.EscapePath(want.Path)
	v, errVersion := module.EscapeVersion(want.Version)
	if cmp.Or(errPath, errVersion) != nil {
		return nil, false
	}
	name := filepath.Join(Cache(), "cache", "download", filepath.FromSlash(p), "@v", v+".mod")
	data, err := os.ReadFile(name)
	if err != nil {
		name = filepath.Join(Cache(), filepath.FromSlash(p)+"@"+v, "go.mod")
		if data, err = os.ReadFile(name); err != nil {
			return nil, false
		}
	}
	f, err := modfile.ParseLax(name, data, nil)
	return f, err == nil
}

// prunes reports a go.mod that lists all that the module's packages need.
func prunes(f *modfile.File) bool {
	return f.Go != nil && semver.Compare("v"+f.Go.Version, "v1.17") >= 0
}
