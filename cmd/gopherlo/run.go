package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"gopherlo/interp"
	"gopherlo/interp/notebook"
	"gopherlo/xla/pjrt"
)

// runCommand runs the code cells of a notebook in this process.
func runCommand(args []string) int {
	set := flag.NewFlagSet("gopherlo run", flag.ContinueOnError)
	var opts notebook.Options
	set.BoolVar(&opts.KeepGoing, "keep-going", false, "go on after a cell that has failed; the exit code is still 1")
	set.BoolVar(&opts.Silent, "no-values", false, "write no values of last expressions")
	set.Usage = func() {
		fmt.Fprint(set.Output(), `usage: gopherlo run [flags] FILE.ipynb
       gopherlo run [flags] FILE.go|-

Runs the code cells of a notebook without Jupyter, in the notebook's folder.
Streams go to standard output and error, values to standard output as text. An
error is written as its cell shows it and ends the run with exit code 1, unless
the cell is tagged raises-exception. A text file, or - for standard input, holds
cells that lines starting with "// %%" separate.
`)
		set.PrintDefaults()
	}
	files, status := wantFiles(set, args, 1)
	if status != 0 || files == nil {
		return status
	}
	file := files[0]
	nb, err := notebook.Read(file)
	if err != nil {
		return fail("run", err)
	}
	var stdin io.Reader = os.Stdin
	if file == "-" {
		stdin = nil
	} else if err := os.Chdir(filepath.Dir(file)); err != nil {
		return fail("run", err)
	}
	debug.SetMaxStack(maxStack)
	pjrt.LineBufferStdout()
	defer pjrt.FlushStdio()
	defer startCache()()
	ctx, stop := interruptible()
	defer stop()
	return notebook.Run(ctx, nb, interp.New(interp.Options{}), notebook.NewConsole(stdin, os.Stdout, os.Stderr), opts)
}

// wantFiles parses flags and n other arguments in any order; without any the
// command ends with status.
func wantFiles(set *flag.FlagSet, args []string, n int) (files []string, status int) {
	files, err := parseMixed(set, args)
	switch {
	case err != nil:
		return nil, exitOf(err)
	case len(files) != n:
		fmt.Fprintf(os.Stderr, "%s: %d argument(s) wanted, %d given\n", set.Name(), n, len(files))
		set.Usage()
		return nil, 2
	}
	return files, 0
}

// maxStack bounds the recursion of cells, as in a worker.
const maxStack = 256 << 20

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
