package hlo_test

import (
	"errors"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func TestParseErrors(t *testing.T) {
	entry := func(lines string) string { return "HloModule m\n\nENTRY e {\n" + lines + "\n}\n" }
	tests := []struct{ text, want string }{
		{"", "1:1: expected \"HloModule\", found the end of the text"},
		{"HloModule m", "1:12: no computation is marked ENTRY"},
		{"HloModule m, foo=1", `1:14: unknown module attribute "foo"`},
		{"HloModule m\na { x = f32[] parameter(0) }\nb { x = f32[] parameter(0) }", "no computation is marked ENTRY"},
		{"HloModule m\nENTRY a { x = f32[] parameter(0) }\nENTRY b { x = f32[] parameter(0) }", "3:1: there are two ENTRY computations, a and b"},
		{"HloModule m\na { x = f32[] parameter(0) }\na { x = f32[] parameter(0) }", "3:1: computation a is defined twice"},
		{entry(""), "3:9: the computation has no instructions"},
		{entry("  x = f32[] multiplyy(0)"), `4:13: unknown opcode "multiplyy"; did you mean multiply?`},
		{entry("  x = f32[] frobnicate(0)"), `4:13: unknown opcode "frobnicate"`},
		{entry("  x = f33[] parameter(0)"), `4:7: unknown element type "f33"`},
		{entry("  x = f32[] parameter(0)\n  x = f32[] parameter(1)"), "5:3: instruction x is defined twice"},
		{entry("  x = f32[] sine(y)"), `4:18: there is no instruction "y" before this one`},
		{entry("  ROOT x = f32[] parameter(0)\n  ROOT y = f32[] sine(x)"), "5:8: x and y are both ROOT"},
		{entry("  x = f32[] parameter(0), foo=1"), `4:27: parameter has no attribute "foo"`},
		{entry("  x = f32[2] parameter(0)\n  y = f32[2] reverse(x), dimensions={0}, dimensions={0}"), `5:42: attribute "dimensions" stands twice`},
		{entry("  x = f32[2] parameter(0)\n  y = f32[2] sine(x), dimensions={0}"), `sine has no attribute "dimensions"`},
		{entry("  x = f32[2] parameter(0)\n  y = f32[2] call(x), to_apply=nobody"), `5:32: there is no computation "nobody"`},
		{entry("  x = f32[2] parameter(0)\n  y = pred[2] compare(x, x), direction=XX"), `5:40: unknown direction "XX"`},
		{entry("  x = f32[2] parameter(0)\n  y = f32[2] rng(x, x), distribution=rng_cauchy"), `unknown distribution "rng_cauchy"; there are`},
		{entry("  x = f32[] constant(abc)"), "4:22: abc is no value of type f32"},
		{entry("  x = f32[2]{0} constant({1,2,3})"), "4:26: dimension 0 has 3 elements"},
		{entry("  x = f32[] parameter(0), metadata={op_name=\"a}"), "4:45: string without end"},
		{entry("  x = f32[] parameter(0), sharding={bogus}"), `unknown part of a sharding "bogus"`},
		{entry("  x = f32[] parameter(0), frontend_attributes={a=\"1\",a=\"2\"}"), `attribute "a" stands twice`},
		{entry("  x = f32[] parameter(0), frontend_attributes={a={ { {}"), "braces without end"},
		{entry("  x = f32[] parameter(0), control-predecessors={q}"), `there is no instruction "q" in this computation`},
		{entry("  x = f32[] parameter(99999999999999999999)"), "expected an integer"},
		{"HloModule m /* no end", "1:13: comment without end"},
		{"HloModule m\nENTRY e { x = " + strings.Repeat("(", 100000), "nested more than 500 deep"},
	}
	for _, tt := range tests {
		_, err := hlo.Parse(tt.text)
		var pe *hlo.ParseError
		if !errors.As(err, &pe) || !contains(err.Error(), tt.want) {
			t.Errorf("Parse(%.80q) gives %v, want %q", tt.text, err, tt.want)
		}
	}
}

// People leave out what XLA prints.
func TestParseLoose(t *testing.T) {
	m := parse(t, `HloModule loose // a comment
ENTRY %main {
  %x = f32[4] parameter(0); y = f32[4] sine(f32[4]{0} %x) /* no ROOT */
  call = f32[4] call(y), to_apply={ a = f32[4] parameter(0)  b = f32[4] negate(a) }
}`)
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	want := `HloModule loose, entry_computation_layout={(f32[4]{0})->f32[4]{0}}

_ {
  a = f32[4]{0} parameter(0)
  ROOT b = f32[4]{0} negate(a)
}

ENTRY main {
  x = f32[4]{0} parameter(0)
  y = f32[4]{0} sine(x)
  ROOT call = f32[4]{0} call(y), to_apply=_
}

`
	if m.String() != want {
		t.Errorf("got %s", m)
	}
}

// Names may repeat between computations of a text, not in a module.
func TestParseRepeatedNames(t *testing.T) {
	m := parse(t, "HloModule m\nf { a = f32[] parameter(0) }\nENTRY e { a = f32[] parameter(0)\n a.1 = f32[] call(a), to_apply=f }")
	names := map[string]bool{}
	for _, i := range m.Instructions() {
		if names[i.Name] {
			t.Errorf("name %s stands twice", i.Name)
		}
		names[i.Name] = true
	}
}

// Names that look like the rest of the value before them.
func TestParseNewlines(t *testing.T) {
	parse(t, `HloModule m
ENTRY e {
  v = f32[2] parameter(0)
  z = f32[] constant(0)
  p = f32[3] pad(v, z), padding=0_1
  x.1 = f32[2] sine(v)
  g = f32[2] all-to-all(v), replica_groups=[1,2]<=[2]
  T.1 = f32[2] sine(v)
  c = f32[2] cosine(v), sharding={devices=[2]<=[2]}
  T.2 = f32[2] sine(v)
}`)
}

// A constant that was left out cannot be compiled, and says why.
func TestElided(t *testing.T) {
	m := parse(t, "HloModule m\nENTRY e { a = f32[20] constant({...}) }")
	if err := m.Verify(); err == nil || !contains(err.Error(), "left out") {
		t.Errorf("Verify gives %v", err)
	}
	if _, err := m.Marshal(); err == nil || !contains(err.Error(), "left out") {
		t.Errorf("Marshal gives %v", err)
	}
}
