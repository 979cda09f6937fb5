package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"os"
	"sort"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// exports holds the type information of packages, read from the export data
// that the go command made.
type exports struct {
	fset *token.FileSet
	pkgs map[string]*types.Package
}

func loadExports(paths []string) (*exports, error) {
	ex := &exports{fset: token.NewFileSet(), pkgs: map[string]*types.Package{"unsafe": types.Unsafe}}
	if len(paths) == 0 {
		return ex, nil
	}
	args := append([]string{"list", "-trimpath", "-export", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)
	text, err := goTool(args...)
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		path, file, ok := strings.Cut(line, " ")
		if !ok || file == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		if err := ex.read(path, file); err != nil {
			return nil, err
		}
	}
	return ex, nil
}

func (ex *exports) read(path, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	//lint:ignore SA1019 go list -export gives archives; Go 1.26 reads them so
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if _, err := gcexportdata.Read(r, ex.fset, ex.pkgs, path); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// writeData writes one entry per package, in gcexportdata's indexed form,
// which holds no machine paths and is the same wherever it is made.
func (ex *exports) writeData(name string, paths []string) error {
	entries := map[string][]byte{}
	for _, p := range paths {
		var b bytes.Buffer
		// Positions are of no use in cells and would hold file names.
		if err := gcexportdata.Write(&b, token.NewFileSet(), ex.pkgs[p]); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		entries[p] = b.Bytes()
	}
	return writeZip(name, entries)
}

// writeZip writes entries in sorted order without times, so that the same
// content gives the same bytes.
func writeZip(name string, entries map[string][]byte) error {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	names := make([]string, 0, len(entries))
	for n := range entries {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		e, err := w.CreateHeader(&zip.FileHeader{Name: n, Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := e.Write(entries[n]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
