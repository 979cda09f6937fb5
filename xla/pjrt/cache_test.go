//go:build cgo

package pjrt

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gopherlo/xla"
	"gopherlo/xla/diskcache"
)

// useCache turns a fresh cache on for one test. Such tests are not parallel.
func useCache(t *testing.T) *diskcache.Cache {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cache, err := diskcache.Open(filepath.Join(dir, "executables"), diskcache.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	UseCache(cache)
	t.Cleanup(func() {
		UseCache(nil)
		FlushCache()
		cache.Close()
	})
	return cache
}

func TestCompileCache(t *testing.T) {
	c := openCPU(t)
	cache := useCache(t)
	x := buffer32(t, c, []int64{2, 3}, 1, 2, 3, 4, 5, 6)
	run := func(opts map[string]any) time.Duration {
		t.Helper()
		start := time.Now()
		e := compileText(t, c, twoResults, 1, 2, xla.CompileOptions{Overrides: opts})
		took := time.Since(start)
		FlushCache()
		outs, err := e.Execute([]xla.Buffer{x}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := outs[1].ToHost()
		if err != nil || asFloats(got)[5] != 12 {
			t.Errorf("got %v, %v", asFloats(got), err)
		}
		if e.Name() != "jit_g" {
			t.Errorf("name %q", e.Name())
		}
		if s, err := e.MemoryStats(); err != nil || s.ArgumentSize != 24 {
			t.Errorf("memory %+v, %v", s, err)
		}
		return took
	}
	stats := func() diskcache.Stats {
		t.Helper()
		s, err := cache.Stats()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	cold := run(nil)
	if s := stats(); s.Entries != 1 || s.Hits != 0 {
		t.Errorf("after the first %+v", s)
	}
	warm := run(nil)
	if s := stats(); s.Entries != 1 || s.Hits != 1 {
		t.Errorf("after the second %+v", s)
	}
	t.Logf("compiled in %v, loaded in %v", cold, warm)
	run(map[string]any{"xla_cpu_enable_fast_math": true})
	if s := stats(); s.Entries != 2 || s.Hits != 1 {
		t.Errorf("other options share an entry: %+v", s)
	}
	run(map[string]any{"xla_dump_max_hlo_modules": 1})
	if s := stats(); s.Entries != 2 {
		t.Errorf("a compilation with dumps was cached: %+v", s)
	}
	// A damaged entry is replaced.
	files, err := filepath.Glob(filepath.Join(cache.Dir(), "*.exe"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Truncate(f, 1000); err != nil {
			t.Fatal(err)
		}
	}
	run(nil)
	run(nil)
	if s := stats(); s.Hits != 2 {
		t.Errorf("after damage %+v", s)
	}
	if left, err := filepath.Glob(filepath.Join(cache.Dir(), "*.try")); err != nil || len(left) > 0 {
		t.Errorf("notes of first runs left: %v, %v", left, err)
	}
}

func TestErrorsAreNotCached(t *testing.T) {
	c := openCPU(t)
	cache := useCache(t)
	for range 2 {
		if _, err := c.Compile(mlir("nonsense", 0, 1), xla.CompileOptions{}); err == nil {
			t.Error("no error")
		}
	}
	FlushCache()
	if s, err := cache.Stats(); err != nil || s.Entries != 0 {
		t.Errorf("stats %+v, %v", s, err)
	}
}
