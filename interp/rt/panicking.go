//go:build (amd64 || arm64) && go1.26 && !go1.27

package rt

import "unsafe"

// goroutine and panicking are the beginnings of g and _panic of package runtime
// (runtime2.go of Go 1.26); probe sees to it that they still are.
type goroutine struct {
	stack   [4]uintptr // and its guards
	current *panicking
}

type panicking struct {
	arg  any
	link *panicking
	_    uintptr        // startPC
	_    unsafe.Pointer // startSP
	_    unsafe.Pointer // sp
	_    uintptr        // lr
	_    unsafe.Pointer // fp
	_    uintptr        // retpc
	_    *uint8         // deferBits
	_    unsafe.Pointer // slots

	recovered, _, goexit, deferreturn bool // the second is repanicked
}

// getg gives the runtime's own record of the calling goroutine.
func getg() unsafe.Pointer

// knownLayout tells that the layout above is right.
var knownLayout = probe()

// currentPanic is the panic for which a deferred function of the calling goroutine
// runs, nil for none.
func currentPanic() *panicking {
	if !knownLayout {
		return nil
	}
	return (*goroutine)(getg()).current
}

// probe makes a panic and looks at what the runtime notes of it.
func probe() (ok bool) {
	const value = "probe"
	defer func() {
		p := (*goroutine)(getg()).current
		if p == nil || p.arg != any(value) || p.recovered || p.goexit || p.deferreturn {
			_ = recover()
			return
		}
		p.goexit = true
		hidden := recover() == nil
		p.goexit = false
		ok = recover() == any(value) && hidden && p.recovered
	}()
	panic(value)
}
