package hlo_test

import (
	"os"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
)

// testdata/extra.txt has attributes that no golden module has, each as a
// source and as XLA of jaxlib 0.12.0.1 prints it.
func TestExtra(t *testing.T) {
	raw, err := os.ReadFile("testdata/extra.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(raw), "=== source\n")[1:]
	if len(cases) < 50 {
		t.Errorf("%d cases, want at least 50", len(cases))
	}
	for _, c := range cases {
		src, want, _ := strings.Cut(c, "=== text\n")
		m, err := hlo.Parse(src)
		if err != nil {
			t.Errorf("%v in\n%s", err, src)
			continue
		}
		if m.String() != want {
			t.Errorf("%s", firstDiff(want, m.String()))
		}
		b, err := m.Marshal()
		if err != nil {
			t.Errorf("%v in\n%s", err, src)
			continue
		}
		if r, err := hlo.Unmarshal(b); err != nil || r.String() != want {
			t.Errorf("through the proto (%v): %s", err, firstDiff(want, r.String()))
		}
	}
}
