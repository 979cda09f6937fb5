package interp

import (
	"fmt"
	"strings"
	"testing"
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
