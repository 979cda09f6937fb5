package diskcache

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, limit int64) *Cache {
	t.Helper()
	dir := filepath.Join(privateTemp(t), "gopherlo", "executables")
	c, err := Open(dir, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func privateTemp(t *testing.T) string {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestStoreAndLoad(t *testing.T) {
	c := open(t, DefaultLimit)
	k, other := KeyOf([]byte("a"), []byte("b")), KeyOf([]byte("ab"))
	if k == other {
		t.Error("keys do not tell parts apart")
	}
	if _, ok := c.Load(k); ok {
		t.Error("hit in an empty cache")
	}
	data := bytes.Repeat([]byte("code"), 1000)
	if err := c.Store(k, data); err != nil {
		t.Fatal(err)
	}
	if got, ok := c.Load(k); !ok || !bytes.Equal(got, data) {
		t.Errorf("got %d bytes, %v", len(got), ok)
	}
	if _, ok := c.Load(other); ok {
		t.Error("hit for another key")
	}
	s, err := c.Stats()
	if err != nil || s.Entries != 1 || s.Hits != 1 || s.Misses != 2 || s.Stored != 1 {
		t.Errorf("stats %+v, %v", s, err)
	}
	if err := c.Clear(); err != nil {
		t.Error(err)
	}
	if s, err := c.Stats(); err != nil || s.Entries != 0 {
		t.Errorf("after clear %+v, %v", s, err)
	}
}

func TestBadEntriesAreMisses(t *testing.T) {
	k := KeyOf([]byte("k"))
	secret := filepath.Join(t.TempDir(), "elsewhere")
	for name, spoil := range map[string]func(path string) error{
		"truncated": func(p string) error { return os.Truncate(p, 50) },
		"empty":     func(p string) error { return os.Truncate(p, 0) },
		"flipped": func(p string) error {
			b, err := os.ReadFile(p)
			b[len(b)-1] ^= 1
			return errors.Join(err, os.WriteFile(p, b, 0o600))
		},
		"other key": func(p string) error {
			b, err := os.ReadFile(p)
			b[len(magic)] ^= 1
			return errors.Join(err, os.WriteFile(p, b, 0o600))
		},
		"readable by others": func(p string) error { return os.Chmod(p, 0o644) },
		"symlink": func(p string) error {
			b, err := os.ReadFile(p)
			return errors.Join(err, os.WriteFile(secret, b, 0o600), os.Remove(p), os.Symlink(secret, p))
		},
		"folder": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
	} {
		c := open(t, DefaultLimit)
		if err := c.Store(k, []byte("some code of more than fifty bytes, or it could not be cut")); err != nil {
			t.Fatal(err)
		}
		if err := spoil(filepath.Join(c.Dir(), k.String()+entrySuffix)); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Load(k); ok {
			t.Errorf("%s: hit", name)
		}
		if err := c.Store(k, []byte("new")); err != nil {
			t.Errorf("%s: store again: %v", name, err)
		}
		if got, ok := c.Load(k); !ok || string(got) != "new" {
			t.Errorf("%s: not replaced", name)
		}
	}
}

func TestUnsafeFolders(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(dir string) error
		want    string
	}{
		"open to others": {func(d string) error { return errors.Join(os.MkdirAll(d, 0o700), os.Chmod(d, 0o755)) }, "others have access"},
		"open parent":    {func(d string) error { return errors.Join(os.MkdirAll(d, 0o700), os.Chmod(filepath.Dir(d), 0o777)) }, "others have access"},
		"symlink":        {func(d string) error { return errors.Join(os.MkdirAll(d+"x", 0o700), os.Symlink(d+"x", d)) }, "symbolic link"},
		"parent symlink": {func(d string) error {
			p := filepath.Dir(d)
			return errors.Join(os.MkdirAll(p+"x", 0o700), os.Symlink(p+"x", p))
		}, "symbolic link"},
	} {
		dir := filepath.Join(privateTemp(t), "a", "b")
		if err := test.prepare(dir); err != nil {
			// Where the parent is missing, make it first.
			if err := errors.Join(os.MkdirAll(filepath.Dir(dir), 0o700), test.prepare(dir)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Open(dir, DefaultLimit)
		var unsafe *UnsafeError
		if !errors.As(err, &unsafe) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open("relative/dir", DefaultLimit); err == nil {
		t.Error("relative path")
	}
}

func TestLimit(t *testing.T) {
	c := open(t, 10_000)
	for i := range 30 {
		k := KeyOf([]byte{byte(i)})
		if err := c.Store(k, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(time.Duration(i-100) * time.Minute)
		if err := os.Chtimes(filepath.Join(c.Dir(), k.String()+entrySuffix), old, old); err != nil && i < 29 {
			t.Fatal(err)
		}
	}
	s, err := c.Stats()
	if err != nil || s.Bytes > 10_000 || s.Entries < 5 {
		t.Errorf("stats %+v, %v", s, err)
	}
	if _, ok := c.Load(KeyOf([]byte{29})); !ok {
		t.Error("the newest entry is gone")
	}
	if _, ok := c.Load(KeyOf([]byte{0})); ok {
		t.Error("the oldest entry is still there")
	}
	if err := c.Store(KeyOf([]byte("huge")), make([]byte, 9000)); err != nil {
		t.Error(err)
	}
	if _, ok := c.Load(KeyOf([]byte("huge"))); ok {
		t.Error("one entry may take the whole cache")
	}
}

func TestEntryThatKillsIsDropped(t *testing.T) {
	c := open(t, DefaultLimit)
	k := KeyOf([]byte("k"))
	if err := c.Store(k, []byte("x")); err != nil {
		t.Fatal(err)
	}
	done := c.Trying(k)
	if _, ok := c.Load(k); !ok {
		t.Error("dropped while its process lives")
	}
	done()
	c.Trying(k)
	// As if another process had written it and died.
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	dead := strconv.Itoa(cmd.Process.Pid)
	if err := os.WriteFile(filepath.Join(c.Dir(), k.String()+trySuffix), []byte(dead), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Load(k); ok {
		t.Error("an entry that killed its process is used again")
	}
}

// TestSeveralProcesses hammers one folder through several open caches, as
// kernels do.
func TestSeveralUsers(t *testing.T) {
	first := open(t, 40_000)
	var wg sync.WaitGroup
	for g := range 4 {
		c, err := Open(first.Dir(), 40_000)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		wg.Go(func() {
			for i := range 100 {
				id := []byte(fmt.Sprint((i*7 + g) % 20))
				k := KeyOf(id)
				if got, ok := c.Load(k); ok {
					if !bytes.Equal(got, bytes.Repeat(id, 500)) {
						t.Errorf("wrong data for %s", id)
					}
				} else if err := c.Store(k, bytes.Repeat(id, 500)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if s, err := first.Stats(); err != nil || s.Entries == 0 {
		t.Errorf("stats %+v, %v", s, err)
	}
}

func TestCPU(t *testing.T) {
	if len(CPU()) == 0 || !bytes.Equal(CPU(), CPU()) {
		t.Error("no stable name of the processor")
	}
}
