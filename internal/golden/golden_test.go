package golden

import (
	"strings"
	"testing"
)

func TestCases(t *testing.T) {
	if n := len(All(t)); n < 208 {
		t.Errorf("%d cases, want at least 208", n)
	}
	c := Get(t, "009")
	if c.Expect.Error == nil || c.Expect.Error.When != "compile" || !strings.Contains(c.Expect.Error.Message, "not_a_flag_here") {
		t.Errorf("error of 009: %+v", c.Expect.Error)
	}
	c = Get(t, "123")
	if out := c.Expect.Variants["grad"].Outputs; len(out) != 1 || out[0].DType != "float32" || !out[0].WeakType {
		t.Errorf("outputs of 123 grad: %+v", out)
	}
	c.Equal(t, "jaxpr.txt", strings.TrimSuffix(c.Text(t, "jaxpr.txt"), "\n"))
}

func TestDiff(t *testing.T) {
	got := Diff("a\nb\nc\nd", "a\nb\nX\nd")
	for _, want := range []string{"b\n", `-    3   "c"`, `+    3   "X"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
