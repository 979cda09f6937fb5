package plugin

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func touch(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(path), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSearchOrder(t *testing.T) {
	root := t.TempDir()
	t.Setenv(EnvData, filepath.Join(root, "data"))
	t.Setenv("HOME", filepath.Join(root, "home"))
	t.Setenv("LD_LIBRARY_PATH", filepath.Join(root, "ld"))
	system := touch(t, filepath.Join(root, "ld", "pjrt_c_api_cpu_plugin.so"))
	gomlx := touch(t, filepath.Join(root, "home", ".local", "lib", "gomlx", "pjrt", "pjrt_plugin_cpu.so"))
	data := touch(t, filepath.Join(root, "data", "plugins", "cpu", "libpjrt_cpu.so"))
	env := touch(t, filepath.Join(root, "env", "libpjrt_cpu.so"))
	touch(t, filepath.Join(root, "env", "libother.so"))
	t.Setenv(EnvPath, filepath.Join(root, "env"))
	found, _ := List("cpu")
	var paths []string
	for _, f := range found {
		if strings.HasPrefix(f.Path, root) {
			paths = append(paths, f.Path)
		}
	}
	if want := []string{env, data, gomlx, system}; strings.Join(paths, " ") != strings.Join(want, " ") {
		t.Errorf("found %v\nwant %v", paths, want)
	}
	t.Setenv(EnvPath, env)
	if f, err := Find("cpu"); err != nil || f.Path != env || f.Origin != FromEnv {
		t.Errorf("a file in the variable: %+v, %v", f, err)
	}
	t.Setenv(EnvPath, None)
	var none *NotFoundError
	if _, err := Find("cpu"); !errors.As(err, &none) || !strings.Contains(err.Error(), "gopherlo plugin install cpu") {
		t.Errorf("none: %v", err)
	}
}

func TestSitePackages(t *testing.T) {
	root := t.TempDir()
	touch(t, filepath.Join(root, "lib", "python3.12", "site-packages", "x"))
	if got := SitePackages(root); len(got) != 1 || filepath.Base(got[0]) != "site-packages" {
		t.Errorf("got %v", got)
	}
}

func TestHashIsRememberedAndNoticesChange(t *testing.T) {
	root := t.TempDir()
	t.Setenv(EnvData, filepath.Join(root, "data"))
	file := touch(t, filepath.Join(root, "p", "x.so"))
	first, err := Hash(file)
	if err != nil {
		t.Fatal(err)
	}
	records := filepath.Join(root, "data", "plugin-hashes.json")
	st, err := os.Stat(records)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("record %v, %v", st, err)
	}
	// What is remembered is used: a false record shows it.
	data, err := os.ReadFile(records)
	if err != nil {
		t.Fatal(err)
	}
	lie := strings.Repeat("0", 64)
	if err := os.WriteFile(records, []byte(strings.ReplaceAll(string(data), first, lie)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Hash(file); err != nil || got != lie {
		t.Errorf("hashed again: %s, %v", got, err)
	}
	for name, change := range map[string]func() error{
		"time":            func() error { return os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)) },
		"writable file":   func() error { return os.Chmod(file, 0o666) },
		"writable record": func() error { return errors.Join(os.Chmod(file, 0o600), os.Chmod(records, 0o644)) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if got, err := Hash(file); err != nil || got != first {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if err := os.WriteFile(file, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Hash(file); err != nil || got == first {
		t.Errorf("changed: %s, %v", got, err)
	}
	if _, err := Hash(filepath.Join(root, "none")); err == nil {
		t.Error("no file, no error")
	}
}

// TestWhole tells a library from its beginning.
func TestWhole(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := Whole(exe); err != nil {
		t.Errorf("a whole file: %v", err)
	}
	all, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.so")
	if err := os.WriteFile(cut, all[:len(all)/3], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Whole(cut); err == nil {
		t.Error("a third of a file is taken for whole")
	}
	if err := Whole(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no file is taken for whole")
	}
}
