package jnp_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// operand is what a promotion golden calls by a dtype (two zeros) or by the
// type of a number.
func operand(name string) any {
	switch name {
	case "py_bool":
		return true
	case "py_int":
		return 1
	case "py_float":
		return 1.0
	case "py_complex":
		return 1i
	}
	d, _ := dtype.Parse(name)
	return array.New(core.NewHostConst(core.NewAval(d, 2), make([]byte, 2*d.Size())))
}

// resultAval is the type of f's result, without running anything.
func resultAval(f func(xs []any) array.Array, args []any) (a *core.ShapedArray, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = e.(error)
		}
	}()
	var numbers []any
	var avals []*core.ShapedArray
	for _, x := range args {
		if y, ok := x.(array.Array); ok {
			avals = append(avals, y.Aval())
			numbers = append(numbers, leaf(len(avals)-1))
			continue
		}
		numbers = append(numbers, x)
	}
	j := jaxpr(func(vs []core.Value) []core.Value {
		return []core.Value{f(fill(numbers, vs).([]any)).Value()}
	}, avals)
	return j.OutAvals()[0], nil
}

// TestPromotion compares the result types of functions on pairs of types with
// JAX 0.12.0.1 (the pure lattice is tested in package dtype).
func TestPromotion(t *testing.T) {
	f, err := os.Open("testdata/promotion.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer core.SetX64(core.X64())
	ran, missing := 0, map[string]bool{}
	for sc := bufio.NewScanner(z); sc.Scan(); {
		var c struct {
			ID     string
			Args   []string
			Config struct {
				X64 bool `json:"enable_x64"`
			}
			Out struct {
				Dict struct {
					DType string
					Weak  bool
				}
			}
			Error *struct{ Message string }
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		fn, ok := functions["jnp."+c.Args[0]]
		if !ok {
			missing[c.Args[0]] = true
			continue
		}
		ran++
		core.SetX64(c.Config.X64)
		args := make([]any, len(c.Args)-1)
		for i, name := range c.Args[1:] {
			args[i] = operand(name)
		}
		a, err := resultAval(func(xs []any) array.Array { return fn(xs, map[string]any{})[0] }, args)
		switch {
		case c.Error != nil:
			if err == nil || err.Error() != c.Error.Message {
				t.Errorf("%s %v: %v, want %s", c.ID, c.Args, err, c.Error.Message)
			}
		case err != nil:
			t.Errorf("%s %v: %v", c.ID, c.Args, err)
		case a.DType.String() != c.Out.Dict.DType || a.Weak != c.Out.Dict.Weak:
			t.Errorf("%s %v: %s, want %+v", c.ID, c.Args, a.LongWeak(), c.Out.Dict)
		}
	}
	if ran < 480 {
		t.Errorf("only %d cases", ran)
	}
	t.Logf("%d cases; not here yet: %v", ran, missing)
}
