//go:build cgo

package pjrt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gopherlo/xla/flags"
	"gopherlo/xla/plugin"
)

func TestTryFlags(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	file := filepath.Join(t.TempDir(), "flags")
	if err := os.WriteFile(file, []byte("--xla_cpu_enable_fast_math=true"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ value, want string }{
		{"", ""},
		{"--xla_cpu_enable_fast_math=true", ""},
		{"--xla_cpu_enable_fast_math", ""},
		{file, ""},
		{"--zz=1", "Unknown flag in XLA_FLAGS: --zz=1"},
		{"--a=1 --b", "Unknown flags in XLA_FLAGS: --a=1 --b"},
		{"--xla_cpu_enable_fast_math=maybe", "Couldn't interpret value maybe for flag xla_cpu_enable_fast_math."},
		{"--xla_backend_optimization_level=x", "Couldn't interpret value x for flag xla_backend_optimization_level."},
		{"xla_x", `Could not open file "xla_x" to read flags for environment variable "XLA_FLAGS". (We assumed "xla_x" was a file name because it did not start with a "--".)`},
	} {
		err := TryFlags(context.Background(), "cpu", test.value)
		if test.want == "" {
			if err != nil {
				t.Errorf("%q: %v", test.value, err)
			}
			continue
		}
		var bad *flags.Error
		if !errors.As(err, &bad) || bad.Message != test.want {
			t.Errorf("%q: %v\nwant %s", test.value, err, test.want)
		}
	}
	t.Setenv("XLA_FLAGS", "--zz=1")
	if _, err := Open("cpu"); err == nil {
		t.Error("a client with bad flags")
	}
}

func TestDeviceCount(t *testing.T) {
	for value, want := range map[string]int{
		"":                            1,
		"--" + deviceCountFlag + "=4": 4,
		"--" + deviceCountFlag + "=x": 1,
		"--a --" + deviceCountFlag + "=2 --" + deviceCountFlag + "=3": 3,
	} {
		if n := deviceCount(value); n != want {
			t.Errorf("%q: %d devices, want %d", value, n, want)
		}
	}
}
