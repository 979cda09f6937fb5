package main

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel/wire"
)

// processorsCell is what its cells need to see how many processors the worker has.
const processorsCell = `import ("runtime"; "runtime/metrics")
func procs() int {
	s := []metrics.Sample{{Name: "/sched/gomaxprocs:threads"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}
all := runtime.GOMAXPROCS(0)`

// value runs a cell and gives the text of its value.
func value(t *testing.T, f *fakefrontend.Frontend, code string) string {
	t.Helper()
	id := f.Start(code)
	var c struct {
		Data map[string]string `json:"data"`
	}
	fakefrontend.Content(t, f.Expect(wire.ExecuteResult.Name), &c)
	f.Finish(id, "ok")
	return c.Data["text/plain"]
}

// TestProcessors: small cells run on one processor, and nobody notices.
func TestProcessors(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 || os.Getenv("GOMAXPROCS") != "" {
		t.Skip("the number of processors is one, or set")
	}
	all := strconv.Itoa(runtime.GOMAXPROCS(0))
	_, f := startKernel(t)
	f.Run(processorsCell)
	is := func(code, want string) {
		t.Helper()
		if got := value(t, f, code); got != want {
			t.Errorf("%s is %s, want %s", code, got, want)
		}
	}
	narrow := func() { // what a worker does early may still be under way
		t.Helper()
		for range 2000 {
			if value(t, f, "procs()") == "1" {
				return
			}
		}
		t.Fatal("small cells keep all processors")
	}
	narrow()
	is("runtime.GOMAXPROCS(0)", all)
	narrow()
	// A loop that lasts gets all processors, though it never gives way.
	f.Run("for procs() != all {\n}")
	narrow()
	f.Run("for i := 0; procs() != all; i++ {\n}")
	narrow()
	// So does a cell that starts goroutines, and those that follow while it has some.
	is("stop := make(chan int)\ngo func() { <-stop }()\nprocs()", all)
	is("procs()", all)
	f.Run("close(stop)")
	narrow()
	// Package testing sets the number and sets it back.
	f.Run("import \"testing\"\n_ = testing.AllocsPerRun(1, func() {\n\tfor began := time.Now(); time.Since(began) < 30*time.Millisecond; {\n\t}\n})")
	is("runtime.GOMAXPROCS(0)", all)
	narrow()
	f.Run("for procs() != all {\n}")
	// What a cell sets stays.
	is("runtime.GOMAXPROCS(3)", all)
	is("procs()", "3")
	is("runtime.GOMAXPROCS(1)", "3")
	is("[]int{procs(), runtime.GOMAXPROCS(0)}", "[1 1]")
	f.Run("runtime.SetDefaultGOMAXPROCS()")
	is("[]int{procs(), runtime.GOMAXPROCS(0)}", "["+all+" "+all+"]")
}

// TestInterruptNarrow interrupts a loop that has just begun on one processor, in a
// row of cells and after a pause.
func TestInterruptNarrow(t *testing.T) {
	k, f := startKernel(t)
	f.Run("x := 1")
	for i := range 6 {
		if i > 3 { // nothing of the worker's runtime is awake any more
			time.Sleep(300 * time.Millisecond)
		}
		id := f.Start("for { x++ }")
		k.Interrupt()
		if e := f.Error(); e.Name != "KeyboardInterrupt" {
			t.Fatal(e)
		}
		f.Finish(id, "error")
	}
	f.Run("x = 1")
}
