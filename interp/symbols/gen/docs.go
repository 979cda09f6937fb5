package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// sourced are the standard packages whose generic functions are interpreted
// from their source.
var sourced = []string{"slices", "maps", "cmp", "iter"}

func writeSource(name string, paths []string) error {
	entries := map[string][]byte{}
	for _, p := range paths {
		files, err := goFiles(p)
		if err != nil {
			return err
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			entries[p+"/"+filepath.Base(f)] = text
		}
	}
	return writeZip(name, entries)
}

// goFiles lists the files of a package that are built here.
func goFiles(path string) ([]string, error) {
	text, err := goTool("list", "-f", `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, path)
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(text)
	var files []string
	for _, f := range fields[1:] {
		files = append(files, filepath.Join(fields[0], f))
	}
	return files, nil
}

// writeDocs writes, per package, a JSON object from symbol ("Sin",
// "Builder.Len", "" for the package) to its documentation text.
func writeDocs(name string, paths []string) error {
	entries := map[string][]byte{}
	for _, p := range paths {
		docs, err := packageDocs(p)
		if err != nil {
			return fmt.Errorf("docs of %s: %w", p, err)
		}
		text, err := json.Marshal(docs)
		if err != nil {
			return err
		}
		entries[p] = text
	}
	return writeZip(name, entries)
}

func packageDocs(path string) (map[string]string, error) {
	files, err := goFiles(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		a, err := parser.ParseFile(fset, f, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, a)
	}
	pkg, err := doc.NewFromFiles(fset, parsed, path)
	if err != nil {
		return nil, err
	}
	docs := map[string]string{"": pkg.Synopsis(pkg.Doc)}
	add := func(name, text string) {
		if text = strings.TrimSpace(text); text != "" && ast.IsExported(name) {
			docs[name] = text
		}
	}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			for _, n := range v.Names {
				add(n, v.Doc)
			}
			for _, sp := range v.Decl.Specs { // what a line of a group says itself
				if vs, ok := sp.(*ast.ValueSpec); ok {
					for _, n := range vs.Names {
						add(n.Name, vs.Doc.Text()+vs.Comment.Text())
					}
				}
			}
		}
	}
	members := func(t *doc.Type) {
		ast.Inspect(t.Decl, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok {
				for _, name := range f.Names {
					if ast.IsExported(name.Name) && docs[t.Name+"."+name.Name] == "" {
						add(t.Name+"."+name.Name, f.Doc.Text()+f.Comment.Text())
					}
				}
			}
			_, isFunc := n.(*ast.FuncType)
			return !isFunc
		})
	}
	funcs := func(prefix string, fs []*doc.Func) {
		for _, f := range fs {
			add(prefix+f.Name, f.Doc)
		}
	}
	values(pkg.Consts)
	values(pkg.Vars)
	funcs("", pkg.Funcs)
	for _, t := range pkg.Types {
		add(t.Name, t.Doc)
		members(t)
		values(t.Consts)
		values(t.Vars)
		funcs("", t.Funcs)
		funcs(t.Name+".", t.Methods)
	}
	return docs, nil
}
