package stablehlo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTmpGolden(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/golden/hlo-print/*.stablehlo.mlir")
	ok, shown := 0, 0
	for _, f := range files {
		b, _ := os.ReadFile(f)
		m, err := Parse(string(b))
		if err != nil {
			if shown < 15 {
				t.Errorf("%s: %v", filepath.Base(f), err)
			}
			shown++
			continue
		}
		if got := m.Text(); got != string(b) {
			if shown < 15 {
				g, w := strings.Split(got, "\n"), strings.Split(string(b), "\n")
				for i := range w {
					if i >= len(g) || g[i] != w[i] {
						gi := ""
						if i < len(g) {
							gi = g[i]
						}
						t.Errorf("%s:%d\n got %.300s\nwant %.300s", filepath.Base(f), i+1, gi, w[i])
						break
					}
				}
			}
			shown++
			continue
		}
		ok++
	}
	files, _ = filepath.Glob("/work/shared/golden/hlo-print/*.stablehlo_debug.mlir")
	okd := 0
	for _, f := range files {
		b, _ := os.ReadFile(f)
		w, _ := os.ReadFile(strings.Replace(f, "_debug", "", 1))
		m, err := Parse(string(b))
		if err != nil {
			if shown < 15 {
				t.Errorf("%s: %v", filepath.Base(f), err)
			}
			shown++
			continue
		}
		if m.Text() == string(w) {
			okd++
		} else if shown < 15 {
			shown++
			t.Errorf("%s: other text", f)
		}
	}
	t.Log(ok, "of", 333, okd, "of", len(files))
}
