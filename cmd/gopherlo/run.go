package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"gopherlo/interp"
	"gopherlo/interp/notebook"
	"gopherlo/kernel/worker"
	"gopherlo/xla/pjrt"
)

const runUsage = `usage: gopherlo run [flags] FILE.ipynb
       gopherlo run [flags] FILE.go|-

Runs the code cells of a notebook without Jupyter, in the notebook's folder.
Streams go to standard output and error, values to standard output as text. An
error is written as its cell shows it and ends the run with exit code 1, unless
the cell is tagged raises-exception. A text file, or - for standard input, holds
cells that lines starting with "// %%" separate.
`

// runCommand runs the code cells of a notebook in this process.
func runCommand(args []string) int {
	set := newFlags("run", runUsage)
	var opts notebook.Options
	set.BoolVar(&opts.KeepGoing, "keep-going", false, "go on after a cell that has failed; the exit code is still 1")
	set.BoolVar(&opts.Silent, "no-values", false, "write no values of last expressions")
	files, status := wantFiles(set, args, 1)
	if status != 0 || files == nil {
		return status
	}
	if os.Getenv(envRunChild) == "" {
		return runChild(args)
	}
	_ = os.Unsetenv(envRunChild)
	stderr := os.NewFile(childStderr, "stderr")
	syscall.CloseOnExec(childStderr)
	nb, err := notebook.Read(files[0])
	if err != nil {
		return fail("run", err)
	}
	var stdin io.Reader = os.Stdin
	if files[0] == "-" {
		stdin = nil
	} else if err := os.Chdir(filepath.Dir(files[0])); err != nil {
		return fail("run", err)
	}
	debug.SetMaxStack(worker.MaxStack)
	pjrt.LineBufferStdout()
	defer pjrt.FlushStdio()
	defer startCache()()
	ctx, stop := interruptible()
	defer stop()
	return notebook.Run(ctx, nb, interp.New(interp.Options{}), notebook.NewConsole(stdin, os.Stdout, stderr), opts)
}
