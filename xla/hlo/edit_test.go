package hlo_test

import (
	"slices"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
)

const program = `HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}

scale {
  s = f32[4]{0} parameter(0)
  two = f32[] constant(2)
  bt = f32[4]{0} broadcast(two), dimensions={}
  ROOT m = f32[4]{0} multiply(s, bt)
}

ENTRY main {
  x = f32[4]{0} parameter(0)
  sin = f32[4]{0} sine(x)
  c = f32[4]{0} call(sin), to_apply=scale
  ROOT add = f32[4]{0} add(c, x)
}

`

func parse(t testing.TB, text string) *hlo.Module {
	t.Helper()
	m, err := hlo.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWalkAndFind(t *testing.T) {
	m := parse(t, program)
	var names []string
	m.Walk(func(c *hlo.Computation, i *hlo.Instruction) bool {
		names = append(names, i.Name)
		return i.Name != "sin"
	})
	if want := []string{"s", "two", "bt", "m", "x", "sin"}; !slices.Equal(names, want) {
		t.Errorf("Walk visits %v, want %v", names, want)
	}
	if n := len(m.Instructions()); n != 8 {
		t.Errorf("%d instructions, want 8", n)
	}
	if f := m.FindOpcode(hlo.OpSin, hlo.OpAdd); len(f) != 2 || f[0].Name != "sin" || f[1].Name != "add" {
		t.Errorf("FindOpcode gives %v", f)
	}
	if m.FindName("%bt") == nil || m.FindName("nobody") != nil || m.Computation("scale") == nil || m.Computation("x") != nil {
		t.Error("FindName or Computation finds the wrong thing")
	}
	if c := m.Computation("scale"); !strings.HasPrefix(c.String(), "scale {\n") || !strings.Contains(m.String(), c.String()) {
		t.Errorf("a computation prints as\n%s", c)
	}
}

func TestAttrs(t *testing.T) {
	m := parse(t, program)
	i := m.FindName("sin")
	i.SetAttr("tag", `my "block"`)
	m.SetAttr("k", "{a = 1}")
	if got, want := i.String(), `sin = f32[4]{0} sine(x), frontend_attributes={tag="my \"block\""}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v, ok := i.Attr("tag"); !ok || v != `my "block"` {
		t.Errorf("Attr gives %q, %v", v, ok)
	}
	if r := parse(t, m.String()); r.String() != m.String() {
		t.Error("attributes do not survive the text")
	}
	i.RemoveAttr("tag")
	m.RemoveAttr("k")
	if m.String() != program {
		t.Errorf("after RemoveAttr: %s", m)
	}
}

func TestReplaceAndRemove(t *testing.T) {
	m := parse(t, program)
	old := m.Clone()
	e := m.Entry
	sin := m.FindName("sin")
	cos := e.Add(&hlo.Instruction{Name: "cos", Opcode: hlo.OpCos, Shape: sin.Shape, Operands: sin.Operands})
	if u := e.Users(sin); len(u) != 1 || u[0].Name != "c" {
		t.Errorf("users of sin: %v", u)
	}
	e.Replace(sin, cos)
	if n := e.RemoveDead(); n != 1 {
		t.Errorf("%d instructions removed, want 1", n)
	}
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	want := `ENTRY main {
  x = f32[4]{0} parameter(0)
  cos = f32[4]{0} cosine(x)
  c = f32[4]{0} call(cos), to_apply=scale
  ROOT add = f32[4]{0} add(c, x)
}`
	if got := instructionsOf(m.String()); got != instructionsOf(want)+"\n\n" {
		t.Errorf("got %s", got)
	}
	if old.String() != program {
		t.Errorf("the clone changed: %s", old)
	}
	if err := old.Verify(); err != nil {
		t.Errorf("the clone: %v", err)
	}
}

func TestCloneGolden(t *testing.T) {
	eachModule(t, func(name string, _ []byte, m *hlo.Module, _ map[string][]byte) {
		c := m.Clone()
		if c.Text(full()) != m.Text(full()) {
			t.Errorf("%s: the clone prints differently", name)
		}
	})
}

func TestEditsKeepOrder(t *testing.T) {
	// by comes before a user of old that stands earlier in the list.
	m := parse(t, program)
	e := m.Entry
	x := m.FindName("x")
	neg := e.Add(&hlo.Instruction{Name: "neg", Opcode: hlo.OpNegate, Shape: x.Shape, Operands: []*hlo.Instruction{x}})
	e.Replace(x, neg)
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	if neg.Operands[0] != x {
		t.Error("Replace changed the operands of the replacement")
	}
}
