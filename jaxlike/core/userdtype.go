package core

import (
	"fmt"

	"gopherlo/jaxlike/dtype"
)

// warned holds the warnings that were shown, by place and text: as in Python, one
// place warns once.
var warned = NewCache[string, bool](maxWarned)

const maxWarned = 1024

// UserDType is the element type that a user asked the function fun for (its JAX
// name; "" where JAX names none): one that only x64 mode has is truncated, with
// JAX's warning (jax/_src/dtypes.py, check_and_canonicalize_user_dtype).
func UserDType(fun string, d dtype.DType) dtype.DType {
	c := d.Canonical(X64())
	if c == d {
		return c
	}
	asked := d.String()
	if fun != "" {
		asked += " requested in " + fun
	}
	text := fmt.Sprintf("Explicitly requested dtype %s is not available, and will be truncated to dtype %s. To enable more dtypes, set the jax_enable_x64 configuration option or the JAX_ENABLE_X64 shell environment variable. See https://github.com/jax-ml/jax#current-gotchas for more.", asked, c)
	key := text
	if at := position(); at != nil {
		key = fmt.Sprintf("%s:%d:%s", at.Frame.File, at.Frame.Line, text)
	}
	if _, ok := warned.Get(key); !ok {
		warned.GetOrPut(key, true)
		Warn("UserWarning", "%s", text)
	}
	return c
}
