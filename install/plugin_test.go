package install

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopherlo/xla/plugin"
)

// fakeWheel makes a small wheel and pins it as the only one.
func fakeWheel(t *testing.T) (file string, w Wheel) {
	t.Helper()
	content := bytes.Repeat([]byte("plugin"), 1000)
	file = filepath.Join(t.TempDir(), "fake_pjrt-1.0-py3-none-any.whl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	m, err := z.Create("fake/libpjrt_cpu.so")
	if err == nil {
		_, err = m.Write(content)
	}
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	sum, err := sha256File(file)
	if err != nil {
		t.Fatal(err)
	}
	member := sha256.Sum256(content)
	w = Wheel{
		Platform: "cpu", Arch: thisArch, Name: "fake-pjrt", Version: "1.0", SHA256: sum,
		Member: "fake/libpjrt_cpu.so", MemberSHA256: hex.EncodeToString(member[:]), MemberSize: int64(len(content)),
	}
	old := wheels
	wheels = []Wheel{w}
	t.Cleanup(func() { wheels = old })
	return file, w
}

// fakePython is a shell script for `python -m pip …`; $dir is the folder of
// -d.
func fakePython(t *testing.T, download string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python")
	script := "#!/bin/sh\ncase \"$*\" in *--version*) echo pip 26; exit 0;; esac\nfor dir; do :; done\n" + download + "\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func dataFolder(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv(plugin.EnvData, dir)
	t.Setenv(plugin.EnvPath, "")
	return dir
}

// leftOver lists the files of the data folder that an install may not leave.
func leftOver(t *testing.T, dir string) (left []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ".lock" && d.Name() != "plugin-hashes.json" {
			left = append(left, path)
		}
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), tempPrefix) {
			left = append(left, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return left
}

func TestInstallPlugin(t *testing.T) {
	dataFolder(t)
	wheel, w := fakeWheel(t)
	var out bytes.Buffer
	tested := 0
	o := PluginOptions{
		Platform: "cpu", Python: fakePython(t, "cp "+wheel+" $dir"), Out: &out,
		SelfTest: func(context.Context, string) ([]string, error) { tested++; return nil, nil },
	}
	path, err := InstallPlugin(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := plugin.Hash(path); err != nil || sum != w.MemberSHA256 {
		t.Errorf("hash %s, %v", sum, err)
	}
	found, err := plugin.Find("cpu")
	if err != nil || found.Path != path || found.Origin != plugin.FromData {
		t.Errorf("found %+v, %v", found, err)
	}
	// Offline, and without any Python, when it is there already.
	o.Python = "/nonexistent/python"
	if _, err := InstallPlugin(context.Background(), o); err != nil {
		t.Errorf("the second time: %v", err)
	}
	// A damaged file is noticed and replaced.
	if err := os.WriteFile(path, []byte("rotten"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := InstallPlugin(context.Background(), o); err == nil {
		t.Error("a damaged file is taken for the right one")
	}
	o.Python = fakePython(t, "cp "+wheel+" $dir")
	if _, err := InstallPlugin(context.Background(), o); err != nil {
		t.Errorf("repair: %v", err)
	}
	if tested != 3 {
		t.Errorf("tested %d times", tested)
	}
}

func TestInstallPluginFailures(t *testing.T) {
	wheel, _ := fakeWheel(t)
	noPip := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(noPip, []byte("#!/bin/sh\necho No module named pip >&2; exit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, python, want string
		edit               func(*Wheel)
	}{
		{name: "no python", python: "/nonexistent/python", want: "--python"},
		{name: "no pip", python: noPip, want: "ensurepip"},
		{name: "no network", python: fakePython(t, "echo 'Failed to establish a new connection: NewConnectionError' >&2; exit 1"), want: "cannot be reached"},
		{name: "no wheel", python: fakePython(t, "echo 'ERROR: No matching distribution found' >&2; exit 1"), want: "no such wheel"},
		{name: "wrong hash", python: fakePython(t, "touch $dir/x; echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES' >&2; exit 1"), want: "another file"},
		{name: "silent failure", python: fakePython(t, "exit 0"), want: "0 wheels"},
		{name: "other wheel", python: fakePython(t, "echo x > $dir/y.whl"), want: "pinned"},
		{name: "other member", python: fakePython(t, "cp "+wheel+" $dir"), want: "not the pinned file", edit: func(w *Wheel) { w.MemberSize-- }},
		{name: "no member", python: fakePython(t, "cp "+wheel+" $dir"), want: "holds no", edit: func(w *Wheel) { w.Member = "a.so" }},
		{name: "platform", python: "python", want: "PJRT_PLUGIN_LIBRARY_PATH", edit: func(w *Wheel) { w.Arch = "plan9/mips" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := dataFolder(t)
			saved := wheels[0]
			defer func() { wheels[0] = saved }()
			if test.edit != nil {
				test.edit(&wheels[0])
			}
			_, err := InstallPlugin(context.Background(), PluginOptions{Platform: "cpu", Python: test.python})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if left := leftOver(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestInstallPluginInterrupted(t *testing.T) {
	dir := dataFolder(t)
	fakeWheel(t)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := InstallPlugin(ctx, PluginOptions{Platform: "cpu", Python: fakePython(t, "echo half > $dir/half.whl; exec sleep 60")})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if left := leftOver(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSelfTestVerdicts(t *testing.T) {
	dir := dataFolder(t)
	wheel, _ := fakeWheel(t)
	o := PluginOptions{Platform: "cpu", Python: fakePython(t, "cp "+wheel+" $dir")}
	o.SelfTest = func(context.Context, string) ([]string, error) { return []string{"arctan is wrong"}, nil }
	path, err := InstallPlugin(context.Background(), o)
	var wrong *WrongError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "arctan is wrong") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a plugin with a wrong function stays installed: %v", err)
	}
	o.SelfTest = func(context.Context, string) ([]string, error) { return nil, errors.New("crashed") }
	if _, err := InstallPlugin(context.Background(), o); err == nil || !strings.Contains(err.Error(), "crashed") {
		t.Errorf("error %v", err)
	}
	if left := leftOver(t, dir); len(left) > 0 {
		t.Errorf("an unusable plugin was left: %v", left)
	}
}

func TestPickWheel(t *testing.T) {
	if len(Wheels("cpu")) > 0 {
		w, err := pickWheel("cpu", "", "")
		if err != nil || w.Name != Wheels("cpu")[0].Name {
			t.Errorf("default %+v, %v", w, err)
		}
		if _, err := pickWheel("cpu", "no-such", ""); err == nil || !strings.Contains(err.Error(), w.Name) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := InstallPlugin(context.Background(), PluginOptions{Platform: "npu"}); err == nil {
		t.Error("unknown platform")
	}
}

// TestInstallLibraries unpacks the libraries of a platform beside its plugin.
func TestInstallLibraries(t *testing.T) {
	dir := dataFolder(t)
	wheel, _ := fakeWheel(t)
	wheels[0].Platform = "cuda"
	lib := filepath.Join(t.TempDir(), "nvidia_fake-1.0-py3-none-any.whl")
	f, err := os.Create(lib)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, mode := range map[string]fs.FileMode{
		"nvidia/cu13/lib/libfake.so.1": 0o644, "nvidia/cu13/bin/ptxas": 0o755,
		"nvidia_fake-1.0.dist-info/METADATA": 0o644, "nvidia/../../escape": 0o644,
	} {
		h := &zip.FileHeader{Name: name}
		h.SetMode(mode)
		m, err := z.CreateHeader(h)
		if err == nil {
			_, err = m.Write([]byte(name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	sum, err := sha256File(lib)
	if err != nil {
		t.Fatal(err)
	}
	old, room := libraries, maxLibraries
	maxLibraries = 1 << 20
	libraries = map[string][]library{"cuda " + thisArch: {{"nvidia-fake", "1.0", sum}}}
	t.Cleanup(func() { libraries, maxLibraries = old, room })

	script := `case "$(cat $dir/requirements.txt)" in nvidia*) cp ` + lib + ` $dir;; *) cp ` + wheel + ` $dir;; esac`
	o := PluginOptions{Platform: "gpu", Libraries: true, Python: fakePython(t, script)}
	path, err := InstallPlugin(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	// The plugin's run path has $ORIGIN/../nvidia/cu13/lib.
	root := filepath.Join(filepath.Dir(path), "..", "nvidia")
	if _, err := os.Stat(filepath.Join(root, "cu13", "lib", "libfake.so.1")); err != nil {
		t.Error(err)
	}
	if st, err := os.Stat(filepath.Join(root, "cu13", "bin", "ptxas")); err != nil || st.Mode()&0o100 == 0 {
		t.Errorf("ptxas: %v, %v", st, err)
	}
	if found, err := filepath.Glob(filepath.Join(dir, "*", "*escape*")); err != nil || len(found) > 0 {
		t.Errorf("a member left its folder: %v", found)
	}
	// The second time nothing is downloaded; another set replaces the first.
	o.Python = "/nonexistent/python"
	if _, err := InstallPlugin(context.Background(), o); err != nil {
		t.Errorf("the second time: %v", err)
	}
	libraries["cuda "+thisArch][0].sha256 = strings.Repeat("0", 64)
	o.Python = fakePython(t, script)
	if _, err := InstallPlugin(context.Background(), o); err == nil || !strings.Contains(err.Error(), "not pinned") {
		t.Errorf("a library of another hash: %v", err)
	}
}
