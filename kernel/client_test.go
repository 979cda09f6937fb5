package kernel_test

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// python returns an interpreter that has jupyter_client, or skips the test and
// says what is missing.
func python(t *testing.T) string {
	t.Helper()
	path := cmp.Or(os.Getenv("GOPHERLO_TEST_PYTHON"), os.Getenv("GOPHERLO_PYTHON"))
	if path == "" {
		t.Skip("not run: GOPHERLO_TEST_PYTHON and GOPHERLO_PYTHON name no Python with jupyter_client")
	}
	if err := exec.Command(path, "-c", "import jupyter_client").Run(); err != nil {
		t.Skipf("not run: %s has no jupyter_client", path)
	}
	return path
}

// kernelspec makes a Jupyter path with this test binary as kernel "echo".
func kernelspec(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	spec, err := json.Marshal(map[string]any{
		"argv": []string{exe, "kernel", "-f", "{connection_file}"}, "language": "echo",
		"display_name": "Echo", "interrupt_mode": "message",
		"metadata": map[string]any{"supported_encryption": []string{"curve"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "kernels", "echo")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "kernel.json"), spec, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runPython runs a program against the echo kernel.
func runPython(t *testing.T, limit time.Duration, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, python(t), args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+kernelspec(t), "JUPYTER_RUNTIME_DIR="+t.TempDir(), "ECHO_HISTORY="+t.TempDir())
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// TestJupyterClient drives the kernel with the real client, over TCP over
// local sockets and with CurveZMQ.
func TestJupyterClient(t *testing.T) {
	script, err := filepath.Abs("testdata/client.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"tcp"}, {"ipc"}, {"tcp", "required"}} {
		t.Run(strings.Join(args, "_"), func(t *testing.T) {
			runPython(t, 2*time.Minute, append([]string{script}, args...)...)
		})
	}
}

// TestConformance runs jupyter_kernel_test, which skips its test of history
// ranges for every kernel.
func TestConformance(t *testing.T) {
	exe := python(t)
	if err := exec.Command(exe, "-c", "import jupyter_kernel_test").Run(); err != nil {
		t.Skipf("not run: %s has no jupyter_kernel_test", exe)
	}
	script, err := filepath.Abs("testdata/conformance.py")
	if err != nil {
		t.Fatal(err)
	}
	runPython(t, 5*time.Minute, script, "-v")
}
