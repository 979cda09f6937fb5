package interp

import (
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"gopherlo/interp/check"
)

// values are what variables of the session held between cells: inspection shows
// them while a cell runs, which may be changing the variables. They are taken
// while none runs, and each says which cell has left it so. Interp.names guards
// them.
type values struct {
	kept   map[*check.Sym]keptValue
	places map[*check.Sym]int // of variables among the globals
	// recent are variables that cells have named since they were last kept, the
	// last ones; they are kept when the next cell begins.
	recent []*check.Sym
	// keeping tells that a goroutine waits to keep all.
	keeping atomic.Bool
	// callbacks counts the callbacks of front ends that run.
	callbacks atomic.Int32
	exits     atomic.Int64 // cells that have ended
}

// keptValue is the value of a variable after a cell.
type keptValue struct {
	value valueText
	cell  int64
}

const (
	maxRecent = 32 // variables that a cell waits for
	keepChunk = 64 // variables that are kept without a pause
	// keepAfter is how long a session stands still before all variables are kept.
	keepAfter = 10 * time.Millisecond
)

// stands reports that no code of cells runs but that of so many; in.names is held.
func (in *Interp) stands(running int32) bool {
	return in.cells.Load() <= running && in.values.callbacks.Load() == 0 && in.rt.Goroutines() == 0
}

// enter counts a cell that begins. What the last ones have named is kept before.
func (in *Interp) enter() {
	in.names.Lock()
	defer in.names.Unlock()
	if in.stands(0) {
		for _, sym := range in.values.recent {
			in.keep(sym)
		}
		in.values.recent = in.values.recent[:0]
	}
	in.cells.Add(1)
}

// exit counts a cell that has ended, and keeps what there is when no other
// follows.
func (in *Interp) exit() {
	in.cells.Add(-1)
	in.values.exits.Add(1)
	if in.values.keeping.CompareAndSwap(false, true) {
		go func() {
			for last := int64(0); last != in.values.exits.Load(); {
				last = in.values.exits.Load()
				time.Sleep(keepAfter)
			}
			in.values.keeping.Store(false)
			in.keepAll()
		}()
	}
}

// named notes the variables that a cell has named or declared; in.names is held.
func (in *Interp) named(syms []*check.Sym) {
	v := &in.values
	for _, sym := range syms {
		if sym.Kind != check.Var || slices.Contains(v.recent, sym) {
			continue
		}
		if len(v.recent) == maxRecent {
			v.recent = append(v.recent[:0], v.recent[1:]...)
		}
		v.recent = append(v.recent, sym)
	}
}

// keepAll keeps the values of all variables, as long as no cell begins.
func (in *Interp) keepAll() {
	var syms []*check.Sym
	in.names.Lock()
	in.session.Each(func(sym *check.Sym) {
		if sym.Kind == check.Var {
			syms = append(syms, sym)
		}
	})
	for sym := range in.values.kept { // of names that have been declared again
		if in.session.Lookup(sym.Name) != sym {
			delete(in.values.kept, sym)
			delete(in.values.places, sym)
		}
	}
	in.names.Unlock()
	for chunk := range slices.Chunk(syms, keepChunk) {
		in.names.Lock()
		still := in.stands(0)
		for _, sym := range chunk {
			if still {
				in.keep(sym)
			}
		}
		in.names.Unlock()
		if !still {
			return // the cell that runs starts this again
		}
	}
}

// keep keeps the value of a variable; nothing that could change it runs.
func (in *Interp) keep(sym *check.Sym) {
	v, ok := in.memory(sym)
	if !ok {
		delete(in.values.kept, sym)
		return
	}
	in.values.kept[sym] = keptValue{textOf(v, sym.Obj.Type(), false), in.count.Load()}
}

// memory is that of a variable of the session; in.names is held.
func (in *Interp) memory(sym *check.Sym) (v reflect.Value, ok bool) {
	if sym == nil || sym.Kind != check.Var || in.session.Lookup(sym.Name) != sym {
		return v, false
	}
	place, ok := in.values.places[sym]
	if !ok {
		if place, ok = in.globals.index(in.yaegi, sym.Emit); !ok {
			return v, false
		}
		in.values.places[sym] = place
	}
	v = (*in.globals.data)[place]
	return v, v.IsValid() && v.CanInterface()
}

// still is the memory of a variable that nothing changes now.
func (in *Interp) still(sym *check.Sym) (v reflect.Value, ok bool) {
	if !in.stands(0) {
		return v, false
	}
	return in.memory(sym)
}
