package processors

import (
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// TestSteps runs in a process of its own: the number of processors is the process's.
func TestSteps(t *testing.T) {
	if os.Getenv("PROCESSORS_TEST") == "" {
		for _, env := range []string{"GOMAXPROCS=", "GOMAXPROCS=3"} {
			cmd := exec.Command("/proc/self/exe", "-test.run=TestSteps", "-test.v")
			cmd.Env = append(os.Environ(), "PROCESSORS_TEST=1", env)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", env, err, out)
			}
		}
		return
	}
	all := runtime.GOMAXPROCS(0)
	runtime.SetDefaultGOMAXPROCS()
	byDefault := runtime.GOMAXPROCS(0)
	if byDefault != all {
		runtime.GOMAXPROCS(all)
	}
	is := func(step string, now, told int) {
		t.Helper()
		if n := runtime.GOMAXPROCS(0); n != now {
			t.Errorf("%s: the process has %d processors, want %d", step, n, now)
		}
		if n := Set(0); n != told {
			t.Errorf("%s: programs are told %d, want %d", step, n, told)
		}
	}
	is("at the start", all, all)
	Wide()
	is("wide already", all, all)
	Narrow()
	one := 1
	if os.Getenv("GOMAXPROCS") != "" {
		one = all
	}
	is("narrow", one, all)
	Narrow()
	is("narrow again", one, all)
	Wide()
	is("wide", all, all)
	Narrow()
	SetDefault()
	is("the default", byDefault, byDefault)
	Narrow()
	if n := Set(5); n != byDefault {
		t.Errorf("programs are told that they had %d, want %d", n, byDefault)
	}
	is("set", 5, 5)
	Narrow()
	is("set stays", 5, 5)
	Keep()
	is("kept", 5, 5)
}

// TestBusyLoop: a loop that never gives way does not keep others from widening.
func TestBusyLoop(t *testing.T) {
	defer func() {
		Wide()
	}()
	Narrow()
	var stop atomic.Bool
	time.AfterFunc(time.Millisecond, func() {
		Wide()
		stop.Store(true)
	})
	for !stop.Load() {
		continue // spin: the loop is the point
	}
}

func BenchmarkNarrowWide(b *testing.B) {
	defer Wide()
	for b.Loop() {
		Narrow()
		Wide()
	}
}
