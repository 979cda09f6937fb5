package rt

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"time"
	"unsafe"

	"gopherlo/internal/descendants"
)

// Functions and methods of the standard library that wait for something outside
// the process. An interrupt ends the cell's waiting; what can be told to end
// is, else it is left behind and what it gives late is dropped.

func (s *Session) waitSymbols() map[string]map[string]any {
	return map[string]map[string]any{
		"/net/http/http": {
			"Get":  func(url string) (*http.Response, error) { return s.clientGet(http.DefaultClient, url) },
			"Head": func(url string) (*http.Response, error) { return s.clientHead(http.DefaultClient, url) },
			"Post": func(url, kind string, r io.Reader) (*http.Response, error) {
				return s.clientPost(http.DefaultClient, url, kind, r)
			},
			"PostForm": func(url string, v url.Values) (*http.Response, error) {
				return s.clientPostForm(http.DefaultClient, url, v)
			},
			"ListenAndServe": func(addr string, h http.Handler) error { return s.serverListen(&http.Server{Addr: addr, Handler: h}) },
			"Serve":          func(l net.Listener, h http.Handler) error { return s.serverServe(&http.Server{Handler: h}, l) },
		},
		"/net/net": {
			"Dial": func(network, addr string) (net.Conn, error) {
				return wait2(s, nil, func() (net.Conn, error) { return net.Dial(network, addr) })
			},
			"DialTimeout": func(network, addr string, d time.Duration) (net.Conn, error) {
				return wait2(s, nil, func() (net.Conn, error) { return net.DialTimeout(network, addr, d) })
			},
			"LookupHost": func(host string) ([]string, error) {
				return wait2(s, nil, func() ([]string, error) { return net.LookupHost(host) })
			},
		},
		"/crypto/tls/tls": {
			"Dial": func(network, addr string, c *tls.Config) (*tls.Conn, error) {
				return wait2(s, nil, func() (*tls.Conn, error) { return tls.Dial(network, addr, c) })
			},
			"DialWithDialer": func(d *net.Dialer, network, addr string, c *tls.Config) (*tls.Conn, error) {
				return wait2(s, nil, func() (*tls.Conn, error) { return tls.DialWithDialer(d, network, addr, c) })
			},
		},
		"/os/os": {
			"ReadFile": func(name string) ([]byte, error) {
				return wait2(s, nil, func() ([]byte, error) { return os.ReadFile(name) })
			},
			"Open": func(name string) (*os.File, error) {
				return wait2(s, nil, func() (*os.File, error) { return os.Open(name) })
			},
			"OpenFile": func(name string, flag int, perm os.FileMode) (*os.File, error) {
				return wait2(s, nil, func() (*os.File, error) { return os.OpenFile(name, flag, perm) })
			},
		},
		"/fmt/fmt": s.scanSymbols(),
		"/io/io":   s.copySymbols(),
	}
}

// scanSymbols are those of fmt that read.
func (s *Session) scanSymbols() map[string]any {
	return map[string]any{
		"Fscan": func(r io.Reader, a ...any) (int, error) {
			return waitOn(s, r, func() (int, error) { return fmt.Fscan(r, a...) })
		},
		"Fscanf": func(r io.Reader, f string, a ...any) (int, error) {
			return waitOn(s, r, func() (int, error) { return fmt.Fscanf(r, f, a...) })
		},
		"Fscanln": func(r io.Reader, a ...any) (int, error) {
			return waitOn(s, r, func() (int, error) { return fmt.Fscanln(r, a...) })
		},
	}
}

// copySymbols are those of io that read and write until an end.
func (s *Session) copySymbols() map[string]any {
	return map[string]any{
		"ReadAll": func(r io.Reader) ([]byte, error) {
			return waitOn(s, r, func() ([]byte, error) { return io.ReadAll(s.ending(r)) })
		},
		"Copy": s.copy,
		"CopyBuffer": func(w io.Writer, r io.Reader, b []byte) (int64, error) {
			return waitOn(s, blockingOf(r, w), func() (int64, error) { return io.CopyBuffer(w, s.ending(r), b) })
		},
		"ReadFull": func(r io.Reader, b []byte) (int, error) {
			return waitOn(s, r, func() (int, error) { return io.ReadFull(s.ending(r), b) })
		},
		"ReadAtLeast": func(r io.Reader, b []byte, n int) (int, error) {
			return waitOn(s, r, func() (int, error) { return io.ReadAtLeast(s.ending(r), b, n) })
		},
		"WriteString": func(w io.Writer, text string) (int, error) {
			return waitOn(s, w, func() (int, error) { return io.WriteString(w, text) })
		},
		"CopyN": func(w io.Writer, r io.Reader, n int64) (int64, error) {
			done, err := s.copy(w, io.LimitReader(r, n))
			if done < n && err == nil {
				err = io.EOF
			}
			return done, err
		},
	}
}

// waiters are the methods that package lower calls by other names.
func (s *Session) waiters() map[string]any {
	return map[string]any{
		"CmdRun": s.cmdRun, "CmdWait": s.cmdWait, "CmdOutput": s.cmdOutput, "CmdCombined": s.cmdCombined,
		"ProcessWait": func(p *os.Process) (*os.ProcessState, error) {
			return wait2(s, func() { descendants.Kill(p.Pid) }, p.Wait)
		},
		"ClientDo": func(c *http.Client, r *http.Request) (*http.Response, error) {
			return wait2(s, nil, func() (*http.Response, error) { return c.Do(r) })
		},
		"ClientGet": s.clientGet, "ClientHead": s.clientHead, "ClientPost": s.clientPost, "ClientPostForm": s.clientPostForm,
		"ServerListen": s.serverListen, "ServerServe": s.serverServe,
		"Accept": func(l net.Listener) (net.Conn, error) {
			return wait2(s, func() { unblock(l) }, l.Accept)
		},
		"ReadPacket": func(c net.PacketConn, b []byte) (n int, from net.Addr, err error) {
			s.Wait(func() { n, from, err = c.ReadFrom(b) }, func() { unblock(c) })
			return n, from, err
		},
		"ReadOn": func(r io.Reader, b []byte) (int, error) {
			return waitOn(s, r, func() (int, error) { return r.Read(b) })
		},
		"WriteOn": func(w io.Writer, b []byte) (int, error) {
			return waitOn(s, w, func() (int, error) { return w.Write(b) })
		},
		"Scan": s.scan,
		"ReadString": func(r *bufio.Reader, c byte) (string, error) {
			return waitOn(s, r, func() (string, error) { return r.ReadString(c) })
		},
		"ReadBytes": func(r *bufio.Reader, c byte) ([]byte, error) {
			return waitOn(s, r, func() ([]byte, error) { return r.ReadBytes(c) })
		},
		"ReadSlice": func(r *bufio.Reader, c byte) ([]byte, error) {
			return waitOn(s, r, func() ([]byte, error) { return r.ReadSlice(c) })
		},
		"Discard": func(r *bufio.Reader, n int) (int, error) {
			return waitOn(s, r, func() (int, error) { return r.Discard(n) })
		},
		"Flush": func(w *bufio.Writer) error {
			_, err := waitOn(s, w, func() (struct{}, error) { return struct{}{}, w.Flush() })
			return err
		},
		"Handshake": func(c *tls.Conn) error { return s.waitErr(func() { unblock(c) }, c.Handshake) },
		"DialerDial": func(d *net.Dialer, network, addr string) (net.Conn, error) {
			return wait2(s, nil, func() (net.Conn, error) { return d.Dial(network, addr) })
		},
		"ServerListenTLS": func(h *http.Server, cert, key string) error {
			return s.waitErr(func() { _ = h.Close() }, func() error { return h.ListenAndServeTLS(cert, key) })
		},
		"ReadByte": func(r *bufio.Reader) (byte, error) { return waitOn(s, r, r.ReadByte) },
		"Peek": func(r *bufio.Reader, n int) ([]byte, error) {
			return waitOn(s, r, func() ([]byte, error) { return r.Peek(n) })
		},
		"ReadLine": func(r *bufio.Reader) (line []byte, more bool, err error) {
			more, err = waitOn(s, r, func() (more bool, err error) { line, more, err = r.ReadLine(); return more, err })
			return line, more, err
		},
		"ReadRune": func(r *bufio.Reader) (c rune, n int, err error) {
			n, err = waitOn(s, r, func() (n int, err error) { c, n, err = r.ReadRune(); return n, err })
			return c, n, err
		},
		"FlagInit": s.initFlags,
		"Decode": func(d *json.Decoder, v any) error {
			_, err := waitOn(s, d, func() (bool, error) { return true, s.decoded(v, func() error { return d.Decode(v) }) })
			return err
		},
	}
}

// wait2 runs a call that waits; leave, if there is one, ends it after an
// interrupt.
func wait2[R any](s *Session, leave func(), f func() (R, error)) (R, error) {
	type result struct {
		r   R
		err error
	}
	got := new(result) // a late result goes nowhere
	var leaves []func()
	if leave != nil {
		leaves = append(leaves, leave)
	}
	s.Wait(func() { got.r, got.err = f() }, leaves...)
	return got.r, got.err
}

// waitErr is wait2 for a call that gives an error alone.
func (s *Session) waitErr(leave func(), f func() error) error {
	_, err := wait2(s, leave, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// waitOn runs a call that reads from or writes to x, which may wait. What
// cannot wait is called as it is: that is a hundred times as fast.
func waitOn[R any](s *Session, x any, f func() (R, error)) (R, error) {
	b := blocking(x, 0)
	if b == nil {
		return f()
	}
	return wait2(s, func() { unblock(b) }, f)
}

func (s *Session) scan(x *bufio.Scanner) bool {
	ok, _ := waitOn(s, x, func() (bool, error) { return x.Scan(), nil })
	return ok
}

func (s *Session) copy(w io.Writer, r io.Reader) (int64, error) {
	return waitOn(s, blockingOf(r, w), func() (int64, error) { return io.Copy(w, s.ending(r)) })
}

// blockingOf is the one of the two ends of a copy that may keep it waiting.
func blockingOf(r io.Reader, w io.Writer) any {
	if blocking(r, 0) == nil {
		return w
	}
	return r
}

// ending is a reader that an interrupt ends, however much there is to read.
func (s *Session) ending(r io.Reader) io.Reader {
	switch r.(type) {
	case nil, *os.File, io.WriterTo: // as it is: Copy asks for it
		return r
	}
	return endingReader{r, s.stopped()}
}

type endingReader struct {
	r    io.Reader
	stop <-chan struct{}
}

func (e endingReader) Read(b []byte) (int, error) {
	select {
	case <-e.stop:
		panic(Interrupted{})
	default:
		return e.r.Read(b)
	}
}

// maxWrapped is how many readers around a reader are looked through.
const maxWrapped = 4

// blocking finds what x reads from or writes to, through buffers and decoders,
// if a call of it may wait for another process or goroutine; nil if not.
func blocking(x any, depth int) any {
	switch x := x.(type) {
	case nil, *bytes.Buffer, *bytes.Reader:
		return nil
	case *os.File:
		if x == nil || x == os.Stdin || x == os.Stdout || x == os.Stderr {
			return nil
		}
		if info, err := x.Stat(); err != nil || info.Mode().IsRegular() {
			return nil
		}
		return x
	case net.Conn, *io.PipeReader, *io.PipeWriter:
		return x
	}
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || depth == maxWrapped {
		return nil
	}
	switch v.Type().Elem().PkgPath() {
	case "net/http":
		return x // a body
	case "bufio", "io", "encoding/json", "os/exec", "os":
	default:
		return nil
	}
	for _, field := range v.Elem().Fields() { // the buffer, the decoder
		if k := field.Kind(); k != reflect.Interface && k != reflect.Pointer || field.IsNil() {
			continue
		}
		inner := reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Interface()
		if b := blocking(inner, depth+1); b != nil {
			return b
		}
	}
	return nil
}

// unblockTime is how long a call may take to see that its time is over.
const unblockTime = 50 * time.Millisecond

// unblock ends the calls that wait for x now, if it knows deadlines.
func unblock(x any) {
	d, ok := x.(interface{ SetDeadline(time.Time) error })
	if ok && d.SetDeadline(time.Unix(1, 0)) == nil {
		time.Sleep(unblockTime)
		_ = d.SetDeadline(time.Time{})
	}
}

func (s *Session) cmdRun(c *exec.Cmd) error {
	if err := c.Start(); err != nil {
		return err
	}
	return s.cmdWait(c)
}

// cmdWait is c.Wait(); an interrupt ends the process and what it has started.
func (s *Session) cmdWait(c *exec.Cmd) error {
	p := c.Process
	return s.waitErr(func() {
		if p != nil {
			descendants.Kill(p.Pid)
		}
	}, c.Wait)
}

func (s *Session) cmdOutput(c *exec.Cmd) ([]byte, error) {
	if c.Stdout != nil {
		return c.Output() // its error
	}
	var out, wrong bytes.Buffer
	c.Stdout = &out
	capture := c.Stderr == nil
	if capture {
		c.Stderr = &wrong
	}
	err := s.cmdRun(c)
	if exit, ok := err.(*exec.ExitError); ok && capture {
		exit.Stderr = wrong.Bytes()
	}
	return out.Bytes(), err
}

func (s *Session) cmdCombined(c *exec.Cmd) ([]byte, error) {
	if c.Stdout != nil || c.Stderr != nil {
		return c.CombinedOutput() // its error
	}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := s.cmdRun(c)
	return out.Bytes(), err
}

func (s *Session) clientGet(c *http.Client, url string) (*http.Response, error) {
	return wait2(s, nil, func() (*http.Response, error) { return c.Get(url) })
}

func (s *Session) clientHead(c *http.Client, url string) (*http.Response, error) {
	return wait2(s, nil, func() (*http.Response, error) { return c.Head(url) })
}

func (s *Session) clientPost(c *http.Client, url, kind string, body io.Reader) (*http.Response, error) {
	return wait2(s, nil, func() (*http.Response, error) { return c.Post(url, kind, body) })
}

func (s *Session) clientPostForm(c *http.Client, url string, v url.Values) (*http.Response, error) {
	return wait2(s, nil, func() (*http.Response, error) { return c.PostForm(url, v) })
}

func (s *Session) serverListen(h *http.Server) error {
	return s.waitErr(func() { _ = h.Close() }, h.ListenAndServe)
}

func (s *Session) serverServe(h *http.Server, l net.Listener) error {
	return s.waitErr(func() { _ = h.Close() }, func() error { return h.Serve(l) })
}
