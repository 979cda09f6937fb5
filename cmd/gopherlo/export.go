package main

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"

	"gopherlo/install/source"
	"gopherlo/interp"
	"gopherlo/interp/export"
	"gopherlo/interp/notebook"
	"gopherlo/interp/symbols"
)

const exportUsage = `usage: gopherlo export FILE.ipynb DIR

Writes the notebook's cells as a plain Go program to DIR, with go.mod and the
source of all packages that it needs: "go build" makes it, without network, on
any machine with Go and a C compiler. It prints what the cells print. The plugin
is found as the kernel finds it.
`

// exportCommand writes a notebook as a Go program.
func exportCommand(args []string) int {
	set := newFlags("export", exportUsage)
	words, status := wantFiles(set, args, 2)
	if words == nil {
		return status
	}
	if err := exportNotebook(words[0], words[1]); err != nil {
		return fail("export", err)
	}
	return 0
}

func exportNotebook(file, dir string) error {
	nb, err := notebook.Read(file)
	if err != nil {
		return err
	}
	opts := exportOptions()
	opts.Env.Dir = func() string { return filepath.Dir(file) }
	p, err := export.Notebook(nb, opts)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	src, err := source.Open()
	if err != nil {
		return err
	}
	defer src.Close()
	program := source.Program{Module: "notebook/" + p.Name, Main: p.Text, Imports: p.Imports}
	for _, f := range p.Folders {
		program.Folders = append(program.Folders, source.Folder{
			Path: f.Path, Dir: f.Dir, Module: cmp.Or(f.Root.Path, source.ModuleFor(f.Path)), ModuleDir: f.Root.Dir, Version: f.Root.Version,
		})
	}
	if err := program.Write(src, dir); err != nil {
		return err
	}
	for _, remark := range p.Remarks {
		fmt.Fprintln(os.Stderr, "note: "+remark)
	}
	fmt.Printf("wrote %s to %s; there: go build\n", p.Name, dir)
	return nil
}

// exportOptions are what the interpreter knows.
func exportOptions() export.Options {
	return export.Options{
		Env:         interp.CheckEnv(),
		NewImporter: func(fset *token.FileSet) types.Importer { return symbols.NewImporter(fset) },
		FuncText:    interp.FuncText,
		ModuleCode:  interp.ModuleCode,
	}
}
