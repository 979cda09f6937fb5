package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A kernel built with a local module imports it in cells, checks what it says,
// and exports programs that use it.
func TestBuildLong(t *testing.T) {
	long(t)
	out := filepath.Join(t.TempDir(), "gopherlo")
	status, text := capture(t, "build", "--with", "./testdata/shapes", "--with", "./testdata/shapes/geo", "-o", out)
	if status != 0 || !strings.Contains(text, "cells can import example.com/go-shapes, example.com/go-shapes/geo") {
		t.Fatalf("status %d:\n%s", status, text)
	}
	const want = "13 2.5 1x2\n3\n2.5\n"
	cells := "testdata/with.txt"
	run := exec.Command(out, "run", cells)
	if got, err := run.CombinedOutput(); err != nil || string(got) != want {
		t.Errorf("run: %v\n%s", err, got)
	}
	dir := t.TempDir()
	if got, err := exec.Command(out, "export", cells, dir).CombinedOutput(); err != nil {
		t.Fatalf("export: %v\n%s", err, got)
	}
	if got, err := exec.Command(buildProgram(t, dir)).CombinedOutput(); err != nil || string(got) != want {
		t.Errorf("program: %v\n%s", err, got)
	}
	cmd := exec.Command(out, "run", "-")
	cmd.Stdin = strings.NewReader("import shapes \"example.com/go-shapes\"\nshapes.Totl()")
	got, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(got), "did you mean shapes.Total?") {
		t.Errorf("a mistake: %v\n%s", err, got)
	}
	if _, err := os.Stat(out + ".src.zip"); err != nil {
		t.Error(err)
	}
}
