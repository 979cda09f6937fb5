package export

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// finish checks the program as Go does. Local variables that nobody uses, which
// cells may have, get a use.
func (x *exporter) finish(text string) (string, error) {
	for range 3 { // a use may be of a variable that is shadowed
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "main.go", text, parser.ParseComments)
		if err != nil {
			return text, fmt.Errorf("the program that was written is no Go: %w", err)
		}
		unused, err := x.verify(fset, f)
		if err != nil {
			return text, err
		}
		if len(unused) == 0 {
			return formatted(text), nil
		}
		text = use(fset, f, text, unused)
	}
	return text, fmt.Errorf("the program that was written has variables that are not used")
}

// verify type-checks the program; unused are the variables without a use.
func (x *exporter) verify(fset *token.FileSet, f *ast.File) (unused []token.Pos, err error) {
	imp := &programImporter{Importer: x.session.Importer()}
	conf := types.Config{GoVersion: "go1.26", Importer: imp, Error: func(e error) {
		te, ok := e.(types.Error)
		switch {
		case ok && strings.Contains(te.Msg, "declared and not used"):
			unused = append(unused, te.Pos)
		case err == nil:
			err = fmt.Errorf("the program that was written does not compile: %w", e)
		}
	}}
	_, _ = conf.Check(mainPath, fset, []*ast.File{f}, nil)
	return unused, err
}

// edit is text that is put in at an offset.
type edit struct {
	at   int
	text string
}

// use puts "_ = x" behind the declarations of variables.
func use(fset *token.FileSet, f *ast.File, text string, unused []token.Pos) string {
	var edits []edit
	for _, pos := range unused {
		path, _ := astutil.PathEnclosingInterval(f, pos, pos)
		id, ok := path[0].(*ast.Ident)
		if !ok {
			continue
		}
		if e, ok := useOf(fset, path, id.Name, text); ok {
			edits = append(edits, e)
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return b.at - a.at })
	for _, e := range edits {
		text = text[:e.at] + e.text + text[e.at:]
	}
	return text
}

// useOf finds where a variable can be used: behind its statement, or at the
// start of the block whose header declares it. The line numbers below stay.
func useOf(fset *token.FileSet, path []ast.Node, name, text string) (edit, bool) {
	file := fset.File(path[0].Pos())
	for i := 1; i < len(path); i++ {
		var at token.Pos
		switch n := path[i].(type) {
		case *ast.TypeSwitchStmt: // switch x := y.(type) without x
			if a, ok := n.Assign.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && a.Lhs[0] == path[0] && len(n.Body.List) > 0 {
				at = n.Body.List[0].(*ast.CaseClause).Colon + 1
			}
		case *ast.IfStmt:
			at = n.Body.Lbrace + 1
		case *ast.ForStmt:
			at = n.Body.Lbrace + 1
		case *ast.RangeStmt:
			at = n.Body.Lbrace + 1
		case *ast.SwitchStmt:
			if len(n.Body.List) > 0 {
				at = n.Body.List[0].(*ast.CaseClause).Colon + 1
			}
		case *ast.CommClause:
			at = n.Colon + 1
		case *ast.BlockStmt, *ast.CaseClause:
			at = path[i-1].End()
		default:
			continue
		}
		if !at.IsValid() {
			return edit{}, false
		}
		off := file.Offset(at)
		rest, _, _ := strings.Cut(text[off:], "\n")
		switch trimmed := strings.TrimSpace(rest); {
		case trimmed == "" || strings.HasPrefix(trimmed, "//"):
			off += len(rest)
		case text[off-1] == '{' || text[off-1] == ':':
			return edit{off, " _ = " + name + "; "}, true
		default:
			return edit{off, "; _ = " + name}, true
		}
		place := fset.Position(at)
		return edit{off, fmt.Sprintf("\n_ = %s\n//line %s:%d", name, place.Filename, place.Line+1)}, true
	}
	return edit{}, false
}

// programImporter adds what exported programs import and cells cannot.
type programImporter struct {
	types.Importer
	cells *types.Package
}

func (p *programImporter) Import(path string) (*types.Package, error) {
	switch path {
	case pjrtPath:
		pkg := types.NewPackage(path, "pjrt")
		pkg.MarkComplete()
		return pkg, nil
	case cellsPath:
		if p.cells == nil {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "cells.go", cellsAPI(), 0)
			if err != nil {
				return nil, err
			}
			conf := types.Config{Importer: p.Importer, IgnoreFuncBodies: true}
			if p.cells, err = conf.Check(path, fset, []*ast.File{f}, nil); err != nil {
				return nil, err
			}
		}
		return p.cells, nil
	}
	return p.Importer.Import(path)
}

// cellsAPI is what programs use of package cells; a test compares it with the
// package.
func cellsAPI() string {
	var b strings.Builder
	b.WriteString(`package cells
import "gopherlo/jaxlike/array"
type Cell struct { N int; Body func(); MayFail bool }
func Run(cells ...Cell) {}
func Raise(name, text string) {}
func Show(values ...any) {}
func Lit(x any) array.Array { panic(0) }
func Fn[F any](f F, name string, params ...string) F { panic(0) }
func Rows(x array.Array) []array.Array { panic(0) }
func Pack(xs []array.Array) array.Array { panic(0) }
func Len(x array.Array) int { panic(0) }
func Out[T any](n int) T { panic(0) }
func Outs() map[int]any { panic(0) }
func Setenv(name, value string) {}
func Getenv(name string) {}
func Environ() {}
func Chdir(dir string) {}
func Getwd() {}
func Shell(command string) {}
func Flags(pattern string) {}
func ResetJit() {}
func Time() func() { panic(0) }
func Timeit(body func()) {}
type Timing struct { Loops, Runs int }
func (t Timing) Timeit(body func()) {}
func Note(text string) {}
`)
	for n := 1; n <= 8; n++ {
		var types, values []string
		for i := range n {
			types, values = append(types, fmt.Sprintf("T%d", i)), append(values, fmt.Sprintf("x%d", i))
		}
		list := strings.Join(types, ", ")
		fmt.Fprintf(&b, "func Into%d[%s any](x array.Array) (%s) { panic(0) }\n", n, list, list)
		fmt.Fprintf(&b, "func Each%d[%s any](%s any) (%s) { panic(0) }\n", n, list, strings.Join(values, ", "), list)
	}
	return b.String()
}
