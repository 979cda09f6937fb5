// Package diskcache keeps compiled executables on disk from one process to the
// next. An entry is native code that a later process runs, so the folder must
// be the user's own and closed to others; a damaged, foreign or half-written
// entry is a miss. Several processes may use one folder at once.
//
//	c, err := diskcache.Open(dir, diskcache.DefaultLimit)
//	data, ok := c.Load(key)        // verified by checksum
//	err = c.Store(key, data)       // whole or not at all
//
// The key must name all that decides whether the code fits: [KeyOf].
package diskcache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// DefaultLimit bounds the folder's size.
const DefaultLimit = 2 << 30

// maxEntry bounds one entry.
const maxEntry = 1 << 30

// Names in the folder: KEY.exe is an entry; KEY.try says that a process is
// about to run a loaded entry for the first time.
const (
	entrySuffix = ".exe"
	trySuffix   = ".try"
	tempPrefix  = ".tmp-"
)

// magic begins each entry; it changes with the format.
var magic = []byte("GPHLXC1\n")

// Key names one executable.
type Key [sha256.Size]byte

// String is the key in hex.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// KeyOf hashes the parts, so that different lists give different keys.
func KeyOf(parts ...[]byte) (k Key) {
	h := sha256.New()
	var size [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write(p)
	}
	copy(k[:], h.Sum(nil))
	return k
}

// Cache is an open folder. It is safe for concurrent use.
type Cache struct {
	root  *os.Root
	dir   string
	limit int64

	hits, misses, stored atomic.Int64
}

// UnsafeError says why a folder is not used.
type UnsafeError struct{ Path, Reason string }

// Error names the folder and the fault.
func (e *UnsafeError) Error() string {
	return fmt.Sprintf("executable cache off: %s %s", e.Path, e.Reason)
}

// DefaultDir is the folder in the user's cache folder.
func DefaultDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "gopherlo", "executables"), nil
}

// Open opens the folder dir, making it when there is none. It gives an
// *UnsafeError unless the folder and its parent are folders, no symbolic
// links, and the user's own, and others cannot write them.
func Open(dir string, limit int64) (*Cache, error) {
	if !filepath.IsAbs(dir) {
		return nil, &UnsafeError{dir, "is not an absolute path"}
	}
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	parent := filepath.Dir(dir)
	if err := checkFolder(parent, 0o022); err != nil {
		return nil, err
	}
	if err := checkFolder(dir, 0o077); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	// What was opened is what was checked.
	opened, err1 := root.Stat(".")
	seen, err2 := os.Lstat(dir)
	if err := errors.Join(err1, err2); err != nil || !os.SameFile(opened, seen) {
		return nil, errors.Join(err, root.Close(), &UnsafeError{dir, "changed while it was opened"})
	}
	return &Cache{root: root, dir: dir, limit: limit}, nil
}

func checkFolder(path string, forbidden fs.FileMode) error {
	st, err := os.Lstat(path)
	if err != nil {
		return err
	}
	switch {
	case st.Mode()&fs.ModeSymlink != 0:
		return &UnsafeError{path, "is a symbolic link"}
	case !st.IsDir():
		return &UnsafeError{path, "is no folder"}
	case !owned(st):
		return &UnsafeError{path, "belongs to another user"}
	case st.Mode().Perm()&forbidden != 0:
		return &UnsafeError{path, fmt.Sprintf("has mode %#o: others have access (chmod 700)", st.Mode().Perm())}
	}
	return nil
}

func owned(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

// Dir is the folder.
func (c *Cache) Dir() string { return c.dir }

// Close closes the folder.
func (c *Cache) Close() error { return c.root.Close() }

// Load reads an entry. Whatever is wrong with it makes it a miss, and it is
// removed; so is one whose first run a process has not survived.
func (c *Cache) Load(k Key) ([]byte, bool) {
	name := k.String() + entrySuffix
	if c.killedOne(k) {
		c.drop(k)
		c.misses.Add(1)
		return nil, false
	}
	data, err := c.read(name, k)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.drop(k)
		}
		c.misses.Add(1)
		return nil, false
	}
	now := time.Now()
	_ = c.root.Chtimes(name, now, now) // only the order of eviction hangs on it
	c.hits.Add(1)
	return data, true
}

func (c *Cache) read(name string, k Key) ([]byte, error) {
	f, err := c.root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := len(magic) + 2*sha256.Size
	if !st.Mode().IsRegular() || !owned(st) || st.Mode().Perm()&0o077 != 0 || st.Size() < int64(head) || st.Size() > maxEntry {
		return nil, errors.New("not an entry of ours")
	}
	data := make([]byte, st.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	body := data[head:]
	sum := sha256.Sum256(body)
	if !bytes.HasPrefix(data, magic) || !bytes.Equal(data[len(magic):][:sha256.Size], k[:]) ||
		!bytes.Equal(data[len(magic)+sha256.Size:head], sum[:]) {
		return nil, errors.New("damaged")
	}
	return body, nil
}

// Store writes an entry under a name of its own first, so that no reader ever
// sees half of it, and makes room when the folder is over its limit.
func (c *Cache) Store(k Key, data []byte) error {
	if int64(len(data)) > min(maxEntry, c.limit)/2 {
		return nil // one entry shall not push all others out
	}
	sum := sha256.Sum256(data)
	tmp := fmt.Sprintf("%s%d-%d", tempPrefix, os.Getpid(), time.Now().UnixNano())
	f, err := c.root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{magic, k[:], sum[:], data} {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = c.root.Rename(tmp, k.String()+entrySuffix)
	}
	if err != nil {
		return errors.Join(err, c.root.Remove(tmp))
	}
	c.stored.Add(1)
	return c.trim()
}

// drop removes an entry and its mark.
func (c *Cache) drop(k Key) {
	_ = c.root.Remove(k.String() + entrySuffix)
	_ = c.root.Remove(k.String() + trySuffix)
}

// Drop removes an entry that turned out not to load.
func (c *Cache) Drop(k Key) { c.drop(k) }

// Trying notes that this process is about to run a loaded entry for the first
// time; done takes the note away. When the process dies in between, say by an
// instruction that this CPU lacks, the next Load drops the entry.
func (c *Cache) Trying(k Key) (done func()) {
	name := k.String() + trySuffix
	f, err := c.root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return func() {}
	}
	_, err = f.WriteString(strconv.Itoa(os.Getpid()))
	if errors.Join(err, f.Close()) != nil {
		_ = c.root.Remove(name)
	}
	return func() { _ = c.root.Remove(name) }
}

// killedOne says whether a process that is gone was trying the entry.
func (c *Cache) killedOne(k Key) bool {
	text, err := c.root.ReadFile(k.String() + trySuffix)
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 0 {
		return true
	}
	return pid != os.Getpid() && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// Stats counts the entries of the folder and what this process did.
type Stats struct {
	Dir                  string
	Entries              int
	Bytes, Limit         int64
	Hits, Misses, Stored int64
}

// Stats reads the folder.
func (c *Cache) Stats() (Stats, error) {
	s := Stats{Dir: c.dir, Limit: c.limit, Hits: c.hits.Load(), Misses: c.misses.Load(), Stored: c.stored.Load()}
	files, err := c.files()
	for _, f := range files {
		if strings.HasSuffix(f.Name(), entrySuffix) {
			s.Entries++
			s.Bytes += f.Size()
		}
	}
	return s, err
}

// Clear removes every entry, also of other versions.
func (c *Cache) Clear() error {
	files, err := c.files()
	for _, f := range files {
		if rm := c.root.Remove(f.Name()); rm != nil && !errors.Is(rm, fs.ErrNotExist) {
			err = errors.Join(err, rm)
		}
	}
	return err
}

// files lists what is ours in the folder.
func (c *Cache) files() ([]fs.FileInfo, error) {
	entries, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var out []fs.FileInfo
	for _, e := range entries {
		n := e.Name()
		if !strings.HasSuffix(n, entrySuffix) && !strings.HasSuffix(n, trySuffix) && !strings.HasPrefix(n, tempPrefix) {
			continue
		}
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() { // another process may have removed it
			out = append(out, st)
		}
	}
	return out, nil
}

// staleTemp is how old a half-written file is when its writer must have died.
const staleTemp = time.Hour

// trim removes the entries unused for longest until a tenth of the limit is
// free again, and what killed writers left.
func (c *Cache) trim() error {
	files, err := c.files()
	if err != nil {
		return err
	}
	var total int64
	for _, f := range files {
		total += f.Size()
		if strings.HasPrefix(f.Name(), tempPrefix) && time.Since(f.ModTime()) > staleTemp {
			_ = c.root.Remove(f.Name())
		}
	}
	if total <= c.limit {
		return nil
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, f := range files {
		if total <= c.limit-c.limit/10 {
			break
		}
		if strings.HasSuffix(f.Name(), entrySuffix) {
			if rm := c.root.Remove(f.Name()); rm == nil || errors.Is(rm, fs.ErrNotExist) {
				total -= f.Size()
			}
		}
	}
	return nil
}
