package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopherlo/install"
	"gopherlo/install/source"
	"gopherlo/interp/symbols"
)

// extraFlag gathers --with PATH.
type extraFlag []source.Extra

func (e *extraFlag) String() string { return "" }

func (e *extraFlag) Set(text string) error {
	extra, err := source.ParseExtra(text)
	*e = append(*e, extra)
	return err
}

const buildUsage = `usage: gopherlo build --with PATH[@version] ... [-o FILE]

Makes a kernel program whose cells can import the packages, with checking and
completion. Your go command (1.26 or newer, with a C compiler) builds it from
this program's own source; only the packages themselves are downloaded, if they
are not in the module cache. Then: FILE install --name NAME --display-name TEXT.
`

// buildCommand makes a kernel program with packages of others.
func buildCommand(args []string) int {
	set := newFlags("build", buildUsage)
	var extras extraFlag
	set.Var(&extras, "with", "import `PATH[@version]` of a package, or the folder of one in a local module; may be given more than once")
	out := set.String("o", "gopherlo-with", "`file` of the program")
	keep := set.Bool("keep", false, "keep the folder in which it is built, and name it")
	if status, ok := parse(set, args); !ok {
		return status
	}
	if len(extras) == 0 {
		fmt.Fprintln(os.Stderr, "gopherlo build: which package? --with PATH names one")
		return 2
	}
	if err := build(extras, *out, *keep); err != nil {
		return fail("build", err)
	}
	return 0
}

// build builds the program; its source goes beside it, for its own export and
// build.
func build(extras []source.Extra, out string, keep bool) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	src, err := source.Open()
	if err != nil {
		return err
	}
	defer src.Close()
	work, err := os.MkdirTemp("", "gopherlo-build-")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println("building in " + work)
	} else {
		defer os.RemoveAll(work)
	}
	tree, fetched := filepath.Join(work, "tree"), filepath.Join(work, "with")
	if err := os.MkdirAll(fetched, 0o755); err != nil {
		return err
	}
	more, err := source.Fetch(fetched, extras)
	if err != nil {
		return err
	}
	if err := src.WriteTree(tree); err != nil {
		return err
	}
	if err := src.Merge(tree, more); err != nil {
		return err
	}
	paths := slices.Collect(maps.Keys(symbols.Added())) // of this program
	for _, e := range extras {
		paths = append(paths, e.Path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if err := source.Build(tree, out, install.Version, paths); err != nil {
		return err
	}
	if err := source.Zip(tree, out+".src.zip"); err != nil {
		return err
	}
	fmt.Printf("built %s, in which cells can import %s\nnext: %s install --name NAME --display-name TEXT\n", out, strings.Join(paths, ", "), out)
	return nil
}
