package cells

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"gopherlo/display"
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
)

// printed runs body and gives what it prints.
func printed(t *testing.T, body func()) (stdout, stderr string) {
	t.Helper()
	files := [2]*os.File{}
	for i := range files {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	out, errOut := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = files[0], files[1]
	func() {
		defer func() { os.Stdout, os.Stderr = out, errOut }()
		body()
	}()
	texts := [2]string{}
	for i, f := range files {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts[0], texts[1]
}

type params struct {
	w jax.Array
	n int
}

func TestShow(t *testing.T) {
	for _, test := range []struct {
		values []any
		want   string
	}{
		{[]any{1}, "1\n"},
		{[]any{1, "a"}, "1 a\n"},
		{[]any{1, "a", nil, Lit(1.5)}, "(1, \"a\", None, Array(1.5, dtype=float32, weak_type=True))\n"},
		{[]any{nil}, "<nil>\n"},
		{[]any{errors.New("no")}, "no\n"},
		{[]any{Lit(1.5)}, "Array(1.5, dtype=float32, weak_type=True)\n"},
		{[]any{params{jnp.Array(2., kw.DType(jnp.Float32)), 3}}, "params(w=Array(2., dtype=float32), n=3)\n"},
	} {
		if out, _ := printed(t, func() { Show(test.values...) }); out != test.want {
			t.Errorf("Show(%v) prints %q, want %q", test.values, out, test.want)
		}
	}
}

func TestRun(t *testing.T) {
	stop := func() {
		defer func() { os.Stdout.WriteString("deferred\n") }()
		var xs []int
		_ = xs[len(os.Args)]
	}
	out, errOut := printed(t, func() {
		Run(Cell{N: 1, Body: func() { Show("one") }},
			Cell{N: 2, Body: stop, MayFail: true},
			Cell{N: 3, Body: func() { Raise("UsageError", "magic %x not found") }, MayFail: true},
			Cell{N: 4, Body: func() { jnp.Array(1., kw.DType(jnp.Float32)).Add("a") }, MayFail: true},
			Cell{N: 5, Body: func() { Show("five"); display.ShowHandle("shown").Update("again") }})
	})
	if out != "one\ndeferred\nfive\nshown\n" {
		t.Errorf("output %q", out)
	}
	for _, want := range []string{"panic: runtime error: index out of range [", "UsageError: magic %x not found\n", "TypeError: "} {
		if !strings.Contains(errOut, want) {
			t.Errorf("errors %q lack %q", errOut, want)
		}
	}
}

func TestMagics(t *testing.T) {
	t.Setenv("CELLS_TEST", "x")
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	out, errOut := printed(t, func() {
		Setenv("CELLS_TEST", "y")
		Getenv("CELLS_TEST")
		Shell("echo hi; exit 3")
		Chdir(".")
		Getwd()
		Time()()
	})
	want := "env: CELLS_TEST=y\ny\nhi\n" + dir + "\nWall time: "
	if !strings.HasPrefix(out, want) || errOut != "exit status 3\n" {
		t.Errorf("output %q, errors %q", out, errOut)
	}
	text, err := Measure(func(n int) (time.Duration, error) { return time.Duration(n) * time.Millisecond, nil })
	if err != nil || text != "1 ms ± 0 ns per loop (mean ± std. dev. of 7 runs, 1,000 loops each)\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTiming(t *testing.T) {
	for _, tt := range []struct {
		args, rest string
		want       Timing
		fails      bool
	}{
		{"f(x)", "f(x)", Timing{}, false},
		{"-n 10 f(x)", "f(x)", Timing{Loops: 10}, false},
		{"-n10 -r3 f(x) - r", "f(x) - r", Timing{10, 3}, false},
		{"-r 2 -x", "-x", Timing{0, 2}, false},
		{"-x", "-x", Timing{}, false},
		{"-n x", "", Timing{}, true},
		{"-n 0 x", "", Timing{}, true},
		{"-r", "", Timing{}, true},
	} {
		got, rest, err := ParseTiming(tt.args)
		if (err != nil) != tt.fails || !tt.fails && (got != tt.want || rest != tt.rest) {
			t.Errorf("%q: %+v %q %v", tt.args, got, rest, err)
		}
	}
	text, err := Timing{1, 1}.Measure(func(n int) (time.Duration, error) { return time.Duration(n) * time.Second, nil })
	if err != nil || text != "1 s ± 0 ns per loop (mean ± std. dev. of 1 run, 1 loop each)\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestInto(t *testing.T) {
	a, b := Each2[jax.Array, float32](jnp.Array(1., kw.DType(jnp.Float32)), jnp.Array(2., kw.DType(jnp.Float32)))
	if a.Float() != 1 || b != 2 {
		t.Error(a, b)
	}
	if got := Into1[[]float32](jnp.Array([]float32{1, 1.5})); got[1] != 1.5 {
		t.Error(got)
	}
}

func TestDeclared(t *testing.T) {
	for name, want := range map[string]string{
		"main.cell3": "", "main.cell3.func1": "", "main.cell3.f.func2": "", "main.cell30": "cell30", "main.init.0": "", "main.glob..func1": "",
		"main.f": "f", "main.f.func1": "f", "main.f.func1.2": "f", "main.gen[...]": "gen", "main.gen[...].func1": "gen",
		"main.T.Get": "T.Get", "main.(*T).Get": "T.Get", "main.(*T).Get.func1": "T.Get", "main.T.Get-fm": "T.Get", "main.Box[...].Get": "Box.Get", "main.(*Box[...]).Get": "Box.Get",
	} {
		if got := declared(name, "main.cell3"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
