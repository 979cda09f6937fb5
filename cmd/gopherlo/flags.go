package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"

	"gopherlo/xla/flags"
	"gopherlo/xla/pjrt"
)

// flagsCommand lists XLA's flags: `gopherlo flags [REGEX] [--json]`.
func flagsCommand(args []string) int {
	fs := flag.NewFlagSet("flags", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print JSON")
	platform := fs.String("platform", "cpu", "whose plugin's flags")
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: gopherlo flags [REGEX] [--json] [--platform NAME]")
		fs.PrintDefaults()
	}
	words, err := parseMixed(fs, args)
	if err != nil {
		return exitOf(err)
	}
	var pattern *regexp.Regexp
	if len(words) > 0 {
		if pattern, err = regexp.Compile(strings.Join(words, "|")); err != nil {
			fmt.Fprintln(os.Stderr, "gopherlo flags:", err)
			return 2
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	table, err := pjrt.FlagTable(ctx, *platform)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gopherlo flags:", err)
		return 1
	}
	rows := flags.Match(table, pattern)
	if *asJSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		if err := enc.Encode(rows); err != nil {
			fmt.Fprintln(os.Stderr, "gopherlo flags:", err)
			return 1
		}
		return 0
	}
	printFlags(os.Stdout, rows)
	if len(rows) == 0 {
		fmt.Fprintln(os.Stderr, "gopherlo flags: none of", len(table), "flags matches")
		return 1
	}
	return 0
}

func printFlags(w io.Writer, rows []flags.Flag) {
	for _, f := range rows {
		typ := f.Type
		if len(f.Enum) > 0 {
			typ = strings.Join(f.Enum, "|")
		}
		if f.Repeated {
			typ = "list of " + typ
		}
		fmt.Fprintf(w, "%s  %s", f.Name, typ)
		if f.Default != "" {
			fmt.Fprintf(w, "  = %s", f.Default)
		}
		if where := f.Where(); where != "both" {
			fmt.Fprintf(w, "  (%s only)", where)
		}
		fmt.Fprintln(w)
		if f.Description != "" {
			fmt.Fprintf(w, "    %s\n", f.Description)
		}
	}
}

// parseMixed parses flags that stand before or after the plain arguments, which
// it returns.
func parseMixed(fs *flag.FlagSet, args []string) (words []string, err error) {
	for rest := args; ; {
		if err := fs.Parse(rest); err != nil {
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
