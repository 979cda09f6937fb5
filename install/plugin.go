package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"gopherlo/xla/plugin"
)

// PluginOptions says which plugin to install and how.
type PluginOptions struct {
	Platform string
	// Name and Version choose among the pinned wheels; empty: the default.
	Name, Version string
	// Python is the interpreter whose pip downloads; empty: python3 of PATH.
	Python string
	// Libraries installs the vendor's libraries that the plugin opens, too.
	Libraries bool
	// Out gets the progress, one line per step.
	Out io.Writer
	// SelfTest checks the installed file, in a process of its own. It gives
	// what is wrong with the numbers; an error means that it cannot be used.
	SelfTest func(ctx context.Context, path string) (wrong []string, err error)
}

// WrongError lists what a plugin computes wrongly. It stays installed.
type WrongError struct {
	Path  string
	Wrong []string
}

// Error names the findings and the way out.
func (e *WrongError) Error() string {
	return fmt.Sprintf("%s is installed, but its self-test found: %s; choose another with --which",
		e.Path, strings.Join(e.Wrong, "; "))
}

// InstallPlugin puts a pinned plugin into the data folder and tests it. When
// the right file is there already it needs no network. The file appears under
// its name only when it is whole and its hash is right.
func InstallPlugin(ctx context.Context, o PluginOptions) (path string, err error) {
	if _, ok := plugin.Lookup(o.Platform); !ok {
		return "", fmt.Errorf("unknown platform %q; known: %s", o.Platform, platformNames())
	}
	if row, _ := plugin.Lookup(o.Platform); row.Name != o.Platform {
		o.Platform = row.Name
	}
	w, err := pickWheel(o.Platform, o.Name, o.Version)
	if err != nil {
		return "", err
	}
	dir := plugin.DataDir(o.Platform)
	if dir == "" {
		return "", fmt.Errorf("no home folder: set %s to a folder of yours", plugin.EnvData)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the data folder: %w (set %s to a folder that you can write)", err, plugin.EnvData)
	}
	unlock, err := lock(ctx, dir)
	if err != nil {
		return "", err
	}
	defer unlock()
	clearStale(dir)
	dst := filepath.Join(dir, filepath.Base(w.Member))
	if sum, err := plugin.Hash(dst); err == nil && sum == w.MemberSHA256 {
		o.say("%s %s is installed already: %s", w.Name, w.Version, dst)
	} else if err := fetch(ctx, o, w, dst); err != nil {
		return "", err
	}
	if err := dropOthers(dir, dst); err != nil {
		return "", err
	}
	if o.Libraries {
		if err := installLibraries(ctx, o, filepath.Dir(dir)); err != nil {
			return "", err
		}
	}
	return dst, selfTest(ctx, o, dst)
}

func platformNames() string {
	var names []string
	for _, p := range plugin.Platforms() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func (o PluginOptions) say(format string, args ...any) {
	if o.Out != nil {
		fmt.Fprintf(o.Out, format+"\n", args...)
	}
}

// fetch downloads, checks and unpacks a wheel to dst.
func fetch(ctx context.Context, o PluginOptions, w Wheel, dst string) error {
	if err := checkSpace(filepath.Dir(dst), w.MemberSize+w.MemberSize/2); err != nil {
		return err
	}
	python, err := findPython(ctx, o.Python)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dst), tempPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	start := time.Now()
	o.say("downloading %s %s with %s -m pip", w.Name, w.Version, python)
	wheel, err := download(ctx, python, w, tmp, o.Out)
	if err != nil {
		return err
	}
	o.say("downloaded in %.1f s; unpacking %s", time.Since(start).Seconds(), w.Member)
	if err := unpack(ctx, wheel, w, dst); err != nil {
		return err
	}
	plugin.Remember(dst, w.MemberSHA256)
	o.say("installed %s (%d MB)", dst, w.MemberSize>>20)
	return nil
}

func selfTest(ctx context.Context, o PluginOptions, path string) error {
	if o.SelfTest == nil {
		return nil
	}
	o.say("testing it")
	wrong, err := o.SelfTest(ctx, path)
	if err != nil {
		if ctx.Err() == nil {
			// A file that cannot be used must not be found by the search.
			err = errors.Join(err, os.Remove(path))
		}
		return fmt.Errorf("self-test of %s: %w", path, err)
	}
	if len(wrong) > 0 {
		return &WrongError{Path: path, Wrong: wrong}
	}
	o.say("self-test passed")
	return nil
}

// dropOthers removes plugins that an earlier install of another wheel left:
// the search takes the first name it knows, not the newest file.
func dropOthers(dir, keep string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.so"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if f != keep {
			if err := os.Remove(f); err != nil {
				return err
			}
		}
	}
	return nil
}

const tempPrefix = ".download-"

// clearStale removes what an install left that was killed. The lock says that
// none is under way.
func clearStale(dir string) {
	left, err := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	if err != nil {
		return
	}
	for _, l := range left {
		_ = os.RemoveAll(l) // what cannot go now is tried again next time
	}
}

// lock keeps two installs from each other; the kernel drops it with the
// process.
func lock(ctx context.Context, dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("another install is under way in %s: %w", dir, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// checkSpace fails early when the disk is too full.
func checkSpace(dir string, need int64) error {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return nil // unknown: try
	}
	if free := int64(st.Bavail) * int64(st.Bsize); free < need {
		return fmt.Errorf("%s has %d MB free, the plugin needs %d MB: make room, or set %s to another folder",
			dir, free>>20, need>>20, plugin.EnvData)
	}
	return nil
}
