package interp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var moduleRE = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)

// ownFolder is the folder of a package of the module that the working directory
// is in, as `gopherlo build --with` takes it; "" for other packages.
func ownFolder(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return ""
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			if dir == filepath.Dir(dir) {
				return ""
			}
			continue
		}
		m := moduleRE.FindSubmatch(text)
		if m == nil {
			return ""
		}
		below, ok := strings.CutPrefix(path+"/", string(m[1])+"/")
		folder := filepath.Join(dir, filepath.FromSlash(below))
		if info, err := os.Stat(folder); !ok || err != nil || !info.IsDir() {
			return ""
		}
		if rel, err := filepath.Rel(wd, folder); err == nil {
			if strings.HasPrefix(rel, ".") {
				return rel
			}
			return "./" + rel
		}
		return folder
	}
}
