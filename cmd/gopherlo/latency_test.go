package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel/transport"
)

// process runs a kernel in a process of its own, as Jupyter does, and connects
// a front end. It gives the numbers of the kernel's and the worker's process.
func process(t testing.TB) (f *fakefrontend.Frontend, kernel, worker int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kernel.json")
	cmd := exec.Command("/proc/self/exe", "kernel", "-f", file, "--no-history")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var c *transport.Connection
	for range 500 {
		if _, err := os.Stat(file); err == nil {
			if c, _, err = transport.LoadConnection(file); err == nil {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	if c == nil {
		t.Fatal("no connection file")
	}
	f = fakefrontend.Connect(t, c)
	f.Run("x := 7")
	children, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/task/" + strconv.Itoa(cmd.Process.Pid) + "/children")
	if err != nil {
		t.Skip(err)
	}
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/task/*/children")
	for _, task := range tasks {
		more, _ := os.ReadFile(task)
		children = append(children, more...)
	}
	for _, word := range strings.Fields(string(children)) {
		worker, _ = strconv.Atoi(word)
	}
	return f, cmd.Process.Pid, worker
}

// cpu is the processor time that a process has used; the scheduler counts it in
// nanoseconds by thread.
func cpu(pid int) (sum time.Duration) {
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		if words := strings.Fields(string(text)); len(words) > 0 {
			n, _ := strconv.ParseInt(words[0], 10, 64)
			sum += time.Duration(n)
		}
	}
	return sum
}

// BenchmarkRoundTrip is a trivial cell through real processes: the median, and
// the processor time that each process spends on a cell, which the machine's
// load changes less. The client keeps to one processor, as front ends do that wait
// for a cell: its idle threads would take the others from the kernel.
func BenchmarkRoundTrip(b *testing.B) {
	for _, cell := range []struct{ name, code string }{{"assign", "x = 7"}, {"value", "1+1"}} {
		b.Run(cell.name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			f, kernel, worker := process(b)
			round := func() {
				id := f.Start(cell.code)
				if cell.name == "value" {
					f.Text("execute_result", "2")
				}
				f.Finish(id, "ok")
			}
			for range 200 {
				round()
			}
			var times []time.Duration
			k, w := cpu(kernel), cpu(worker)
			for b.Loop() {
				began := time.Now()
				round()
				times = append(times, time.Since(began))
			}
			n := float64(len(times)) * 1e3
			b.ReportMetric(float64(cpu(kernel)-k)/n, "kernel-cpu-µs")
			b.ReportMetric(float64(cpu(worker)-w)/n, "worker-cpu-µs")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2])/1e3, "median-µs")
			b.ReportMetric(float64(times[len(times)*5/100])/1e3, "p5-µs")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// sessionCells is how many cells BenchmarkSession runs.
const sessionCells = 2000

// sessionCell is the i-th of them; no two are the same. Half of them define names,
// half of these a function.
func sessionCell(i int) string {
	switch i % 4 {
	case 0:
		return fmt.Sprintf("v%d := x + %d", i, i)
	case 1:
		return fmt.Sprintf("func g%d(n int) int { return n + v%d }", i, i-1)
	case 2:
		return fmt.Sprintf("x = g%d(%d);", i-1, i)
	default:
		return fmt.Sprintf("fmt.Sprint(v%d, %d);", i-3, i)
	}
}

// BenchmarkSession runs many cells in one session through real processes: the
// median of the first hundred and of the last, and that of a trivial cell before
// and after.
func BenchmarkSession(b *testing.B) {
	sums := map[string]float64{}
	n := 0.0
	for b.Loop() {
		n++
		f, kernel, worker := process(b)
		run := func(code string) time.Duration {
			began := time.Now()
			f.Finish(f.Start(code), "ok")
			return time.Since(began)
		}
		median := func(count int, cell func(i int) string) float64 {
			times := make([]time.Duration, count)
			for i := range times {
				times[i] = run(cell(i))
			}
			slices.Sort(times)
			return float64(times[count/2]) / 1e3
		}
		trivial := func(i int) string { return fmt.Sprintf("x = %d", i) }
		median(200, trivial)
		sums["trivial-before-µs"] += median(200, trivial)
		part := func(name string, from, to int) {
			k, w := cpu(kernel), cpu(worker)
			m := median(to-from, func(i int) string { return sessionCell(from + i) })
			if name != "" {
				sums[name+"-µs"] += m
				sums[name+"-cpu-µs"] += float64(cpu(kernel)-k+cpu(worker)-w) / float64(to-from) / 1e3
			}
		}
		part("first-100", 0, 100)
		part("", 100, sessionCells-100)
		part("last-100", sessionCells-100, sessionCells)
		sums["trivial-after-µs"] += median(200, trivial)
	}
	for name, sum := range sums {
		b.ReportMetric(sum/n, name)
	}
	b.ReportMetric(0, "ns/op")
}
