package interp

import (
	"slices"
	"testing"
)

// mixedWrong are wrong cells that no Go file can be: with magics, Array
// operators, history, earlier cells. Each mistake is "line:col: first words".
var mixedWrong = []struct {
	before []string
	cell   string
	want   []string
}{
	{nil, "%time 1 + 1\nx := \"a\" + 1\n", []string{
		`2:6: invalid operation: "a" + 1 (mismatched types untyped string and untyped int)`,
	}},
	{nil, "%%time\nx := 1\n  x.foo", []string{"3:5: x.foo undefined (type int has no field or method foo)"}},
	{nil, "x := jnp.Ones([]int{2})\ny := x*2 + \"a\"\nz := x @ x", []string{"3:8: invalid character U+0040 '@'", "3:10: syntax error: unexpected name x at end of statement"}},
	{nil, "x := jnp.Ones([]int{2})\ny := x &^ x\nx.Sinus()\nx[0] = 1.", []string{
		`2:6: invalid operation: operator &^ not defined on x (variable of struct type Array)`,
		`3:3: x.Sinus undefined (type Array has no field or method Sinus)`,
		`4:2: cannot index x (variable of struct type Array)`,
	}},
	{nil, "var a Array = \"s\"\nvar b Array = 1\nb = true && nope\nif b > 0 && b.nope { }", []string{
		`1:15: cannot use "s" (untyped string constant) as Array value in variable declaration`,
		`3:13: undefined: nope`,
		`4:15: b.nope undefined (type Array has no field or method nope)`,
	}},
	{nil, "f := jit(func(x Array) Array { return x.Sin() + undefined1 })\nf(1).Foo", []string{
		`1:41: x.Sin undefined (type Array has no field or method Sin)`,
		`1:49: undefined: undefined1`,
		`2:6: f(1).Foo undefined (type Array has no field or method Foo)`,
	}},
	{nil, "jnp.Sum(1, kw.Axiss(0))\njnp.Summ(1)\njnp.Sum(1, kw.Dtype(1))", []string{
		`1:15: undefined: kw.Axiss`,
		`2:5: undefined: jnp.Summ`,
		`3:15: undefined: kw.Dtype (but have DType)`,
	}},
	{[]string{"type T struct{ a int }", "func (t T) M() int { return t.a }"}, "T{1}.N()\nT{1}.M(2)\nT{b: 2}\nvar s string = T{1}.M()", []string{
		`1:6: T{…}.N undefined (type T has no field or method N)`,
		`2:8: too many arguments in call to T{…}.M`,
		`3:1: T{…} (value of struct type T) is not used`,
		`3:3: unknown field b in struct literal of type T`,
		`4:16: cannot use T{…}.M() (value of type int) as string value in variable declaration`,
	}},
	{[]string{"x := 1"}, "y := x + \"a\"\nx := x + z\n!ls\nx = \"b\"", []string{
		`1:6: invalid operation: x + "a" (mismatched types int and untyped string)`,
		`2:10: undefined: z`,
	}},
	{[]string{"1 + 1"}, "_ + \"a\"\nOut[1].foo\nOut[9]\nx := __", []string{
		`1:1: invalid operation: Out[1] + "a" (mismatched types int and untyped string)`,
		`2:8: Out[1].foo undefined (type int has no field or method foo)`,
		`3:1: Out[9]: cell 9 has shown no value`,
		`4:6: undefined: __`,
	}},
	{nil, "for i, row := range jnp.Ones([]int{2}) { i.foo(); row.bar() }\nlen(jnp.Ones([]int{2})) + \"a\"", []string{
		`1:44: i.foo undefined (type int has no field or method foo)`,
		`1:55: row.bar undefined (type Array has no field or method bar)`,
		`2:1: invalid operation: len(jnp.Ones([]int{…})) + "a" (mismatched types int and untyped string)`,
	}},
	{nil, "tree.Map(func(x Array) Array { return x + nope }, []Array{1.0})\ntree.Map()\n", []string{
		`1:43: undefined: nope`,
		`2:1: not enough arguments in call to tree.Map`,
	}},
	{nil, "a, b := jit(func(x Array) (Array, Array) { return x, x })(1.0), 2\nc, d, e := a\nvar n int = b.q", []string{
		`3:15: b.q undefined (type int has no field or method q)`,
	}},
	{nil, "func f(x Array) Array { return x * \"a\" }\nfunc g(x Array) { return x }\nfunc h(x Array) (Array, int) { return x > 0 }\nfunc k(x Array) Array { if x { } }", []string{
		`1:32: invalid operation: x * "a" (mismatched types Array and untyped string)`,
		`2:26: too many return values`,
		`3:39: not enough return values`,
		`4:34: missing return`,
	}},
	{nil, "%who\n%nosuch\nx := 1 +", []string{
		`3:9: syntax error: unexpected end of the cell, expected expression`,
	}},
	{nil, "import \"fmt\"; import \"fmt\"; fmt.Foo(); var q int = \"é\" + fmt.Bar", []string{
		`1:22: fmt redeclared in this block`,
		`1:33: undefined: fmt.Foo`,
		`1:63: undefined: fmt.Bar`,
	}},
}

func TestMixedWrong(t *testing.T) {
	for i, tt := range mixedWrong {
		s := startScript(t)
		for _, c := range tt.before {
			if m := s.Run(c).Mistakes; len(m) > 0 {
				t.Fatalf("%d: %v", i, m)
			}
		}
		got := brief(s.Run(tt.cell).Mistakes)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%d:\n%s\n%q", i, tt.cell, got)
		}
	}
}
