package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// UserKernels is the user's own folder of kernelspecs, by the rules of
// jupyter_core 5.9 (jupyter_core/paths.py, jupyter_data_dir).
func UserKernels() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return filepath.Join(dir, "kernels"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%w; give a place with --prefix", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter", "kernels"), nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter", "kernels"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter", "kernels"), nil
}

// PrefixKernels is the folder of kernelspecs below an installation prefix.
func PrefixKernels(prefix string) string {
	return filepath.Join(prefix, "share", "jupyter", "kernels")
}

// SysPrefix is the prefix of the Python environment that is active here: of an
// activated virtual or conda environment, else of the python3 on PATH.
func SysPrefix() (string, error) {
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(env); prefix != "" {
			return prefix, nil
		}
	}
	for _, python := range []string{"python3", "python"} {
		out, err := exec.Command(python, "-c", "import sys; print(sys.prefix)").Output()
		if prefix := strings.TrimSpace(string(out)); err == nil && prefix != "" {
			return prefix, nil
		}
	}
	return "", errors.New("no Python environment found: activate one, or name it with --prefix")
}

// searchedKernels lists the folders in which Jupyter looks for kernelspecs, in
// its order.
func searchedKernels() []string {
	var dirs []string
	for dir := range strings.SplitSeq(os.Getenv("JUPYTER_PATH"), string(os.PathListSeparator)) {
		if dir != "" {
			dirs = append(dirs, filepath.Join(dir, "kernels"))
		}
	}
	if dir, err := UserKernels(); err == nil {
		dirs = append(dirs, dir)
	}
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(env); prefix != "" {
			dirs = append(dirs, PrefixKernels(prefix))
		}
	}
	// A Jupyter looks below its own prefix, activated or not.
	if jupyter, err := findJupyter(); err == nil {
		dirs = append(dirs, PrefixKernels(filepath.Dir(filepath.Dir(jupyter))))
	}
	dirs = append(dirs, PrefixKernels("/usr/local"), PrefixKernels("/usr"))
	var once []string
	for _, dir := range dirs {
		if !slices.Contains(once, dir) {
			once = append(once, dir)
		}
	}
	return once
}

// findJupyter is the jupyter beside this program, as pip installs both into one
// environment, else the one on PATH.
func findJupyter() (string, error) {
	if exe, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(exe), "jupyter")
		if info, err := os.Stat(beside); err == nil && info.Mode()&0o111 != 0 {
			return beside, nil
		}
	}
	return exec.LookPath("jupyter")
}
