package main

import (
	"os"

	"gopherlo/install/source"
)

// sourceCommand packs the source of the program, for `gopherlo export` and
// `gopherlo build` where there is no checkout. make install and the wheel call it.
func sourceCommand(args []string) int {
	set := newFlags("source", "usage: gopherlo source FILE.zip\n")
	files, status := wantFiles(set, args, 1)
	if files == nil {
		return status
	}
	if err := packSource(files[0]); err != nil {
		return fail("source", err)
	}
	return 0
}

func packSource(file string) error {
	src, err := source.Open()
	if err != nil {
		return err
	}
	defer src.Close()
	dir, err := os.MkdirTemp("", "gopherlo-source-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := src.WriteTree(dir); err != nil {
		return err
	}
	return source.Zip(dir, file)
}
