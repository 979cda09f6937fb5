package install

import (
	"fmt"
	"runtime"
	"strings"
)

// Wheel is a pinned Python wheel that holds a PJRT plugin. Nothing in it is
// executed on install: one file is unpacked.
type Wheel struct {
	Platform string // of package xla/plugin: "cpu"
	Arch     string // GOOS/GOARCH
	Name     string // on the package index
	Version  string
	SHA256   string // of the wheel
	Member   string // path of the plugin in the wheel
	// MemberSHA256 and MemberSize are those of the unpacked plugin.
	MemberSHA256 string
	MemberSize   int64
	// Note tells users what to know before they choose it.
	Note string
}

// wheels are the pinned ones, the default of each platform first. Adding one:
// check by the self-test, then take the hashes of both files.
var wheels = []Wheel{
	{
		Platform: "cpu", Arch: "linux/amd64", Name: "fastatomstruct-xla-cpu", Version: "2026.6.23",
		SHA256:       "88b1c430b341b4bea40a37420311c9c75db6e22b46d2ff95b6986577bee6afe9",
		Member:       "fastatomstruct_xla_cpu/libpjrt_cpu.so",
		MemberSHA256: "0a0fe56ca17be9efc7b942e89e534e5e0ad4a0f1e369b66d27b62184509015b9",
		MemberSize:   273_768_800,
		Note:         "public build of XLA, June 2026",
	},
	{
		Platform: "cpu", Arch: "linux/amd64", Name: "xla-cpu-pjrt", Version: "0.0.1",
		SHA256:       "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc",
		Member:       "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
		MemberSHA256: "88c3f28c5900f48ad4a82cab9e79bba9537809743395e341485f8794268820dc",
		MemberSize:   259_284_552,
		Note:         "older XLA",
	},
	{
		Platform: "cpu", Arch: "linux/amd64", Name: "lammps-jax-pjrt-cpu", Version: "0.11.2",
		SHA256:       "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1",
		Member:       "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
		MemberSHA256: "ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2",
		MemberSize:   201_600_336,
		Note:         "newest XLA, but its arctan is wrong from 64 elements on",
	},
	{
		Platform: "cpu", Arch: "linux/arm64", Name: "xla-cpu-pjrt", Version: "0.0.1",
		SHA256:       "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9",
		Member:       "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
		MemberSHA256: "fcf411f3e8ff635c2b2cf87215aa7016f460e66d236c3db08309e7486583532d",
		MemberSize:   200_328_224,
		Note:         "the only one for this processor; the self-test decides",
	},
}

// thisArch is where this binary runs.
var thisArch = runtime.GOOS + "/" + runtime.GOARCH

// PlatformError says that there is no wheel for a platform on this machine.
type PlatformError struct {
	Platform, Arch string
}

// Error names the way out.
func (e *PlatformError) Error() string {
	return fmt.Sprintf("no pinned %s plugin for %s (there are some for %s): build or fetch a PJRT plugin and set PJRT_PLUGIN_LIBRARY_PATH to its folder; without one everything but compiling and running works",
		e.Platform, e.Arch, strings.Join(archs(e.Platform), ", "))
}

func archs(platform string) []string {
	var out []string
	for _, w := range wheels {
		if w.Platform == platform && (len(out) == 0 || out[len(out)-1] != w.Arch) {
			out = append(out, w.Arch)
		}
	}
	if len(out) == 0 {
		return []string{"no machine"}
	}
	return out
}

// Wheels lists the pinned wheels of a platform for this machine.
func Wheels(platform string) []Wheel {
	var out []Wheel
	for _, w := range wheels {
		if w.Platform == platform && w.Arch == thisArch {
			out = append(out, w)
		}
	}
	return out
}

// pickWheel chooses by name and version; both may be empty.
func pickWheel(platform, name, version string) (Wheel, error) {
	known := Wheels(platform)
	if len(known) == 0 {
		return Wheel{}, &PlatformError{Platform: platform, Arch: thisArch}
	}
	var names []string
	for _, w := range known {
		if (name == "" || w.Name == name) && (version == "" || w.Version == version) {
			return w, nil
		}
		names = append(names, w.Name+"=="+w.Version)
	}
	return Wheel{}, fmt.Errorf("no pinned %s plugin %s; known: %s", platform,
		strings.Trim(name+"=="+version, "="), strings.Join(names, ", "))
}
