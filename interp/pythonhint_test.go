package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// TestPythonHints: what is Python's gets a line that says how Go writes it, and
// Go's own mistakes do not.
func TestPythonHints(t *testing.T) {
	for cell, want := range map[string]string{
		"def f(x):\n    return x":                    "func f(x Array) Array",
		"f = lambda x: x":                            "f := func(x Array) Array",
		"import numpy as np":                         "NumPy's functions are in jnp",
		"import pandas as pd":                        `import name "path"`,
		"from jax import grad":                       "are there already",
		"x := 2.\nx ** 2":                            "math.Pow(x, 2)",
		"for i in range(3):\n    print(i)":           "for i := range 3 { … }",
		"while True:\n    pass":                      "in Go: for { … }",
		"class A:\n    pass":                         "type T struct",
		"if x:\n    y":                               "blocks stand in braces",
		"x @ w":                                      "x.MatMul(w)",
		"x[:, 0]":                                    "x.Index(jnp.Slice(), 0)",
		"@jit\ndef f(x): return x":                   "no decorators",
		"# a comment":                                "comments start with //",
		"x = 1 if y else 2":                          "no conditional expression",
		"print(f\"{x}\")":                            `fmt.Printf("%v\n", x)`,
		"xla_metadata_call(f, k=1)":                  "attributes are a map",
		"jnp.Sum(x, axis=0)":                         "keyword arguments are options: kw.Axis(0)",
		"jnp.Sum(x, axis=(0, 1), keepdims=True)":     "options: kw.Axis(0, 1), kw.KeepDims(true)",
		"jnp.zeros(3, dtype=jnp.bfloat16)":           "options: kw.DType(jnp.BFloat16)",
		"xla_metadata_call(f, tag=\"t\")(1.)":        `attrs{"tag": "t"}`,
		"xla_metadata_call(f, a=\"b=c\", n=(1))":     `attrs{"a": "b=c", "n": (1)}`,
		"jit(f, compiler_options={\"xla_a\": True})": `options: compiler_options{"xla_a": true}`,
		"jit(f, compiler_options=dict(a=1))":         "options: compiler_options{…}",
		"jit(f, static_argnums=1)":                   "options: static_argnums(1)",
		"jax.jit(f, static_argnums=(0, 1))":          "options: static_argnums(0, 1)",
		"jit(f,\n  static_argnums=1)":                "options: static_argnums(1)",
		"grad(f, argnums=0)":                         "options: argnums(0)",
		"grad(f, argnums=0, holomorphic=True)(1.)":   "options: argnums(0), jax.Holomorphic(true)",
		"vmap(f, in_axes=(0, None), out_axes=0)":     "options: in_axes(0, nil), out_axes(0)",
		"checkpoint(f, policy=jax.checkpoint_policies.dots_saveable)": "options: jax.Policy(jax.CheckpointPolicies.DotsSaveable)",
		"x.sum(axis=0)":                                    "methods take the axes: x.Sum(0)",
		"loss(w, b, scale=2.)":                             "arguments have no names in Go",
		"jnp.Zeros((2, 3))":                                "tuples are slices: []int{2, 3}",
		"random.normal(key, (2, 3))":                       "tuples are slices: []int{2, 3}",
		"jnp.array([1., 2.])":                              "in Go: jnp.Array([]float64{1., 2.})",
		"xla_metadata_call(f, {\"tag\": \"t\"})":           "attributes are a map",
		"f(x, {\"a\": 1})":                                 "map[string]int",
		"xs := []map[string]int{{\"a\": 1}, {\"b\": 2}} 3": "",
		"f([]int{1, 2}, [2]int{1, 2} 3)":                   "",
		"x := [[1, 2], [3, 4]]":                            "jnp.Array([][]int{{1, 2}, {3, 4}})",
		"f((a, b))":                                        "tuples are slices, []any{a, b}",
		"a and b":                                          "&& and ||",
		"x := [1, 2]":                                      "in Go: []int{1, 2}, as an Array",
		"x = True":                                         "True is true",
		"y := None":                                        "None is nil",
		"sum(xs)":                                          "jnp.Sum",
		"%lsmagic":                                         "%help lists",
		"%pip install x":                                   "!pip",
		"%%bash\nls":                                       "!COMMAND",
		"syscall.Kill(1, 2)":                               "os/signal",
		"x := f(\"a and b\" 2)":                            "",
		"for (i = 0; i < 3; i++) { }":                      "for i := 0; i < 3; i++",
		"x := 1 2 // not this":                             "",
		"if x == 1 { y z }":                                "",
	} {
		in := New(Options{})
		res := in.Execute(context.Background(), language.Request{Code: cell, Count: 1}, quiet{})
		in.rt.Close()
		if res.Error == nil {
			t.Errorf("%s: no error", cell)
			continue
		}
		text := strings.Join(res.Error.Traceback, "\n")
		if want == "" {
			lines := strings.Split(text, "\n")
			if last := lines[len(lines)-1]; !strings.HasSuffix(last, "^") {
				t.Errorf("%s: hint %q", cell, last)
			}
		} else if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", cell, want, text)
		}
	}
}
