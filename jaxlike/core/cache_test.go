package core

import "testing"

func TestCache(t *testing.T) {
	c := NewCache[int, string](3)
	for i, s := range []string{"a", "b", "c"} {
		c.GetOrPut(i, s)
	}
	if v := c.GetOrPut(1, "other"); v != "b" {
		t.Errorf("a second value came in place of the first: %q", v)
	}
	c.Get(0)
	c.GetOrPut(3, "d") // 2 was not used
	if _, ok := c.Get(2); ok {
		t.Error("what was not used stayed")
	}
	for _, k := range []int{0, 1, 3} {
		if _, ok := c.Get(k); !ok {
			t.Errorf("%d was forgotten", k)
		}
	}
	for i := range 100 {
		c.GetOrPut(i+10, "x")
		if c.Len() != 3 {
			t.Fatalf("%d entries of at most 3", c.Len())
		}
	}
	if c.Clear(); c.Len() != 0 {
		t.Error("cleared, but not empty")
	}
	c.GetOrPut(1, "again")
}
