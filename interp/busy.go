package interp

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"

	"gopherlo/kernel/language"
)

// Busy says what native work is under way, or which compiled function a cell is
// in.
func (in *Interp) Busy() string {
	if in.opts.Busy != nil {
		if text := in.opts.Busy(); text != "" {
			return text
		}
	}
	busy := ""
	in.bodies.Range(func(id, _ any) bool {
		if name := compiledCall(id.(int64)); name != "" {
			busy = language.BusyFunc + name
		}
		return busy == ""
	})
	return busy
}

// maxTraces bounds the text of all goroutines' stacks.
const maxTraces = 4 << 20

// compiledCall names the compiled function that interpreted code of a goroutine
// has called last and that has not come back, "" when none is known.
func compiledCall(id int64) string {
	buf := make([]byte, maxTraces)
	buf = buf[:runtime.Stack(buf, true)]
	at := bytes.Index(buf, fmt.Appendf(nil, "goroutine %d [", id))
	if at < 0 || at > 0 && buf[at-1] != '\n' {
		return ""
	}
	text, _, _ := strings.Cut(string(buf[at:]), "\n\n")
	last := ""
	for _, line := range strings.Split(text, "\n")[1:] {
		name := frameName(line)
		switch {
		case name == "", strings.HasPrefix(name, "runtime."):
		case name == "reflect.Value.call":
			return last
		case strings.HasPrefix(name, "github.com/traefik/yaegi/"):
			last = "" // of a function that compiled code has called
		default:
			last = name
		}
	}
	return ""
}

// frameName is the function of a line of a stack, "" for a line of its place.
func frameName(line string) string {
	if !strings.HasSuffix(line, ")") || strings.HasPrefix(line, "\t") {
		return ""
	}
	depth := 0
	for i := len(line) - 1; i >= 0; i-- {
		switch line[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return strings.TrimSuffix(line[:i], "[...]")
			}
		}
	}
	return ""
}
