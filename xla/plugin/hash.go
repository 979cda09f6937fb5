package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// identity tells a file from another that took its place.
type identity struct {
	Dev, Ino                           uint64
	Size, MtimeSec, MtimeNsec          int64
	CtimeSec, CtimeNsec                int64
	sharedFile, sharedFolder, ownedOut bool
}

// record is a hash that was computed once and for what file.
type record struct {
	Path string
	identity
	SHA256 string
}

// recordsFile is a 0600 file in the data folder.
func recordsFile() string {
	root := DataRoot()
	if root == "" {
		return ""
	}
	return filepath.Join(root, "plugin-hashes.json")
}

// Hash is the SHA-256 of a plugin file in hex. Hashing 274 MB takes longer than
// a kernel may take to start, so the hash is remembered by the file's device,
// inode, size and times; it is computed anew when one of them differs, or when
// others can write the file or its folder.
func Hash(path string) (string, error) {
	id, err := identify(path)
	if err != nil {
		return "", err
	}
	if !id.sharedFile && !id.sharedFolder && !id.ownedOut {
		for _, r := range readRecords() {
			if r.Path == path && r.identity.same(id) {
				return r.SHA256, nil
			}
		}
	}
	sum, err := hashFile(path)
	if err != nil {
		return "", err
	}
	after, err := identify(path)
	if err != nil || !after.same(id) {
		return sum, err // it changed meanwhile: nothing to remember
	}
	Remember(path, sum)
	return sum, nil
}

// Remember stores a hash that was computed while the file was written. Failing
// to is no error: the hash is then computed again.
func Remember(path, sum string) {
	id, err := identify(path)
	file := recordsFile()
	if err != nil || file == "" {
		return
	}
	records := []record{{Path: path, identity: id, SHA256: sum}}
	for _, r := range readRecords() {
		if r.Path != path && len(records) < 64 {
			records = append(records, r)
		}
	}
	data, err := json.MarshalIndent(records, "", "\t")
	if err != nil {
		return
	}
	_ = writeFile(file, data)
}

func (id identity) same(other identity) bool {
	return id.Dev == other.Dev && id.Ino == other.Ino && id.Size == other.Size &&
		id.MtimeSec == other.MtimeSec && id.MtimeNsec == other.MtimeNsec &&
		id.CtimeSec == other.CtimeSec && id.CtimeNsec == other.CtimeNsec
}

func identify(path string) (identity, error) {
	st, err := os.Stat(path)
	if err != nil {
		return identity{}, err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, errors.New("no inode known for " + path)
	}
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return identity{}, err
	}
	const others = 0o022
	changed := changeTime(sys)
	return identity{
		Dev: uint64(sys.Dev), Ino: sys.Ino, Size: st.Size(),
		MtimeSec: st.ModTime().Unix(), MtimeNsec: int64(st.ModTime().Nanosecond()),
		CtimeSec: int64(changed.Sec), CtimeNsec: int64(changed.Nsec),
		sharedFile:   st.Mode().Perm()&others != 0,
		sharedFolder: dir.Mode().Perm()&others != 0,
		ownedOut:     int(sys.Uid) != os.Geteuid() && sys.Uid != 0,
	}, nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("hash %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readRecords reads what is remembered; a file that others can write, or that
// is damaged, counts as empty.
func readRecords() []record {
	file := recordsFile()
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.Mode().Perm()&0o077 != 0 {
		return nil
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok && int(sys.Uid) != os.Geteuid() {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return nil
	}
	var records []record
	if json.Unmarshal(data, &records) != nil {
		return nil
	}
	return records
}

// writeFile replaces a file by a 0600 one, whole or not at all.
func writeFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		if rm := os.Remove(tmp.Name()); rm != nil && !errors.Is(rm, fs.ErrNotExist) {
			err = errors.Join(err, rm)
		}
	}
	return err
}
