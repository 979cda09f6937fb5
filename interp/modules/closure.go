package modules

import (
	"errors"
	"fmt"
	"go/build"
	"slices"
	"strings"
)

// Closure lists what a compiler needs for packages: their folders and those of what
// they import, in the order of their paths, and the other packages that they import,
// for which builtin stands in. dir is the notebook's folder.
func Closure(dir string, start []Folder, builtin func(path string) bool) (folders []Folder, others []string, err error) {
	seen := map[string]bool{}
	work := slices.Clone(start)
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		if seen[f.Path] {
			continue
		}
		seen[f.Path] = true
		folders = append(folders, f)
		bp, err := build.ImportDir(f.Dir, 0)
		if err != nil {
			return nil, nil, fmt.Errorf("package %s: %w", f.Path, err)
		}
		for _, path := range bp.Imports {
			switch {
			case seen[path] || path == "C" || path == "unsafe":
				continue
			case builtin(path):
				seen[path] = true
				others = append(others, path)
				continue
			}
			if strings.HasPrefix(path, ".") {
				return nil, nil, fmt.Errorf("package %s imports %s by its place, which a compiler does not take; with a go.mod it can name the module's path", f.Path, path)
			}
			next, err := Find(dir, f.Root, path)
			if errors.Is(err, ErrNotFound) && !strings.Contains(strings.Split(path, "/")[0], ".") {
				seen[path] = true // of the standard library, and not for cells
				continue
			}
			if err != nil {
				return nil, nil, fmt.Errorf("package %s imports %s: %w", f.Path, path, err)
			}
			work = append(work, next)
		}
	}
	slices.SortFunc(folders, func(a, b Folder) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(others)
	return folders, others, nil
}
