package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"gopherlo/interp/notebook"
)

// `gopherlo run` runs cells in a child: XLA logs without need to the standard
// error of its process, and what it logs can be filtered only from outside.
// What cells write there goes to a descriptor of its own, past the filter.
const (
	envRunChild = "GOPHERLO_RUN_CHILD"
	childStderr = 3
)

// runChild starts the child and gives its exit status.
func runChild(args []string) int {
	exe, err := os.Executable()
	if err != nil {
		return fail("run", err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return fail("run", err)
	}
	cmd := exec.Command(exe, append([]string{"run"}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, write
	cmd.ExtraFiles = []*os.File{os.Stderr}
	cmd.Env = append(os.Environ(), envRunChild+"=1")
	if err := cmd.Start(); err != nil {
		return fail("run", err)
	}
	_ = write.Close()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	filtered := make(chan bool)
	go func() {
		filterNative(read, os.Stderr)
		close(filtered)
	}()
	err = cmd.Wait()
	select { // what cells have left running may hold the pipe open
	case <-filtered:
	case <-time.After(time.Second):
	}
	return childStatus(err)
}

// childStatus is the exit status that a shell would see.
func childStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		return fail("run", err)
	}
	if st, ok := exit.Sys().(syscall.WaitStatus); ok && st.Signaled() {
		return 128 + int(st.Signal())
	}
	return exit.ExitCode()
}

// filterNative copies lines but for those that XLA logs without need.
func filterNative(from io.Reader, to io.Writer) {
	drop := nativeFilter()
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 && !drop("stderr", line) {
			_, _ = to.Write(line)
		}
		if err != nil {
			return
		}
	}
}

// interruptible gives a context that the first SIGINT ends. A later one ends
// the process: native code does not stop for a context. Signals within a second
// are one, as a terminal and a cell's command may each send theirs.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT)
	go func() {
		var first time.Time
		for range signals {
			switch {
			case first.IsZero():
				first = time.Now()
				cancel()
			case time.Since(first) > time.Second:
				os.Exit(notebook.Interrupted)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}
