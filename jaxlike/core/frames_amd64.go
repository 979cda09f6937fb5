//go:build !purego

package core

// returnAddresses gives the return addresses of the calling goroutine's innermost
// functions, inlined ones not counted, some fifty times faster than
// runtime.Callers. whole tells that they end at the goroutine's first function.
//
//go:noescape
func returnAddresses(pcs *[maxFrames]uintptr) (n int, whole bool)
