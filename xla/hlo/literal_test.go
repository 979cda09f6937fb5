package hlo_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"gopherlo/xla/hlo"
)

// Rounding to the small float types is that of ml_dtypes.
func TestSmallFloats(t *testing.T) {
	raw, err := os.ReadFile("testdata/smallfloats.json")
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Values []string
		Codes  map[string][]uint32
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		t.Fatal(err)
	}
	for name, codes := range data.Codes {
		elem, ok := hlo.PrimitiveTypeByName(name)
		if !ok {
			t.Errorf("no type %s", name)
			continue
		}
		for k, s := range data.Values {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			l := hlo.FloatLiteral(elem, v)
			got := uint32(l.Data[0])
			if len(l.Data) == 2 {
				got |= uint32(l.Data[1]) << 8
			}
			if got != codes[k] && !(math.IsNaN(v) && math.IsNaN(l.Float(0))) {
				t.Errorf("%s(%s) = %#x, want %#x", name, s, got, codes[k])
			}
		}
	}
}

// Every value of the small float types survives text and re-encoding.
func TestSmallFloatsText(t *testing.T) {
	for _, elem := range []hlo.PrimitiveType{
		hlo.F16, hlo.BF16, hlo.F8E5M2, hlo.F8E4M3, hlo.F8E3M4, hlo.F8E4M3FN, hlo.F8E4M3B11FNUZ, hlo.F8E5M2FNUZ, hlo.F8E4M3FNUZ,
		hlo.F8E8M0FNU, hlo.F4E2M1FN, hlo.F6E3M2FN, hlo.F6E2M3FN,
	} {
		l := hlo.NewLiteral(elem)
		for code := range 1 << elem.Bits() {
			l.Data[0] = byte(code)
			if len(l.Data) == 2 {
				l.Data[1] = byte(code >> 8)
			}
			v := l.Float(0)
			if r := hlo.FloatLiteral(elem, v); v == v && string(r.Data) != string(l.Data) {
				t.Errorf("%s %#x = %g encodes as %x", elem, code, v, r.Data)
			}
			r, err := hlo.ParseLiteral(l.String(), l.Shape)
			switch {
			case err != nil:
				t.Errorf("%s %#x: %v", elem, code, err)
			case v == v && r.Float(0) != v, v != v && !math.IsNaN(r.Float(0)):
				t.Errorf("%s %#x: %s reads back as %g, want %g", elem, code, l, r.Float(0), v)
			}
		}
	}
}

func TestLiteralText(t *testing.T) {
	tests := []struct{ shape, text, again string }{
		{"f32[]", "0.1", "0.1"},
		{"f32[]", "1e10", "1e+10"},
		{"f32[]", "-0", "-0"},
		{"f32[]", "nan(0x1234)", "nan(0x1234)"},
		{"f32[]", "-nan", "-nan"},
		{"f64[]", "0.1", "0.1"},
		{"f64[]", "1.0000000000000002", "1.0000000000000002"},
		{"f64[]", "1e999", "no value of type f64"},
		{"f32[]", "1e39", "no value of type f32"},
		{"f16[]", "70000", "no value of type f16"},
		{"s8[3]", "{1, -128, 127}", "{1, -128, 127}"},
		{"s8[1]", "{128}", "no value of type s8"},
		{"u8[1]", "{-1}", "no value of type u8"},
		{"s4[2]", "{-8,7}", "{-8, 7}"},
		{"u64[1]", "{18446744073709551615}", "{18446744073709551615}"},
		{"pred[]", "1", "true"},
		{"pred[2]", "{true,0}", "{1, 0}"},
		{"pred[]", "2", "no value of type pred"},
		{"c64[2]", "{(1,2), 3}", "{(1, 2), (3, 0)}"},
		{"f32[2,3]", "{{1,2,3},{4,5,6}}", "{ { 1, 2, 3 }, { 4, 5, 6 } }"},
		{"f32[2,1]", "{{1},{2}}", "{ {1}, {2} }"},
		{"f32[2,0]", "{{},{}}", "{ {}, {} }"},
		{"f32[0,2]", "{}", "{  }"},
		{"f32[2,0,3]", "{{},{}}", "{ {  }, {  } }"},
		{"f32[1,0,1,2]", "{{}}", "{ { /*i0=0*/ } }"},
		{"f32[1,1,0,2]", "{{{}}}", "{ { /*i0=0*/ { /*i1=0*/ } } }"},
		{"f32[0,1,1,2]", "{}", "{  }"},
		{"f32[2]", "{...}", "{...}"},
		{"f32[2]", "{1}", "has 1 elements"},
		{"f32[2]", "1", `expected "{"`},
		{"s32[1,1,1,2]", "{{{{1,2}}}}", "{ { /*i0=0*/ { /*i1=0*/ { 1, 2 } } } }"},
		{"(f32[], s32[2])", "(1.5, {1,2})", "( 1.5, {1, 2} )"},
		{"(f32[])", "(1, 2)", "more elements than its shape"},
		{"(f32[], f32[])", "(1)", "has 1 elements"},
	}
	for _, tt := range tests {
		shape, err := hlo.ParseShape(tt.shape)
		if err != nil {
			t.Fatal(err)
		}
		l, err := hlo.ParseLiteral(tt.text, shape)
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = l.String()
		}
		if err == nil && got != tt.again || err != nil && !contains(got, tt.again) {
			t.Errorf("%s %s reads as %q, want %q", tt.shape, tt.text, got, tt.again)
		}
	}
}

func TestLiteralAccess(t *testing.T) {
	l := hlo.NewLiteral(hlo.S4, 2)
	l.SetInt(0, -3)
	l.SetInt(1, 5)
	if l.Int(0) != -3 || l.Int(1) != 5 || l.Uint(0) != 13 {
		t.Errorf("s4 gives %d %d %d", l.Int(0), l.Int(1), l.Uint(0))
	}
	c := hlo.NewLiteral(hlo.C128)
	c.SetComplex(0, complex(1, -2))
	if c.Complex(0) != complex(1, -2) || c.String() != "(1, -2)" {
		t.Errorf("complex gives %v, %s", c.Complex(0), c)
	}
	s := hlo.FloatLiteral(hlo.F32, 2).Splat(2, 3)
	if !s.IsSplat() || s.NumElements() != 6 || s.Float(5) != 2 {
		t.Errorf("splat gives %s", s)
	}
	s.SetFloat(4, 1)
	if s.IsSplat() || hlo.NewLiteral(hlo.F32, 0).IsSplat() {
		t.Error("IsSplat is true of what is none")
	}
	if hlo.IntLiteral(hlo.U64, -1).String() != "18446744073709551615" {
		t.Error("u64 is not printed unsigned")
	}
}

func TestShapes(t *testing.T) {
	for _, s := range []string{
		"f32[]", "f32[2,3]{1,0}", "f32[2,3]{0,1}", "f32[<=4,8]{1,0}", "f32[?,8]{1,0}", "token[]", "()", "(f32[], (s32[2]{0}, token[]))",
		"bf16[16,32]{1,0:T(8,128)(2,1)}", "s4[8]{0:E(4)}", "f32[2,4]{1,0:T(2,128)S(1)}", "opaque[]", "f32[4]{0:L(4)S(2)}",
	} {
		sh, err := hlo.ParseShape(s)
		if err != nil || sh.String() != s {
			t.Errorf("%s reads as %s, %v", s, sh, err)
		}
	}
	for s, want := range map[string]string{
		"f33[2]": "unknown element type", "f32": `expected "["`, "f32[2": `expected "," or "]"`, "f32[2]{0,1}": "layout has 2 dimensions",
		"token[1]": "takes no dimensions", "f32[x]": "expected an integer", "f32[2] x": "expected the end", "f32[2]{0:Q}": "part of a layout",
	} {
		if _, err := hlo.ParseShape(s); err == nil || !contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", s, err, want)
		}
	}
}
