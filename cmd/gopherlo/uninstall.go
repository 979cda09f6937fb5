package main

import (
	"fmt"

	"gopherlo/install"
)

const uninstallUsage = `usage: gopherlo uninstall [--user|--sys-prefix|--prefix DIR] [--name NAME]

Removes the kernelspec; give the flags that it was installed with.
`

// uninstallCommand removes the kernelspec.
func uninstallCommand(args []string) int {
	set := newFlags("uninstall", uninstallUsage)
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
