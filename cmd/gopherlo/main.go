// Command gopherlo is the Jupyter kernel for Go-scripted XLA programs, and the
// tools around it. This package holds flags and wiring only: one file per
// subcommand, one row per subcommand in the table below.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// command is one subcommand. run gets the arguments after the name and returns
// the exit status.
type command struct {
	run  func(args []string) int
	help string
	// hidden keeps a command that only the kernel calls out of the usage text.
	hidden bool
}

// commands is the table of subcommands. A new one is a file with its function
// and a row here.
var commands map[string]command

func init() {
	// Filled here and not in the declaration: help reads the table.
	commands = map[string]command{
		"build":     {run: buildCommand, help: "make a kernel program with packages of others"},
		"cache":     {run: cacheCommand, help: "show or clear the cache of compiled executables"},
		"doctor":    {run: doctorCommand, help: "check the platform, the kernelspec and the PJRT plugins"},
		"export":    {run: exportCommand, help: "write a notebook as a Go program"},
		"flags":     {run: flagsCommand, help: "list XLA's flags and compile options"},
		"hlo":       {run: hloCommand, help: "print, convert, check, compare and run programs"},
		"help":      {run: helpCommand, help: "print this text, or more about COMMAND"},
		"kernel":    {run: kernelCommand, help: "serve one Jupyter kernel (what Jupyter starts)"},
		"worker":    {run: workerCommand, help: "run cells for a kernel", hidden: true},
		"install":   {run: installCommand, help: "tell Jupyter about this kernel"},
		"plugin":    {run: pluginCommand, help: "install, list and test PJRT plugins"},
		"run":       {run: runCommand, help: "run the cells of a notebook without Jupyter"},
		"source":    {run: sourceCommand, help: "pack the program's source", hidden: true},
		"uninstall": {run: uninstallCommand, help: "take the kernel out of Jupyter again"},
		"version":   {run: versionCommand, help: "print versions"},
	}
}

func main() {
	os.Exit(run(os.Args[1:]))
}

// run picks the subcommand and returns the exit status: 2 for a wrong call.
func run(args []string) int {
	if len(args) == 0 {
		usage(os.Stderr)
		return 2
	}
	name := args[0]
	switch {
	case asksHelp(name):
		name = "help"
	case name == "-version", name == "--version":
		name = "version"
	}
	cmd, ok := commands[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "gopherlo: unknown command %q; `gopherlo help` lists them\n", args[0])
		return 2
	}
	return cmd.run(args[1:])
}

// helpCommand prints the list, or what the named command says of itself.
func helpCommand(args []string) int {
	if len(args) == 0 {
		usage(os.Stdout)
		return 0
	}
	switch cmd, ok := commands[args[0]]; {
	case !ok || cmd.hidden:
		fmt.Fprintf(os.Stderr, "gopherlo help: unknown command %q; `gopherlo help` lists them\n", args[0])
		return 2
	case args[0] == "help":
		return helpCommand(nil)
	default:
		return cmd.run([]string{"-h"})
	}
}

func usage(w io.Writer) {
	fmt.Fprint(w, "gopherlo is a Jupyter kernel for Go-scripted XLA programs.\n\nusage: gopherlo COMMAND [arguments]\n\n")
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		if cmd := commands[name]; !cmd.hidden {
			fmt.Fprintf(w, "  %-10s %s\n", name, cmd.help)
		}
	}
	fmt.Fprint(w, "\n`gopherlo help COMMAND` tells more about a command.\n")
}
