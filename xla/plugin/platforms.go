package plugin

import "slices"

// Platform is one kind of device with a PJRT plugin.
type Platform struct {
	// Name is what users call it: "cpu", "cuda", "tpu".
	Name string
	// Files are the base names of plugin files, best first, as path.Match
	// patterns; they are looked for in each search folder itself.
	Files []string
	// Packages are paths below a site-packages folder where wheels keep the
	// plugin, best first.
	Packages []string
	// CreateOptions are the client's create options that the platform knows.
	CreateOptions []string
}

// The option that sets the number of CPU devices (xla/pjrt/c/
// pjrt_c_api_cpu_internal.cc, June 2026).
const OptionCPUDeviceCount = "cpu_device_count"

var platforms = []Platform{
	{
		Name:  "cpu",
		Files: []string{"libpjrt_cpu.so", "pjrt_c_api_cpu_plugin.so", "pjrt-plugin-cpu.so", "pjrt_plugin_cpu.so", "xla_cpu_pjrt.so"},
		Packages: []string{
			"fastatomstruct_xla_cpu/libpjrt_cpu.so",
			"xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
			"lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
		},
		CreateOptions: []string{OptionCPUDeviceCount},
	},
	{
		Name:  "cuda",
		Files: []string{"xla_cuda_plugin.so", "pjrt_c_api_cuda_plugin.so", "pjrt-plugin-cuda*.so", "pjrt_plugin_cuda*.so", "pjrt_c_api_gpu_plugin.so"},
		Packages: []string{
			"jax_plugins/xla_cuda13/xla_cuda_plugin.so",
			"jax_plugins/xla_cuda12/xla_cuda_plugin.so",
		},
	},
	{
		Name:     "tpu",
		Files:    []string{"libtpu.so", "pjrt_c_api_tpu_plugin.so"},
		Packages: []string{"libtpu/libtpu.so"},
	},
}

// Platforms lists the known platforms.
func Platforms() []Platform { return slices.Clone(platforms) }

// Lookup gives the row of a platform; "gpu" is cuda.
func Lookup(name string) (Platform, bool) {
	if name == "gpu" {
		name = "cuda"
	}
	for _, p := range platforms {
		if p.Name == name {
			return p, true
		}
	}
	return Platform{}, false
}
