package install

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is the product's version. A release build sets it with -ldflags
// "-X gopherlo/install.Version=v1.2.3".
var Version = "dev"

// shownModules are the dependencies whose versions decide behaviour.
var shownModules = []string{
	"github.com/gomlx/gopjrt",
	"github.com/traefik/yaegi",
	"github.com/go-zeromq/zmq4",
}

// Versions lists what a bug report needs: gopherlo, Go, platform, the modules
// that decide behaviour, and the source revision where the build recorded it.
func Versions() []string {
	lines := []string{
		"gopherlo " + Version,
		fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return lines
	}
	found := map[string]string{}
	for _, dep := range info.Deps {
		found[dep.Path] = dep.Version
	}
	for _, path := range shownModules {
		if version, ok := found[path]; ok {
			lines = append(lines, path+" "+version)
		}
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			lines = append(lines, "revision "+setting.Value)
		}
	}
	return lines
}
