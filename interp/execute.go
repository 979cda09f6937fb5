package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unsafe"

	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/cells"
	"gopherlo/display"
	"gopherlo/internal/atonce"
	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/rt"
	"gopherlo/jaxlike/array"
	"gopherlo/kernel/language"
)

// Execute runs one cell.
func (in *Interp) Execute(ctx context.Context, req language.Request, host language.Host) language.Result {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.cells.Load() == 0 { // none of a subshell reads
		in.stdin.begin()
	}
	return in.execute(ctx, req, host, false)
}

func (in *Interp) execute(ctx context.Context, req language.Request, host language.Host, beside bool) language.Result {
	in.guard.begin()
	in.enter()
	defer in.exit()
	defer compilations.forget()
	if req.Count <= 0 {
		req.Count = int(in.count.Load()) + 1
	}
	in.count.Store(int64(req.Count))
	dir := atonce.Getwd()
	r := &cellRun{in: in, ctx: ctx, req: req, host: host, beside: beside, setEnv: map[string]*string{}}
	if !req.Silent {
		in.rt.KeepIn(req.Count, req.Code)
	}
	res := r.again()
	if res.Error == nil {
		res = r.execute()
	}
	r.keepValue(res)
	if res.Status == "ok" && len(req.UserExpressions) > 0 {
		res.UserExpressions = r.userExpressions()
	}
	res.Env = r.setEnv
	if now := atonce.Getwd(); now != "" && now != dir {
		res.Dir = now
	}
	return res
}

// runCell checks, lowers and runs a parsed cell.
func (r *cellRun) runCell(c *cell.Cell) language.Result {
	in := r.in
	d, wrong := r.prepare(c)
	if wrong != nil {
		return failed(wrong)
	}
	start := time.Now()
	outcome := in.run(r.ctx, d, r.req)
	r.took = time.Since(start)
	values, shows := d.run.Value()
	shows = shows && outcome == nil && !r.req.Silent
	out := language.Result{Status: "ok"}
	if shows {
		out.Value, outcome = r.bundle(d, values)
	}
	in.leave(d)
	for _, note := range d.res.Notes {
		r.host.Stream("stderr", "note: "+note+"\n")
	}
	if outcome != nil {
		return failed(outcome)
	}
	if out.Value != nil {
		r.values, r.valuesOf, r.valuesIn = values, d.res, in.session
	}
	return out
}

// keepValue enters what the cell has shown into the session's history.
func (r *cellRun) keepValue(res language.Result) {
	in := r.in
	in.names.Lock()
	defer in.names.Unlock()
	if res.Status == "ok" && res.Value != nil && r.valuesIn == in.session {
		in.session.NoteValue(r.req.Count, r.valuesOf)
		in.rt.KeepOut(r.req.Count, r.values)
	}
	r.values, r.valuesOf = nil, nil
}

// prepare makes a program of a parsed cell and puts its declarations in place.
func (r *cellRun) prepare(c *cell.Cell) (d *declared, failure *language.Error) {
	in := r.in
	if !in.stops.await(r.ctx) {
		return nil, interruptedError()
	}
	in.names.Lock()
	defer in.names.Unlock()
	defer func() {
		if r := recover(); r != nil { // a fault of go/types or ours; the session is as before
			d, failure = nil, internalError(fmt.Errorf("check: %v", r), &lower.Program{})
		}
	}()
	in.finished()
	load := &loading{ctx: r.ctx, host: r.host}
	defer load.end()
	res, diags := load.check(in.session, c)
	if load.stopped {
		return nil, interruptedError()
	}
	if len(diags) > 0 {
		hintSyntax(c, diags)
		return nil, compileError(c, diags)
	}
	defer func() {
		if failure != nil {
			res.Abandon()
		}
	}()
	if pkgs := res.Packages(); len(pkgs) > 0 {
		if failure = r.ready(pkgs, load); failure != nil {
			return nil, failure
		}
	}
	prog, err := lower.Lower(in.env, in.fset, res)
	if err != nil {
		return nil, in.lowerError(c, err)
	}
	return r.place(prog, res)
}

// place compiles a program and puts its declarations in place; in.names is held.
func (r *cellRun) place(prog *lower.Program, res *check.Result) (*declared, *language.Error) {
	in := r.in
	in.stops.mu.Lock()
	defer in.stops.mu.Unlock()
	if in.stops.ending > 0 { // another interrupt has begun since
		return nil, interruptedError()
	}
	compiled, err := in.compile(prog)
	if err != nil {
		return nil, internalError(err, prog)
	}
	prog.Compiled()
	in.trace.add(in.firstLine, prog)
	d, err := in.declare(r, prog, compiled, res)
	forget(in.yaegi, res.NewVars())
	if err != nil {
		return nil, internalError(err, prog)
	}
	return d, nil
}

func failed(e *language.Error) language.Result { return language.Result{Status: "error", Error: e} }

// compile gives a lowered program to yaegi. Errors are faults of ours: the
// checker has accepted the cell. What yaegi has taken of a program until then is
// taken back, or a later cell that declares the same would fail too.
func (in *Interp) compile(prog *lower.Program) (p *yaegi.Program, err error) {
	takeBack := func() {}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaegi: %v", r)
		}
		if err != nil {
			takeBack()
		}
	}()
	in.seq++
	if len(prog.Structs) > 0 {
		made := map[string]reflect.Value{}
		for _, s := range prog.Structs {
			made[s.Name] = reflect.Zero(reflect.PointerTo(in.rt.RType(s.Type)))
		}
		if err := in.yaegi.Use(yaegi.Exports{rt.CellPath + "/cell": made}); err != nil {
			return nil, err
		}
	}
	if strings.Contains(prog.Text, "Stdout") || strings.Contains(prog.Text, "Stderr") {
		in.rt.UseFiles()
	}
	if strings.Contains(prog.Text, "LockOSThread") {
		pool.locks.Store(true)
	}
	in.firstLine, in.nextLine = in.nextLine, in.nextLine+strings.Count(prog.Text, "\n")+1
	src := fmt.Sprintf("//line _.go:%d\n%s", in.firstLine, prog.Text)
	f, err := parser.ParseFile(in.yaegi.FileSet(), "_.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	takeBack = takingBack(in.yaegi, f)
	return in.yaegi.CompileAST(f)
}

// takingBack gives a function that takes out of yaegi's scope of the cells what
// the program that is compiled next declares there.
func takingBack(i *yaegi.Interpreter, f *ast.File) (takeBack func()) {
	symbols := func() reflect.Value { // nil before the first program
		scope := reflect.ValueOf(i).Elem().FieldByName("scopes").MapIndex(reflect.ValueOf("main"))
		if !scope.IsValid() {
			return reflect.Value{}
		}
		m := scope.Elem().FieldByName("sym")
		return reflect.NewAt(m.Type(), unsafe.Pointer(m.UnsafeAddr())).Elem()
	}
	have := map[string]reflect.Value{} // what the names are now, invalid for none
	before := symbols()
	add := func(name string) {
		have[name] = reflect.Value{}
		if before.IsValid() {
			have[name] = before.MapIndex(reflect.ValueOf(name))
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name.Name)
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				switch sp := sp.(type) {
				case *ast.ImportSpec:
					add(sp.Name.Name + "/_.go") // as yaegi keys imports
				case *ast.ValueSpec:
					for _, n := range sp.Names {
						add(n.Name)
					}
				case *ast.TypeSpec:
					add(sp.Name.Name)
				}
			}
		}
	}
	return func() {
		m := symbols()
		for name, sym := range have {
			if m.IsValid() {
				m.SetMapIndex(reflect.ValueOf(name), sym)
			}
		}
	}
}

// bundle is the bundle of the values of the last expression. Methods of cells
// may make it, so it runs, and ends by interrupts and errors, as the cell does.
func (r *cellRun) bundle(d *declared, values []any) (b language.Bundle, wrong *language.Error) {
	show := *d
	show.body = func() { b = r.in.bundle(d.res, values) }
	if wrong = r.in.run(r.ctx, &show, r.req); wrong != nil {
		return nil, wrong
	}
	return b, nil
}

// bundle shows the values of the last expression. The None that a traced
// function without results gives shows as nothing.
func (in *Interp) bundle(res *check.Result, values []any) language.Bundle {
	if len(values) == 1 {
		if text, ok := funcText(res, values[0]); ok {
			return display.Text(text)
		}
		if a, ok := values[0].(array.Array); ok && a.IsNone() {
			return nil
		}
		if values[0] == nil && givesError(res) {
			return nil
		}
		if b, ok := bundler(values[0]); ok {
			return display.Of(b)
		}
		if text, ok := treeText(values[0]); ok {
			return display.Text(text)
		}
		return display.Of(values[0])
	}
	return display.Text(cells.Values(values))
}

// givesError reports whether the last expression is a call that gives an error
// and nothing else: it is made for its effect.
func givesError(res *check.Result) bool {
	if res.Tail == nil {
		return false
	}
	tail := ast.Unparen(res.Tail)
	_, calls := tail.(*ast.CallExpr)
	return calls && types.Identical(res.Info.TypeOf(tail), types.Universe.Lookup("error").Type())
}

// TypeOf names the dynamic type of the last value, for tests and %who.
func (in *Interp) lastType() string {
	if in.last == nil {
		return ""
	}
	values, ok := in.last.Value()
	if !ok || len(values) == 0 {
		return ""
	}
	return in.rt.DynamicType(values[0])
}

func plainDiagnostics(c *cell.Cell, errs cell.Errors) []check.Diagnostic {
	list := make([]check.Diagnostic, len(errs))
	for i, e := range errs {
		list[i].Error = e
		if i == 0 || e.Line != errs[i-1].Line {
			list[i].Hint = syntaxHint(c.Line(e.Line), e)
		}
	}
	return list
}

// hintSyntax gives the hints of a line to the first mistake in it that the syntax
// shows.
func hintSyntax(c *cell.Cell, diags []check.Diagnostic) {
	last := 0
	for i, d := range diags {
		switch {
		case d.Line == last:
			diags[i].Hint = ""
		case slices.Contains(c.Wrong, d.Error):
			if diags[i].Hint = syntaxHint(c.Line(d.Line), d.Error); diags[i].Hint != "" {
				last = d.Line
			}
		}
	}
}

var andRE = regexp.MustCompile(`^(and|or)\b`)

// syntaxHint says how Go writes a line that it does not take.
func syntaxHint(line string, e cell.Error) string {
	if strings.Contains(e.Msg, "U+0023 '#'") {
		return "comments start with //"
	}
	word, isName := strings.CutPrefix(e.Msg, "syntax error: unexpected name ")
	switch {
	case isName && andRE.MatchString(word):
		return andHint
	case strings.Contains(e.Msg, ", expected { after"):
		return bracesHint
	}
	if hint := pythonHint(line); hint != "" || !strings.HasSuffix(e.Msg, "expected := or = or comma") {
		return hint
	}
	return "a cell has one value; several are written []any{a, b}"
}
