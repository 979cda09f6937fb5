//go:build !amd64 || purego

package core

// returnAddresses is for amd64 alone.
func returnAddresses(*[maxFrames]uintptr) (n int, whole bool) { return 0, false }
