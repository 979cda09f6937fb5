package rt

import "sync/atomic"

// AtomicPointer is what sync/atomic.Pointer[T] is in memory, for all T.
type AtomicPointer struct{ p atomic.Pointer[any] }

// Load gives the pointer, nil at first.
func (a *AtomicPointer) Load() any {
	if x := a.p.Load(); x != nil {
		return *x
	}
	return nil
}

// Store sets the pointer.
func (a *AtomicPointer) Store(x any) { a.p.Store(&x) }

// Swap sets the pointer and gives the one before.
func (a *AtomicPointer) Swap(x any) any {
	if old := a.p.Swap(&x); old != nil {
		return *old
	}
	return nil
}

// CompareAndSwap sets the pointer if it is old.
func (a *AtomicPointer) CompareAndSwap(old, x any) bool {
	for {
		now := a.p.Load()
		if now == nil {
			if !isNilPointer(old) {
				return false
			}
		} else if *now != old && (!isNilPointer(*now) || !isNilPointer(old)) {
			return false
		}
		if a.p.CompareAndSwap(now, &x) {
			return true
		}
	}
}
