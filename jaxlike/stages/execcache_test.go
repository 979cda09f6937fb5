package stages

import (
	"container/list"
	"math"
	"runtime"
	"testing"
	"time"
)

func TestExecCache(t *testing.T) {
	c := &execCache{order: list.New()}
	add := func(code int) *slot {
		s := &slot{}
		c.add(&Executable{slot: s}, code)
		return s
	}
	held := make([]*slot, maxExecutables+10)
	for i := range held {
		held[i] = add(0)
		held[i].used.Store(false)
		held[0].executable() // always in use
	}
	if n := c.order.Len(); n != maxExecutables {
		t.Errorf("%d executables of at most %d", n, maxExecutables)
	}
	if held[0].executable() == nil || held[1].executable() != nil || held[len(held)-1].executable() == nil {
		t.Error("not the one that was not used for longest was evicted")
	}
	// Large ones are bounded by what they take.
	for range 10 {
		held = append(held, add(100<<20))
	}
	if c.bytes > maxExecBytes {
		t.Errorf("%d bytes of at most %d", c.bytes, maxExecBytes)
	}
	runtime.KeepAlive(held)
	held = nil
	deadline := time.Now().Add(10 * time.Second)
	for left := 1; left > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%d executables whose slots nobody holds", left)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
		c.mu.Lock()
		left = c.order.Len()
		if left == 0 && c.bytes != 0 {
			t.Errorf("none is left, but %d bytes", c.bytes)
		}
		c.mu.Unlock()
	}
}

// TestTracesOfDeadFunctions: the cache holds no function, and forgets the traces
// of one that is dead.
func TestTracesOfDeadFunctions(t *testing.T) {
	ids := func() int {
		traceCache.Lock()
		defer traceCache.Unlock()
		return len(traceCache.byFn)
	}
	before := ids()
	for i := range 100 {
		f := func() float64 { return float64(i) }
		c := NewCallable(f)
		c.TraceArgs(c.Flatten(nil, nil, "jit"), "jit")
	}
	if ids() == before {
		t.Error("nothing was traced")
	}
	for range 1000 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		if ids() <= before+1 {
			return
		}
	}
	t.Errorf("%d functions, %d before", ids(), before)
}

// TestOptionsKey: options that Python takes for equal have one key; an option in
// two places has another than in one, as JAX 0.12.0.1 does.
func TestOptionsKey(t *testing.T) {
	type layers = []map[string]any
	key := func(v any) string { return layersKey(layers{{"a": v}}) }
	for _, same := range [][]any{{true, 1, 1.0, float32(1), int8(1)}, {false, 0, 0.0, math.Copysign(0, -1)}, {1e15, 1000000000000000}, {"x", "x"}} {
		for _, v := range same {
			if key(v) != key(same[0]) {
				t.Errorf("%#v: %q, not %q", v, key(v), key(same[0]))
			}
		}
	}
	seen := map[string]any{}
	for _, v := range []any{1, 2, 1.5, "1", "True", nil, math.Inf(1)} {
		if old, ok := seen[key(v)]; ok {
			t.Errorf("%#v and %#v have one key", v, old)
		}
		seen[key(v)] = v
	}
	one := layersKey(layers{{"a": 1}})
	if layersKey(layers{nil, {}}) != "" || one != layersKey(layers{nil, {"a": 1}}) || one == layersKey(layers{{"a": 1}, {"a": 1}}) {
		t.Error("empty layers, or an option in two places")
	}
}

// TestFirstOptions: of equal options of jits the first count.
func TestFirstOptions(t *testing.T) {
	p := &Program{}
	if got := p.first(map[string]any{"a": 1}); got["a"] != 1 {
		t.Error(got)
	}
	if got := p.first(map[string]any{"a": true}); got["a"] != 1 {
		t.Errorf("%v is not what was first", got)
	}
}
