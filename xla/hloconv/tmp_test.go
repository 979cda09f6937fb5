package hloconv

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

func TestTmp(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/golden/hlo-print/*.stablehlo_debug.mlir")
	ok, okm := 0, 0
	errs := map[string][]string{}
	verbose := os.Getenv("SHOW")
	var bad, badm []string
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".stablehlo_debug.mlir")
		if verbose != "" && verbose != "all" && !strings.Contains(name, verbose) {
			continue
		}
		b, _ := os.ReadFile(f)
		base := strings.TrimSuffix(f, ".stablehlo_debug.mlir")
		want, err := os.ReadFile(base + ".lowered.short.txt")
		if err != nil {
			continue
		}
		m, err := stablehlo.Parse(string(b))
		if err != nil {
			t.Error(name, err)
			continue
		}
		h, err := Convert(m)
		if err != nil {
			e := err.Error()
			if i := strings.LastIndex(e, ": "); i > 0 {
				e = e[i:]
			}
			errs[err.Error()] = append(errs[err.Error()], name)
			continue
		}
		got := h.Text(hlo.ShortParsable())
		if got != string(want) {
			bad = append(bad, name)
			if verbose != "" {
				diff(t, name, got, string(want))
			}
			continue
		}
		ok++
		wm, err := os.ReadFile(base + ".lowered.short_metadata.txt")
		if err != nil {
			okm++
			continue
		}
		if got := h.Text(hlo.ShortParsableMetadata()); got != string(wm) {
			badm = append(badm, name)
			if verbose != "" {
				diff(t, name+" META", got, string(wm))
			}
			continue
		}
		okm++
	}
	var es []string
	for e, n := range errs {
		es = append(es, e+": "+strings.Join(n, " "))
	}
	sort.Strings(es)
	t.Logf("ok %d meta ok %d of %d\nbad: %v\nbad meta: %v\nerrors:\n%s", ok, okm, len(files), bad, badm, strings.Join(es, "\n"))
}

func diff(t *testing.T, name, got, want string) {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	n := 0
	for i := range w {
		gi := ""
		if i < len(g) {
			gi = g[i]
		}
		if gi != w[i] {
			t.Logf("%s:%d\n got %.300s\nwant %.300s", name, i+1, gi, w[i])
			if n++; n > 6 {
				break
			}
		}
	}
}

func TestTmpProto(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/golden/hlo-print/*.stablehlo_debug.mlir")
	ok := 0
	var bad []string
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".stablehlo_debug.mlir")
		if s := os.Getenv("SHOW"); s != "" && !strings.Contains(name, s) {
			continue
		}
		b, _ := os.ReadFile(f)
		pb, err := os.ReadFile(strings.TrimSuffix(f, ".stablehlo_debug.mlir") + ".lowered.pb")
		if err != nil {
			continue
		}
		m, _ := stablehlo.Parse(string(b))
		h, err := Convert(m)
		if err != nil {
			continue
		}
		w, err := hlo.Unmarshal(pb)
		if err != nil {
			t.Error(name, err)
			continue
		}
		x, err := h.Marshal()
		if err != nil {
			t.Error(name, err)
			continue
		}
		if v := h.Verify(); v != nil {
			t.Error(name, "verify", v)
		}
		y, _ := w.Marshal()
		if string(x) == string(y) {
			ok++
			continue
		}
		bad = append(bad, name)
		if os.Getenv("SHOW") != "" {
			os.WriteFile("/tmp/conv/pb/"+name+".got", x, 0o644)
			os.WriteFile("/tmp/conv/pb/"+name+".want", y, 0o644)
			_ = y
		}
	}
	t.Log(ok, bad)
}
