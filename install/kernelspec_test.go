package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKernelspecWriteReplacesOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kernels")
	for _, exe := range []string{"/opt/one/gopherlo", "/opt/two/gopherlo"} {
		target, err := Kernelspec{Executable: exe, Env: map[string]string{"XLA_FLAGS": "--a=1"}}.Write(dir)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(target, "kernel.json"))
		if err != nil {
			t.Fatal(err)
		}
		var spec map[string]any
		if err := json.Unmarshal(text, &spec); err != nil {
			t.Fatal(err)
		}
		argv := spec["argv"].([]any)
		if argv[0] != exe || argv[len(argv)-1] != "{connection_file}" {
			t.Errorf("argv = %v", argv)
		}
		if spec["interrupt_mode"] != "message" || spec["language"] != "go" || spec["display_name"] != DisplayName {
			t.Errorf("kernel.json = %s", text)
		}
		for _, logo := range []string{"logo-32x32.png", "logo-64x64.png", "logo-svg.svg"} {
			if _, err := os.Stat(filepath.Join(target, logo)); err != nil {
				t.Error(err)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("kernels folder holds %v, want one kernel and no temporary folder (%v)", entries, err)
	}
	if _, err := Remove(dir, ""); err != nil {
		t.Error(err)
	}
	if _, err := Remove(dir, ""); err == nil || !strings.Contains(err.Error(), "no kernel") {
		t.Errorf("second Remove: %v", err)
	}
}

func TestKernelspecLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, KernelName)
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(other, "kernel.json")
	text := `{"argv": ["python3", "-m", "other"], "language": "python", "display_name": "Other"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Kernelspec{Executable: "/x"}).Write(dir); err == nil {
		t.Error("Write replaced the kernelspec of another kernel")
	}
	if _, err := Remove(dir, KernelName); err == nil {
		t.Error("Remove removed the kernelspec of another kernel")
	}
	if got, _ := os.ReadFile(file); string(got) != text {
		t.Errorf("kernel.json is now %s", got)
	}
}

func TestKernelNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"../x", "a b", "a/b", "é"} {
		if _, err := (Kernelspec{Executable: "/x", Name: name}).Write(dir); err == nil {
			t.Errorf("Write accepted the name %q", name)
		}
		if _, err := Remove(dir, name); err == nil {
			t.Errorf("Remove accepted the name %q", name)
		}
	}
}

func TestUserKernels(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", "/data")
	if got, err := UserKernels(); err != nil || got != filepath.FromSlash("/data/kernels") {
		t.Errorf("UserKernels() = %q, %v", got, err)
	}
}

func TestDoctorFindsBrokenKernelspec(t *testing.T) {
	data := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", data)
	t.Setenv("JUPYTER_PATH", "")
	if _, err := (Kernelspec{Executable: filepath.Join(data, "gone")}).Write(filepath.Join(data, "kernels")); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if Doctor(&out) {
		t.Errorf("a kernelspec without its binary passes:\n%s", out.String())
	}
	if !strings.Contains(out.String(), "gopherlo install") {
		t.Errorf("no way out in:\n%s", out.String())
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Kernelspec{Executable: exe}).Write(filepath.Join(data, "kernels")); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	Doctor(&out, func() []Check { return []Check{{Name: "extra", Level: Warning, Found: "found", Fix: "fix it"}} })
	for _, want := range []string{"ok    kernelspec", "warn  extra", "fix it"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, out.String())
		}
	}
}

// A kernelspec that starts something else than it should is named, with the fix.
func TestDoctorKernelspecFaults(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "gopherlo")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho gopherlo 0.0.1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	spec := func(argv0, interrupt string, rest ...string) string {
		text, err := json.Marshal(kernelJSON{Argv: append([]string{argv0, "kernel"}, rest...), Language: "go", InterruptMode: interrupt})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, test := range []struct {
		name, text string
		level      Level
		found      string
	}{
		{"other-version", spec(program, "message", "-f", "{connection_file}"), Warning, "version 0.0.1"},
		{"relative", spec("{resource_dir}/../gopherlo", "message", "-f", "{connection_file}"), Warning, "version 0.0.1"},
		{"gone", spec(program+"x", "message", "-f", "{connection_file}"), Failure, "not there"},
		{"not-on-path", spec("no-such-gopherlo", "message", "-f", "{connection_file}"), Failure, "not on PATH"},
		{"no-file", spec(program, "message"), Failure, "connection_file"},
		{"signal", spec(program, "signal", "-f", "{connection_file}"), Failure, "interrupt_mode"},
		{"broken", "{", Failure, "cannot be read"},
	} {
		folder := filepath.Join(dir, test.name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "kernel.json"), []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		check := kernelspecCheck(folder)
		if check.Level != test.level || !strings.Contains(check.Found, test.found) || check.Fix == "" {
			t.Errorf("%s: %+v, want level %v and %q", test.name, check, test.level, test.found)
		}
	}
}

func TestSysPrefix(t *testing.T) {
	t.Setenv("VIRTUAL_ENV", "/some/venv")
	if got, err := SysPrefix(); err != nil || got != "/some/venv" {
		t.Errorf("SysPrefix() = %q, %v", got, err)
	}
}
