package interp

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gopherlo/internal/cellid"
	"gopherlo/kernel/language"
)

// cellRecorder keeps text by the cell of the goroutine that wrote it, as a
// worker's host does.
type cellRecorder struct {
	recorder
	mu   sync.Mutex
	text map[int64]string
}

func (c *cellRecorder) Stream(_, text string) {
	cell, _ := cellid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.text == nil {
		c.text = map[int64]string{}
	}
	c.text[cell] += text
}

func (c *cellRecorder) of(cell int64) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text[cell]
}

// besides is a session whose cells run beside each other.
type besides struct {
	t    *testing.T
	in   *Interp
	host *cellRecorder
	n    int64
}

func newBesides(t *testing.T) *besides {
	t.Helper()
	in := New(Options{})
	t.Cleanup(func() { in.rt.Close() })
	return &besides{t: t, in: in, host: &cellRecorder{}}
}

// start starts a cell; the function gives its result.
func (b *besides) start(ctx context.Context, code string, beside bool) (cell int64, result func() language.Result) {
	b.n++
	cell = b.n
	req := language.Request{Code: code, Count: int(cell), Cell: cell}
	execute := b.in.Execute
	if beside {
		execute = b.in.ExecuteBeside
	}
	done := make(chan language.Result, 1)
	go func() {
		leave := cellid.Enter(cell)
		defer leave()
		done <- execute(ctx, req, b.host)
	}()
	return cell, func() language.Result {
		b.t.Helper()
		select {
		case res := <-done:
			return res
		case <-time.After(20 * time.Second):
			b.t.Fatalf("%q does not end", code)
			return language.Result{}
		}
	}
}

// run runs a cell that must end well and gives the text of its value.
func (b *besides) run(code string, beside bool) string {
	b.t.Helper()
	_, result := b.start(context.Background(), code, beside)
	return b.value(code, result())
}

func (b *besides) value(code string, res language.Result) string {
	b.t.Helper()
	if res.Error != nil {
		b.t.Fatalf("%q: %s", code, strings.Join(res.Error.Traceback, "\n"))
	}
	text, _ := res.Value["text/plain"].(string)
	return text
}

// wait waits until a cell has printed a text.
func (b *besides) wait(cell int64, text string) {
	b.t.Helper()
	for range 2000 {
		if strings.Contains(b.host.of(cell), text) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	b.t.Fatalf("cell %d printed %q, not %q", cell, b.host.of(cell), text)
}

// TestBeside runs cells of a subshell while one of the main shell runs: they
// see what its finished statements declared, and may declare themselves.
func TestBeside(t *testing.T) {
	b := newBesides(t)
	const long = "a := 40\nfunc two() int { return 2 }\nfmt.Println(\"on\")\nfor !stop.Load() { n++ }\nn > 0"
	b.run("import \"sync/atomic\"\nvar stop atomic.Bool\nn := 0", false)
	main, result := b.start(context.Background(), long, false)
	b.wait(main, "on\n")
	if got := b.run("b := a + two()\nb", true); got != "42" {
		t.Errorf("b = %s", got)
	}
	b.run("type P struct{ X int }\nfunc (p P) String() string { return fmt.Sprint(\"P\", p.X) }\nfmt.Println(P{3})", true)
	if got := b.host.of(b.n); got != "P3\n" {
		t.Errorf("printed %q", got)
	}
	if got := b.run("a := \"anew\"\na", true); got != "anew" {
		t.Errorf("a = %s", got)
	}
	if c := b.in.Complete(context.Background(), "tw", 2); len(c.Matches) != 1 || c.Matches[0] != "two" {
		t.Errorf("completion %v", c.Matches)
	}
	b.run("stop.Store(true)", true)
	if got := b.value(long, result()); got != "true" {
		t.Errorf("the main cell's value is %s", got)
	}
	if got := b.run("fmt.Sprint(a, b, P{4})", false); got != "anew42 P4" {
		t.Errorf("after all: %s", got)
	}
}

// TestBesideErrors: each cell gets its own error, value and lines.
func TestBesideErrors(t *testing.T) {
	b := newBesides(t)
	b.run("import \"sync/atomic\"\nvar stop atomic.Bool", false)
	const long = "fmt.Println(\"on\")\nfor !stop.Load() { time.Sleep(time.Millisecond) }\nvar p *int\n*p"
	main, result := b.start(context.Background(), long, false)
	b.wait(main, "on\n")
	for i := range 10 {
		code := fmt.Sprintf("xs := []int{1}\nys := xs\n\nys[%d]", i+5)
		_, side := b.start(context.Background(), code, true)
		res := side()
		if res.Error == nil || !strings.Contains(res.Error.Value, fmt.Sprintf("index out of range [%d] with length 1", i+5)) {
			t.Fatalf("%+v", res.Error)
		}
		if trace := strings.Join(res.Error.Traceback, "\n"); !raceEnabled && !strings.Contains(trace, fmt.Sprintf("cell %d, line 4", b.n)) {
			t.Errorf("trace %s", trace)
		}
	}
	b.run("stop.Store(true)", true)
	res := result()
	if res.Error == nil || !strings.Contains(res.Error.Value, "nil pointer") {
		t.Errorf("%+v", res.Error)
	}
}

// TestBesideInterrupt interrupts all cells that run, as a kernel does: none is
// reported as ended well, and the session goes on.
func TestBesideInterrupt(t *testing.T) {
	b := newBesides(t)
	b.run("func add(x int) int { return x + 1 }\ns := func(x int) int { return add(x) }", false)
	for _, code := range []string{"for {}", "time.Sleep(time.Hour)", "%[1]s := make(chan int)\n<-%[1]s"} {
		ctx, cancel := context.WithCancel(context.Background())
		// Each has a variable of its own: one for both would be a data race of the cells.
		_, main := b.start(ctx, strings.ReplaceAll(code, "%[1]s", "c"), false)
		_, side := b.start(ctx, strings.ReplaceAll(code, "%[1]s", "d"), true)
		time.Sleep(50 * time.Millisecond)
		cancel()
		for _, res := range []language.Result{main(), side()} {
			if res.Error == nil || res.Error.Name != "KeyboardInterrupt" {
				t.Errorf("%q: %+v", code, res.Error)
			}
		}
		if got := b.run("s(41)", true); got != "42" {
			t.Errorf("after %q: %s", code, got)
		}
	}
}

// TestBesideStops begins and ends interrupts of others at any moment of cells
// that are prepared and run: one that is said to have ended well has run.
func TestBesideStops(t *testing.T) {
	b := newBesides(t)
	b.run("n := 0", false)
	end := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
				b.in.stops.stop()
				runtime.Gosched()
				b.in.stops.stopped()
				time.Sleep(100 * time.Microsecond)
			}
		}
	})
	well := 0
	for i := range 300 {
		code := fmt.Sprintf("n = %d\nn", i)
		_, result := b.start(context.Background(), code, false)
		res := result()
		if res.Error == nil {
			well++
			if got := b.value(code, res); got != fmt.Sprint(i) {
				t.Errorf("cell %d ended well with %q", i, got)
			}
		} else if res.Error.Name != "KeyboardInterrupt" {
			t.Errorf("%+v", res.Error)
		}
	}
	close(end)
	others.Wait()
	t.Logf("%d of 300 ended well", well)
	if got := b.run("n = 41\nn + 1", false); got != "42" {
		t.Errorf("in the end: %s", got)
	}
}

// TestBesideMany declares and prints in many cells at once; goroutines of
// finished cells go on printing to their own.
func TestBesideMany(t *testing.T) {
	b := newBesides(t)
	b.run("stop := make(chan int)", false)
	var cells []int64
	for i := range 3 {
		code := fmt.Sprintf("go func() { for i := 0; ; i++ { select { case <-stop: return; default: fmt.Println(\"late\", %d); time.Sleep(time.Millisecond) } } }()", i)
		b.run(code, false)
		cells = append(cells, b.n)
	}
	var results []func() language.Result
	var codes []string
	for shell := range 4 {
		code := fmt.Sprintf("func f%[1]d(x int) int { if x < 2 { return x }; return f%[1]d(x-1) + f%[1]d(x-2) }\nv%[1]d := f%[1]d(15)\nfmt.Println(\"shell\", %[1]d)\nv%[1]d", shell)
		cell, result := b.start(context.Background(), code, shell > 0)
		results, codes, cells = append(results, result), append(codes, code), append(cells, cell)
	}
	for i, result := range results {
		if got := b.value(codes[i], result()); got != "610" {
			t.Errorf("shell %d: %s", i, got)
		}
	}
	b.run("close(stop)", true)
	for i, cell := range cells {
		want := fmt.Sprintf("late %d\n", i)
		if i >= 3 {
			want = fmt.Sprintf("shell %d\n", i-3)
		}
		if got := b.host.of(cell); strings.ReplaceAll(got, want, "") != "" || got == "" {
			t.Errorf("cell %d printed %q", cell, got)
		}
	}
}

// TestMemoryOfCells: a cell leaves no more behind than what it declared.
func TestMemoryOfCells(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector's own memory counts")
	}
	b := newBesides(t)
	used := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for code, limit := range map[string]int64{"1 + %d": 4 << 10, "x := %d\nx": 6 << 10, "y%d := []int{1}": 12 << 10} {
		const n = 300
		var before int64
		for i := range n + 50 {
			if i == 50 {
				before = used()
			}
			b.run(fmt.Sprintf(code, i), false)
		}
		if got := (used() - before) / n; got > limit {
			t.Errorf("%q keeps %d bytes, at most %d are expected", code, got, limit)
		}
	}
}
