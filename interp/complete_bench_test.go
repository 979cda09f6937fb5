package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// BenchmarkCompleteSession completes in sessions of several sizes: the time does
// not follow the number of cells, but for the names that fit.
func BenchmarkCompleteSession(b *testing.B) {
	for _, cells := range []int{1, 2000} {
		in := session(b, "x := jnp.Zeros([]int{3})\ntype point struct{ horizontal int }\nhello := point{}")
		for i := range cells {
			code := fmt.Sprintf("v%d := %d\nfunc f%d(n int) int { return n + v%d }", i, i, i, i)
			if res := in.Execute(context.Background(), language.Request{Code: code}, quiet{}); res.Error != nil {
				b.Fatal(res.Error.Traceback)
			}
		}
		for _, code := range []string{"x.Re", "hello.ho", "jnp.Sum(x, kw.", "hel", "func g(p point) {\n\tfor i := range 3 {\n\t\tp.", ""} {
			b.Run(fmt.Sprintf("%d/%q", cells, strings.ReplaceAll(code, "/", "")), func(b *testing.B) {
				for b.Loop() {
					in.Complete(context.Background(), code, len(code))
				}
			})
		}
	}
}
