// Package cellid tells which cell the running goroutine belongs to.
//
// A cell's goroutine is labelled once with [Enter]; every goroutine that it
// starts, interpreted or native, inherits the label from the runtime, so late
// output of a goroutine finds the cell that started it. The label is a pprof
// label; reading it costs a few nanoseconds.
//
// The runtime drops labels where it calls back on its own account
// (time.AfterFunc, finalizers): wrap such functions with [Wrap].
package cellid

import (
	"context"
	"runtime/pprof"
	"strconv"
	"unsafe"
)

// getLabel returns the running goroutine's label set, nil when it has none.
// runtime/pprof declares it without exporting it; the signature is that of
// Go 1.26, runtime/pprof/runtime.go.
//
//go:linkname getLabel runtime/pprof.runtime_getProfLabel
func getLabel() unsafe.Pointer

// key is the label's name, numbers its value.
const key = "gopherlo-cell"

// set is how runtime/pprof keeps the labels of a goroutine in Go 1.26
// (internal/runtime/pprof/label, labelset.go). The number is read from it: a table
// from label sets to cells would grow with each cell, as nobody knows when the last
// goroutine of one has ended.
type set struct{ list []struct{ key, value string } }

// Enter labels the running goroutine as one of cell's and returns a function
// that takes the label off again. One that has the label keeps it.
func Enter(cell int64) (leave func()) {
	if now, ok := Current(); ok && now == cell {
		return func() {}
	}
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(key, strconv.FormatInt(cell, 10))))
	return func() { pprof.SetGoroutineLabels(context.Background()) }
}

// Current returns the cell of the running goroutine. It reports false for a
// goroutine without a label and for one whose label a user program replaced
// by its own; such output belongs to the foreground cell.
func Current() (int64, bool) {
	labels := (*set)(getLabel())
	if labels == nil {
		return 0, false
	}
	for _, l := range labels.list {
		if l.key == key {
			cell, err := strconv.ParseInt(l.value, 10, 64)
			return cell, err == nil
		}
	}
	return 0, false
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
