package interp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// recursionTests are cells whose calls nest without end, and the text that says
// where.
var recursionTests = []struct{ code, where string }{
	{"func rec(n int) int { return rec(n+1) + 1 }\nrec(0)", "line 1, in rec\ncell 2, line 2"},
	{"type T struct{ x int }\nfunc (t T) rec() int {\n\treturn t.rec() + 1\n}\nT{}.rec()", "line 3, in T.rec\ncell 4, line 5"},
	{"var f func(int) int\nf = func(n int) int { return f(n) + n }\nf(1)", "line 2"},
	{"func a() { b() }\nfunc b() {\n\ta()\n}\na()", ""},
	{"func d() { defer d() }\nd()", ""},
	{"func g() { defer func() { recover(); g() }(); panic(1) }\ng()", ""},
	{"type S struct{}\nfunc (s S) String() string { return fmt.Sprint(s) }\nfmt.Println(S{})", ""},
	{"type V struct{}\nfunc (v V) String() string { return fmt.Sprint(v) }\nV{}", ""},
	{"func s(xs []int) { sort.Slice(xs, func(i, j int) bool { s([]int{2, 1}); return false }) }\ns([]int{1, 2})", ""},
	{"func r(x Array) Array { return r(x + 1) }\nmake_jaxpr(r)(1.0)", "in r"},
	{"func w(x Array) Array { return jit(w)(x) }\nmake_jaxpr(w)(1.0)", ""},
	{"var wg sync.WaitGroup\nfunc q() { q() }\nwg.Add(1)\ngo func() { defer wg.Done(); q() }()\nwg.Wait()", ""},
}

// TestRecursion runs them: each ends with an error, and the session goes on.
func TestRecursion(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("fills large stacks")
	}
	in := New(Options{})
	defer in.rt.Close()
	run := func(code string, n int) language.Result {
		return in.Execute(context.Background(), language.Request{Code: code, Count: n}, &recorder{})
	}
	if res := run("kept := 41\nadd := func(x int) int { return x + 1 }", 1); res.Error != nil {
		t.Fatal(res.Error.Traceback)
	}
	for i, tt := range recursionTests {
		began := time.Now()
		res := run(tt.code, 2*i+2)
		took := time.Since(began)
		t.Logf("%v", took)
		if res.Error == nil || res.Error.Name != "RecursionError" {
			t.Errorf("%s\n%+v", tt.code, res.Error)
			continue
		}
		if text := strings.Join(res.Error.Traceback, "\n"); !strings.Contains(text, tt.where) {
			t.Errorf("%s\nno %q in %s", tt.code, tt.where, text)
		}
		if res = run("add(kept)", 2*i+3); res.Error != nil || res.Value["text/plain"] != "42" {
			t.Fatalf("after %s: %v, %+v", tt.code, res.Value, res.Error)
		}
	}
}

// TestDeepRecursion nests as deep as programs do.
func TestDeepRecursion(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("fills large stacks")
	}
	in := New(Options{})
	defer in.rt.Close()
	res := in.Execute(context.Background(), language.Request{Code: "func sum(n int) int { if n == 0 { return 0 }; return n + sum(n-1) }\nsum(10000)", Count: 1}, &recorder{})
	if res.Error != nil || res.Value["text/plain"] != "50005000" {
		t.Errorf("%v, %+v", res.Value, res.Error)
	}
}

// TestGoroutineRecursion lets a goroutine recurse when its cell has ended.
func TestGoroutineRecursion(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("fills large stacks")
	}
	in := New(Options{})
	defer in.rt.Close()
	host := &recorder{}
	res := in.Execute(context.Background(), language.Request{Code: "func q() { q() }\ngo func() { time.Sleep(30 * time.Millisecond); q() }()\nk := 1", Count: 1}, host)
	if res.Error != nil {
		t.Fatal(res.Error.Traceback)
	}
	for began := time.Now(); in.rt.Goroutines() > 0 && time.Since(began) < 20*time.Second; {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	res = in.Execute(context.Background(), language.Request{Code: "k + 1", Count: 2}, &recorder{})
	if res.Error != nil || res.Value["text/plain"] != "2" {
		t.Errorf("%v, %+v", res.Value, res.Error)
	}
	host.mu.Lock()
	defer host.mu.Unlock()
	if text := host.stderr.String(); !strings.Contains(text, "RecursionError") {
		t.Errorf("standard error %q", text)
	}
}
