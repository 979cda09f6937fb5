package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// probeTime bounds a program that the doctor runs.
const probeTime = 20 * time.Second

// minAddressSpace is what Go and XLA reserve without using it.
const minAddressSpace = 16 << 30

// limitChecks looks at the limits of the shell that Go and XLA run into.
func limitChecks() []Check {
	var checks []Check
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) == nil && limit.Cur < minAddressSpace {
		checks = append(checks, Check{
			Name: "limits", Level: Warning,
			Found: fmt.Sprintf("the address space is limited to %d MB", limit.Cur>>20),
			Fix:   "run `ulimit -v unlimited`: XLA reserves far more than it uses; bound memory with `gopherlo kernel --memory-limit`",
		})
	}
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < 256 {
		checks = append(checks, Check{
			Name: "limits", Level: Warning,
			Found: fmt.Sprintf("a process may open %d files", limit.Cur),
			Fix:   "run `ulimit -n 1024`: each client takes five connections",
		})
	}
	return checks
}

// minClient is the oldest jupyter_client with messages instead of signals for
// interrupts and with kernel_info on the control channel.
var minClient = [2]int{6, 1}

// jupyterChecks looks for a Jupyter that can start the kernel.
func jupyterChecks() []Check {
	check := Check{Name: "jupyter"}
	path, err := findJupyter()
	if err != nil {
		check.Level, check.Found = Warning, "no `jupyter` on PATH"
		check.Fix = "install one (`pip install jupyterlab`) or activate its environment; a server started by its full path is not seen here"
		return []Check{check}
	}
	check.Found = path
	version, err := clientVersion(path)
	if err != nil {
		check.Level, check.Found = Warning, path+": "+err.Error()
		check.Fix = "that Jupyter cannot start kernels: `pip install jupyter_client` in its environment"
		return []Check{check}
	}
	check.Found += ", jupyter_client " + version
	var have [2]int
	if n, _ := fmt.Sscanf(version, "%d.%d", &have[0], &have[1]); n == 2 && slices.Compare(have[:], minClient[:]) < 0 {
		check.Level = Warning
		check.Fix = fmt.Sprintf("Stop needs jupyter_client %d.%d or newer: `pip install --upgrade jupyter_client`", minClient[0], minClient[1])
	}
	return []Check{check}
}

// clientVersion asks the Python that runs the jupyter script for its
// jupyter_client, without importing it, which may take seconds.
func clientVersion(jupyter string) (string, error) {
	text, err := os.ReadFile(jupyter)
	if err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(string(text[:min(len(text), 512)]), "\n")
	python, ok := strings.CutPrefix(first, "#!")
	words := strings.Fields(python)
	if !ok || len(words) == 0 {
		return "", errors.New("it is no Python script")
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	args := append(words[1:], "-c", `import importlib.metadata as m; print(m.version("jupyter_client"))`)
	out, err := exec.CommandContext(ctx, words[0], args...).Output()
	if err != nil {
		return "", errors.New("its Python has no jupyter_client")
	}
	return strings.TrimSpace(string(out)), nil
}

// kernelspecChecks looks for gopherlo's kernelspecs where Jupyter looks.
func kernelspecChecks() []Check {
	var checks []Check
	seen := map[string]string{}
	for _, dir := range searchedKernels() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			path := filepath.Join(dir, entry.Name())
			if !startsGopherlo(path) {
				continue
			}
			check := kernelspecCheck(path)
			if first, hidden := seen[entry.Name()]; hidden && check.Level == OK {
				check.Level = Warning
				check.Found += " is hidden by " + first
				check.Fix = "remove one of them: `gopherlo uninstall`, with the --prefix that it was installed with"
			}
			seen[entry.Name()] = path
			checks = append(checks, check)
		}
	}
	if len(checks) == 0 {
		checks = append(checks, Check{
			Name: "kernelspec", Level: Warning,
			Found: "Jupyter does not know this kernel (searched: " + strings.Join(searchedKernels(), ", ") + ")",
			Fix:   "run `gopherlo install`, in a virtual environment `gopherlo install --sys-prefix`",
		})
	}
	return checks
}

// startsGopherlo tells whether the folder holds a kernelspec of ours, or one
// of our name that cannot be read.
func startsGopherlo(dir string) bool {
	if ownKernelspec(dir) == nil {
		return true
	}
	_, err := readKernelspec(dir)
	return err != nil && filepath.Base(dir) == KernelName
}

// kernelspecCheck tells whether the kernelspec in dir starts this program in
// the way that the kernel needs.
func kernelspecCheck(dir string) Check {
	check := Check{Name: "kernelspec", Found: dir}
	broken := func(format string, args ...any) Check {
		check.Level = Failure
		check.Found += " " + fmt.Sprintf(format, args...)
		check.Fix = "run `gopherlo install` again with the binary that you want"
		return check
	}
	spec, err := readKernelspec(dir)
	if err != nil {
		return broken("cannot be read: %v", err)
	}
	// Jupyter replaces {resource_dir} by the kernelspec's own folder.
	program := strings.ReplaceAll(spec.Argv[0], "{resource_dir}", dir)
	if !filepath.IsAbs(program) {
		found, err := exec.LookPath(program)
		if err != nil {
			return broken("starts %s, which is not on PATH", program)
		}
		program = found
	}
	info, err := os.Stat(program)
	if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
		return broken("starts %s, which is not there or cannot be run", program)
	}
	if !slices.Contains(spec.Argv, "{connection_file}") {
		return broken("does not hand over the {connection_file}")
	}
	if spec.InterruptMode != "message" {
		return broken("has interrupt_mode %q instead of \"message\": Stop would not work", spec.InterruptMode)
	}
	if version := programVersion(program, info); version != Version {
		check.Level = Warning
		check.Found += fmt.Sprintf(" starts %s, which is version %s; this is %s", program, version, Version)
		check.Fix = "run `gopherlo install` with the binary that you want"
	}
	return check
}

// programVersion asks another gopherlo for its version.
func programVersion(program string, info os.FileInfo) string {
	if self, err := os.Stat("/proc/self/exe"); err == nil && os.SameFile(self, info) {
		return Version
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "version").Output()
	if err != nil {
		return "unknown (" + err.Error() + ")"
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimPrefix(strings.TrimSpace(first), "gopherlo ")
}
