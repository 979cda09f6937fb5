package cellid

import (
	"context"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"
)

// in runs f on a fresh goroutine of the given cell.
func in(cell int64, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer Enter(cell)()
		f()
	}()
	<-done
}

func TestInherited(t *testing.T) {
	in(7, func() {
		got := make(chan int64)
		go func() {
			go func() {
				cell, _ := Current()
				got <- cell
			}()
		}()
		if cell := <-got; cell != 7 {
			t.Errorf("grandchild of cell 7 says %d", cell)
		}
	})
}

func TestNoLabel(t *testing.T) {
	done := make(chan bool)
	go func() {
		_, ok := Current()
		done <- ok
	}()
	if <-done {
		t.Error("a goroutine of no cell has a cell")
	}
}

func TestLeave(t *testing.T) {
	in(3, func() {
		Enter(4)()
		if cell, ok := Current(); ok {
			t.Errorf("after leave: cell %d", cell)
		}
	})
}

func TestForeignLabel(t *testing.T) {
	in(5, func() {
		pprof.Do(context.Background(), pprof.Labels("user", "x"), func(context.Context) {
			if cell, ok := Current(); ok {
				t.Errorf("user's own label gives cell %d", cell)
			}
		})
	})
}

func TestWrap(t *testing.T) {
	in(9, func() {
		got := make(chan int64, 2)
		read := func() {
			cell, _ := Current()
			got <- cell
		}
		time.AfterFunc(time.Millisecond, Wrap(read))
		if cell := <-got; cell != 9 {
			t.Errorf("wrapped timer function ran in cell %d, want 9", cell)
		}
	})
}

// TestAddressesAreNotReused runs many cells with collections in between: a
// label set freed by the collector would give its address to a later cell.
func TestAddressesAreNotReused(t *testing.T) {
	var wg sync.WaitGroup
	for cell := int64(100); cell < 1100; cell++ {
		in(cell, func() {
			wg.Go(func() {
				if cell%100 == 0 {
					runtime.GC()
				}
				if got, _ := Current(); got != cell {
					t.Errorf("cell %d reads as %d", cell, got)
				}
			})
		})
	}
	wg.Wait()
}

func BenchmarkCurrent(b *testing.B) {
	defer Enter(1)()
	for b.Loop() {
		Current()
	}
}
