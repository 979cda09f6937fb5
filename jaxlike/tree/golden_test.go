package tree

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
)

// decode turns a golden value (encoding of golden/ops) into a Go tree.
func decode(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = decode(x)
		}
		return out
	case map[string]any:
		if t, ok := v["tuple"]; ok {
			return Tuple(decode(t).([]any))
		}
		if d, ok := v["dict"].(map[string]any); ok {
			out := map[string]any{}
			for k, x := range d {
				out[k] = decode(x)
			}
			return out
		}
		if d, ok := v["treedef"]; ok {
			return d
		}
		b, _ := json.Marshal(v) // an array: any comparable leaf will do
		return string(b)
	case float64:
		return int(v) // all numbers of these cases are whole
	}
	return v
}

type goldenCase struct {
	ID, Fn string
	Args   []any
	Kwargs map[string]any
	Out    any
	Error  *struct{ Type, Message string }
}

func (c *goldenCase) run() (any, error) {
	arg := func(i int) any { return decode(c.Args[i]) }
	fn := ""
	if m, ok := c.Args[0].(map[string]any); ok {
		fn, _ = m["fn"].(string)
	}
	fold := func(l ...any) any {
		switch fn {
		case "inc":
			return l[0].(int) + 1
		case "add":
			return l[0].(int) + l[1].(int)
		case "mul":
			return l[0].(int) * l[1].(int)
		}
		return fn
	}
	if len(c.Kwargs) > 0 {
		return nil, errSkip
	}
	switch c.Fn {
	case "jax.tree.leaves":
		return Leaves(arg(0)), nil
	case "jax.tree.structure":
		return Structure(arg(0)).String(), nil
	case "jax.tree.flatten":
		l, d := Flatten(arg(0))
		return Tuple{l, d.String()}, nil
	case "unflatten_call":
		l, d := arg(1).([]any), Structure(arg(0))
		if err := d.checkCount(l); err != nil {
			return nil, err
		}
		return d.Unflatten(l), nil
	case "paths_call":
		out := []any{}
		for _, p := range Structure(arg(0)).Paths() {
			out = append(out, p.String())
		}
		return out, nil
	case "transpose_call":
		return raised(func() any { return Transpose(Structure(arg(0)), Structure(arg(1)), arg(2)) })
	case "jax.tree.map_with_path":
		return raised(func() any { return MapWithPath(func(p Path, _ any) any { return p.String() }, arg(1)) })
	case "jax.tree.reduce":
		var init []any
		for i := 2; i < len(c.Args); i++ {
			init = append(init, arg(i))
		}
		return raised(func() any { return Reduce(func(a, l any) any { return fold(a, l) }, arg(1), init...) })
	case "jax.tree.map":
		if fn != "inc" && fn != "add" {
			return nil, errSkip
		}
		var rest []any
		for i := 2; i < len(c.Args); i++ {
			rest = append(rest, arg(i))
		}
		return raised(func() any { return Map(fold, arg(1), rest...) })
	}
	return nil, errSkip
}

// raised gives what f raises as an error.
func raised(f func() any) (v any, err error) {
	defer func() {
		if e, ok := recover().(*Error); ok {
			err = e
		}
	}()
	return f(), nil
}

var errSkip = fmt.Errorf("needs arrays or a function from JAX")

// TestGolden runs the tree cases of JAX 0.12.0.1 that need no array arithmetic.
func TestGolden(t *testing.T) {
	f, err := os.Open("testdata/pytrees.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ran := 0
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var c goldenCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		got, err := c.run()
		switch {
		case err == errSkip:
			continue
		case c.Error != nil:
			if err == nil || err.Error() != c.Error.Message {
				t.Errorf("%s: error %v\nwant %s", c.ID, err, c.Error.Message)
			}
			if e, ok := err.(*Error); ok && e.Name != c.Error.Type {
				t.Errorf("%s: raised %s, want %s", c.ID, e.Name, c.Error.Type)
			}
		case err != nil:
			t.Errorf("%s: %v", c.ID, err)
		case !reflect.DeepEqual(got, decode(c.Out)):
			t.Errorf("%s: %#v\nwant %#v", c.ID, got, decode(c.Out))
		}
		ran++
	}
	if ran < 50 {
		t.Errorf("only %d cases", ran)
	}
}
