package hlo_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
)

// Unmarshal takes any bytes without a panic; what it accepts can be printed,
// verified and written again.
func FuzzUnmarshal(f *testing.F) {
	n := 0
	eachModule(f, func(_ string, pb []byte, _ *hlo.Module, _ map[string][]byte) {
		if n++; n%20 == 0 && len(pb) < 4000 {
			f.Add(pb)
		}
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := hlo.UnmarshalWithConfig(data); err == nil {
			exercise(t, m, true)
		}
		if m, err := hlo.Unmarshal(data); err == nil {
			exercise(t, m, true)
		}
	})
}

func exercise(t *testing.T, m *hlo.Module, fromProto bool) {
	t.Helper()
	verified := m.Verify() == nil
	m.CompactStackFrames()
	for _, o := range []hlo.PrintOptions{hlo.ShortParsableMetadata(), hlo.CompiledText()} {
		m.Text(o)
	}
	if verified {
		m.Text(hlo.Canonical())
	}
	b, err := m.Marshal()
	if err != nil {
		// Only text can hold what a proto cannot; Verify finds all but bad UTF-8.
		if fromProto || verified && !strings.Contains(err.Error(), "UTF-8") {
			t.Fatalf("Marshal of what was read: %v", err)
		}
		return
	}
	if _, err := hlo.Unmarshal(b); err != nil {
		t.Fatalf("Unmarshal of what Marshal wrote: %v", err)
	}
}

// Parse takes any text without a panic; the print of what it accepts reads
// back to the same print.
func FuzzParse(f *testing.F) {
	n := 0
	eachModule(f, func(name string, pb []byte, m *hlo.Module, files map[string][]byte) {
		if n++; n%20 == 0 && len(pb) < 4000 {
			f.Add(m.String())
			f.Add(m.Text(hlo.CompiledText()))
			f.Add(m.Text(hlo.Canonical()))
		}
		if src, ok := files[name+".src.hlo"]; ok {
			f.Add(string(src))
		}
	})
	f.Fuzz(func(t *testing.T, text string) {
		m, err := hlo.Parse(text)
		if err != nil {
			var pe *hlo.ParseError
			if !errors.As(err, &pe) || pe.Line < 1 || pe.Column < 1 {
				t.Fatalf("error without a position: %v", err)
			}
			return
		}
		_ = m.Verify()
		once := m.Text(full())
		again, err := hlo.Parse(once)
		if err != nil {
			t.Fatalf("%v in the print of what was read:\n%s", err, once)
		}
		if twice := again.Text(full()); twice != once {
			t.Fatalf("printed twice: %s", firstDiff(once, twice))
		}
	})
}

// Damaged protos and texts of real programs are refused or read, never a panic.
func TestMutated(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	mutate := func(b []byte) []byte {
		b = append([]byte(nil), b...)
		for range 1 + rnd.IntN(4) {
			at := rnd.IntN(len(b))
			switch rnd.IntN(3) {
			case 0:
				b[at] = byte(rnd.Uint32())
			case 1:
				b[at] ^= 1 << rnd.IntN(8)
			default:
				b = append(b[:at], b[min(len(b), at+1+rnd.IntN(8)):]...)
				if len(b) == 0 {
					return b
				}
			}
		}
		return b
	}
	eachModule(t, func(name string, pb []byte, m *hlo.Module, _ map[string][]byte) {
		if len(pb) > 20000 {
			return
		}
		text := []byte(m.String())
		for range 10 {
			if m, err := hlo.Unmarshal(mutate(pb)); err == nil {
				exercise(t, m, true)
			}
			if m, err := hlo.Parse(string(mutate(text))); err == nil {
				exercise(t, m, false)
			}
		}
	})
}
