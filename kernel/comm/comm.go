// Package comm keeps track of the open comms between front ends and the
// kernel.
package comm

import (
	"maps"
	"sync"
)

// Table maps open comms to the names of their targets. The zero value is not
// ready; use [NewTable]. It is safe for concurrent use.
type Table struct {
	mu    sync.Mutex
	comms map[string]string
}

// maxComms and maxName bound the table: beyond them, opened comms are not listed.
const (
	maxComms = 1 << 16
	maxName  = 4 << 10
)

// NewTable returns an empty table.
func NewTable() *Table { return &Table{comms: map[string]string{}} }

// Open notes an open comm.
func (t *Table) Open(id, target string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.comms) < maxComms && len(id)+len(target) < maxName {
		t.comms[id] = target
	}
}

// Target is the name of an open comm's target, "" of one that is not open.
func (t *Table) Target(id string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.comms[id]
}

// Close forgets a comm.
func (t *Table) Close(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.comms, id)
}

// Clear forgets all comms, when the worker that held them is gone.
func (t *Table) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.comms)
}

// List returns id and target of the open comms, all or those of one target.
func (t *Table) List(target string) map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := maps.Clone(t.comms)
	if target != "" {
		maps.DeleteFunc(list, func(_, of string) bool { return of != target })
	}
	return list
}
