package transport

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNoSockets keeps the kernel off zmq4's socket types, and zmq4 in this
// package alone: a stranger can end or freeze a process that uses them.
func TestNoSockets(t *testing.T) {
	sockets := []string{
		"NewPub", "NewSub", "NewXPub", "NewXSub", "NewRouter", "NewDealer", "NewReq", "NewRep",
		"NewPush", "NewPull", "NewPair", "Socket", "NewProxy",
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil //nolint:nilerr // not ours to judge here: the compiler will
		}
		for _, imp := range f.Imports {
			if strings.Contains(imp.Path.Value, "zmq4") && filepath.Dir(path) != "../../kernel/transport" {
				t.Errorf("%s imports zmq4", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range sockets {
			for _, end := range []string{"(", " ", ")", "\n", "{"} {
				if file != "transport_test.go" && bytes.Contains(text, []byte("zmq4."+name+end)) {
					t.Errorf("%s uses zmq4.%s", file, name)
				}
			}
		}
	}
}

func TestConnectionFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k.json")
	c, fresh, err := LoadConnection(path)
	if err != nil || !fresh || c.Key == "" {
		t.Fatalf("fresh connection: %+v, %v, %v", c, fresh, err)
	}
	c.ShellPort = 5
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	again, fresh, err := LoadConnection(path)
	if err != nil || fresh || *again != *c {
		t.Errorf("loaded %+v, %v, %v", again, fresh, err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := LoadConnection(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("malformed file: %v", err)
	}
}

func TestPolicy(t *testing.T) {
	key := Connection{Transport: "tcp", IP: "127.0.0.1", Key: "k", SignatureScheme: "hmac-sha256"}
	for name, c := range map[string]struct {
		change func(*Connection)
		policy Policy
		want   string // part of the error, "" for none
	}{
		"loopback":       {func(*Connection) {}, Policy{}, ""},
		"IPv6 loopback":  {func(c *Connection) { c.IP = "::1" }, Policy{}, ""},
		"no key":         {func(c *Connection) { c.Key = "" }, Policy{}, "--allow-unsigned"},
		"no key allowed": {func(c *Connection) { c.Key = "" }, Policy{Unsigned: true}, ""},
		"all addresses":  {func(c *Connection) { c.IP = "0.0.0.0" }, Policy{}, "--allow-remote"},
		"star":           {func(c *Connection) { c.IP = "*" }, Policy{}, "--allow-remote"},
		"remote allowed": {func(c *Connection) { c.IP = "0.0.0.0" }, Policy{Remote: true}, ""},
		"ipc":            {func(c *Connection) { c.Transport, c.Key = "ipc", "" }, Policy{}, ""},
		"transport":      {func(c *Connection) { c.Transport = "udp" }, Policy{}, "udp"},
		"scheme":         {func(c *Connection) { c.SignatureScheme = "hmac-md5" }, Policy{}, "hmac-md5"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := key
			c.change(&conn)
			err := conn.Check(c.policy)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// TestStaleIPC: a socket file that a crash left is taken over, one that is
// served is not, and others cannot reach it.
func TestStaleIPC(t *testing.T) {
	dir := t.TempDir()
	c := &Connection{Transport: "ipc", IP: filepath.Join(dir, "k")}
	ln, port, err := c.listen(0)
	if err != nil {
		t.Fatal(err)
	}
	path := c.IP + "-1"
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 || port != 1 {
		t.Errorf("socket file: %v, %v, port %d", st, err, port)
	}
	if _, _, err := c.listen(port); err == nil {
		t.Error("a served socket was taken over")
	}
	ln.(interface{ SetUnlinkOnClose(bool) }).SetUnlinkOnClose(false)
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	ln, _, err = c.listen(port)
	if err != nil {
		t.Fatalf("stale socket: %v", err)
	}
	_ = ln.Close()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.listen(port); err == nil {
		t.Error("a plain file was replaced")
	}
}

func TestLimitsFromEnv(t *testing.T) {
	t.Setenv("GOPHERLO_LIMIT_PEERS", "7")
	t.Setenv("GOPHERLO_LIMIT_STALL", "2s")
	l, err := LimitsFromEnv()
	if err != nil || l.Peers != 7 || l.Stall != 2*time.Second || l.Frame != DefaultLimits().Frame {
		t.Errorf("limits %+v, %v", l, err)
	}
	t.Setenv("GOPHERLO_LIMIT_NONE", "1")
	if _, err := LimitsFromEnv(); err == nil {
		t.Error("an unknown limit is accepted")
	}
}

func TestSetLimit(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"peers", "3", ""},
		{"STALL", "1m", ""},
		{"Frame", "1024", ""},
		{"PEERS", "x", "want a number above 0"},
		{"PEERS", "0", "want a number above 0"},
		{"FRAME", "-1", "want a number of bytes above 0"},
		{"STALL", "10", `want a time such as "10s"`},
		{"nope", "1", "there is no limit nope; there are BODYSILENCE, FRAME, FRAMES,"},
	} {
		l := DefaultLimits()
		err := l.Set(test.name, test.value)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s=%s: %v, want %q", test.name, test.value, err, test.want)
		}
		if (l == DefaultLimits()) != (test.want != "") {
			t.Errorf("%s=%s: the limits are %+v", test.name, test.value, l)
		}
	}
}

func TestBudget(t *testing.T) {
	b := newBudget(10)
	if !b.take(10, 0) || b.take(1, 10*time.Millisecond) {
		t.Error("budget does not bound")
	}
	go func() {
		time.Sleep(10 * time.Millisecond)
		b.give(10)
	}()
	if !b.take(5, time.Second) {
		t.Error("budget given back is not seen")
	}
}
