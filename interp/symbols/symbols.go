// Package symbols holds what cells can import: yaegi symbol tables for the
// standard library and our own packages, their export data for go/types, their
// documentation, and the source of the generic standard packages.
//
// All of it is generated together by one Go version, so that what the checker
// accepts the interpreter can run. Start with [Importer] and [Tables].
package symbols

//go:generate go run ./gen -out .

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"log"
	"path"
	"reflect"
	"sort"
	"strings"
	"sync"

	"github.com/traefik/yaegi/stdlib"
	"golang.org/x/tools/go/gcexportdata"
)

var (
	//go:embed std_export.zip
	stdExport []byte
	//go:embed own_export.zip
	ownExport []byte
	//go:embed std_docs.zip
	stdDocs []byte
	//go:embed own_docs.zip
	ownDocs []byte
	//go:embed std_source.zip
	stdSource []byte
)

// extra holds the generated tables, keyed as yaegi keys them.
var extra = map[string]map[string]reflect.Value{}

func add(key, name string, v reflect.Value) {
	m := extra[key]
	if m == nil {
		m = map[string]reflect.Value{}
		extra[key] = m
	}
	m[name] = v
}

func init() {
	// yaegi's table holds a stand-in for log.Logger, whose type is not the one
	// that other packages take; lowering keeps its Fatal methods from ending the
	// process.
	add("log/log", "Logger", reflect.ValueOf((*log.Logger)(nil)))
	add("log/log", "New", reflect.ValueOf(log.New))
}

// Tables returns the symbol tables, those of yaegi first. The maps are shared
// and must not be changed.
func Tables() []map[string]map[string]reflect.Value {
	return []map[string]map[string]reflect.Value{stdlib.Symbols, extra}
}

// Lookup finds one symbol of a package.
func Lookup(pkgPath, name string) (reflect.Value, bool) {
	key := Key(pkgPath)
	for _, t := range []map[string]map[string]reflect.Value{extra, stdlib.Symbols} {
		if v, ok := t[key][name]; ok {
			return v, true
		}
	}
	return reflect.Value{}, false
}

// added are the packages that `gopherlo build --with` has added, by path, with
// their names.
var added = map[string]string{}

// addPackages adds what that command has generated.
//
//lint:ignore U1000 the generated code calls it
func addPackages(names map[string]string, export, docs, source []byte) {
	for path, name := range names {
		added[path] = name
	}
	exportData.data = append(exportData.data, export)
	docData.data = append(docData.data, docs)
	sourceData.data = append(sourceData.data, source)
}

// Added gives the packages of others, path to name. The map is shared and must
// not be changed.
func Added() map[string]string { return added }

// Key is the name of a package in the tables: its path and its base name.
func Key(pkgPath string) string {
	if name, ok := added[pkgPath]; ok {
		return pkgPath + "/" + name
	}
	if pkgPath == "math/rand/v2" {
		return pkgPath + "/rand"
	}
	return pkgPath + "/" + path.Base(pkgPath)
}

// archive is a zip file read once, entries found by name.
type archive struct {
	once  sync.Once
	data  [][]byte
	files map[string]*zip.File
}

var (
	exportData = archive{data: [][]byte{stdExport, ownExport}}
	docData    = archive{data: [][]byte{stdDocs, ownDocs}}
	sourceData = archive{data: [][]byte{stdSource}}
)

func (a *archive) open() {
	a.once.Do(func() {
		a.files = map[string]*zip.File{}
		for _, d := range a.data {
			r, err := zip.NewReader(bytes.NewReader(d), int64(len(d)))
			if err != nil {
				panic("symbols: embedded archive: " + err.Error())
			}
			for _, f := range r.File {
				a.files[f.Name] = f
			}
		}
	})
}

func (a *archive) read(name string) ([]byte, bool) {
	a.open()
	f, ok := a.files[name]
	if !ok {
		return nil, false
	}
	r, err := f.Open()
	if err != nil {
		return nil, false
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return b, err == nil
}

func (a *archive) names() []string {
	a.open()
	names := make([]string, 0, len(a.files))
	for n := range a.files {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Packages lists the import paths that cells can use.
func Packages() []string { return exportData.names() }

// Known reports whether a package is built in.
func Known(pkgPath string) bool {
	exportData.open()
	_, ok := exportData.files[pkgPath]
	return ok
}

// Importer gives go/types the packages of the embedded export data. It is safe
// for use by one goroutine at a time.
type Importer struct {
	fset *token.FileSet
	pkgs map[string]*types.Package
	done map[string]bool
}

// NewImporter returns an importer with no package read yet.
func NewImporter(fset *token.FileSet) *Importer {
	return &Importer{fset: fset, pkgs: map[string]*types.Package{}, done: map[string]bool{}}
}

// Import implements types.Importer.
func (im *Importer) Import(pkgPath string) (*types.Package, error) {
	if pkgPath == "unsafe" {
		return types.Unsafe, nil
	}
	if im.done[pkgPath] {
		return im.pkgs[pkgPath], nil
	}
	data, ok := exportData.read(pkgPath)
	if !ok {
		return nil, fmt.Errorf("package %s is not built into this kernel", pkgPath)
	}
	p, err := gcexportdata.Read(bytes.NewReader(data), im.fset, im.pkgs, pkgPath)
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", pkgPath, err)
	}
	im.done[pkgPath] = true
	return p, nil
}

// Doc returns the documentation of a symbol: "Sin", "Builder.Len", or "" for
// the package itself.
func Doc(pkgPath, symbol string) string {
	docsMu.Lock()
	defer docsMu.Unlock()
	m, ok := docsRead[pkgPath]
	if !ok {
		if data, found := docData.read(pkgPath); found {
			_ = json.Unmarshal(data, &m)
		}
		docsRead[pkgPath] = m
	}
	return m[symbol]
}

var (
	docsMu   sync.Mutex
	docsRead = map[string]map[string]string{}
)

// Source returns the source files of a standard package whose generic
// functions are interpreted, by file name; nil when it is not one of them.
func Source(pkgPath string) map[string][]byte {
	var files map[string][]byte
	for _, n := range sourceData.names() {
		if path.Dir(n) != pkgPath || strings.HasSuffix(n, "_test.go") {
			continue
		}
		if files == nil {
			files = map[string][]byte{}
		}
		files[path.Base(n)], _ = sourceData.read(n)
	}
	return files
}
