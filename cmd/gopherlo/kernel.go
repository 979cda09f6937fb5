package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"gopherlo/display"
	"gopherlo/install"
	"gopherlo/internal/resident"
	"gopherlo/interp"
	"gopherlo/kernel"
	"gopherlo/kernel/transport"
	"gopherlo/kernel/worker"
	"gopherlo/xla"
	"gopherlo/xla/plugin"
)

// kernelFlags are the flags of `gopherlo kernel`.
type kernelFlags struct {
	file, logLevel, history string
	remote, unsigned        bool
	grace, idle             time.Duration
	memoryMB                int64
	historyOff, replay      bool
	limits                  limitFlag
	address                 transport.Address
}

// limitFlag gathers --limit NAME=VALUE.
type limitFlag []func(*transport.Limits) error

func (l *limitFlag) String() string { return "" }

func (l *limitFlag) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	*l = append(*l, func(limits *transport.Limits) error { return limits.Set(name, value) })
	return (*l)[len(*l)-1](new(transport.Limits)) // a mistake is told at once
}

// memoryLimit is the bytes that the worker may have. Without a limit a cell that
// fills the memory would stop the machine, or get the kernel killed.
func (k *kernelFlags) memoryLimit() int64 {
	if k.memoryMB < 0 {
		return resident.Memory() / 10 * 9
	}
	return k.memoryMB << 20
}

func (k *kernelFlags) define(set *flag.FlagSet) {
	set.StringVar(&k.file, "f", "", "connection file (required); written when it does not exist")
	set.StringVar(&k.address.IP, "ip", "", "`address` to listen on where there is no connection file yet (default 127.0.0.1)")
	for name, port := range map[string]*int{
		"shell": &k.address.Shell, "iopub": &k.address.IOPub, "stdin": &k.address.Stdin, "control": &k.address.Control, "hb": &k.address.HB,
	} {
		set.IntVar(port, name, 0, "`port` of the "+name+" channel where there is no connection file yet; 0 is a free one")
	}
	set.BoolVar(&k.remote, "allow-remote", false, "listen on addresses that other machines can reach")
	set.BoolVar(&k.unsigned, "allow-unsigned", false, "serve without a key")
	set.DurationVar(&k.grace, "interrupt-grace", worker.DefaultGrace, "how long an interrupted cell may stay in native code before its worker is killed")
	set.Int64Var(&k.memoryMB, "memory-limit", -1, "end the worker when it uses more `MB` of memory; 0 is no limit, -1 nine tenths of what the machine or its control group has")
	set.DurationVar(&k.idle, "idle-timeout", 0, "end the kernel when nothing has run for this long; 0 is never")
	set.StringVar(&k.history, "history-dir", "", "folder of the input history; default: the user's data folder")
	set.BoolVar(&k.historyOff, "no-history", false, "keep no history on disk")
	set.BoolVar(&k.replay, "auto-replay", false, "after the worker has died, run the cells before the failed one again before the next")
	set.Var(&k.limits, "limit", "`NAME=VALUE` of what clients may make the kernel hold, such as PEERS=64; may be given more than once")
	set.StringVar(&k.logLevel, "log-level", "off", "off, error, warn, info or debug; to stderr")
}

const kernelUsage = `usage: gopherlo kernel -f FILE [flags]

Serves one Jupyter kernel on the addresses in the connection file FILE, as Jupyter
starts it by the kernelspec. Where there is no FILE yet, an address (loopback, or
--ip and the ports given) and a key are chosen and written to it.
`

// kernelProcessors is how many processors the kernel's goroutines use. They hand
// each message on to the next, and on more than one each hand-over wakes a
// thread, which takes longer than what is then done. The worker has them all.
const kernelProcessors = 1

// kernelRoom lets the heap of the kernel, of which three megabytes are in use, grow to
// some twenty: there is a collection in 700 cells, not in 150.
const kernelRoom = 8 << 20

// kernelCommand serves one Jupyter kernel.
func kernelCommand(args []string) int {
	set := newFlags("kernel", kernelUsage)
	var f kernelFlags
	f.define(set)
	if status, ok := parse(set, args); !ok {
		return status
	}
	opts, err := f.options()
	if err != nil {
		fmt.Fprintf(os.Stderr, "gopherlo kernel: %v\n", err)
		return 2
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(kernelProcessors)
	}
	resident.Room(kernelRoom)
	k, err := kernel.Start(opts)
	if err != nil {
		return fail("kernel", err)
	}
	defer k.Close()
	serveSignals(k)
	return 0
}

// serveSignals waits for the end of the kernel: SIGINT interrupts the cell,
// SIGTERM and SIGHUP end the kernel in order.
func serveSignals(k *kernel.Kernel) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range signals {
			if s == syscall.SIGINT {
				k.Interrupt()
				continue
			}
			cancel()
		}
	}()
	k.Wait(ctx)
}

// options turns flags into the kernel's options.
func (k *kernelFlags) options() (kernel.Options, error) {
	if k.file == "" {
		return kernel.Options{}, errors.New("which connection file? Use -f FILE; Jupyter does so by itself")
	}
	log, err := logger(k.logLevel, os.Stderr)
	if err != nil {
		return kernel.Options{}, err
	}
	limits, err := transport.LimitsFromEnv()
	if err != nil {
		return kernel.Options{}, err
	}
	for _, set := range k.limits {
		if err := set(&limits); err != nil {
			return kernel.Options{}, err
		}
	}
	session := k.sessionDir()
	rest := new(resident.Rest)
	var env []string
	if session != "" {
		env = []string{interp.SessionDir + "=" + session}
	}
	return kernel.Options{
		ConnectionFile: k.file,
		Address:        k.address,
		Policy:         transport.Policy{Remote: k.remote, Unsigned: k.unsigned},
		Limits:         limits,
		Text:           interp.Text{},
		Worker:         worker.Options{MemoryLimit: k.memoryLimit(), Grace: k.grace, Env: env, Careful: []string{envPreload + "=off"}},
		Implementation: "gopherlo",
		Version:        install.Version,
		HistoryDir:     k.historyDir(),
		SessionDir:     session,
		AutoReplay:     k.replay,
		Subshells:      true,
		BesideComms:    display.WidgetTargets,
		NativeFilter:   nativeFilter(),
		Activity:       rest.Activity,
		IdleTimeout:    k.idle,
		Log:            log,
	}, nil
}

// noHome is what gopjrt logs where there is no home directory.
const noHome = "it won't be searched for PJRT plugins"

// nativeFilter drops what XLA is known to log without need.
func nativeFilter() func(string, []byte) bool {
	var mu sync.Mutex
	var filter xla.LogFilter
	return func(name string, line []byte) bool {
		mu.Lock()
		defer mu.Unlock()
		return name == "stderr" && (filter.Drop(line) || bytes.Contains(line, []byte(noHome)))
	}
}

// sessionDir is where the session's journal and checkpoints go: beside the
// history, under a name that a restarted kernel finds again.
func (k *kernelFlags) sessionDir() string {
	history := k.historyDir()
	file, err := filepath.Abs(k.file)
	if history == "" || err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(file))
	return filepath.Join(filepath.Dir(history), "sessions", hex.EncodeToString(sum[:8]))
}

// historyDir is where the history goes, "" for nowhere.
func (k *kernelFlags) historyDir() string {
	if k.historyOff || k.history != "" {
		return k.history
	}
	if root := plugin.DataRoot(); root != "" {
		return filepath.Join(root, "history")
	}
	return ""
}

// logger makes the log of a level's name. It never gets keys or user data.
func logger(level string, w io.Writer) (*slog.Logger, error) {
	if level == "off" {
		return slog.New(slog.DiscardHandler), nil
	}
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log level %q is not one of off, error, warn, info, debug", level)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})), nil
}
