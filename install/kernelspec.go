package install

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// logos holds the pictures that JupyterLab's launcher shows.
//
//go:embed logo
var logos embed.FS

// KernelName is the kernel's name for Jupyter, DisplayName the one that users
// see in the launcher.
const (
	KernelName  = "gopherlo"
	DisplayName = "Go (XLA)"
)

// Kernelspec says how Jupyter starts the kernel. The zero value of each field
// but Executable stands for a default.
type Kernelspec struct {
	// Executable is the absolute path of the gopherlo binary, or one that
	// begins with "{resource_dir}", which Jupyter replaces by the folder of the
	// kernelspec: the binary then may move together with it.
	Executable string
	// Name and Display default to KernelName and DisplayName.
	Name, Display string
	// Env is set in the kernel's environment, XLA_FLAGS for instance.
	Env map[string]string
}

// kernelJSON is the file kernel.json of Jupyter's kernelspec format.
type kernelJSON struct {
	Argv            []string          `json:"argv"`
	DisplayName     string            `json:"display_name"`
	Language        string            `json:"language"`
	InterruptMode   string            `json:"interrupt_mode"`
	ProtocolVersion string            `json:"kernel_protocol_version"`
	Env             map[string]string `json:"env,omitempty"`
	Metadata        map[string]any    `json:"metadata"`
}

// validName is Jupyter's own rule for kernel names.
var validName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

func checkName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("kernel name %q: only letters, digits, '.', '_' and '-' are allowed", name)
	}
	return nil
}

// Write installs the kernelspec below dir, a folder named "kernels", and
// returns the folder that it made. An older one of the same name is replaced
// if it is gopherlo's own.
func (k Kernelspec) Write(dir string) (string, error) {
	name := k.name()
	if err := checkName(name); err != nil {
		return "", err
	}
	target := filepath.Join(dir, name)
	if err := ownKernelspec(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the kernels folder (choose another with --prefix): %w", err)
	}
	tmp, err := os.MkdirTemp(dir, "."+name+"-")
	if err != nil {
		return "", fmt.Errorf("write the kernelspec (choose another place with --prefix): %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := k.fill(tmp); err != nil {
		return "", err
	}
	if err := os.RemoveAll(target); err != nil {
		return "", err
	}
	return target, os.Rename(tmp, target)
}

// fill writes kernel.json and the logos into dir.
func (k Kernelspec) fill(dir string) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(kernelJSON{
		Argv:            []string{k.Executable, "kernel", "-f", "{connection_file}"},
		DisplayName:     k.display(),
		Language:        "go",
		InterruptMode:   "message",
		ProtocolVersion: "5.5",
		Env:             k.Env,
		Metadata: map[string]any{
			"debugger": false,
			// What kernel_info_reply says too: a front end can know it before
			// the kernel has started.
			"supported_features": []string{"kernel subshells"},
			// jupyter_client 8.9 gives keys to kernels that say this.
			"supported_encryption": []string{"curve"},
		},
	}, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	files, err := fs.ReadDir(logos, "logo")
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := fs.ReadFile(logos, "logo/"+file.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file.Name()), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (k Kernelspec) name() string {
	if k.Name == "" {
		return KernelName
	}
	return k.Name
}

func (k Kernelspec) display() string {
	if k.Display == "" {
		return DisplayName
	}
	return k.Display
}

// Remove takes the kernelspec called name out of dir. It refuses a folder that
// gopherlo did not write.
func Remove(dir, name string) (string, error) {
	if name == "" {
		name = KernelName
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	target := filepath.Join(dir, name)
	if err := ownKernelspec(target); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("no kernel %q in %s (use the --prefix or --name that it was installed with)", name, dir)
		}
		return "", err
	}
	return target, os.RemoveAll(target)
}

// ownKernelspec is nil when dir holds a kernelspec that starts gopherlo.
func ownKernelspec(dir string) error {
	spec, err := readKernelspec(dir)
	if err != nil {
		return err
	}
	if len(spec.Argv) < 2 || spec.Argv[1] != "kernel" || spec.Language != "go" {
		return fmt.Errorf("%s holds the kernelspec of another kernel (%s); choose another with --name", dir, spec.DisplayName)
	}
	return nil
}

func readKernelspec(dir string) (kernelJSON, error) {
	var spec kernelJSON
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		if _, statErr := os.Lstat(dir); statErr == nil && errors.Is(err, fs.ErrNotExist) {
			return spec, fmt.Errorf("%s exists and holds no kernel.json; remove it or choose another with --name", dir)
		}
		return spec, err
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		return spec, fmt.Errorf("%s: %w", filepath.Join(dir, "kernel.json"), err)
	}
	return spec, nil
}
