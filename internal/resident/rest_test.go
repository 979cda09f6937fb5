package resident

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestRest: memory is given back once after work, not during it, and not more
// often than it is worth.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var trims atomic.Int32
		r := Rest{trim: func() {
			trims.Add(1)
			time.Sleep(20 * time.Millisecond)
		}}
		after := func(d time.Duration, want int32) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if got := trims.Load(); got != want {
				t.Errorf("%d trims, want %d", got, want)
			}
		}
		r.Activity(true)
		after(time.Minute, 0)
		r.Activity(true)
		r.Activity(false)
		after(time.Minute, 0) // one of two has ended
		r.Activity(false)
		after(quiet-time.Millisecond, 0)
		r.Activity(true)
		r.Activity(false)
		after(quiet-time.Millisecond, 0)
		after(2*time.Millisecond, 1)
		after(time.Minute, 1)
		for range 4 { // cells in a row: the next trim is as far away as a hundred of them take
			r.Activity(true)
			r.Activity(false)
			after(quiet+30*time.Millisecond, 2)
		}
		after(2*time.Second, 3)
		after(time.Minute, 3)
	})
}
