package xla

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gopherlo/xla/flags"
)

// FlagBackend is a Backend that knows its compiler's flags.
type FlagBackend interface {
	Backend
	// TryFlags tries a value of XLA_FLAGS without risk for this process. A bad
	// value gives a *flags.Error.
	TryFlags(ctx context.Context, value string) error
	// FlagTable gives all flags, sorted by name.
	FlagTable(ctx context.Context) ([]flags.Flag, error)
}

// Preloader is a Backend that can do the slow part of Open beforehand, without
// reading any flags.
type Preloader interface {
	Preload() error
}

func backend(platform string) (Backend, error) {
	platform = strings.ToLower(platform)
	registry.Lock()
	defer registry.Unlock()
	if b, ok := registry.backends[platform]; ok {
		return b, nil
	}
	return nil, &NoPluginError{Platform: platform}
}

// TryFlags tries a value of XLA_FLAGS on a platform: nil when it is good, or
// when the platform has no such flags.
func TryFlags(ctx context.Context, platform, value string) error {
	b, err := backend(platform)
	if err != nil {
		return err
	}
	if fb, ok := b.(FlagBackend); ok {
		return fb.TryFlags(ctx, value)
	}
	return nil
}

// RefusedFlags says why XLA would end the process for a value of XLA_FLAGS, and
// what to do about it; "" for a good one.
func RefusedFlags(ctx context.Context, platform, value string) string {
	var bad *flags.Error
	if err := TryFlags(ctx, platform, value); !errors.As(err, &bad) {
		return ""
	}
	text := bad.Error()
	if advice := flags.Advice(FlagNames(platform), text); advice != "" {
		text += "\n" + advice
	}
	return text
}

// FlagTable gives a platform's flags.
func FlagTable(ctx context.Context, platform string) ([]flags.Flag, error) {
	b, err := backend(platform)
	if err != nil {
		return nil, err
	}
	if fb, ok := b.(FlagBackend); ok {
		table, err := fb.FlagTable(ctx)
		return slices.Clone(table), err
	}
	return nil, Errorf(Unimplemented, "the %s backend has no flag table", platform)
}

// FlagNames gives the names and types of a platform's compile options, without
// the child processes that FlagTable asks: nil where they cannot be known.
func FlagNames(platform string) []flags.Flag {
	b, err := backend(platform)
	if err != nil {
		return nil
	}
	if n, ok := b.(interface{ FlagNames() []flags.Flag }); ok {
		return n.FlagNames()
	}
	return nil
}

// Preload loads a platform's plugin, so that the first Open is faster. It reads
// no flags.
func Preload(platform string) error {
	b, err := backend(platform)
	if err != nil {
		return err
	}
	if p, ok := b.(Preloader); ok {
		return p.Preload()
	}
	return nil
}
