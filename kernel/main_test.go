package kernel_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/internal/resident"
	"gopherlo/kernel"
	"gopherlo/kernel/echo"
	"gopherlo/kernel/transport"
	"gopherlo/kernel/worker"
)

// TestMain lets the test binary be the worker and, for real clients, the
// kernel: both are this program started again.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "worker":
		fail(worker.Serve(echo.New(), worker.Hooks{}))
	case len(os.Args) > 3 && os.Args[1] == "kernel":
		opts := options()
		opts.ConnectionFile = os.Args[3]
		fail(kernel.Run(context.Background(), opts))
	default:
		os.Exit(m.Run())
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func options() kernel.Options {
	rest := new(resident.Rest)
	o := kernel.Options{Activity: rest.Activity, Text: echo.Text{}, Implementation: "echo", Version: "0", Subshells: true, BesideComms: []string{"beside"}, HistoryDir: os.Getenv("ECHO_HISTORY")}
	if os.Getenv("ECHO_LOG") != "" {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return o
}

// start runs a kernel for a test and returns it with its connection.
func start(t testing.TB, change func(*kernel.Options)) (*kernel.Kernel, *transport.Connection) {
	t.Helper()
	opts := options()
	opts.ConnectionFile = filepath.Join(t.TempDir(), "kernel.json")
	if change != nil {
		change(&opts)
	}
	k, err := kernel.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	c, _, err := transport.LoadConnection(opts.ConnectionFile)
	if err != nil {
		t.Fatal(err)
	}
	return k, c
}

// connect runs a kernel and connects a front end to it.
func connect(t testing.TB) (*kernel.Kernel, *fakefrontend.Frontend) {
	t.Helper()
	k, c := start(t, nil)
	return k, fakefrontend.Connect(t, c)
}

const second = time.Second

// patience is how long the tests of faults wait for what must come. Behind a large
// fault the kernel needs seconds, and under the race detector many times as much.
const patience = time.Minute

// gate is a file that cells wait for ("await FILE", "late TEXT at FILE") and what
// makes it.
func gate(t testing.TB) (file string, open func()) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "open")
	return file, func() {
		t.Helper()
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// long skips a test that only the full run has time for.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("GOPHERLO_LONG") == "" {
		t.Skip("not run: long, set GOPHERLO_LONG=1")
	}
}

// startIPC runs a kernel on local sockets.
func startIPC(t testing.TB) (*kernel.Kernel, *transport.Connection) {
	t.Helper()
	dir := t.TempDir()
	c := &transport.Connection{Transport: "ipc", IP: filepath.Join(dir, "k"), Key: "key", SignatureScheme: "hmac-sha256"}
	c.ShellPort, c.IOPubPort, c.StdinPort, c.ControlPort, c.HBPort = 1, 2, 3, 4, 5
	file := filepath.Join(dir, "kernel.json")
	if err := c.Save(file); err != nil {
		t.Fatal(err)
	}
	return start(t, func(o *kernel.Options) { o.ConnectionFile = file })
}

// startCurve runs a kernel that encrypts. The keys are a pair of libzmq's
// zmq_curve_keypair.
func startCurve(t testing.TB) (*kernel.Kernel, *transport.Connection) {
	t.Helper()
	// An address of its own: no other program takes a port between the two uses.
	c := &transport.Connection{
		Transport: "tcp", IP: "127.0.0.3", Key: "key", SignatureScheme: "hmac-sha256",
		CurvePublicKey: "6*NchrJEWsMV:>sKU:8mk:ihPTe]8.ypsvnl?#&V", CurveSecretKey: "Kg^:6LVe8c+Q9M0r&Fq+m5Okia%2#pUiPZEC9Va(",
	}
	var taken []net.Listener
	for _, port := range []*int{&c.ShellPort, &c.IOPubPort, &c.StdinPort, &c.ControlPort, &c.HBPort} {
		l, err := net.Listen("tcp", c.IP+":0")
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, l)
		*port = l.Addr().(*net.TCPAddr).Port
	}
	for _, l := range taken {
		_ = l.Close()
	}
	file := filepath.Join(t.TempDir(), "kernel.json")
	if err := c.Save(file); err != nil {
		t.Fatal(err)
	}
	return start(t, func(o *kernel.Options) { o.ConnectionFile = file })
}

// signParts signs four parts, whatever they are.
func signParts(key string, parts ...string) [][]byte {
	mac := hmac.New(sha256.New, []byte(key))
	frames := [][]byte{[]byte("<IDS|MSG>"), nil}
	for _, p := range parts {
		mac.Write([]byte(p))
		frames = append(frames, []byte(p))
	}
	frames[1] = hex.AppendEncode(nil, mac.Sum(nil))
	return frames
}
