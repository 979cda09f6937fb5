package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// Types get methods while goroutines of earlier cells look for those that they have.
func TestLateMethodsBeside(t *testing.T) {
	for _, typ := range []string{"Box[T]", "Plain"} {
		value := strings.Replace(typ, "T", "int", 1)
		t.Run(typ, func(t *testing.T) {
			if typ != "Plain" && raceEnabled {
				t.Skip("the detector sees that an instance gets the content of a new one, whose fields are the same")
			}
			s := startScript(t)
			run := func(code, value string) {
				t.Helper()
				if r := s.Run(code); len(r.Mistakes) > 0 || r.Value != value {
					t.Errorf("%s: %q, want %q; %v", code, r.Value, value, r.Mistakes)
				}
			}
			run(`type Box[T any] struct{ V T }
type Plain struct{ V int }
func (b Box[T]) Get() int { return 1 }
func (b Plain) Get() int { return 1 }
type Getter interface{ Get() int }
stop, done := make(chan bool), make(chan string)
go func() {
	var g Getter = `+value+`{1}
	text := ""
	for n := 0; ; n++ {
		select {
		case <-stop:
			done <- text
			return
		default:
			_, other := any(g).(interface{ Other() })
			if g.Get() != 1 || other { text = "another method" }
			fmt.Sprint(g, []any{g})
		}
	}
}()`, "")
			for i := range 30 {
				run(fmt.Sprintf("func (b %s) M%d() int { return %[2]d }\nvar x%[2]d any = %s{V: %[2]d}\nx%[2]d.(interface{ M%[2]d() int }).M%[2]d()", typ, i, value), fmt.Sprint(i))
			}
			run("stop <- true\n<-done", "")
		})
	}
}

// What a cell declares stays when it is interrupted, and what the interrupt has cut
// short is called again: bodies of generic functions and methods of earlier cells.
func TestInterruptedGenerics(t *testing.T) {
	in := New(Options{})
	t.Cleanup(in.rt.Close)
	count := 0
	run := func(ctx context.Context, host *recorder, code string) language.Result {
		count++
		return in.Execute(ctx, language.Request{Code: code, Count: count}, host)
	}
	is := func(code, value string) {
		t.Helper()
		if r := run(t.Context(), &recorder{}, code); r.Error != nil || value != "" && r.Value["text/plain"] != value {
			t.Errorf("%s: %v, want %q; %+v", code, r.Value, value, r.Error)
		}
	}
	interrupt := func(code string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		host := &recorder{}
		go func() {
			host.await("stdout: spins\n")
			cancel()
		}()
		if r := run(ctx, host, code); r.Error == nil || r.Error.Name != "KeyboardInterrupt" {
			t.Errorf("%s: %+v", code, r.Error)
		}
	}
	is(`type Box[T any] struct{ v T }
func (b Box[T]) Get() T { return b.v }
func Map[T, U any](xs []T, f func(T) U) (out []U) { for _, x := range xs { out = append(out, f(x)) }; return }
func spin[T any](x T) { fmt.Println("spins"); for n := 0; ; n++ { _ = Box[T]{x}.Get() } }
func all() string { return fmt.Sprint(Map([]int{1, 2}, func(x int) string { return fmt.Sprint(Box[int]{x}.Get()) })) }
all()`, "[1 2]")
	interrupt("spin(1)")
	is("all()", "[1 2]")
	interrupt(`func (b Box[T]) Get() T { _ = fmt.Sprint(b); return b.v }
func Map[T, U any](xs []T, f func(T) U) []U { return []U{f(xs[0])} }
func (b Box[T]) Late() int { return 1 }
spin("a")`)
	is("func (b Box[T]) Get() T { return b.v }\nfmt.Sprint(all(), Box[bool]{}.Late())", "[1]1")
	interrupt("spin([]string{})")
	is("all()", "[1]")
}

// TestGenericsSilently declares in silent requests, which have the number of the cell
// before them.
func TestGenericsSilently(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	for _, c := range []struct{ code, want string }{
		{"type Stack[T any] struct{ xs []T }\nfunc (s Stack[T]) Len() int { return len(s.xs) }", ""},
		{"func size[T any](s Stack[T]) int { return s.Len() }", ""},
		{"func (s Stack[T]) Len() int64 { return 1 }", ""},
		{"size(Stack[bool]{})", "calls the method Len of Stack, which has another signature"},
	} {
		res := in.Execute(context.Background(), language.Request{Code: c.code, Count: 1, Silent: true}, quiet{})
		if got := ""; res.Error != nil {
			if got = res.Error.Value; c.want == "" || !strings.Contains(got, c.want) {
				t.Errorf("%s: %s", c.code, got)
			}
		} else if c.want != "" {
			t.Errorf("%s: no error", c.code)
		}
	}
}
