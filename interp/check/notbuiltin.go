package check

import "strings"

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
	case ".", "..", "":
		return build(path) + ", to be imported by its module's path"
	}
	if s.env.Folder != nil {
		if folder := s.env.Folder(path); folder != "" {
			return build(folder)
		}
	}
	if strings.Contains(first, ".") {
		return build(path)
	}
	if best := Closest(path, append([]string(nil), s.env.Packages...)); best != "" {
		return missing + "did you mean " + best + "?"
	}
	return build("PATH")
}
