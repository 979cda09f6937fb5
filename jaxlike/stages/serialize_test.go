//go:build cgo

package stages_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/xla"
)

const envSerialized = "GOPHERLO_TEST_SERIALIZED"

// point has the structure that a loaded program must give back.
type point struct {
	X, Y jax.Array
}

func lowerPoint() *jax.Lowered {
	k := jnp.Array([]float32{1, 2, 3})
	f := jax.Jit(func(p point) point { return point{p.X.Mul(k), jnp.Sin(p.Y)} }, jax.CompilerOptions{"xla_embed_ir_in_executable": true})
	return f.Lower(point{jnp.Ones([]int{3}), jnp.Zeros([]int{2})})
}

// What one process serializes another one loads, and compiles nothing.
func TestSerializeAndLoad(t *testing.T) {
	needPlugin(t)
	if file := os.Getenv(envSerialized); file != "" {
		loadSerialized(t, file)
		return
	}
	compiled := lowerPoint().Compile(map[string]any{"optimization_level": "O1"})
	file := filepath.Join(t.TempDir(), "compiled")
	if err := os.WriteFile(file, compiled.Serialize(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSerializeAndLoad$", "-test.v")
	cmd.Env = append(os.Environ(), envSerialized+"="+file)
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("loaded: ")) {
		t.Fatalf("%v\n%s", err, out)
	}
}

func loadSerialized(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := point{jnp.Array([]float32{1, 1, 2}), jnp.Zeros([]int{2})}
	l := lowerPoint()
	before := stages.Counts.Compiles
	c := l.Load(data)
	if n := stages.Counts.Compiles - before; n != 0 {
		t.Errorf("loading compiled %d programs", n)
	}
	var out point
	c(in).Into(&out)
	if got := out.X.String(); got != "[1. 2. 6.]" {
		t.Errorf("a loaded program gives %s", got)
	}
	for _, want := range []string{"xla_embed_ir_in_executable", "optimization_level"} {
		if got := c.Options().String(); !strings.Contains(got, want) {
			t.Errorf("its options lack %s: %s", want, got)
		}
	}
	if !strings.Contains(c.AsText(), "ENTRY") || len(c.Serialize()) == 0 {
		t.Error("a loaded program has no text, or cannot be serialized")
	}
	t.Log("loaded:", out.X)
}

// A program from text can be serialized too.
func TestSerializeUserProgram(t *testing.T) {
	needPlugin(t)
	c := xla.Compile("HloModule twice\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] add(x, x) }")
	if got := c.Lowered().Load(c.Serialize())([]int{1, 2}).String(); got != "[2. 4.]" {
		t.Errorf("got %s", got)
	}
}

func TestLoadRefuses(t *testing.T) {
	needPlugin(t)
	good := lowerPoint().Compile().Serialize()
	bad := bytes.Clone(good)
	bad[len(bad)-200] ^= 1
	other := jax.Jit(func(x jax.Array) jax.Array { return jnp.Sin(x) }).Lower(1.)
	for name, test := range map[string]struct {
		l    *jax.Lowered
		data []byte
		want string
	}{
		"empty":         {other, nil, "no serialized Compiled"},
		"not ours":      {other, []byte("MZ"), "no serialized Compiled"},
		"damaged":       {lowerPoint(), bad, "serialize"},
		"other program": {other, good, "another program than jit__lambda"},
	} {
		err := jax.Catch(func() { test.l.Load(test.data) })
		var e *jax.Error
		if !errors.As(err, &e) || e.Name != "ValueError" || !strings.Contains(e.Message, test.want) {
			t.Errorf("%s: %v, want a ValueError with %q", name, err, test.want)
		}
	}
}
