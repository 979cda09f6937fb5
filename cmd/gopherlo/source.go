package main

import (
	"fmt"
	"os"

	"gopherlo/install/source"
)

// sourceCommand packs the source of the program, for `gopherlo export` and
// `gopherlo build` where there is no checkout. make install and the wheel call it.
func sourceCommand(args []string) int {
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: gopherlo source FILE.zip")
		return 2
	}
	if err := packSource(args[0]); err != nil {
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
