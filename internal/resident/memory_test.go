package resident

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestMemory(t *testing.T) {
	if n := machineMemory("MemFree: 1 kB\nMemTotal:  2048 kB\n"); n != 2<<20 {
		t.Errorf("the machine has %d bytes", n)
	}
	root := t.TempDir()
	for path, text := range map[string]string{
		"memory.max": "max\n", "user/memory.max": "5000\n", "user/session/memory.max": "7000\n",
		"memory/memory.limit_in_bytes": "9223372036854771712\n", "memory/job/memory.limit_in_bytes": "3000\n",
	} {
		file := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for groups, want := range map[string][]int64{
		"0::/user/session\n":                   {7000, 5000},
		"0::/\n":                               nil,
		"0::/gone\n":                           nil,
		"5:cpu:/job\n4:memory:/job\n":          {3000, 9223372036854771712},
		"nothing of the kind\n\n0::/../user\n": {5000},
	} {
		if got := groupLimits(root, groups); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", groups, got, want)
		}
	}
}
