package core

import "sync/atomic"

// Stopper tells what waits on behalf of the calling goroutine when nobody wants
// its work any more: stop is closed then, and the wait ends with a panic of
// reason. A nil stop is never closed.
type Stopper func() (stop <-chan struct{}, reason any)

var stopper atomic.Pointer[Stopper]

// SetStopper installs the Stopper; the front end of cells does, for interrupts.
func SetStopper(f Stopper) { stopper.Store(&f) }

// Stopped is what the Stopper says, nil where there is none.
func Stopped() (stop <-chan struct{}, reason any) {
	if f := stopper.Load(); f != nil {
		return (*f)()
	}
	return nil, nil
}
