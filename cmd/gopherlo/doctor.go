package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"gopherlo/install"
	"gopherlo/xla/pjrt"
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
	if !install.Doctor(os.Stdout, pluginChecks) {
		return 1
	}
	return 0
}

// pluginChecks looks for the CPU plugin and runs the numeric self-test on it.
func pluginChecks() []install.Check {
	check := install.Check{Name: "plugin cpu"}
	path, err := pjrt.PluginFile("cpu")
	if err != nil {
		check.Level, check.Found = install.Warning, err.Error()
		check.Fix = "run `gopherlo plugin install cpu`; until then programs can be traced and shown, not run"
		return []install.Check{check}
	}
	check.Found = path
	wrong, err := childSelfTest(context.Background(), "cpu", path)
	switch {
	case err != nil:
		check.Level = install.Failure
		check.Found += ": " + err.Error()
	case len(wrong) > 0:
		check.Level = install.Failure
		check.Found += " computes wrong results: " + strings.Join(wrong, "; ")
	default:
		check.Found += ", self-test passed"
		return []install.Check{check}
	}
	check.Fix = "install it again or take another one of `gopherlo plugin list`"
	return []install.Check{check}
}
