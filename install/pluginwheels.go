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
	// PipTags picks a wheel that is built for one Python, whatever the user's
	// is; empty for wheels that serve all.
	PipTags []string
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
	{
		Platform: "cuda", Arch: "linux/amd64", Name: "jax-cuda13-pjrt", Version: "0.12.0.1",
		SHA256:       "5899bb6177eda86ea532afb9a26794f2bdd04966f6a01f9028266b16c2b6cf90",
		Member:       "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
		MemberSHA256: "b6de513893c09af2c77e71afcef46d9706f8c259337cdef4cd5cae2353886f75",
		MemberSize:   395_967_648,
		Note:         "JAX 0.12.0.1's own, for CUDA 13; needs NVIDIA's driver and libraries (--libs)",
	},
	{
		Platform: "tpu", Arch: "linux/amd64", Name: "libtpu", Version: "0.0.50.1",
		SHA256:       "da3cb290d5a9b202dcbe95330523a017fe7090fb527c501e6b7820415827baa6",
		Member:       "libtpu/libtpu.so",
		MemberSHA256: "e0a1eca41601969ba976898cac06fdab3cf81ec1faa828d674984dee579deac2",
		MemberSize:   630_900_056,
		PipTags:      []string{"--implementation", "cp", "--python-version", "3.13", "--abi", "cp313", "--platform", "manylinux_2_31_x86_64"},
		Note:         "of JAX 0.12.0.1; Google's terms, see its notices",
	},
}

// library is a pinned wheel of shared libraries that a plugin opens when it
// needs them.
type library struct{ name, version, sha256 string }

// libraries are what JAX 0.12.0.1's CUDA plugin asks for (the extra "with-cuda"
// of jax-cuda13-plugin), as pip resolved it in November 2026. Its run path finds
// them in ../nvidia.
var libraries = map[string][]library{"cuda linux/amd64": {
	{"nvidia-cublas", "13.10.0.20", "dcc6d63884c53d07e267ce7e6feac17b2538cebaafec5db865736c3e28e4dc84"},
	{"nvidia-cuda-cupti", "13.5.25", "9dcca41c12a734192b14e7128ae116bc9ce1b9da686e2ebf48ae7a4415f76650"},
	{"nvidia-cuda-nvcc", "13.5.37", "f5c4f7ead5d964fb4af42bbf1e6d3ec3c1e6e9d83b53749f691d387e7fcaa3a7"},
	{"nvidia-cuda-nvrtc", "13.5.37", "86b4d68058807988b7d9af5b44917a0601e9c337f35ccd657bfb3c759ff8d8bc"},
	{"nvidia-cuda-runtime", "13.5.37", "df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d"},
	{"nvidia-cudnn-cu13", "9.28.1.4", "a54f205b1db1f2895d99f398754db1369816f0569dd459731f925635cf7b65ec"},
	{"nvidia-cufft", "12.5.0.14", "b8be26837a5abad2b5b74f3e92dd29f622a42934b355be0961a48712cbba23ad"},
	{"nvidia-cusolver", "12.4.1.2", "b3b8e02fd2f2df869369af075dc3a179d43f6f7b85e94632a7dce556697be044"},
	{"nvidia-cusparse", "12.9.4.2", "072667e58c851a318738f5527a12eb225cbf058803f2ea451c722d8cf8edddec"},
	{"nvidia-nccl-cu13", "2.32.3", "1459723080ac889d73a26edfa3e04383a7928ab31ac8f0ec43b3ea9548b04ff3"},
	{"nvidia-nvjitlink", "13.5.37", "280d7cb9649704145f074b8dbde500de04ce02d0872e066e20a83c17bcaa93eb"},
	{"nvidia-nvshmem-cu13", "3.8.0", "81a4d1f666543e6d34df6d2ff940c7da1435e34e186aab6f3c2b48861b64ef38"},
	{"nvidia-nvvm", "13.5.37", "c41bfa362e407405163f103c2229f0765f8cc2ed7d148b754dc77f228bf7e070"},
	{"nvidia-cuda-cccl", "13.3.5.0.6", "d5230098fa2df5021e1a00c0c4eee41797671a91119d31e892463e5ccf3ee326"},
	{"nvidia-cuda-crt", "13.5.37", "e898b7f73d3035fa89915a3f7bf3b54a73e90249746111aed295822c4729bb29"},
}}

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
