package hloconv

import (
	"fmt"
	"testing"
	"time"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// chain builds a main of n elementwise ops, each with a constant of its own, as
// a traced loop over Go numbers gives.
func chain(n int) *stablehlo.Module {
	m := stablehlo.NewModule("jit_f")
	f := m.NewFunc("main", true)
	x := f.AddArg(stablehlo.T(hlo.F32, 8), stablehlo.NamedLoc("x"))
	b := stablehlo.NewBuilder(f)
	for i := range n {
		b.SetLoc(stablehlo.NamedLoc("jit(f)/mul"))
		switch i % 3 {
		case 0:
			x = b.Unary("sine", x)
		case 1:
			x = b.Binary("multiply", b.Full(x.Type, float64(i)), x)
		default:
			x = b.Binary("add", x, b.Full(x.Type, 1.0))
		}
	}
	b.Return(x)
	return m
}

// TestChainIsLinear guards the cost of long programs: ten times the ops take
// about ten times the time.
func TestChainIsLinear(t *testing.T) {
	cost := func(n int) time.Duration {
		m := chain(n)
		best := time.Hour
		for range 3 {
			start := time.Now()
			if _, err := Convert(m); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	small, large := cost(2000), cost(20000)
	t.Logf("2000 ops %v, 20000 ops %v", small, large)
	if large > 40*small {
		t.Errorf("20000 ops take %v, 2000 ops %v: not linear", large, small)
	}
}

func BenchmarkConvert(b *testing.B) {
	for _, n := range []int{10, 1000, 10000} {
		m := chain(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Convert(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	m := chain(10000)
	for b.Loop() {
		_ = m.Text()
	}
}
