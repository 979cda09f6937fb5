package jnp

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

func TestNpyRoundTrip(t *testing.T) {
	for _, test := range []struct {
		name  string
		shape []int
	}{
		{"float32", []int{}},
		{"float32", []int{3}},
		{"float32", []int{2, 3}},
		{"int32", []int{0}},
		{"bool", []int{4}},
		{"bfloat16", []int{2, 1, 2}},
		{"complex64", []int{2}},
		{"uint8", []int{5}},
	} {
		dt, ok := dtype.Parse(test.name)
		if !ok {
			t.Fatal(test.name)
		}
		aval := &core.ShapedArray{Shape: test.shape, DType: dt}
		data := make([]byte, aval.Size()*dt.Size())
		for i := range data {
			data[i] = byte(i % 2)
		}
		file := filepath.Join(t.TempDir(), "x")
		if err := save(file, array.New(core.NewHostConst(aval, data))); err != nil {
			t.Fatal(err)
		}
		got, bytesRead, err := load(file + ".npy")
		if err != nil {
			t.Errorf("%s%v: %v", test.name, test.shape, err)
			continue
		}
		if got.DType != dt || !slices.Equal(got.Shape, test.shape) || !bytes.Equal(bytesRead, data) {
			t.Errorf("%s%v came back as %v", test.name, test.shape, got)
		}
		text, _ := os.ReadFile(file + ".npy")
		if (len(text)-len(data))%64 != 0 || text[len(text)-len(data)-1] != '\n' {
			t.Errorf("%s%v: data at byte %d", test.name, test.shape, len(text)-len(data))
		}
	}
}

func TestNpyBadFiles(t *testing.T) {
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n"
	good := "\x93NUMPY\x01\x00" + string(rune(len(header))) + "\x00" + header + "\x00\x00\x80\x3f"
	for _, text := range []string{"", "PK", good[:6], good[:20], good[:len(good)-1], good + "x"} {
		file := filepath.Join(t.TempDir(), "x.npy")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := load(file); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
