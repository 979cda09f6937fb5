package rt

import (
	"reflect"
	"runtime"
	"strings"
)

// reflected is a panic of package reflect that is the cell's own doing.
type reflected struct{ v any }

// Raised prepares a panic for [Translate]. It is for deferred functions, while the
// stack of the panic is there: package reflect raises the same for yaegi's use of
// it, whose words Go's runtime has, and for the cell's, whose words stay.
func Raised(r any) any {
	switch v := r.(type) {
	case *reflect.ValueError:
	case string:
		if !strings.HasPrefix(v, "reflect") {
			return r
		}
	default:
		return r
	}
	if calledReflect() {
		return reflected{r}
	}
	return r
}

// calledReflect reports whether the innermost panic of package reflect on the
// stack comes from a function that the cell or a library has called. yaegi calls
// native functions by reflect.Value.Call, which has then raised nothing itself.
func calledReflect() bool {
	var pcs [512]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var names []string // of package reflect, from the panic outwards
	panics := false
	for {
		f, more := frames.Next()
		switch in := strings.HasPrefix(f.Function, "reflect."); {
		case in && (panics || names != nil):
			names = append(names, f.Function)
		case names != nil:
			return outside(f.Function) || calls(names)
		}
		panics = f.Function == "runtime.gopanic"
		if !more {
			return false
		}
	}
}

// outside reports a function of neither yaegi nor this package.
func outside(name string) bool {
	return !strings.HasPrefix(name, "github.com/traefik/yaegi/") && !strings.HasPrefix(name, "gopherlo/interp/")
}

// calls reports whether the last of the functions are those of a call and one
// before them is what was called.
func calls(names []string) bool {
	n := len(names) - 2
	if n < 1 || names[n] != "reflect.Value.call" {
		return false
	}
	for _, name := range names[:n] {
		if !strings.HasPrefix(name, "reflect.flag.") {
			return true
		}
	}
	return false
}
