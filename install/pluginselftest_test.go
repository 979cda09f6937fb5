//go:build cgo

package install

import (
	"errors"
	"strings"
	"testing"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
	_ "gopherlo/xla/pjrt"
	"gopherlo/xla/plugin"
)

func TestSelfTest(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	c, err := xla.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := SelfTest(c)
	if err != nil || len(wrong) > 0 {
		t.Errorf("wrong %v, %v", wrong, err)
	}
	wrong, err = SelfTest(liar{c})
	if err != nil || len(wrong) == 0 || !strings.Contains(wrong[0], "sine is wrong on 64 of 64") {
		t.Errorf("a client that doubles everything passes: %v, %v", wrong, err)
	}
	if _, err := SelfTest(broken{c}); err == nil {
		t.Error("a client that compiles nothing passes")
	}
}

// liar doubles the arguments before each run.
type liar struct{ xla.Client }

func (l liar) NewBuffer(data []byte, elem hlo.PrimitiveType, dims []int64, d xla.Device) (xla.Buffer, error) {
	data = append([]byte{}, data...)
	for i := 2; i < len(data); i += 4 {
		data[i] ^= 0x40 // another mantissa
	}
	return l.Client.NewBuffer(data, elem, dims, d)
}

type broken struct{ xla.Client }

func (broken) Compile(xla.Program, xla.CompileOptions) (xla.LoadedExecutable, error) {
	return nil, errors.New("broken")
}
