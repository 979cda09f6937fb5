package flags

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

// The texts are those of golden cases 017-019 and facts/jax-behaviour: what
// JAX 0.12.0.1 says.
func TestParseLevel(t *testing.T) {
	for _, test := range []struct {
		value any
		want  Level
		err   string
	}{
		{"O0", O0, ""},
		{"O3", O3, ""},
		{"UNKNOWN", Unknown, ""},
		{O2, O2, ""},
		{19, O1, ""},
		{int64(39), O3, ""},
		{uint8(9), O0, ""},
		{9.0, O0, ""},
		{false, Unknown, ""},
		{"o1", 0, "'o1' is not a valid CompilerEffortLevel"},
		{"O4", 0, "'O4' is not a valid CompilerEffortLevel"},
		{"9", 0, "'9' is not a valid CompilerEffortLevel"},
		{"", 0, "'' is not a valid CompilerEffortLevel"},
		{" O1", 0, "' O1' is not a valid CompilerEffortLevel"},
		{"it's", 0, `"it's" is not a valid CompilerEffortLevel`},
		{1, 0, "1 is not a valid CompilerEffortLevel"},
		{-1, 0, "-1 is not a valid CompilerEffortLevel"},
		{77, 0, "77 is not a valid CompilerEffortLevel"},
		{Level(77), 0, "77 is not a valid CompilerEffortLevel"},
		{19.5, 0, "19.5 is not a valid CompilerEffortLevel"},
		{1e300, 0, "1e+300 is not a valid CompilerEffortLevel"},
		{math.NaN(), 0, "nan is not a valid CompilerEffortLevel"},
		{true, 0, "True is not a valid CompilerEffortLevel"},
		{nil, 0, "None is not a valid CompilerEffortLevel"},
		{[]int{1}, 0, "unhashable type: 'list'"},
		{map[string]int{}, 0, "unhashable type: 'dict'"},
	} {
		got, err := ParseLevel(test.value)
		if text := errText(err); got != test.want || text != test.err {
			t.Errorf("%v: %v, %q; want %v, %q", test.value, got, text, test.want, test.err)
		}
	}
	if _, err := ParseConfigLevel("O9"); errText(err) != "new enum value must be in ['UNKNOWN', 'O0', 'O1', 'O2', 'O3'], got O9 of type <class 'str'>." {
		t.Errorf("config: %v", err)
	}
	if l, err := ParseConfigLevel("O1"); l != O1 || err != nil {
		t.Errorf("config: %v, %v", l, err)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestMerge(t *testing.T) {
	o, err := Merge(
		map[string]any{"a": true, "b": 1, KeyOptimizationLevel: "O1"},
		map[string]any{"b": 2.5, "c": "x", KeyOptimizationLevel: 39},
		nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": true, "b": 2.5, "c": "x"}
	if !reflect.DeepEqual(o.Overrides, want) || o.Optimization != O3 || o.MemoryFitting != O2 {
		t.Errorf("got %+v", o)
	}
	if o.From["a"] != 0 || o.From["b"] != 1 {
		t.Errorf("from %v", o.From)
	}
	again, err := Merge(map[string]any{"c": "x", "b": 2.5, "a": true, KeyOptimizationLevel: O3})
	if err != nil || again.Key() != o.Key() {
		t.Errorf("keys %q and %q, %v", again.Key(), o.Key(), err)
	}
	one, err1 := Merge(map[string]any{"a": 1})
	str, err2 := Merge(map[string]any{"a": "1"})
	if one.Key() == str.Key() || errors.Join(err1, err2) != nil {
		t.Error("1 and \"1\" have one key")
	}
}

func TestMergeErrors(t *testing.T) {
	var level *LevelError
	var kind *TypeError
	var unhashable *UnhashableError
	// Levels come first, whatever else is wrong.
	if _, err := Merge(map[string]any{"a": nil, KeyMemoryFittingLevel: "O9"}); !errors.As(err, &level) {
		t.Errorf("level: %v", err)
	}
	if _, err := Merge(map[string]any{"a": nil}); !errors.As(err, &kind) {
		t.Errorf("nil: %v", err)
	}
	if _, err := Merge(map[string]any{"a": O1}); !errors.As(err, &kind) {
		t.Errorf("member: %v", err)
	}
	if _, err := Merge(map[string]any{"a": []string{"x"}}); !errors.As(err, &unhashable) {
		t.Errorf("slice: %v", err)
	}
	// A key that a later layer replaces is not checked.
	if _, err := Merge(map[string]any{"a": nil}, map[string]any{"a": 1}); err != nil {
		t.Errorf("replaced: %v", err)
	}
}

func TestProtoIsTheSameForEqualOptions(t *testing.T) {
	p := Proto{Overrides: map[string]any{}, NumParams: 3, NumResults: 2}
	for _, k := range []string{"e", "d", "c", "b", "a"} {
		p.Overrides[k] = k
	}
	first, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, err := p.Marshal(); err != nil || !reflect.DeepEqual(first, again) {
			t.Fatal("other bytes")
		}
	}
	if _, err := (Proto{Overrides: map[string]any{"a": nil}}).Marshal(); err == nil {
		t.Error("nil as value")
	}
}

func TestVerdict(t *testing.T) {
	const e, f = "E0000 00:00:1.5   77 command_line_flags.cc:93] ", "F0000 00:00:1.6   77 parse_flags_from_env.cc:220] "
	for _, test := range []struct{ output, want string }{
		{f + "Unknown flag in XLA_FLAGS: --x\n", "Unknown flag in XLA_FLAGS: --x"},
		{e + "Couldn't interpret value banana for flag y.\n" + f + "Check failed: Parse() Flag parsing failed.\nusage: x\n", "Couldn't interpret value banana for flag y."},
		{f + "Check failed: Parse() Flag parsing failed.\n", "Check failed: Parse() Flag parsing failed."},
		{"Segmentation fault\n", "Segmentation fault"},
		{"\n", "XLA ended the process without a word"},
	} {
		if got := errText(Verdict(test.output)); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if Verdict("") != nil {
		t.Error("an error without output")
	}
}

func TestUsage(t *testing.T) {
	got := Usage("usage: x\nFlags:\n\t--a_b=false \tbool\tText, more.\n\t--c=\"\"   \tstring\tOther\n\t--cut=1\tint32\tThe las")
	want := []Flag{
		{Name: "a_b", Type: "bool", Default: "false", Description: "Text, more.", XLAFlags: true},
		{Name: "c", Type: "string", Default: `""`, Description: "Other", XLAFlags: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func FuzzVerdict(f *testing.F) {
	f.Add("F0000 00:00:1.6   77 a.cc:220] x")
	f.Fuzz(func(t *testing.T, s string) {
		if err := Verdict(s); (err == nil) != (s == "") {
			t.Errorf("%q: %v", s, err)
		}
		Usage(s)
	})
}

// TestSpecialKeys: keys that are no XLA flags, with the texts of JAX 0.12.0.1;
// they come before whatever else is wrong.
func TestSpecialKeys(t *testing.T) {
	type Tuple []any
	wrong := func(takes, of, class string) string {
		return "(): incompatible function arguments. The following argument types are supported:\n    1. (self, arg: " + takes +
			", /) -> None\n\nInvoked with types: jaxlib._jax." + of + ", " + class
	}
	profile := func(class string) string { return wrong("bytes", "ExecutableBuildOptions", class) }
	outputs := func(class string) string { return wrong("collections.abc.Sequence[int]", "CompileOptions", class) }
	for _, test := range []struct {
		key   string
		value any
		err   string
	}{
		{KeyProfile, []byte("x"), ""},
		{KeyProfile, nil, ""},
		{KeyProfile, "x", profile("str")},
		{KeyProfile, Tuple{1}, profile("tuple")},
		{KeyDefinedOutputs, Tuple{0, 1}, ""},
		{KeyDefinedOutputs, Tuple{"a"}, outputs("tuple")},
		{KeyDefinedOutputs, nil, outputs("NoneType")},
		{KeyDefinedOutputs, []byte("x"), outputs("bytes")},
		{KeyOptimizationLevel, Tuple{1}, "(1,) is not a valid CompilerEffortLevel"},
		{KeyMemoryFittingLevel, []byte("O1\xff'"), `b"O1\xff'" is not a valid CompilerEffortLevel`},
	} {
		o, err := Merge(map[string]any{test.key: test.value, "zz": nil})
		if test.err == "" {
			o, err = Merge(map[string]any{test.key: test.value})
			if len(o.Overrides) != 0 {
				t.Errorf("%s is an override", test.key)
			}
		}
		if errText(err) != test.err {
			t.Errorf("%s %#v: %v, want %s", test.key, test.value, err, test.err)
		}
	}
}
