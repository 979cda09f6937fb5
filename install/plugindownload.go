package install

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// findPython gives an interpreter that has pip.
func findPython(ctx context.Context, python string) (string, error) {
	const use = "name one that has pip with --python PATH (a venv's bin/python does)"
	if python == "" {
		var err error
		if python, err = exec.LookPath("python3"); err != nil {
			return "", fmt.Errorf("no python3 in PATH: install Python >= 3.10 with pip (Debian, Ubuntu: apt install python3-venv python3-pip), or %s", use)
		}
	}
	out, err := exec.CommandContext(ctx, python, "-m", "pip", "--version").CombinedOutput()
	if err == nil {
		return python, nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("no Python at %s: %s", python, use)
	}
	return "", fmt.Errorf("%s has no pip (%s): install it (`%s -m ensurepip`; Debian, Ubuntu: apt install python3-pip), or %s",
		python, lastLine(out), python, use)
}

// download runs the user's own pip, so that their index, proxy and certificate
// settings hold, and gives the path of the wheel in dir.
func download(ctx context.Context, python string, w Wheel, dir string, out io.Writer) (string, error) {
	if err := pipDownload(ctx, python, w.Name, w.requirement(), w.PipTags, dir, out); err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("pip said it downloaded %s, but %s holds %d wheels", w.Name, dir, len(found))
	}
	return found[0], nil
}

func (w Wheel) requirement() string {
	return fmt.Sprintf("%s==%s --hash=sha256:%s\n", w.Name, w.Version, w.SHA256)
}

// pipDownload puts the wheels of the requirements into dir; what names them in
// errors.
func pipDownload(ctx context.Context, python, what, requirements string, tags []string, dir string, out io.Writer) error {
	req := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(req, []byte(requirements), 0o600); err != nil {
		return err
	}
	args := append([]string{
		"-m", "pip", "download", "--quiet", "--disable-pip-version-check",
		"--no-input", "--only-binary=:all:", "--no-deps", "--require-hashes",
	}, tags...)
	cmd := exec.CommandContext(ctx, python, append(args, "-r", req, "-d", dir)...)
	// pip's own temporary files go into our folder too, so that none stays
	// behind when it is killed.
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "PIP_NO_CACHE_DIR=1")
	cmd.WaitDelay = 5 * time.Second
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	stop := progress(dir, out)
	err := cmd.Run()
	stop()
	if ctx.Err() != nil {
		return fmt.Errorf("download of %s stopped: %w", what, ctx.Err())
	}
	if err != nil {
		return downloadError(what, log.String(), err)
	}
	return nil
}

// DownloadError is a failed pip download.
type DownloadError struct {
	What   string // the wheel's name
	Reason string // what is likely, and the way out
	Log    string // what pip wrote
}

// Error gives the reason, then pip's last words.
func (e *DownloadError) Error() string {
	return fmt.Sprintf("download of %s failed: %s\npip: %s", e.What, e.Reason, e.Log)
}

func downloadError(what, log string, err error) error {
	e := &DownloadError{What: what, Log: lastLines(log, 6)}
	has := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(log, word) {
				return true
			}
		}
		return false
	}
	switch {
	case has("THESE PACKAGES DO NOT MATCH THE HASHES"):
		e.Reason = "the index served another file than the pinned one; nothing was installed"
	case has("Temporary failure in name resolution", "NewConnectionError", "ConnectTimeoutError", "ProxyError", "Network is unreachable", "Connection refused", "Max retries exceeded", "ReadTimeout"):
		e.Reason = "the package index cannot be reached: check the network and pip's index and proxy settings, or copy a plugin file here and set PJRT_PLUGIN_LIBRARY_PATH to its folder"
	case has("No matching distribution", "Could not find a version"):
		e.Reason = "the package index that pip uses cannot be reached or has no such wheel for this Python and machine: check the network, use an index that mirrors pypi.org, or Python >= 3.10 with a current pip"
	case has("No space left"):
		e.Reason = "the disk is full"
	default:
		e.Reason = err.Error()
	}
	return e
}

// progress tells how much of the download is there, every few seconds.
func progress(dir string, out io.Writer) (stop func()) {
	done, finished := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(finished)
		tick := time.NewTicker(2 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if out != nil {
					fmt.Fprintf(out, "  %d MB\n", folderSize(dir)>>20)
				}
			}
		}
	}()
	return func() {
		close(done)
		<-finished
	}
}

func folderSize(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // pip removes files while we walk
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}

// unpack writes the plugin of a wheel to dst, under its name only when it is
// whole and right. No more than the pinned size is ever written.
func unpack(ctx context.Context, wheel string, w Wheel, dst string) error {
	if sum, err := sha256File(wheel); err != nil || sum != w.SHA256 {
		return errors.Join(fmt.Errorf("%s has SHA-256 %s, not the pinned %s: the index served another file; nothing was installed", filepath.Base(wheel), sum, w.SHA256), err)
	}
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(wheel), err)
	}
	defer z.Close()
	src, err := z.Open(w.Member)
	if err != nil {
		return fmt.Errorf("%s holds no %s: %w", filepath.Base(wheel), w.Member, err)
	}
	defer src.Close()
	tmp := filepath.Join(filepath.Dir(wheel), "plugin.so")
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(ctxReader{ctx, src}, w.MemberSize+1))
	if err == nil && (n != w.MemberSize || hex.EncodeToString(h.Sum(nil)) != w.MemberSHA256) {
		err = fmt.Errorf("%s in %s is not the pinned file", w.Member, filepath.Base(wheel))
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	return os.Rename(tmp, dst)
}

// ctxReader stops a copy when the context ends.
type ctxReader struct {
	ctx context.Context
	io.Reader
}

func (r ctxReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

func sha256File(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func lastLine(b []byte) string { return lastLines(string(b), 1) }

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
