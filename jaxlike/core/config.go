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
func SetX64(on bool) {
	x64.Store(on)
	NewEpoch()
}

var epoch atomic.Int64

// Epoch is a number that grows whenever a setting changes on which traced and
// compiled programs depend, or such programs are forgotten; shortcuts taken in
// an older epoch are void.
func Epoch() int64 { return epoch.Load() }

// NewEpoch begins an epoch.
func NewEpoch() { epoch.Add(1) }
