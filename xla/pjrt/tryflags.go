//go:build cgo

package pjrt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"gopherlo/xla/flags"
)

// envProbe makes a process of any binary that holds this package load the
// plugin it names, make a client, which reads XLA_FLAGS, and exit.
const envProbe = "GOPHERLO_PJRT_PROBE"

// exitLoad is the exit status of a probe that could not load its plugin; a bad
// flag gives 1, which is XLA's.
const exitLoad = 3

// probeChild is called first of all in this package's init.
func probeChild() {
	path := os.Getenv(envProbe)
	if path == "" {
		return
	}
	p, err := loadFile(path)
	if err == nil {
		_, err = p.NewClient(nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitLoad) //nolint:forbidigo // this process is a probe, whatever binary it is
	}
	os.Exit(0) //nolint:forbidigo // the same
}

// good remembers the flags that were tried and found good.
var good struct {
	sync.Mutex
	tried map[[2]string]bool // plugin path, flags
}

// TryFlags makes a client with the value of XLA_FLAGS in a child process, as
// XLA ends a process whose flags are wrong. It gives nil, or a *flags.Error
// with XLA's words.
func TryFlags(ctx context.Context, platform, xlaFlags string) error {
	path, err := PluginFile(platform)
	if err != nil {
		return err
	}
	return tryFlags(ctx, path, xlaFlags)
}

func tryFlags(ctx context.Context, path, xlaFlags string) error {
	if xlaFlags == "" {
		return nil
	}
	key := [2]string{path, xlaFlags}
	good.Lock()
	known := good.tried[key]
	good.Unlock()
	// The flags may be the name of a file, whose text can change.
	if known && strings.HasPrefix(strings.TrimSpace(xlaFlags), "--") {
		return nil
	}
	out, err := probe(ctx, path, xlaFlags)
	if err != nil {
		return err
	}
	if e := flags.Verdict(out); e != nil {
		return e
	}
	good.Lock()
	defer good.Unlock()
	if good.tried == nil {
		good.tried = map[[2]string]bool{}
	}
	good.tried[key] = true
	return nil
}

// noClientError says why a child process could make no client.
type noClientError struct{ log string }

func (e *noClientError) Error() string { return "try XLA_FLAGS in a child process: " + e.log }

// maxProbe bounds what is kept of the child's output.
const maxProbe = 1 << 20

// probe runs the child and gives its standard error; "" when it did well.
func probe(ctx context.Context, path, xlaFlags string) (string, error) {
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Env = append(without(os.Environ(), envProbe, "XLA_FLAGS"), envProbe+"="+path, "XLA_FLAGS="+xlaFlags)
	var out limited
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err == nil {
		return "", nil
	}
	var exit *exec.ExitError
	if ctx.Err() != nil || !errors.As(err, &exit) {
		return "", fmt.Errorf("try XLA_FLAGS in a child process: %w", err)
	}
	if exit.ExitCode() == exitLoad {
		return "", &noClientError{strings.TrimSpace(out.String())}
	}
	return out.String(), nil
}

// without drops variables from an environment.
func without(env []string, names ...string) []string {
	var out []string
next:
	for _, kv := range env {
		for _, n := range names {
			if strings.HasPrefix(kv, n+"=") {
				continue next
			}
		}
		out = append(out, kv)
	}
	return out
}

// limited keeps the first maxProbe bytes and takes the rest without a word.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := maxProbe - l.Len(); room > 0 {
		l.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}
