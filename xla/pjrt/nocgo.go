//go:build !cgo

package pjrt

// Without cgo the package is empty and registers no backend: what only traces
// and prints works all the same.
