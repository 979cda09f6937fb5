package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gopherlo/xla/plugin"
)

// long skips tests that need minutes, a plugin and a C compiler.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("GOPHERLO_LONG") == "" {
		t.Skip("not run: long, set GOPHERLO_LONG=1")
	}
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip(err)
	}
}

// varying is what a program and the kernel say differently: times, what %who
// lists, and the columns and frames of source places, which Go's compiler has
// not or has otherwise.
var varying = regexp.MustCompile(`(?m)^(Wall time: .*|.* per loop \(mean .*|The first run took .*|(var|func|type|const) +\w+ +\S+|\d+ "(\w+|<module>|<lambda>)"|\d+ \{file_name_id=.*|\d+ \{file_location_id=.*)\n|,? ?stack_frame_id=\d+`)

func steady(text string) string { return varying.ReplaceAllString(text, "") }

// Exported programs print what `gopherlo run` prints, the first notebook and
// the cells of the export package's tests.
func TestExportLong(t *testing.T) {
	long(t)
	files, err := filepath.Glob("../../interp/export/testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	files = append(files, "../../notebooks/01-controlling-xla.ipynb")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), func(t *testing.T) {
			want, err := gopherlo(t, "", "run", file).Output()
			if err != nil {
				t.Fatalf("gopherlo run: %v", err)
			}
			dir := t.TempDir()
			if err := exportNotebook(file, dir); err != nil {
				t.Fatal(err)
			}
			program := buildProgram(t, dir)
			run := exec.Command(program)
			run.Dir = t.TempDir()
			run.Env = append(os.Environ(), "GOPHERLO_CACHE=off")
			got, err := run.Output()
			if err != nil {
				t.Errorf("the program: %v", err)
			}
			if diff := cmp.Diff(steady(string(want)), steady(string(got))); diff != "" {
				t.Errorf("-notebook +program:\n%s", diff)
			}
		})
	}
}

// buildProgram builds what is in a folder without network and module cache.
func buildProgram(t *testing.T, dir string) string {
	t.Helper()
	program := filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=vendor", "GOMODCACHE="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

func TestExportWrongCalls(t *testing.T) {
	dir := t.TempDir()
	notebook := filepath.Join(dir, "a.ipynb")
	text := `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "source": "x := y"}]}`
	if err := os.WriteFile(notebook, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		out    string
	}{
		{[]string{"export"}, 2, "2 argument(s) wanted, 0 given"},
		{[]string{"export", "none.ipynb", dir + "/out"}, 1, "none.ipynb: no such file"},
		{[]string{"export", notebook, dir + "/out"}, 1, "a.ipynb: cell 1: line 1: undefined: y"},
		{[]string{"build"}, 2, "which package? --with PATH names one"},
		{[]string{"build", "--with", "fmt"}, 2, "no import path of a module"},
	} {
		status, out := capture(t, test.args...)
		if status != test.status || !strings.Contains(out, test.out) {
			t.Errorf("%v: status %d, want %d; output, which should hold %q:\n%s", test.args, status, test.status, test.out, out)
		}
	}
}
