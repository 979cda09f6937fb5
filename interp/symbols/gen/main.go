// Command gen writes what interp/symbols embeds: export data and the symbol
// tables of the packages that cells can import, the source of the generic
// standard packages, and documentation. Run it by go generate with the Go
// version that builds the kernel:
//
//	go run ./interp/symbols/gen          # everything
//	go run ./interp/symbols/gen -only own
//	go run ./interp/symbols/gen -with example.com/a,example.com/b
//
// The last form is that of `gopherlo build`: it adds packages of others.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// own lists our packages that cells see.
var own = []string{
	"gopherlo/jaxlike", "gopherlo/jaxlike/jnp", "gopherlo/jaxlike/lax", "gopherlo/jaxlike/nn",
	"gopherlo/jaxlike/random", "gopherlo/jaxlike/tree", "gopherlo/jaxlike/kw", "gopherlo/jaxlike/xla",
	"gopherlo/jaxlike/array", "gopherlo/jaxlike/stages", "gopherlo/jaxlike/core", "gopherlo/jaxlike/dtype",
	"gopherlo/metadata", "gopherlo/xla", "gopherlo/xla/flags", "gopherlo/xla/hlo", "gopherlo/display",
}

// left out: packages that are no use in a cell or that would let it reach
// around the interpreter.
var leftOut = []string{
	"cmd/", "internal/", "vendor/", "plugin", "runtime/cgo", "runtime/race", "syscall",
	"testing/internal", "debug/", "unsafe", "builtin", "runtime/coverage", "simd",
}

func main() {
	log.SetFlags(0)
	only := flag.String("only", "", "write only this group: own (our packages) or std")
	out := flag.String("out", "interp/symbols", "folder to write to")
	with := flag.String("with", "", "write only these `packages`, separated by commas, in addition to the others")
	flag.Parse()
	if *with != "" {
		if err := writeWith(*out, strings.Split(*with, ",")); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *only != "std" {
		if err := writeGroup(*out, "own", existing(own)); err != nil {
			log.Fatal(err)
		}
	}
	if *only == "own" {
		return
	}
	std, err := stdPackages()
	if err != nil {
		log.Fatal(err)
	}
	if err := writeGroup(*out, "std", std); err != nil {
		log.Fatal(err)
	}
	if err := writeSource(filepath.Join(*out, "std_source.zip"), sourced); err != nil {
		log.Fatal(err)
	}
}

// writeGroup writes export data, table and docs of one group of packages.
func writeGroup(out, group string, paths []string) error {
	ex, err := loadExports(paths)
	if err != nil {
		return err
	}
	if err := ex.writeData(filepath.Join(out, group+"_export.zip"), paths); err != nil {
		return err
	}
	if err := ex.writeTable(filepath.Join(out, group+"_table.go"), group, paths); err != nil {
		return err
	}
	return writeDocs(filepath.Join(out, group+"_docs.zip"), paths)
}

// existing keeps the packages that are in the module.
func existing(paths []string) []string {
	var kept []string
	root := moduleRoot()
	for _, p := range paths {
		dir := strings.TrimPrefix(p, "gopherlo/")
		files, _ := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if len(files) == 0 {
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// moduleRoot is the folder of go.mod: go generate runs in the package's own.
func moduleRoot() string {
	text, err := goTool("env", "GOMOD")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Dir(strings.TrimSpace(text))
}

func stdPackages() ([]string, error) {
	text, err := goTool("list", "std")
	if err != nil {
		return nil, err
	}
	var kept []string
next:
	for _, p := range strings.Fields(text) {
		for _, bad := range leftOut {
			if p == bad || strings.HasPrefix(p, bad) && strings.HasSuffix(bad, "/") || strings.Contains(p, "/internal") {
				continue next
			}
		}
		kept = append(kept, p)
	}
	sort.Strings(kept)
	return kept, nil
}

func goTool(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(text), nil
}
