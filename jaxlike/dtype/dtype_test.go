package dtype

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"
)

// floatBits holds what ml_dtypes (JAX 0.12.0.1) makes of the same values.
type floatBits struct {
	Values []string
	Types  []struct {
		DType   string
		Bits    []uint64
		Decoded []string
	}
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFloatBits(t *testing.T) {
	raw, err := os.ReadFile("testdata/float_bits.json")
	if err != nil {
		t.Fatal(err)
	}
	var data floatBits
	if err := json.Unmarshal(raw, &data); err != nil {
		t.Fatal(err)
	}
	for _, typ := range data.Types {
		d, ok := Parse(typ.DType)
		if !ok {
			t.Fatalf("unknown type %s", typ.DType)
		}
		for i, s := range data.Values {
			if v := parse(t, s); FloatBits(d, v) != typ.Bits[i] {
				t.Errorf("%s of %s: bits %#x, want %#x", d, s, FloatBits(d, v), typ.Bits[i])
			}
		}
		for b, s := range typ.Decoded {
			got, want := FromFloatBits(d, uint64(b)), parse(t, s)
			if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s %#x: %v, want %v", d, b, got, want)
			}
		}
	}
}

func TestSixteenBitRoundTrip(t *testing.T) {
	for _, d := range []DType{Float16, BFloat16} {
		for b := uint64(0); b < 1<<16; b++ {
			v := FromFloatBits(d, b)
			if math.IsNaN(v) {
				continue
			}
			if got := FloatBits(d, v); got != b {
				t.Fatalf("%s %#x -> %v -> %#x", d, b, v, got)
			}
		}
	}
}

func goldenType(name string, x64 bool) Type {
	switch name {
	case "py_bool":
		return Weak(Bool)
	case "py_int":
		return Weak(DefaultInt(x64))
	case "py_float":
		return Weak(DefaultFloat(x64))
	case "py_complex":
		return Weak(DefaultComplex(x64))
	}
	d, _ := Parse(name)
	return Strong(d)
}

func TestPromotionGolden(t *testing.T) {
	f, err := os.Open("testdata/promotion.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); n++ {
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
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		x64 := c.Config.X64
		got, err := Promote(x64, goldenType(c.Args[0], x64), goldenType(c.Args[1], x64))
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		if got.DType.String() != c.Out.Dict.DType || got.Weak != c.Out.Dict.Weak {
			t.Errorf("%s %v: %v weak=%v, want %+v", c.ID, c.Args, got.DType, got.Weak, c.Out.Dict)
		}
	}
	if n < 517 {
		t.Errorf("only %d cases", n)
	}
}

func TestPromotionErrors(t *testing.T) {
	for _, c := range []struct {
		a, b Type
		want string
	}{
		{Strong(Float8E5M2), Strong(Float32), "Input dtypes ('float8_e5m2', 'float32') have no available implicit dtype promotion path. To avoid unintended promotion, 8-bit floats do not support implicit promotion. If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. x.astype('float32')"},
		{Strong(Int4), Strong(Int8), "Input dtypes ('int4', 'int8') have no available implicit dtype promotion path. To avoid unintended promotion, 1-bit, 2-bit and 4-bit integers do not support implicit promotion. If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. x.astype('int32')"},
	} {
		if _, err := Promote(false, c.a, c.b); err == nil || err.Error() != c.want {
			t.Errorf("%v %v: %v", c.a, c.b, err)
		}
	}
	if got, err := Promote(false, Strong(Float8E5M2), Weak(Float32)); err != nil || got != Strong(Float8E5M2) {
		t.Errorf("float8 with a number: %v %v", got, err)
	}
}

func TestPutGet(t *testing.T) {
	for _, c := range []struct {
		d    DType
		in   any
		want any
	}{
		{Int32, 1e10, int64(math.MaxInt32)},
		{Int32, math.NaN(), int64(0)},
		{Uint8, -1.5, uint64(0)},
		{Uint8, 300.0, uint64(255)},
		{Int8, 200, int64(-56)},
		{Int4, -3, int64(-3)},
		{Uint4, 18, uint64(2)},
		{Int64, math.MinInt64, int64(math.MinInt64)},
		{Uint64, uint64(math.MaxUint64), uint64(math.MaxUint64)},
		{Bool, 2.5, true},
		{Float16, float32(0.1), float64(0.0999755859375)},
		{Complex64, 1 + 2i, 1 + 2i},
		{Float32, true, 1.0},
	} {
		b := make([]byte, 16)
		if err := c.d.Put(b, c.in); err != nil {
			t.Fatal(err)
		}
		if got := c.d.Get(b); got != c.want {
			t.Errorf("%v of %v: %v, want %v", c.d, c.in, got, c.want)
		}
	}
	if err := Int8.Put(make([]byte, 1), "x"); err == nil {
		t.Error("a string was stored as a number")
	}
}

func TestNames(t *testing.T) {
	for d := range infos {
		for _, name := range []string{d.String(), d.Short()} {
			if got, ok := Parse(name); !ok || got != d {
				t.Errorf("Parse(%q) = %v", name, got)
			}
		}
	}
	for d, want := range map[DType]string{Float32: "f32", BFloat16: "bf16", Bool: "bool", Float8E5M2: "f8_e5m2", KeyFry: "key<fry>"} {
		if d.Short() != want {
			t.Errorf("%v: %s", d, d.Short())
		}
	}
}
