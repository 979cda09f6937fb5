package interp

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// TestMessages checks what a user reads after a mistake, and some texts beside:
// want is a part of the cell's output, value or error.
func TestMessages(t *testing.T) {
	needsPlugin(t)
	if raceEnabled {
		t.Skip("the lines of panics are not known under the race detector")
	}
	in := New(Options{})
	for i, c := range []struct{ code, want string }{
		{`import "C"`, `cells cannot use cgo: import "C" needs a compiler`},
		{"jnp.Array(nil)", "ValueError: None is not a valid value for jnp.array\ncell 0, line 1"},
		{"jnp.Array([][]int{{1, 2}, {3}})", "inhomogeneous shape after 1 dimensions. The detected shape was (2,) + inhomogeneous part."},
		{"jnp.Array([]int{1, 1 << 31})", "OverflowError: Python integer 2147483648 out of bounds for int32"},
		{"jnp.Array([]any{1, []int{2}})", "The detected shape was (2,) + inhomogeneous part."},
		{"jnp.Array([]any{1, `ab`})", "Value 'ab' with dtype <U2 is not a valid JAX array type."},
		{"jnp.Array([]int{1, 2}).Reshape(3)", "cannot reshape array of shape (2,) (size 2) into shape 3 (size 3)"},
		{"jnp.Array([]int{1, 2}).Reshape(3, 1)", "into shape (3, 1) (size 3)"},
		{"var o jax.Option = nil\njit(jnp.Sin, o, nil)", "PjitFunction"},
		{"jit(jnp.Sin, nil)", "PjitFunction"},
		{"jit(func(x int) int { return x }).Lower(nil)", "None cannot be stored in a variable of type int"},
		{"jit(func(x Array) Array { return x + 1 })(nil)", "None was used where an array is needed"},
		{"_, outs := lax.Scan(func(c, x Array) (Array, any) { return c * 2., nil }, 1., nil, kw.Length(3))\nouts.IsNone()", "true"},
		{"fmt.Printf(`%d %.1f`, jnp.Array([]int{1, 2}), jnp.Array([][]float64{{1, 2}, {3, 4}}))", "[1 2] [[1.0 2.0] [3.0 4.0]]"},
		{"func η(θ Array) Array { return θ * θ }\njit(η).Lower(2.).AsText(`hlo`)", "HloModule jit___,"},
		{"jnp.Ones([]int{3}, `int8`)", "options are kw.DType(…)"},
		{"jnp.Linspace(0, 1, `5`)", "options are kw.Num(…), kw.Endpoint(…), kw.DType(…)"},
		{"jnp.Ones([]int{2}, jnp.Int8)", "Array([1, 1], dtype=int8)"},
		{"jnp.Linspace(0, 1, 3)", "Array([0. , 0.5, 1. ], dtype=float32)"},
		{"jnp.Sum(jnp.Ones([]int{2, 3}), 0, kw.KeepDims(true))", "Array([[2., 2., 2.]], dtype=float32)"},
		{"jnp.Sum(jnp.Ones([]int{2, 3}), []int{0, 1}, jnp.Int32)", "Array(6, dtype=int32)"},
		{"jnp.Clip(jnp.Arange(4), 1, 2)", "Array([1, 1, 2, 2], dtype=int32)"},
		{"random.Normal(random.Key(0), []int{2, 3}).Shape()", "[2 3]"},
		{"jnp.Sum(jnp.Ones(3), 0, 1)", "options are kw.Axis(…)"},
		{"random.Normal(0)", "expected key_data to have ndim, shape, and dtype attributes. Got 0"},
		{"random.Normal(random.Key(0), 2, 3)", "a shape of several sizes is a slice: []int{2, 3}"},
		{"random.Normal(random.Key(0), kw.Shape([]int{2}))", "they come one by one: kw.Shape(2)"},
		{"nn.OneHot(1, 3, jnp.Int32)", "write kw.DType(jnp.Int32)"},
		{"jnp.Stack(jnp.Ones(2), jnp.Ones(2))", "several Arrays are a slice: []Array{jnp.Ones(2), jnp.Ones(2)}"},
		{"jnp.Array(1).Summ()", "did you mean Sum?"},
		{"set_xla_metadata(1.5, attrs{`a`: `b`})", "Array(1.5, dtype=float32, weak_type=True)"},
		{"jax.config.update(`jax_enable_x64`, true)", `jax.Update("jax_enable_x64", true)`},
		{"jax.numpy.sin(1)", "jax.numpy is the package jnp"},
		{"None", "None is nil"},
		{"a := jnp.Arange(6.).Reshape(2, 3)\na.Index(jnp.NewAxis, jnp.Ellipsis, 0)", "Array([[0., 3.]], dtype=float32)"},
		{"ix := []any{jnp.Slice(), jnp.NewAxis, 1}\nfmt.Println(a.Index(ix...).Shape())", "[2 1]"},
		{"metadata.Survival(jit(jnp.Sin).Lower(1.))", "it is not compiled yet: jit(jnp.Sin).Lower(1.).Compile()"},
		{"metadata.Survival(jit(jnp.Sin))", "it is not compiled yet: jit(jnp.Sin).Lower(…).Compile()"},
		{"xla_metadata_call(jnp.Sin)", `attributes are a map: attrs{"k": "v"}`},
		{"xla_metadata_call(jnp.Sin, `k`)", `attributes are a map: attrs{"k": "v"}`},
		{"xla_metadata_call2(jnp.Sin, attrs{}, `drop`)", "write ad_metadata(`drop`)"},
		{"set_xla_metadata(jnp.Sin(1.))", "for all operations of a block: for range xla_metadata(attrs{…}).Scope"},
		{"for range xla_metadata(attrs{}) { }", "write for range xla_metadata(attrs{…}).Scope"},
		{"xla_metadata(attrs{})(jnp.Sin)", "xla_metadata(attrs{…}).Wrap(f)"},
		{"vmap(jnp.Sin, 0)", "options are in_axes(…)"},
		{"make_jaxpr(jnp.Sin, 1.)", "make_jaxpr(f)(x)"},
		{"checkpoint(jnp.Sin, `dots_saveable`)", "jax.Policy(jax.CheckpointPolicies.…)"},
		{"type Duo struct{ a, b any }\ntree.Register(Duo{}, tree.Node{Name: `Duo`, Flatten: func(v any) ([]any, any) { d := v.(Duo); return []any{d.a, d.b}, nil }, Unflatten: func(aux any, kids []any) any { return Duo{kids[0], kids[1]} }});", ""},
		{"jit(func(d Duo) any { return Duo{d.b, d.a} }).Lower(Duo{1., 2}).AsText(`hlo`)", "d_0_.1 = f32[] parameter(0)"},
		{"jit(func(d Duo) any { return Duo{d.b, d.a} }).Lower(Duo{1., 2}).AsText()", "result[1]"},
		{"jnp.Float32(1)", "types are values: jnp.Array(x, kw.DType(jnp.Float32))"},
		{"jax.checkpoint_policies", "the policies are in jax.CheckpointPolicies"},
		{"jnp.Ones(3).Sort()", "it is a function here: jnp.Sort(x)"},
		{"jnp.Ones(3).shape", "did you mean Shape()?"},
		{"1, 2", "several are written []any{a, b}"},
		{"r1, r2 := random.Split(random.Key(0), 3)", "the call gave one Array of 3 rows, not 2 results"},
		{"%%xla {`xla_nope`: 1}\n1 + 1", "note: no jit in this cell takes the options of %%xla"},
		{"%%xla {\"xla_embed_ir_in_executable\": true}\njit(jnp.Sin)(0.)", "Array(0., dtype=float32, weak_type=True)"},
		{"jnp.Ones(3).At(0).Set(1, 2)", "TypeError: _IndexUpdateRef.set() takes 2 positional arguments but 3 were given"},
		{"jnp.Ones(3).At(0).Get(1)", "TypeError: _IndexUpdateRef.get() takes 1 positional argument but 2 were given"},
		{"random.Normal([]int{2, 3})", "TypeError: unexpected PRNG key type <class 'list'>"},
		{"jnp.Ones(3).AsType(\"bfloat16\")", "types are values: jnp.BFloat16"},
		{"var q float64 = jnp.Ones(3)[1]", "float64(jnp.Ones(3)[1])"},
		{"ones := jnp.Ones(3)\nones[1:2] = 0", "Arrays are immutable"},
		{"%timeit fmt.Println(", "line 1:21: syntax error: unexpected end of the cell, expected expression"},
		{"%timeit nosuch(1)", "undefined: nosuch"},
		{"jit(func(f func(Array) Array, x Array) Array { return f(x) }, static_argnums(0))(jit(jnp.Sin), 1.)", "argument 0 is a jaxlike.Func, the parameter is a func(array.Array) array.Array: declare it as Func or any"},
		{"math.MaxInt64 + 1", "cannot use math.MaxInt64 + 1 (untyped int constant 9223372036854775808) as int value (overflows)"},
		{"type P struct{ W Array; N int }\neval_shape(func(p P) P { return p }, P{1.0, 2})", "P(W=ShapeDtypeStruct(shape=(), dtype=float32, weak_type=True), N=2)"},
		{"b := jnp.Array(true)\nswitch { case b: fmt.Print(`yes`) }", "yes"},
		{"jnp", "use of package jnp without selector"},
		{"for i := range 2 { g := jit(jnp.Sin); func() { fmt.Print(i, g(0.)) }() }", "0 0.01 0.0"},
		{"fs := make([]Func, 2)\nfs[1] = jit(jnp.Cos)\nvar gs [2]Func\ngs[1] = fs[1]\np := &gs[0]\n*p = jit(jnp.Sin)\nfmt.Print(fs[1](0.), gs[1](0.), gs[0](0.))", "1.0 1.0 0.0"},
		{"type Twice struct{}\nfunc (Twice) M() {}\nfunc (t Twice) M() {}", "!(and 1 more)"},
		{"type Twice struct{}\nfunc (Twice) M() {}\nfunc (t Twice) M() {}", "Twice.M already declared at line 2"},
		{"func twice() {}\nfunc twice() {}", "!(and 1 more)"},
		{"size := 5\nfunc g() [size]int { return [size]int{} }", "CompileError: invalid array length size\n"},
		{"func g() [sizes]int { return [sizes]int{} }", "undefined array length sizes or missing type constraint"},
		{"sizes := []int{1}\ntype T struct{ a [len(sizes)]int }", "CompileError: array length len(sizes) must be constant: it needs sizes, a variable of this cell\n"},
		{"//go:embed x\nvar s string", "1:3: go:embed needs the compiler"},
		{"s := `\n//go:embed x\n`", ""},
		{"ok := true\n!ok", "false"},
		{"!ok", "false"},
		{"!jnp.Ones(3).All()", "Array(False, dtype=bool)"},
		{"!ok && true;", ""},
		{"!pwd", "/"},
		{"func pf(x Array) Array { return x }\ny := jnp.Ones(3)", ""},
		{"!(y > 0)[1]", "Array(False, dtype=bool)"},
		{"ys := y > 0\n!ys[0]", "Array(False, dtype=bool)"},
		{"xla_metadata_call(pf, \"tag\")", "attributes are a map"},
		{"pf(2.0).Foo()", "1:9: pf(2.0).Foo undefined (type Array has"},
		{"y[0].Nope()", "1:6: y[0].Nope undefined (type Array"},
		{"(pf(2.0) + 1).Nope()", "(pf(2.0) + 1).Nope undefined (type"},
		{"(-y[1:2] * 2.).Nope()", "(-y[1:2] * 2.).Nope undefined (type"},
		{"y.Index(0).Nope()\ny[0].Mope()", "1:12: y.Index(0).Nope undefined"},
		{"var n float64\nn += y", "cannot use n + y (value of struct type Array) as float64"},
		{"jnp.Zeros(2, 3)", "a shape of several sizes is a slice: []int{2, 3}"},
		{"jit(pf).Compile(1.)", "write jit(pf).Lower(1.).Compile()"},
		{"jit(pf).cost_analysis()", "write jit(pf).Lower(…).CostAnalysis()"},
		{"jit(pf).Lower(1.).as_text()", "did you mean AsText?"},
		{"jit(pf).Lower(1.).memory_analysis()", "when it is compiled: .Compile().MemoryAnalysis()"},
		{"jit(pf).Lower(1.)(1.)", "it is not compiled yet: jit(pf).Lower(1.).Compile()"},
		{"xla_metadata_call(pf, attrs{tag: `t`})", `keys are texts: "tag"`},
		{"y.At[0].Set(5)", "write y.At(i).Set(v)"},
		{"!ok // not", "false"},
		{"custom_vjp(pf)", "write custom_vjp(f, fwd, bwd)"},
		{"custom_jvp(pf)", "write custom_jvp(f, rule)"},
		{"jit(pf).AsText()", "write jit(pf).Lower(…).AsText()"},
		{"jax.ShapeDtypeStruct([]int{3}, jnp.Float32)", "a struct is written jax.ShapeDtypeStruct{Shape: []int{3}, DType: jnp.Float32}"},
		{"y.Sum(kw.Axis(0))", "the method takes the axes: y.Sum(0); the function takes options: jnp.Sum(y, kw.Axis(0))"},
		{"y[1:3] += 1", "Arrays are immutable: x.At(i).Set(v) gives a changed copy"},
		{"y += \"s\"", "mismatched types Array and untyped string"},
		{"map[bool]int{}[y[0] > 1]", "when it is not traced: bool(y[0] > 1)"},
		{"jnp.BinCount(y, kw.Length(7))", "this is no option here: jnp.BinCount(y, 7)"},
		{"y.AsType(float32)", "types are values: jnp.Float32"},
		{"jacobian(pf)", "jacrev(f), or jacfwd(f)"},
		{"jax.Nn.Relu(1.)", "jax.nn is the package nn"},
		{"jax.NN", "jax.nn is the package nn"},
		{"jax.Numpy.Sin(1.)", "jax.numpy is the package jnp"},
		{"As[func(Array) Array](jit(pf))", "it is jax.As here"},
		{"Sin(1.)", "it is jnp.Sin here"},
		{"Scan(pf, 1., nil)", "it is lax.Scan here"},
		{"zeros_like(y)", "it is jnp.ZerosLike here"},
		{"jnp.zeros_like(y)", "did you mean jnp.ZerosLike?"},
		{"jnp.Softmax(y)", "it is nn.Softmax here"},
		{"grda(pf)", "did you mean grad?"},
		{"lax.Conv(y)", "!did you mean"},
		{"type net struct{ Layers []Array }\nvar deep net\ndeep.Layer", "did you mean Layers?"},
		{"jit(pf).Lower(1.).AsTxt()", "did you mean AsText?"},
		{"y.Sum().Item() + 1", "a float64"},
		{"item := jnp.Sum(y)\nfloat64(item.Item())", "x.Float() is a float64, x.Int() an int"},
		{"sl := []float32{1, 2}\nsl * 2", "slices have no arithmetic; jnp.Array(x) makes an Array"},
		{"sm := [][]int{{1}}\nsm.Sum()", "a slice has no methods; jnp.Array(sm) makes an Array"},
		{"float(y)", "float64(x)"},
		{"jk, _ := json.Marshal(map[string]any{`w`: jnp.Ones([]int{1, 2})})\nstring(jk)", `{"w":[[1.0,1.0]]}`},
		{"later := pf(later)", "!did you mean later"},
		{"jnp.Interp(y)", "!did you mean"},
		{"pmap(pf)", "there is one device here"},
		{"fail(1)", "!did you mean"},
		{"x := ", "syntax error: unexpected end of the cell, expected expression"},
		{"if true {", "syntax error: unexpected end of the cell, expected }"},
		{"package main\nimport `fmt`", "a cell has no package clause"},
		{"x := 1\u00a0+ 1", "invalid character U+00A0"},
		{"\ufeff7 * 6", "42"},
		{"f := jit(jnp.Sin)", ""},
		{"%who", "f                Func\n"},
		{"%reset jit", ""},
		{"%reset nothing", "no name nothing in the session"},
		{"go func() { var m map[string]int; m[`a`] = 1 }()\ntime.Sleep(20*time.Millisecond)", "goroutine of the cell ended at cell 0, line"},
		{"f;", ""},
		{"func inner(x Array) Array {\n\treturn jnp.Sin(x)\n}\nouter := jit(inner)", ""},
		{"_ = 1\nouter(jnp.Ones(3)).Reshape(7)", "cell 0, line 2"},
		{"jnp.Ones(3).Index(jnp.All, 0)", "Got <function all at 0x...>"},
		{"jnp.Linalg", "<module 'jax.numpy.linalg'>"},
	} {
		host := &recorder{}
		res := in.Execute(context.Background(), language.Request{Code: c.code, Count: i + 1}, host)
		time.Sleep(time.Millisecond)
		got := host.stdout.String() + host.stderr.String()
		if res.Value != nil {
			got += res.Value["text/plain"].(string)
		}
		if res.Error != nil {
			got += strings.Join(res.Error.Traceback, "\n")
		}
		want := strings.ReplaceAll(c.want, "cell 0", "cell "+strconv.Itoa(i+1))
		want, not := strings.CutPrefix(want, "!")
		if strings.Contains(got, want) == not || want == "" && got != "" {
			t.Errorf("%s\ngives %s\nnot %s", c.code, got, want)
		}
	}
}

// TestLongLine checks that an error in a long line is short.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("a", 100_000)
	for _, code := range []string{"var x int = \"" + long + "\"", "y := \"" + long + "\" + 1", "z := \"" + long} {
		res := New(Options{}).Execute(context.Background(), language.Request{Code: code, Count: 1}, &recorder{})
		if res.Error == nil {
			t.Fatal("no error")
		}
		if n := len(strings.Join(res.Error.Traceback, "\n")); n > 4000 {
			t.Errorf("%.40s: %d bytes", code, n)
		}
	}
}
