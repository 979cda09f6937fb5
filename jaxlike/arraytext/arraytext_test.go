package arraytext

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"gopherlo/jaxlike/dtype"
)

type goldenArray struct {
	DType string
	Shape []int
	Data  []any
	Weak  bool `json:"weak_type"`
	Start float64
	Step  float64
}

func number(v any) float64 {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		return f
	case string:
		f, _ := strconv.ParseFloat(v, 64)
		return f
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

func put(d dtype.DType, b []byte, v any) {
	if n, ok := v.(json.Number); ok && d.IsInt() {
		if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			d.PutInt(b, i)
			return
		}
	}
	if c, ok := v.([]any); ok {
		d.PutComplex(b, complex(number(c[0]), number(c[1])))
		return
	}
	d.PutFloat(b, number(v))
}

func (g goldenArray) array(t *testing.T) Array {
	t.Helper()
	d, ok := dtype.Parse(g.DType)
	if !ok {
		t.Fatalf("dtype %q", g.DType)
	}
	a := Array{DType: d, Shape: g.Shape, Weak: g.Weak}
	a.Data = make([]byte, a.size()*d.Size())
	for i := range a.size() {
		b := a.Data[i*d.Size():]
		if g.Data != nil {
			put(d, b, g.Data[i])
			continue
		}
		v := float64(i)*g.Step + g.Start
		if d.IsInt() {
			d.PutInt(b, int64(v)) // NumPy's cast wraps
			continue
		}
		d.PutFloat(b, v)
	}
	return a
}

// objects are the golden cases given as a Python expression that are arrays.
var objects = map[string]Array{
	"obj-195": {DType: dtype.Float32, Weak: true, Data: f32(1)},
	"obj-197": {DType: dtype.Float32, Shape: []int{2}, Data: f32(1, 2)},
	"obj-198": {DType: dtype.KeyFry, Data: u32(0, 0)},
	"obj-199": {DType: dtype.KeyFry, Shape: []int{2}, Data: u32(1797259609, 2579123966, 928981903, 3453687069)},
}

func f32(vs ...float64) []byte {
	b := make([]byte, 4*len(vs))
	for i, v := range vs {
		dtype.Float32.PutFloat(b[4*i:], v)
	}
	return b
}

func u32(vs ...int64) []byte {
	b := make([]byte, 4*len(vs))
	for i, v := range vs {
		dtype.Uint32.PutInt(b[4*i:], v)
	}
	return b
}

func TestGolden(t *testing.T) {
	f, err := os.Open("testdata/arrays.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ran := 0
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		var c struct {
			ID        string
			Array     *goldenArray
			Iota      *goldenArray
			Str, Repr string
			Format    map[string]string
			FString   *string
		}
		dec := json.NewDecoder(bytes.NewReader(sc.Bytes()))
		dec.UseNumber()
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		var a Array
		switch obj, isObj := objects[c.ID]; {
		case c.Array != nil:
			a = c.Array.array(t)
		case c.Iota != nil:
			a = c.Iota.array(t)
		case isObj:
			a = obj
		default:
			continue // an object of another kind; its package prints it
		}
		ran++
		if got := a.Str(); got != c.Str {
			t.Errorf("%s str\n%s\nwant\n%s", c.ID, got, c.Str)
		}
		if got := a.Repr(); got != c.Repr {
			t.Errorf("%s repr\n%s\nwant\n%s", c.ID, got, c.Repr)
		}
		if c.FString != nil {
			if c.Format == nil {
				c.Format = map[string]string{}
			}
			c.Format[""] = *c.FString
		}
		for spec, want := range c.Format {
			if got, err := a.Format(spec); err != nil || got != want {
				t.Errorf("%s format %q: %q %v, want %q", c.ID, spec, got, err, want)
			}
		}
	}
	if ran < 144 {
		t.Errorf("only %d cases", ran)
	}
}

func TestScalars(t *testing.T) {
	put := func(d dtype.DType, v any) Array {
		b := make([]byte, 16)
		_ = d.Put(b, v)
		return Array{DType: d, Data: b}
	}
	for _, c := range []struct {
		d    dtype.DType
		in   any
		want string
	}{ // str of NumPy 2.5.5 scalars
		{dtype.Float32, 999999., "999999.0"},
		{dtype.Float32, 1e6, "1e+06"},
		{dtype.Float32, 123456.7, "123456.7"},
		{dtype.Float16, 1001., "1.001e+03"},
		{dtype.Float64, 1e15, "1000000000000000.0"},
		{dtype.Float64, 1e16, "1e+16"},
		{dtype.Complex64, 1e7 + 2i, "(1e+07+2j)"},
		{dtype.Complex64, 2i, "2j"},
		{dtype.Complex64, complex(math.NaN(), math.Inf(1)), "(nan+infj)"},
		{dtype.BFloat16, 0.1, "0.100098"},
		{dtype.Int4, -3, "-3"},
	} {
		if got := put(c.d, c.in).Str(); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.d, c.in, got, c.want)
		}
	}
	row := Array{DType: dtype.Bool, Shape: []int{1}, Data: []byte{1}}
	if row.Str() != "[ True]" {
		t.Errorf("bool row: %s", row.Str())
	}
	if got := (Array{DType: dtype.Float32, Shape: []int{1 << 18}, Data: make([]byte, 1<<20)}).Repr(); got != "Array(shape=(262144,), dtype=float32)" {
		t.Errorf("large: %s", got)
	}
}

// TestSpecials covers what the golden cases do not: values from NumPy 2.5.5.
func TestSpecials(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		in   []float64
		want string
	}{
		{[]float64{nan, inf, -inf, 1}, "[ nan  inf -inf   1.]"},
		{[]float64{nan}, "[nan]"},
		{[]float64{1e-8, 12345678}, "[9.9999999e-09 1.2345678e+07]"},
		{[]float64{0.1, 1e10}, "[1.e-01 1.e+10]"},
		{[]float64{0, math.Copysign(0, -1)}, "[ 0. -0.]"},
	} {
		a := Array{DType: dtype.Float32, Shape: []int{len(c.in)}, Data: f32(c.in...)}
		if got := a.Str(); got != c.want {
			t.Errorf("%v: %s, want %s", c.in, got, c.want)
		}
	}
}
