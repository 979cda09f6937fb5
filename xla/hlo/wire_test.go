package hlo_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"gopherlo/xla/hlo"
)

// TestWireFaults checks that broken protos give errors with a place.
func TestWireFaults(t *testing.T) {
	field := func(num protowire.Number, b []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), b)
	}
	name := field(1, []byte("m"))
	deep := []byte{}
	for range 20000 {
		deep = field(5, deep) // tuple_shardings
	}
	computation := func(instruction []byte) []byte { return append(name, field(3, field(2, instruction))...) }
	tests := []struct {
		what string
		in   []byte
		want string
	}{
		{"cut in a number", []byte{0x08 | 2}, "byte 0, in name: the bytes end within its value"},
		{"cut in a text", name[:2], "byte 0, in name: 1 bytes are announced, 0 follow"},
		{"a length of its own", append(name, 0x1a, 0xff, 0xff, 0xff, 0xff, 0x7f), "byte 3, in computations: 34359738367 bytes are announced, 0 follow"},
		{"no field", make([]byte, 9), "byte 0: no field begins here: its number is 0"},
		{"no wire type", []byte{0x0f}, "byte 0, in name: wire type 7 does not exist"},
		{"inside", computation(field(1, []byte{0xff})), "byte 9, in computations.instructions.name: the text is not valid UTF-8"},
		{"deep", computation(field(40, deep)), "messages are nested too deep"},
	}
	for _, tt := range tests {
		_, err := hlo.Unmarshal(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
}
