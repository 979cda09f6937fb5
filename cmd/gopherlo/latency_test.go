package main

import (
	"os"
	"os/exec"
	"path/filepath"
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
// load changes less.
func BenchmarkRoundTrip(b *testing.B) {
	for _, cell := range []struct{ name, code string }{{"assign", "x = 7"}, {"value", "1+1"}} {
		b.Run(cell.name, func(b *testing.B) {
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
