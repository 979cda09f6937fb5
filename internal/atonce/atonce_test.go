package atonce

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// pattern is text of a length in which no part is like the next.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i * i >> 3)
	}
	return b
}

// through writes pieces on one side and reads them on the other.
func through(t *testing.T, w io.WriteCloser, r io.Reader) {
	t.Helper()
	var want []byte
	failed := make(chan error, 1)
	for _, n := range []int{1, 0, 100, bulk, bulk + 1, 7, 1 << 20, 3} {
		want = append(want, pattern(n)...)
	}
	go func() {
		defer w.Close()
		for _, n := range []int{1, 0, 100, bulk, bulk + 1, 7, 1 << 20, 3} {
			if wrote, err := w.Write(pattern(n)); wrote != n || err != nil {
				failed <- errors.Join(err, io.ErrShortWrite)
				return
			}
		}
		failed <- nil
	}()
	got, err := io.ReadAll(r)
	if err := errors.Join(err, <-failed); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes came, not as the %d that were written", len(got), len(want))
	}
}

type writeCloser struct {
	io.Writer
	io.Closer
}

func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	through(t, writeCloser{Pipe(w), w}, Pipe(r))
}

func TestWaiting(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	for _, want := range []int{0, 3, 6} {
		if n := Waiting(r.Fd()); n != want {
			t.Errorf("%d bytes wait, want %d", n, want)
		}
		if _, err := w.WriteString("abc"); err != nil {
			t.Fatal(err)
		}
	}
}

// A pipe whose reader is gone gives the error that a file gives.
func TestPipeErrors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	if _, err := Pipe(w).Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("write: %v, want EPIPE", err)
	}
	p := Pipe(w)
	_ = w.Close()
	if _, err := p.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("write to a closed pipe: %v", err)
	}
	p = Pipe(r)
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("read from a closed pipe: %v", err)
	}
}

// pair is two ends of a connection, without and with this package.
func pair(t *testing.T, network, addr string) (plain, ours net.Conn) {
	t.Helper()
	ln, err := net.Listen(network, addr)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	plain, err = net.Dial(network, ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plain.Close() })
	raw, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	ours = Conn(raw)
	if Plain(ours) != raw || Plain(raw) != raw {
		t.Error("Plain is not what Conn was given")
	}
	return plain, ours
}

func TestConn(t *testing.T) {
	for network, addr := range map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(t.TempDir(), "s")} {
		t.Run(network, func(t *testing.T) {
			plain, ours := pair(t, network, addr)
			through(t, plain, ours)
			plain, ours = pair(t, network, addr+map[string]string{"unix": "2"}[network])
			through(t, ours, plain)
		})
	}
}

func TestConnDeadline(t *testing.T) {
	_, ours := pair(t, "tcp", "127.0.0.1:0")
	_ = ours.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := ours.Read(make([]byte, 1))
	var ne net.Error
	if !errors.As(err, &ne) || !ne.Timeout() {
		t.Errorf("read: %v, want a timeout", err)
	}
	_ = ours.SetWriteDeadline(time.Now().Add(-time.Second))
	if _, err := ours.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("write: %v, want a timeout", err)
	}
	_ = ours.Close()
	if _, err := ours.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read from a closed connection: %v", err)
	}
}

// A connection that was reset says so as a connection does.
func TestConnReset(t *testing.T) {
	plain, ours := pair(t, "tcp", "127.0.0.1:0")
	_ = plain.(*net.TCPConn).SetLinger(0)
	_ = plain.Close()
	_, err := ours.Read(make([]byte, 1))
	var ne net.Error
	if !errors.Is(err, syscall.ECONNRESET) || !errors.As(err, &ne) || ne.Timeout() {
		t.Errorf("read: %v, want a reset", err)
	}
}

func TestGetwd(t *testing.T) {
	t.Chdir(t.TempDir())
	want, err := os.Getwd()
	if got := Getwd(); err != nil || got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := os.Remove(want); err != nil {
		t.Fatal(err)
	}
	if got := Getwd(); got != "" {
		t.Errorf("%q for a folder that is gone", got)
	}
	Lasting()
}
