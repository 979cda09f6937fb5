package check

import (
	"errors"
	"strings"

	"gopherlo/interp/modules"
)

// notImported says why a cell cannot import a package.
func (s *Session) notImported(path string) string {
	_, err := s.load(modules.Root{}, "", path)
	var wrong *PackageError
	switch {
	case err == nil || errors.Is(err, modules.ErrNotFound):
		return s.notBuiltIn(path)
	case !errors.As(err, &wrong):
		return err.Error()
	}
	if wrong.Compiler {
		return wrong.Error() + s.withCompiler(wrong.Build)
	}
	text := strings.Join(wrong.Lines, "\n    ")
	if strings.Contains(wrong.Lines[0], ".go:") {
		return "package " + path + " has mistakes: " + text
	}
	return text
}

// withCompiler says how a package gets into a kernel that cannot be interpreted.
func (s *Session) withCompiler(path string) string {
	return "; `gopherlo build --with " + path + "` makes a kernel that has it compiled"
}

// notBuiltIn says how a package gets into a kernel.
func (s *Session) notBuiltIn(path string) string {
	if path == "C" {
		return `cells cannot use cgo: import "C" needs a compiler`
	}
	missing := "package " + path + " is not in this kernel; "
	build := func(with string) string {
		return missing + "`gopherlo build --with " + with + "` makes a kernel that has it"
	}
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "jax", "jnp", "numpy", "flax", "optax", "jaxlib":
		return missing + "jax, jnp, lax, nn, random and tree need no import"
	}
	if strings.Contains(first, ".") {
		return "package " + path + " is neither in this kernel nor in the module cache; `go mod download " + path + "@latest` fetches its module, to be interpreted" +
			strings.Replace(s.withCompiler(path), ";", ",", 1)
	}
	if best := Closest(path, append([]string(nil), s.env.Packages...)); best != "" {
		return missing + "did you mean " + best + "?"
	}
	return build("PATH")
}
