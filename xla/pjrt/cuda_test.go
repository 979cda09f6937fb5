//go:build cgo

package pjrt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/xla/plugin"
)

func TestCreateOptions(t *testing.T) {
	cpu, _ := plugin.Lookup("cpu")
	for value, want := range map[string]int64{
		"": 1, "--xla_force_host_platform_device_count=3": 3, "--a --xla_force_host_platform_device_count='2' --b=1": 2,
		"--xla_force_host_platform_device_count=0": 1, "--xla_force_host_platform_device_count=x": 1,
		"--xla_force_host_platform_device_count=2 --xla_force_host_platform_device_count=4": 4,
	} {
		o, err := createOptions(cpu, value)
		if err != nil || o[plugin.OptionCPUDeviceCount] != want {
			t.Errorf("%s: %v, %v", value, o, err)
		}
	}
	gpu, _ := plugin.Lookup("gpu")
	t.Setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
	t.Setenv("XLA_CLIENT_MEM_FRACTION", ".25")
	t.Setenv("XLA_PYTHON_CLIENT_ALLOCATOR", "BFC")
	o, err := createOptions(gpu, "")
	if err != nil || o["preallocate"] != false || o["memory_fraction"] != float32(.25) || o["allocator"] != "bfc" || o["platform_name"] != "cuda" {
		t.Errorf("GPU options are %v, %v", o, err)
	}
	t.Setenv("XLA_CLIENT_MEM_FRACTION", "lots")
	if _, err := createOptions(gpu, ""); err == nil || !strings.Contains(err.Error(), "XLA_CLIENT_MEM_FRACTION") {
		t.Errorf("a bad fraction: %v", err)
	}
	t.Setenv("XLA_PYTHON_CLIENT_ALLOCATOR", "malloc")
	if _, err := createOptions(gpu, ""); err == nil || !strings.Contains(err.Error(), `must be one of default, platform`) {
		t.Errorf("a bad allocator: %v", err)
	}
}

func TestCUDADataDir(t *testing.T) {
	t.Setenv("CUDA_ROOT", "")
	plugins := t.TempDir()
	file := filepath.Join(plugins, "cuda", "xla_cuda_plugin.so")
	if dir := cudaDataDir(file); dir != "" {
		t.Errorf("found %s where nothing is", dir)
	}
	bin := filepath.Join(plugins, "nvidia", "cu13", "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "ptxas"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if dir := cudaDataDir(file); dir != filepath.Dir(bin) {
		t.Errorf("found %q", dir)
	}
	t.Setenv("CUDA_ROOT", "/opt/cuda")
	if dir := cudaDataDir(file); dir != "/opt/cuda" {
		t.Errorf("CUDA_ROOT gives %q", dir)
	}
}
