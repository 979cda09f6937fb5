//go:build cgo

package pjrt

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gopherlo/xla"
	"gopherlo/xla/diskcache"
	"gopherlo/xla/hlo"
)

// The variables that make a test process one of the kernels of the hammer.
const (
	envHammer     = "GOPHERLO_TEST_HAMMER" // the cache's folder
	envHammerTime = "GOPHERLO_TEST_HAMMER_TIME"
)

// hammerLimit holds about half of the programs, so that entries are evicted
// all the time.
const hammerLimit = 50 << 10

// TestLongTwoKernelsOneCache lets two processes compile and run 24 programs
// through one small cache for a minute, while entries are cut and spoiled
// under them: no result is wrong, and the folder is sound afterwards.
func TestLongTwoKernelsOneCache(t *testing.T) {
	if os.Getenv("GOPHERLO_LONG") == "" {
		t.Skip("not run: long, set GOPHERLO_LONG=1")
	}
	hammer(t, time.Minute)
}

// TestTwoKernelsOneCache is the same for two seconds.
func TestTwoKernelsOneCache(t *testing.T) { hammer(t, 2*time.Second) }

func hammer(t *testing.T, long time.Duration) {
	t.Helper()
	openCPU(t) // or skip
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "executables")
	end := time.Now().Add(long)
	var wg sync.WaitGroup
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestHammerChild$", "-test.v")
		cmd.Env = append(os.Environ(), envHammer+"="+dir, envHammerTime+"="+strconv.FormatInt(end.UnixMilli(), 10))
		wg.Go(func() {
			out, err := cmd.CombinedOutput()
			if err != nil || strings.Contains(string(out), "--- SKIP") {
				t.Errorf("%v\n%s", err, out)
			}
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, "rounds") {
					t.Log(strings.TrimSpace(line))
				}
			}
		})
	}
	spoiled := 0
	for ; time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		spoiled += spoil(dir)
	}
	wg.Wait()
	t.Logf("%d entries were spoiled", spoiled)
	soundFolder(t, dir)
}

// spoil cuts an entry or flips a bit of it.
func spoil(dir string) int {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		return 0
	}
	name := files[rand.IntN(len(files))]
	st, err := os.Lstat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() < 100 || strings.Contains(filepath.Base(name), "tmp") {
		return 0
	}
	if rand.IntN(2) == 0 {
		return count(os.Truncate(name, rand.Int64N(st.Size())))
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	_, err = f.WriteAt([]byte{0xff}, rand.Int64N(st.Size()))
	return count(err)
}

func count(err error) int {
	if err != nil {
		return 0
	}
	return 1
}

// soundFolder checks that no temporary file is left, that the size is bounded,
// and that every program is still to be had.
func soundFolder(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "*tmp*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	cache, err := diskcache.Open(dir, hammerLimit)
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	s, err := cache.Stats()
	if err != nil || s.Bytes > hammerLimit+hammerLimit/4 || s.Entries == 0 {
		t.Errorf("the folder holds %+v, %v", s, err)
	}
	t.Logf("the folder holds %d entries, %d bytes", s.Entries, s.Bytes)
}

// TestHammerChild is one of the kernels.
func TestHammerChild(t *testing.T) {
	dir := os.Getenv(envHammer)
	if dir == "" {
		t.Skip("runs as a child of TestTwoKernelsOneCache")
	}
	ms, err := strconv.ParseInt(os.Getenv(envHammerTime), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	c := openCPU(t)
	cache, err := diskcache.Open(dir, hammerLimit)
	if err != nil {
		t.Fatal(err)
	}
	UseCache(cache)
	rounds := 0
	for ; rounds == 0 || time.Now().Before(time.UnixMilli(ms)); rounds++ {
		hammerOne(t, c, rand.IntN(24))
		if t.Failed() {
			return
		}
	}
	FlushCache()
	s, err := cache.Stats()
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d rounds, %d hits, %d misses", rounds, s.Hits, s.Misses)
}

// hammerOne compiles and runs program n: x times n plus n.
func hammerOne(t *testing.T, c *Client, n int) {
	t.Helper()
	code := fmt.Sprintf(`module @jit_h%d { func.func public @main(%%x: tensor<f32>) -> tensor<f32> {
  %%n = stablehlo.constant dense<%d.0> : tensor<f32>
  %%y = stablehlo.multiply %%x, %%n : tensor<f32>
  %%z = stablehlo.add %%y, %%n : tensor<f32>
  return %%z : tensor<f32>
} }`, n, n)
	e, err := c.Compile(mlir(code, 1, 1), xla.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Delete()
	x, err := c.NewBuffer(floats(3), hlo.F32, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Delete()
	outs, err := e.Execute([]xla.Buffer{x}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer outs[0].Delete()
	got, err := outs[0].ToHost()
	if err != nil || asFloats(got)[0] != float32(4*n) {
		t.Errorf("program %d gives %v, %v, not %d", n, asFloats(got), err, 4*n)
	}
}
