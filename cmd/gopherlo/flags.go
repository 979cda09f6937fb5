package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"

	"gopherlo/xla/flags"
	"gopherlo/xla/pjrt"
)

const flagsUsage = `usage: gopherlo flags [REGEX]... [--json] [--platform NAME]

Lists the flags of the XLA plugin whose name one REGEX matches: type, default, and whether
a flag works as a compile option, in XLA_FLAGS or both.
`

// flagsCommand lists XLA's flags.
func flagsCommand(args []string) int {
	fs := newFlags("flags", flagsUsage)
	asJSON := fs.Bool("json", false, "print JSON")
	platform := fs.String("platform", "cpu", "`NAME` of the platform whose plugin is asked")
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
	fmt.Print(flags.Text(rows))
	if len(rows) == 0 {
		fmt.Fprintln(os.Stderr, "gopherlo flags: none of", len(table), "flags matches")
		return 1
	}
	return 0
}
