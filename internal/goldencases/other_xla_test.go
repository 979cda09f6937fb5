package goldencases

import (
	"os"
	"strings"
	"sync"
	"testing"
)

// otherXLAFile lists the optimised programs that the XLA of the default plugin
// (June 2026) writes in another way than that of JAX 0.12.0.1, each with the
// operations that carry tags there, separated by tabs.
const otherXLAFile = "testdata/other_xla.txt"

var readOtherXLA = sync.OnceValues(func() (map[string][]string, error) {
	data, err := os.ReadFile(otherXLAFile)
	out := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !strings.HasPrefix(line, "#") {
			out[cells[0]] = withoutEmpty(cells[1:])
		}
	}
	return out, err
})

func otherXLA(t *testing.T) map[string][]string {
	t.Helper()
	out, err := readOtherXLA()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// appendLines adds what another XLA gives; GOLDENCASES_UPDATE asks for it after
// a change of the plugin, and what it adds wants reading.
func appendLines(t *testing.T, file string, lines []string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, l := range lines {
		if _, err := f.WriteString(l + "\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func withoutEmpty(cells []string) []string {
	var out []string
	for _, c := range cells {
		if c != "" {
			out = append(out, c)
		}
	}
	return out
}
