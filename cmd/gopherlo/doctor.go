package main

import (
	"flag"
	"fmt"
	"os"

	"gopherlo/install"
)

// doctorCommand prints what was checked and found, with the fix for each
// finding that is not well. It fails when a check does.
func doctorCommand(args []string) int {
	set := flag.NewFlagSet("gopherlo doctor", flag.ContinueOnError)
	if status, ok := parse(set, args); !ok {
		return status
	}
	for _, line := range install.Versions() {
		fmt.Println("      " + line)
	}
	if !install.Doctor(os.Stdout) {
		return 1
	}
	return 0
}
