//go:build cgo

package pjrt

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	gopjrt "github.com/gomlx/gopjrt/pjrt"

	"gopherlo/xla"
	"gopherlo/xla/flags"
	"gopherlo/xla/plugin"
)

// createOptions are the options of a new client.
func createOptions(row plugin.Platform, xlaFlags string) (gopjrt.NamedValuesMap, error) {
	opts := gopjrt.NamedValuesMap{}
	if slices.Contains(row.CreateOptions, plugin.OptionCPUDeviceCount) {
		opts[plugin.OptionCPUDeviceCount] = int64(deviceCount(xlaFlags))
	}
	if row.Name == "cuda" {
		if err := memoryOptions(opts); err != nil {
			return nil, err
		}
	}
	return opts, nil
}

// allocators are what XLA_PYTHON_CLIENT_ALLOCATOR may name.
var allocators = []string{"default", "platform", "bfc", "cuda_async", "vmm", "address"}

// memoryOptions reads the variables by which JAX lets users say how a GPU's
// memory is taken (jaxlib/xla_client.py 0.12.0.1).
func memoryOptions(opts gopjrt.NamedValuesMap) error {
	opts["platform_name"] = "cuda"
	allocator := strings.ToLower(os.Getenv("XLA_PYTHON_CLIENT_ALLOCATOR"))
	if allocator == "" {
		allocator = "default"
	}
	if !slices.Contains(allocators, allocator) {
		return xla.Errorf(xla.InvalidArgument, "XLA_PYTHON_CLIENT_ALLOCATOR env var must be one of %s, got %q",
			strings.Join(allocators, ", "), allocator)
	}
	opts["allocator"] = allocator
	for _, name := range []string{"XLA_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_MEM_FRACTION"} {
		if v := os.Getenv(name); v != "" {
			f, err := strconv.ParseFloat(v, 32)
			if err != nil || f <= 0 {
				return xla.Errorf(xla.InvalidArgument, "%s is %q: want a number above 0", name, v)
			}
			opts["memory_fraction"] = float32(f)
			break
		}
	}
	if v := os.Getenv("XLA_PYTHON_CLIENT_PREALLOCATE"); v != "" {
		opts["preallocate"] = v != "false" && v != "False" && v != "0"
	}
	return nil
}

// dataDirOption names the folder with ptxas and libdevice.
const dataDirOption = "xla_gpu_cuda_data_dir"

// fastMinMaxOption is on by default in the CPU's compiler, which then loses NaN
// in max and min; jaxlib 0.12 has it off.
const fastMinMaxOption = "xla_cpu_enable_fast_min_max"

// platformOverrides adds what a platform's compiler has to be told and the user
// has not said: for CUDA where its tools are, as JAX does; for the CPU that max
// and min keep NaN.
func (c *Client) platformOverrides(overrides map[string]any) map[string]any {
	name, value := "", any(nil)
	switch c.platform.Name {
	case "cpu":
		name, value = fastMinMaxOption, false
	case "cuda":
		name, value = dataDirOption, cudaDataDir(c.PluginPath())
	}
	if name == "" || value == "" {
		return overrides
	}
	if _, given := overrides[name]; given {
		return overrides
	}
	for _, s := range flags.ParseEnv(c.xlaFlags) {
		if s.Name == name {
			return overrides
		}
	}
	out := map[string]any{name: value}
	maps.Copy(out, overrides)
	return out
}

// cudaDataDir is CUDA_ROOT, else where the library wheels beside the plugin have
// ptxas; "" when XLA is to look itself.
func cudaDataDir(pluginFile string) string {
	if dir := os.Getenv("CUDA_ROOT"); dir != "" {
		return dir
	}
	base := filepath.Dir(pluginFile)
	for _, rel := range []string{"../nvidia/cu13", "../../nvidia/cu13", "../../nvidia/cuda_nvcc"} {
		dir := filepath.Join(base, filepath.FromSlash(rel))
		if _, err := os.Stat(filepath.Join(dir, "bin", "ptxas")); err == nil {
			return dir
		}
	}
	return ""
}
