package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gopherlo/install"
	"gopherlo/kernel"
	"gopherlo/kernel/language"
	"gopherlo/kernel/worker"
	"gopherlo/xla"
	"gopherlo/xla/pjrt"
)

const doctorUsage = `usage: gopherlo doctor

Checks platform, limits, Jupyter, kernelspecs, XLA_FLAGS, the plugin (with a
numeric self-test), cache and history, starts a kernel and runs a cell. Every
finding comes with its fix; the exit code is 1 when something fails.
`

// doctorCommand prints what was checked and found, with the fix for each
// finding that is not well. It fails when a check does.
func doctorCommand(args []string) int {
	set := newFlags("doctor", doctorUsage)
	if status, ok := parse(set, args); !ok {
		return status
	}
	for _, line := range install.Versions() {
		fmt.Println("      " + line)
	}
	if !install.Doctor(os.Stdout, flagChecks, pluginChecks, folderChecks, kernelChecks) {
		return 1
	}
	return 0
}

// pluginChecks looks for the CPU plugin and runs the numeric self-test on it.
func pluginChecks() []install.Check {
	check := install.Check{Name: "plugin cpu"}
	path, err := pjrt.PluginFile("cpu")
	if err != nil {
		check.Level, check.Found = install.Warning, err.Error()
		check.Fix = "run `gopherlo plugin install cpu`; until then programs can be traced and shown, not run"
		return []install.Check{check}
	}
	check.Found = path
	wrong, err := childSelfTest(context.Background(), "cpu", path)
	switch {
	case err != nil:
		check.Level = install.Failure
		check.Found += ": " + err.Error()
	case len(wrong) > 0:
		check.Level = install.Failure
		check.Found += " computes wrong results: " + strings.Join(wrong, "; ")
	default:
		check.Found += ", self-test passed"
		return []install.Check{check}
	}
	check.Fix = "install it again or take another one of `gopherlo plugin list`"
	return []install.Check{check}
}

// flagChecks tries XLA_FLAGS: XLA ends the process on a bad value. The checks
// after it then go on without the variable.
func flagChecks() []install.Check {
	value, set := os.LookupEnv("XLA_FLAGS")
	if !set {
		return nil
	}
	check := install.Check{Name: "XLA_FLAGS", Found: value}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var none *xla.NoPluginError
	switch err := xla.TryFlags(ctx, "cpu", value); {
	case errors.As(err, &none):
		return nil
	case err != nil:
		check.Level, check.Found = install.Failure, value+": "+err.Error()
		os.Unsetenv("XLA_FLAGS")
		check.Fix = "correct or unset XLA_FLAGS; `gopherlo flags` lists the names"
	}
	return []install.Check{check}
}

// folderChecks looks at the folders that the kernel writes to.
func folderChecks() []install.Check {
	cache := install.Check{Name: "cache"}
	switch c, err := openCache(); {
	case err != nil:
		cache.Level, cache.Found = install.Warning, err.Error()
		cache.Fix = "programs are compiled again in each session; name another folder in " + envCache + ", or \"off\""
	case c == nil:
		cache.Found = "off (" + envCache + ")"
	default:
		s, err := c.Stats()
		c.Close()
		if err != nil {
			cache.Level, cache.Found, cache.Fix = install.Warning, err.Error(), "run `gopherlo cache clear`"
			break
		}
		cache.Found = fmt.Sprintf("%s, %d executables, %d MB", s.Dir, s.Entries, s.Bytes>>20)
	}
	history := install.Check{Name: "history", Found: "none"}
	if dir := new(kernelFlags).historyDir(); dir != "" {
		history.Found = dir
		if err := writable(dir); err != nil {
			history.Level, history.Found = install.Warning, err.Error()
			history.Fix = "make it writable, or give the kernelspec --history-dir or --no-history"
		}
	}
	return []install.Check{cache, history}
}

// writable makes the folder, if need be, and a file in it.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// kernelChecks starts a kernel as Jupyter does, and a worker that runs a cell.
func kernelChecks() []install.Check {
	return []install.Check{portsCheck(), workerCheck()}
}

func portsCheck() install.Check {
	check := install.Check{Name: "kernel", Found: "five channels opened on loopback"}
	dir, err := os.MkdirTemp("", "gopherlo-doctor-")
	if err == nil {
		defer os.RemoveAll(dir)
		f := kernelFlags{file: filepath.Join(dir, "connection.json"), logLevel: "off", historyOff: true}
		var opts kernel.Options
		if opts, err = f.options(); err == nil {
			var k *kernel.Kernel
			if k, err = kernel.Start(opts); err == nil {
				k.Close()
				return check
			}
		}
	}
	check.Level, check.Found = install.Failure, err.Error()
	check.Fix = "the kernel needs TCP on 127.0.0.1 and a writable temporary folder (TMPDIR)"
	return check
}

func workerCheck() install.Check {
	check := install.Check{Name: "worker", Fix: "report this with the lines above; `gopherlo worker` must be able to start"}
	var out cellOutput
	sup := worker.New(worker.Options{}, &out)
	defer sup.Close()
	start := time.Now()
	done, err := sup.Execute(language.Request{Code: `fmt.Println(6 * 7)`, Count: 1, Cell: 1}, func() {})
	switch {
	case err != nil:
		check.Level, check.Found = install.Failure, err.Error()
	case done.Error != nil:
		check.Level, check.Found = install.Failure, "a cell failed: "+done.Error.Name+": "+done.Error.Value
	case out.text() != "42\n":
		check.Level, check.Found = install.Failure, fmt.Sprintf("a cell printed %q instead of 42", out.text())
	default:
		check.Found = fmt.Sprintf("started and ran a cell in %d ms", time.Since(start).Milliseconds())
	}
	return check
}

// cellOutput gathers what a cell prints.
type cellOutput struct {
	mu sync.Mutex
	b  []byte
}

var _ worker.Sink = (*cellOutput)(nil)

func (o *cellOutput) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.b)
}

// Stream implements [worker.Sink]. The other outputs are not looked at.
func (o *cellOutput) Stream(_ int64, _ string, text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.b = append(o.b, text...)
}

func (*cellOutput) Native(string, []byte)                                            {}
func (*cellOutput) Output(int64, string, json.RawMessage, json.RawMessage, [][]byte) {}
func (*cellOutput) Input(int64, json.RawMessage)                                     {}
func (*cellOutput) Died(*worker.Death)                                               {}
func (*cellOutput) Journal(int64) []language.Past                                    { return nil }
func (*cellOutput) Forget()                                                          {}

// AutoReplay implements [worker.Sink].
func (*cellOutput) AutoReplay(bool) {}
