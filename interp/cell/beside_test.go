package cell

import (
	"fmt"
	"go/token"
	"sync"
	"testing"
)

// TestParseBeside parses cells of one session at the same time, as subshells do:
// each finds its own positions and its value.
func TestParseBeside(t *testing.T) {
	fset := token.NewFileSet()
	var all sync.WaitGroup
	for shell := range 8 {
		all.Go(func() {
			for i := range 200 {
				src := fmt.Sprintf("func f%[1]d() int { return %[2]d }\nv%[1]d := f%[1]d()\nv%[1]d", shell, i)
				c, errs := Parse(fset, i+1, src)
				if len(errs) > 0 || c.Tail == nil {
					t.Errorf("%q: tail %v, %v", src, c.Tail, errs)
					return
				}
				if line, col := c.Position(c.Tail.Pos()); line != 3 || col != 1 {
					t.Errorf("%q: the value is at %d:%d, not 3:1", src, line, col)
					return
				}
			}
		})
	}
	all.Wait()
}
