package export

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"gopherlo/cells"
	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/modules"
	"gopherlo/interp/notebook"
)

// Options are what the interpreter knows.
type Options struct {
	// Env tells the checker which names cells can use.
	Env check.Env
	// NewImporter gives the packages that cells can import.
	NewImporter func(*token.FileSet) types.Importer
	// FuncText is the text of a cell's value that is a plain func; may be nil.
	FuncText func(*check.Result) (string, bool)
	// ModuleCode is the Go text that %%hlo and %%stablehlo stand for.
	ModuleCode func(cell.Magic) (string, error)
}

// Program is a notebook as a Go program.
type Program struct {
	Name string // of the module, the notebook's
	Text string // of main.go
	// Imports are the packages that main.go imports.
	Imports []string
	// Folders are the packages from source that the cells import, and what those do.
	Folders []modules.Folder
	// Remarks say what of the notebook has no meaning in a program.
	Remarks []string
}

// Error says which cell cannot be exported, and why.
type Error struct {
	Cell   int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("cell %d: %s", e.Cell, e.Reason) }

// Notebook makes the program of a notebook.
func Notebook(nb *notebook.Notebook, opts Options) (p *Program, err error) {
	x := &exporter{
		opts: opts, fset: token.NewFileSet(), remarks: map[string]bool{},
		globals: map[string]bool{}, assigned: map[string]bool{}, methods: map[string]string{}, methodVars: map[string]string{},
		generics: map[string]*versions{},
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	x.session = check.NewSession(x.fset, opts.NewImporter(x.fset), opts.Env)
	counts := nb.Count()
	var text string // of the Markdown cells before the next one
	for i := range nb.Cells {
		c := &nb.Cells[i]
		switch {
		case counts[i] > 0:
			x.cells = append(x.cells, x.read(c, counts[i], text))
			text = ""
		case c.Kind == "markdown":
			text += c.Source + "\n\n"
		}
	}
	x.names = newNames(x)
	main, err := x.write()
	if err != nil {
		return nil, err
	}
	p = &Program{Name: moduleName(nb.Name), Text: main, Remarks: x.remarkList}
	return p, x.folders(p)
}

// folders finds what the program imports that is compiled with it.
func (x *exporter) folders(p *Program) error {
	var start []modules.Folder
	for _, path := range x.names.paths() {
		if f := x.session.FromSource(path); f != nil {
			start = append(start, f.Folder)
		} else {
			p.Imports = append(p.Imports, path)
		}
	}
	if len(start) == 0 {
		return nil
	}
	builtin := map[string]bool{}
	for _, path := range x.opts.Env.Packages {
		builtin[path] = true
	}
	folders, others, err := modules.Closure(x.opts.Env.Dir(), start, func(path string) bool { return builtin[path] })
	p.Folders, p.Imports = folders, append(p.Imports, others...)
	return err
}

// exporter is the state of one export.
type exporter struct {
	opts    Options
	fset    *token.FileSet
	session *check.Session
	cells   []*exported
	names   *names
	out     *mapped

	globals    map[string]bool      // package variables that are declared
	assigned   map[string]bool      // variables that may hold a value, by Emit
	methods    map[string]string    // Emit of the version by receiver and name
	methodVars map[string]string    // the variable that holds the version
	generics   map[string]*versions // by Emit

	remarks    map[string]bool
	remarkList []string
}

// exported is one cell on its way.
type exported struct {
	n       int
	fn      string // the program's function
	mayFail bool
	before  string // Markdown text
	pieces  []*piece
	timed   bool // %%time
}

// piece is a part of a cell: Go code, or what a magic line becomes.
type piece struct {
	cell *cell.Cell
	res  *check.Result
	text string // of the Go code, at its lines of the cell
	// wrap is the call of package cells that runs the code, "" for none.
	wrap string
	// timing is how Timeit measures.
	timing cells.Timing
	// last tells that its value is the cell's.
	last bool

	rw    *rewriter
	texts *texts

	code string // Go text of a magic, using package cells under the name ‹cells›
	line int
}

// fail ends the export.
func fail(cell int, format string, args ...any) {
	panic(&Error{cell, fmt.Sprintf(format, args...)})
}

// remark notes, once, what the program lacks.
func (x *exporter) remark(text string) {
	if !x.remarks[text] {
		x.remarks[text] = true
		x.remarkList = append(x.remarkList, text)
	}
}

// golang checks Go text and adds it to the cell. A mistake in a cell that may
// fail becomes the error that the notebook shows.
func (x *exporter) golang(e *exported, p *piece, options string) bool {
	c, errs := cell.Parse(x.fset, e.n, p.text)
	if len(errs) > 0 {
		return x.mistakes(e, errs)
	}
	c.JitOptions = options
	res, diags := x.session.Check(c)
	if len(diags) > 0 {
		for _, d := range diags {
			errs = append(errs, d.Error)
		}
		return x.mistakes(e, errs)
	}
	res.Commit(len(res.Stmts))
	p.cell, p.res = c, res
	if call, isCall := ast.Unparen(tailOf(res)).(*ast.CallExpr); !isCall || !printsOnly(p, call) {
		x.session.NoteValue(e.n, res)
	}
	e.pieces = append(e.pieces, p)
	return true
}

// tailOf is the expression whose value a cell shows; one without has none.
func tailOf(res *check.Result) ast.Expr {
	if res.Tail == nil {
		return &ast.BadExpr{}
	}
	return res.Tail
}

// mistakes ends a cell that does not compile.
func (x *exporter) mistakes(e *exported, errs cell.Errors) bool {
	if !e.mayFail {
		fail(e.n, "line %d: %s", errs[0].Line, errs[0].Msg)
	}
	text := errs[0].Msg
	for _, m := range errs {
		text += fmt.Sprintf("\ncell %d, line %d:%d: %s", e.n, m.Line, m.Col, m.Msg)
	}
	e.pieces = append(e.pieces, &piece{line: errs[0].Line, code: fmt.Sprintf("‹cells›.Raise(%q, %q)", "CompileError", text)})
	return false
}

// moduleName is a module path's last part made of a notebook's name.
func moduleName(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name), "-")
	if name == "" {
		name = "cells"
	}
	return name
}
