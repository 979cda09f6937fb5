package hlo_test

import (
	"testing"

	"gopherlo/xla/hlo"
)

func TestVerifyGolden(t *testing.T) {
	eachModule(t, func(name string, _ []byte, m *hlo.Module, _ map[string][]byte) {
		if err := m.Verify(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}
