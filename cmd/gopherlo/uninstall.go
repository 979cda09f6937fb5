package main

import (
	"flag"
	"fmt"

	"gopherlo/install"
)

// uninstallCommand removes the kernelspec.
func uninstallCommand(args []string) int {
	set := flag.NewFlagSet("gopherlo uninstall", flag.ContinueOnError)
	var where place
	where.flags(set)
	if status, ok := parse(set, args); !ok {
		return status
	}
	dir, err := where.kernels()
	if err != nil {
		return fail("uninstall", err)
	}
	target, err := install.Remove(dir, where.name)
	if err != nil {
		return fail("uninstall", err)
	}
	fmt.Printf("removed kernel %s from %s\n", where.name, target)
	return 0
}
