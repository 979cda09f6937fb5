package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// gopherlo runs the test program as the command.
func gopherlo(t *testing.T, stdin string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GOPHERLO_CACHE=off")
	return cmd
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.ipynb")
	text := `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
		{"cell_type": "code", "source": "%env A=b\nfunc f(x Array) Array { return x*x + 1. }\nmake_jaxpr(f)(2.0)"},
		{"cell_type": "code", "source": ["import \"os\"\n", "dir, _ := os.Getwd()\n", "dir"]},
		{"cell_type": "code", "source": "xs := []int{1}\nxs[3]", "metadata": {"tags": ["raises-exception"]}},
		{"cell_type": "code", "source": "fmt.Println(\"last\")\nundefined"},
		{"cell_type": "code", "source": "fmt.Println(\"never\")"}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errOut strings.Builder
	cmd := gopherlo(t, "", "run", file)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	_ = cmd.Run()
	wantOut := "env: A=b\n{ lambda ; a:f32[]. let b:f32[] = mul a a; c:f32[] = add b 1.0:f32[] in (c,) }\n" + dir + "\n"
	if cmd.ProcessState.ExitCode() != 1 || out.String() != wantOut {
		t.Errorf("exit code %d, output:\n%s\nwant:\n%s", cmd.ProcessState.ExitCode(), out.String(), wantOut)
	}
	for _, want := range []string{"index out of range [3] with length 1\ncell 3, line ", "cell 4, line 2:1: undefined: undefined\n    undefined\n    ^\n"} {
		if !strings.Contains(errOut.String(), want) {
			t.Errorf("errors lack %q:\n%s", want, errOut.String())
		}
	}
}

func TestRunWrongCalls(t *testing.T) {
	dir := t.TempDir()
	written := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, test := range []struct {
		args   string
		status int
		out    string
	}{
		{"run", 2, "1 argument(s) wanted"},
		{"run -h", 0, "usage: gopherlo run"},
		{"run no-such-file.ipynb", 1, "no-such-file.ipynb: no such file"},
		{"run " + written("a.ipynb", `{"cells": 3}`), 1, `a.ipynb: not a notebook: "cells" is a number`},
		{"run " + written("b.ipynb", `[]`), 1, "b.ipynb: not a notebook: the file is a JSON array"},
		{"run " + written("c.ipynb", `{"cells": [`), 1, "c.ipynb: not a notebook: malformed JSON at byte 11"},
		{"run " + written("exit.txt", "fmt.Println(1)\nos.Exit(4)\n// %%\nfmt.Println(2)"), 4, "1\n"},
		{"run " + written("exit0.txt", "os.Exit(0)\nfmt.Println(2)"), 0, ""},
		{"run --keep-going " + written("fatal.txt", "log.Fatal(\"no\")\n// %%\nfmt.Println(2)"), 1, "no\n"},
	} {
		cmd := gopherlo(t, "", strings.Fields(test.args)...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != test.status || !strings.Contains(string(out), test.out) {
			t.Errorf("%s: exit code %d, want %d; output, which should hold %q:\n%s", test.args, cmd.ProcessState.ExitCode(), test.status, test.out, out)
		}
	}
}

// SIGINT ends the cell, and with it the run.
func TestRunInterrupt(t *testing.T) {
	cmd := gopherlo(t, "fmt.Println(1)\nfor {\n}\n// %%\nfmt.Println(2)", "run", "-")
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	buf := make([]byte, 16)
	n, _ := out.Read(buf)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if string(buf[:n]) != "1\n" || cmd.ProcessState.ExitCode() != 130 || !strings.Contains(errOut.String(), "KeyboardInterrupt") {
		t.Errorf("output %q, exit code %d, errors %q", buf[:n], cmd.ProcessState.ExitCode(), errOut.String())
	}
}
