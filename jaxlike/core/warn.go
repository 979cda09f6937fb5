package core

import (
	"fmt"
	"os"
	"sync"
)

// WarnFunc gets warnings: the class as Python names it, such as "UserWarning",
// and the text.
type WarnFunc func(class, text string)

var warnings = struct {
	sync.Mutex
	to WarnFunc
}{to: func(class, text string) { fmt.Fprintf(os.Stderr, "%s: %s\n", class, text) }}

// Warn shows a warning, on standard error unless OnWarn says otherwise.
func Warn(class, format string, args ...any) {
	warnings.Lock()
	to := warnings.to
	warnings.Unlock()
	to(class, fmt.Sprintf(format, args...))
}

// OnWarn sends warnings to f; it gives a function that undoes this.
func OnWarn(f WarnFunc) (undo func()) {
	warnings.Lock()
	defer warnings.Unlock()
	prev := warnings.to
	warnings.to = f
	return func() {
		warnings.Lock()
		defer warnings.Unlock()
		warnings.to = prev
	}
}
