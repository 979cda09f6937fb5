package core

import (
	"os"
	"strings"
	"sync/atomic"
)

var x64 atomic.Bool

func init() {
	switch strings.ToLower(os.Getenv("JAX_ENABLE_X64")) {
	case "1", "true", "t", "yes", "y", "on":
		x64.Store(true)
	}
}

// X64 tells whether 64-bit types are kept (jax_enable_x64); off by default.
func X64() bool { return x64.Load() }

// SetX64 switches 64-bit types on or off.
func SetX64(on bool) { x64.Store(on) }
