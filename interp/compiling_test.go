package interp

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gopherlo/display"
	"gopherlo/kernel/language"
)

// notes records what is shown about a cell's run.
type notes struct {
	display.Output
	mu      sync.Mutex
	texts   []string
	updates int
}

func (n *notes) Display(data language.Bundle, metadata, _ map[string]any, update bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if metadata["gopherlo"] == nil {
		return
	}
	n.texts = append(n.texts, data["text/plain"].(string))
	if update {
		n.updates++
	}
}

func (n *notes) shown() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.texts)
}

// A cell that waits for the compiler says for what, and in the end how long it
// has taken; one display serves for all programs of the cell.
func TestCompilationsAreShown(t *testing.T) {
	host := &notes{}
	display.SetOutput(host)
	t.Cleanup(func() { display.SetOutput(nil) })
	p := &compiling{cells: map[int64]*compileLog{}}
	compile := func(name string, shown int) {
		done := p.start(name)
		for deadline := time.Now().Add(20 * time.Second); len(host.shown()) < shown; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("nothing is shown of %s", name)
			}
		}
		done()
	}
	compile("jit_f", 1)
	compile("jit_<lambda>", 3)
	texts := host.shown()
	for i, want := range []string{"compiling jit_f: 0 s", "compiled jit_f in 0.0 s", "compiling jit_<lambda>: 0 s, after 1 program", "compiled 2 programs in 0.0 s (jit_"} {
		if i >= len(texts) || !strings.HasPrefix(texts[i], want) {
			t.Errorf("shown: %q, want %q", texts, want)
		}
	}
	if host.updates != len(texts)-1 {
		t.Errorf("%d updates of %d texts", host.updates, len(texts))
	}
	p.forget()
	if len(p.cells) != 0 {
		t.Errorf("%d finished cells are kept", len(p.cells))
	}
}

// Compilations shorter than the patience show nothing.
func TestShortCompilationsAreSilent(t *testing.T) {
	host := &notes{}
	display.SetOutput(host)
	t.Cleanup(func() { display.SetOutput(nil) })
	p := &compiling{patience: time.Hour, cells: map[int64]*compileLog{}}
	for range 3 {
		p.start("jit_f")()
	}
	if got := host.shown(); len(got) > 0 {
		t.Errorf("shown: %q", got)
	}
}
