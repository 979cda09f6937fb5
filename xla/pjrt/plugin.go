//go:build cgo

package pjrt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	gopjrt "github.com/gomlx/gopjrt/pjrt"

	"gopherlo/xla"
	"gopherlo/xla/flags"
	"gopherlo/xla/plugin"
)

func init() {
	quietLog()
	probeChild()
	for _, p := range plugin.Platforms() {
		xla.Register(p.Name, backend(p.Name))
	}
}

// backend is the platform that it names.
type backend string

var _ interface {
	xla.FlagBackend
	xla.Preloader
} = backend("")

func (b backend) Open() (xla.Client, error) {
	c, err := Open(string(b))
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (b backend) Preload() error { return Preload(string(b)) }

func (b backend) TryFlags(ctx context.Context, value string) error {
	return TryFlags(ctx, string(b), value)
}

func (b backend) FlagTable(ctx context.Context) ([]flags.Flag, error) {
	return FlagTable(ctx, string(b))
}

// FlagNames gives the compile options that the plugin file describes.
func (b backend) FlagNames() []flags.Flag {
	path, err := PluginFile(string(b))
	if err != nil {
		return nil
	}
	// A file without a description gives no advice.
	schema, _ := flags.Schema(path)
	return schema
}

// quietLog hides XLA's INFO lines, as jaxlib does, unless the user has chosen a
// level. XLA reads the variable when its first line is due.
func quietLog() {
	const level = "TF_CPP_MIN_LOG_LEVEL"
	if _, set := os.LookupEnv(level); !set {
		// It fails for malformed names only.
		_ = os.Setenv(level, "1")
	}
}

// Preload loads the platform's plugin file into the process without making a
// client: it reads no flags, and takes 10 to 16 ms off the first compilation.
func Preload(platform string) error {
	_, err := load(platform)
	return err
}

// load finds and loads the plugin of a platform. gopjrt keeps it loaded.
func load(platform string) (*gopjrt.Plugin, error) {
	path, err := PluginFile(platform)
	if err != nil {
		return nil, err
	}
	return loadFile(path)
}

// PluginFile is the file of the plugin that Open would use.
func PluginFile(platform string) (string, error) {
	found, err := plugin.Find(platform)
	if err != nil {
		var none *plugin.NotFoundError
		if errors.As(err, &none) {
			return "", &xla.NoPluginError{Platform: platform, Searched: none.Searched}
		}
		return "", err
	}
	return found.Path, nil
}

// loadFile loads a plugin by its absolute path: gopjrt's own search does not
// know all file names.
func loadFile(path string) (*gopjrt.Plugin, error) {
	if err := plugin.Whole(path); err != nil {
		return nil, fmt.Errorf("load PJRT plugin: %w", err)
	}
	p, err := gopjrt.GetPlugin(path)
	if err != nil {
		return nil, fmt.Errorf("load PJRT plugin %s: %w", path, cause(err))
	}
	return p, nil
}

// probeTimeout bounds the child process that tries XLA_FLAGS.
const probeTimeout = 20 * time.Second

// Open makes a new client of a platform, with as many CPU devices as XLA_FLAGS
// asks for (default one, as in JAX). XLA ends the process when XLA_FLAGS is
// wrong, so a child process tries them first.
func Open(platform string) (*Client, error) {
	path, err := PluginFile(platform)
	if err != nil {
		return nil, err
	}
	return OpenFile(platform, path)
}

// OpenFile makes a new client of a platform with the plugin file at path.
func OpenFile(platform, path string) (*Client, error) {
	row, ok := plugin.Lookup(platform)
	if !ok {
		return nil, xla.Errorf(xla.NotFound, "unknown platform %q", platform)
	}
	xlaFlags := os.Getenv("XLA_FLAGS")
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	if err := tryFlags(ctx, path, xlaFlags); err != nil {
		return nil, err
	}
	p, err := loadFile(path)
	if err != nil {
		return nil, err
	}
	opts, err := createOptions(row, xlaFlags)
	if err != nil {
		return nil, err
	}
	c, err := p.NewClient(opts)
	if err != nil {
		return nil, statusOf(err)
	}
	return newClient(row, p, c, xlaFlags)
}

// deviceCountFlag is read by us: the CPU plugin ignores it and would make
// four devices.
const deviceCountFlag = "xla_force_host_platform_device_count"

func deviceCount(xlaFlags string) int {
	n := 1
	for _, f := range flags.ParseEnv(xlaFlags) {
		if f.Name == deviceCountFlag {
			if k, err := strconv.Atoi(f.Value); err == nil && k >= 1 {
				n = k
			}
		}
	}
	return n
}

// version gives the plugin's PJRT C API version, "0.106".
func version(p *gopjrt.Plugin) string {
	major, minor := p.Version()
	return fmt.Sprintf("%d.%d", major, minor)
}
