// Package cellid tells which cell the running goroutine belongs to.
//
// A cell's goroutine is labelled once with [Enter]; every goroutine that it
// starts, interpreted or native, inherits the label from the runtime, so late
// output of a goroutine finds the cell that started it. The label is a pprof
// label; reading it costs about a nanosecond.
//
// The runtime drops labels where it calls back on its own account
// (time.AfterFunc, finalizers): wrap such functions with [Wrap].
package cellid

import (
	"context"
	"runtime/pprof"
	"strconv"
	"sync"
	"unsafe"
)

// getLabel returns the running goroutine's label set, nil when it has none.
// runtime/pprof declares it without exporting it; the signature is that of
// Go 1.26, runtime/pprof/runtime.go.
//
//go:linkname getLabel runtime/pprof.runtime_getProfLabel
func getLabel() unsafe.Pointer

// cells maps a label set to its cell. The key is the pointer itself, not its
// number: held, the label set is never freed, so no later set can get its
// address. (With uintptr keys nearly every address was seen twice.)
var cells sync.Map // unsafe.Pointer -> int64

// Enter labels the running goroutine as one of cell's and returns a function
// that takes the label off again.
func Enter(cell int64) (leave func()) {
	ctx := pprof.WithLabels(context.Background(), pprof.Labels("gopherlo-cell", strconv.FormatInt(cell, 10)))
	pprof.SetGoroutineLabels(ctx)
	cells.Store(getLabel(), cell)
	return func() { pprof.SetGoroutineLabels(context.Background()) }
}

// Current returns the cell of the running goroutine. It reports false for a
// goroutine without a label and for one whose label a user program replaced
// by its own; such output belongs to the foreground cell.
func Current() (int64, bool) {
	label := getLabel()
	if label == nil {
		return 0, false
	}
	cell, ok := cells.Load(label)
	if !ok {
		return 0, false
	}
	return cell.(int64), true
}

// Wrap returns f so that it runs as part of the cell that called Wrap, for
// functions that the runtime calls later, as time.AfterFunc does.
func Wrap(f func()) func() {
	label := getLabel()
	if label == nil {
		return f
	}
	return func() {
		old := getLabel()
		setLabel(label)
		defer setLabel(old)
		f()
	}
}

// setLabel is the counterpart of getLabel, from the same file of the runtime.
//
//go:linkname setLabel runtime/pprof.runtime_setProfLabel
func setLabel(label unsafe.Pointer)
