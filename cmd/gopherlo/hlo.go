package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"gopherlo/xla"
	"gopherlo/xla/flags"
	"gopherlo/xla/hlo"
	"gopherlo/xla/hlotool"
)

const hloUsage = `usage: gopherlo hlo print [--style STYLE] FILE    print a program as HLO text
       gopherlo hlo convert FILE.mlir             StableHLO text to HLO text, as JAX lowers it
       gopherlo hlo parse [-o OUT.pb] FILE        check a program and say what it holds
       gopherlo hlo diff [--style STYLE] A B      compare two programs; exit status 1 when they differ
       gopherlo hlo run [--input VALUE]... [--fill HOW] [--option NAME=VALUE]... FILE
                                                  compile a program and run it

FILE is HLO text, StableHLO text, an HloModuleProto or an HloModuleProtoWithConfig;
"-" is the standard input. STYLE is lowered (JAX's lowered.as_text("hlo")),
lowered-metadata, compiled (compiled.as_text()), default or canonical.
VALUE is a literal ("1.5", "{1, 2}"), zeros, ones, iota, random, or @FILE; HOW is
one of these words, for the parameters that have no --input.
`

// hloCommand prints, converts, checks, compares and runs programs.
func hloCommand(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, hloUsage)
		return 2
	}
	commands := map[string]func([]string) (int, error){
		"print": hloPrint, "convert": hloConvert, "parse": hloParse, "diff": hloDiff, "run": hloRun,
	}
	run, ok := commands[args[0]]
	switch {
	case ok:
	case args[0] == "-h", args[0] == "-help", args[0] == "--help", args[0] == "help":
		fmt.Print(hloUsage)
		return 0
	default:
		fmt.Fprintf(os.Stderr, "gopherlo hlo: unknown command %q\n%s", args[0], hloUsage)
		return 2
	}
	status, err := run(args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "gopherlo hlo %s: %v\n", args[0], err)
	}
	return status
}

// hloFlags parses the flags of one subcommand and wants n files.
func hloFlags(fs *flag.FlagSet, args []string, n int) (files []string, status int) {
	fs.Usage = func() { fmt.Fprint(fs.Output(), hloUsage) }
	files, err := parseMixed(fs, args)
	if err != nil {
		return nil, exitOf(err)
	}
	if len(files) != n {
		fmt.Fprintf(os.Stderr, "gopherlo %s: %d file(s) wanted, %d given\n%s", fs.Name(), n, len(files), hloUsage)
		return nil, 2
	}
	return files, 0
}

// maxProgram bounds what is read: a proto cannot be larger.
const maxProgram = 2 << 30

func readProgram(name string) (*hlotool.File, error) {
	var r io.Reader = os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxProgram))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if name == "-" {
		name = "<stdin>"
	}
	return hlotool.Read(name, data)
}

func hloPrint(args []string) (int, error) {
	fs := flag.NewFlagSet("hlo print", flag.ContinueOnError)
	style := fs.String("style", "lowered", "how to print")
	files, status := hloFlags(fs, args, 1)
	if files == nil {
		return status, nil
	}
	return printProgram(files[0], *style)
}

func printProgram(name, style string) (int, error) {
	if _, err := hlotool.Style(style); err != nil {
		return 2, err
	}
	f, err := readProgram(name)
	if err != nil {
		return 1, err
	}
	text, err := f.Print(style)
	if err != nil {
		return 1, err
	}
	if _, err := os.Stdout.WriteString(text); err != nil {
		return 1, err
	}
	return 0, nil
}

func hloConvert(args []string) (int, error) {
	fs := flag.NewFlagSet("hlo convert", flag.ContinueOnError)
	style := fs.String("style", "lowered", "how to print")
	files, status := hloFlags(fs, args, 1)
	if files == nil {
		return status, nil
	}
	return printProgram(files[0], *style)
}

func hloParse(args []string) (int, error) {
	fs := flag.NewFlagSet("hlo parse", flag.ContinueOnError)
	out := fs.String("o", "", "write the program as HloModuleProto")
	files, status := hloFlags(fs, args, 1)
	if files == nil {
		return status, nil
	}
	f, err := readProgram(files[0])
	if err != nil {
		return 1, err
	}
	if err := f.Verify(); err != nil {
		return 1, err
	}
	if *out == "" {
		text, err := f.Summary()
		if err != nil {
			return 1, err
		}
		fmt.Print(text)
		return 0, nil
	}
	m, err := f.Module()
	if err != nil {
		return 1, err
	}
	data, err := m.Marshal()
	if err != nil {
		return 1, err
	}
	if err := os.WriteFile(*out, data, 0o644); err != nil {
		return 1, err
	}
	return 0, nil
}

func hloDiff(args []string) (int, error) {
	fs := flag.NewFlagSet("hlo diff", flag.ContinueOnError)
	style := fs.String("style", "lowered", "how to print")
	files, status := hloFlags(fs, args, 2)
	if files == nil {
		return status, nil
	}
	a, err := readProgram(files[0])
	if err != nil {
		return 2, err
	}
	b, err := readProgram(files[1])
	if err != nil {
		return 2, err
	}
	text, err := hlotool.Diff(a, b, *style)
	switch {
	case err != nil:
		return 2, err
	case text != "":
		fmt.Print(text)
		return 1, nil
	}
	return 0, nil
}

// words is a flag that may be given several times.
type words []string

func (w *words) String() string     { return strings.Join(*w, " ") }
func (w *words) Set(s string) error { *w = append(*w, s); return nil }

func hloRun(args []string) (int, error) {
	fs := flag.NewFlagSet("hlo run", flag.ContinueOnError)
	platform := fs.String("platform", "cpu", "where to run")
	fill := fs.String("fill", "", "input of the parameters that have none")
	var inputs, options words
	fs.Var(&inputs, "input", "value of the next parameter")
	fs.Var(&options, "option", "compile option")
	files, status := hloFlags(fs, args, 1)
	if files == nil {
		return status, nil
	}
	opts, err := hlotool.Options(options)
	if err != nil {
		return 2, err
	}
	f, err := readProgram(files[0])
	if err != nil {
		return 1, err
	}
	literals, err := f.Inputs(inputs, *fill)
	if err != nil {
		return 1, err
	}
	client, err := xla.Open(*platform)
	if err != nil {
		return 1, withAdvice(*platform, err)
	}
	results, err := f.Run(client, literals, opts)
	if err != nil {
		return 1, withAdvice(*platform, err)
	}
	for _, r := range results {
		printResult(r)
	}
	return 0, nil
}

// maxPrinted is the number of elements above which a result's values are left
// out: their text takes many times the memory of the result.
const maxPrinted = 10_000_000

func printResult(r *hlo.Literal) {
	if n := r.Shape.NumElements(); n > maxPrinted {
		fmt.Printf("%s {...}\n", r.Shape.WithoutLayout())
		fmt.Fprintf(os.Stderr, "gopherlo hlo run: a result of %d elements is not printed; slice or reduce it in the program\n", n)
		return
	}
	fmt.Printf("%s %s\n", r.Shape.WithoutLayout(), r)
}

// withAdvice adds a line on what may help to XLA's own words.
func withAdvice(platform string, err error) error {
	if advice := flags.Advice(xla.FlagNames(platform), err.Error()); advice != "" {
		return fmt.Errorf("%w\n%s", err, advice)
	}
	return err
}
