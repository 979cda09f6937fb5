package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
)

// newFlags makes the flags of a subcommand, "kernel" or "plugin install". usage
// is what -h shows above the flags; it begins with the command's form.
func newFlags(name, usage string) *flag.FlagSet {
	set := flag.NewFlagSet("gopherlo "+name, flag.ContinueOnError)
	set.Usage = func() {
		fmt.Fprint(set.Output(), usage)
		set.PrintDefaults()
	}
	return set
}

// read parses args. Help that was asked for goes to standard output, so that it
// can be paged; after a mistake it goes to standard error.
func read(set *flag.FlagSet, args []string) error {
	if slices.ContainsFunc(args, asksHelp) {
		set.SetOutput(os.Stdout)
	}
	return set.Parse(args)
}

// asksHelp tells whether an argument asks a command what it does.
func asksHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// parse reads the flags of a command that takes no other arguments. When ok is
// false the command ends with status.
func parse(set *flag.FlagSet, args []string) (status int, ok bool) {
	switch err := read(set, args); {
	case errors.Is(err, flag.ErrHelp):
		return 0, false
	case err != nil:
		return 2, false
	case set.NArg() > 0:
		fmt.Fprintf(os.Stderr, "%s: unexpected argument %q\n", set.Name(), set.Arg(0))
		return 2, false
	}
	return 0, true
}

// parseMixed parses flags that stand before or after the plain arguments, which
// it returns.
func parseMixed(fs *flag.FlagSet, args []string) (words []string, err error) {
	for rest := args; ; {
		if err := read(fs, rest); err != nil {
			return nil, err
		}
		if rest = fs.Args(); len(rest) == 0 {
			return words, nil
		}
		words, rest = append(words, rest[0]), rest[1:]
	}
}

// exitOf is the exit status after a failed parse, of which the user was told.
func exitOf(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return 2
}

// wantFiles parses flags and n other arguments in any order; without any the
// command ends with status.
func wantFiles(set *flag.FlagSet, args []string, n int) (files []string, status int) {
	files, err := parseMixed(set, args)
	switch {
	case err != nil:
		return nil, exitOf(err)
	case len(files) != n:
		fmt.Fprintf(os.Stderr, "%s: %d argument(s) wanted, %d given\n", set.Name(), n, len(files))
		set.Usage()
		return nil, 2
	}
	return files, 0
}

// fail prints err for the command name and gives the exit status.
func fail(name string, err error) int {
	fmt.Fprintf(os.Stderr, "gopherlo %s: %v\n", name, err)
	return 1
}
