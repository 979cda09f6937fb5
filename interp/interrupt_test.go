package interp

import (
	"context"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// interruptTests are cells that end only by an interrupt.
var interruptTests = []string{
	"for {}",
	"for { n++ }",
	"func() { for { n++ } }()",
	"spin()",
	"for i := range 1 << 60 { n = i }",
	"c := make(chan int)\n<-c",
	"c := make(chan int)\nc <- 1",
	"c := make(chan int)\nfor v := range c { n = v }",
	"select {}",
	"c := make(chan int)\nselect { case <-c: case c <- 1: }",
	"var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()",
	"var mu sync.Mutex\nmu.Lock()\nmu.Lock()",
	"var mu sync.RWMutex\nmu.Lock()\nmu.RLock()",
	"p := &sync.RWMutex{}\np.RLock()\np.Lock()",
	"type S struct{ sync.Mutex; n int }\ns := &S{}\ns.Lock()\ns.Lock()",
	"type V struct{ inner struct{ mu *sync.Mutex } }\nv := V{}\nv.inner.mu = new(sync.Mutex)\nv.inner.mu.Lock()\nv.inner.mu.Lock()",
	"var l sync.Locker = &sync.Mutex{}\nl.Lock()\nl.Lock()",
	"c := sync.NewCond(&sync.Mutex{})\nc.L.Lock()\ndefer c.L.Unlock()\nc.Wait()",
	"time.Sleep(time.Hour)",
	"defer func() { recover() }()\ntime.Sleep(time.Hour)",
	"for { func() { defer func() { recover() }(); var p *int; *p = 1 }() }",
	"type Z struct{}\nfunc (Z) String() string { for { n++ } }\nZ{}",
	"sort.Slice(make([]int, 1000), func(i, j int) bool { for { n++ }; return false })",
	"sort.Slice(make([]int, 5000000), func(i, j int) bool { return i < j })",
	"sort.Slice(make([]int, 5000000), less)",
	"slices.SortFunc(rand.Perm(5000000), func(a, b int) int { return a - b })",
	"strings.Map(func(r rune) rune { return r + 1 }, strings.Repeat(\"a\", 50000000))",
	"slices.SortFunc(make([]uint8, 50000000), func(a, b uint8) int { return 1 })",
	"type H []int\nfunc (h H) Len() int { return 5000000 }\nfunc (h H) Less(i, j int) bool { return i < j }\nfunc (h H) Swap(i, j int) {}\nsort.Sort(H{})",
}

func TestInterrupt(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	run := func(ctx context.Context, code string, count int) language.Result {
		return in.Execute(ctx, language.Request{Code: code, Count: count}, &recorder{})
	}
	setup := run(context.Background(), "n := 0\nfunc spin() { for { n++ } }\nfunc less(i, j int) bool { return i < j }\nfunc id(x int) int { return x }\nadd := func(x int) int { return id(x) + 1 }", 1)
	if setup.Error != nil {
		t.Fatal(setup.Error.Traceback)
	}
	for i, code := range interruptTests {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		began := time.Now()
		res := run(ctx, code, 2*i+2)
		cancel()
		if res.Error == nil || res.Error.Name != "KeyboardInterrupt" {
			t.Errorf("%q: got %+v", code, res.Error)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%q took %v", code, took)
		}
		// Functions and closures of earlier cells must still run.
		after := run(context.Background(), "n = 41\nadd(id(n))", 2*i+3)
		if after.Error != nil || after.Value["text/plain"] != "42" {
			t.Fatalf("after %q: got %v, %+v", code, after.Value, after.Error)
		}
	}
}

// TestFinishedStatementsStay interrupts a cell between its statements.
func TestFinishedStatementsStay(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	in.Execute(ctx, language.Request{Code: "a := 1\ntime.Sleep(time.Hour)\nb := 2", Count: 1}, &recorder{})
	res := in.Execute(context.Background(), language.Request{Code: "a", Count: 2}, &recorder{})
	if res.Error != nil || res.Value["text/plain"] != "1" {
		t.Errorf("a: %v, %+v", res.Value, res.Error)
	}
	if res = in.Execute(context.Background(), language.Request{Code: "b", Count: 3}, &recorder{}); res.Error == nil {
		t.Error("b is there")
	}
}

// TestInterruptedTrace wants a trace that an interrupt has cut short forgotten: the
// function gave its zero results, which are no program.
func TestInterruptedTrace(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	in.Execute(context.Background(), language.Request{Code: `slow, n := true, 0
f := jit(func(x Array) []Array { for slow { n++ }; return []Array{x + 1} })`, Count: 1}, &recorder{})
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if res := in.Execute(ctx, language.Request{Code: "f.Lower(1.0).AsText()", Count: 2}, &recorder{}); res.Error == nil || res.Error.Name != "KeyboardInterrupt" {
		t.Fatalf("%+v", res.Error)
	}
	res := in.Execute(context.Background(), language.Request{Code: "slow = false\nstrings.Contains(f.Lower(1.0).AsText(), \"stablehlo.add\")", Count: 3}, &recorder{})
	if res.Error != nil || res.Value["text/plain"] != "true" {
		t.Errorf("%v %+v", res.Value, res.Error)
	}
}
