package interp

import (
	"context"
	"fmt"
	"go/parser"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"

	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/display"
	"gopherlo/internal/cellid"
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
	if req.Count <= 0 {
		req.Count = in.count + 1
	}
	in.count = req.Count
	dir, _ := os.Getwd()
	in.setEnv = nil
	r := &cellRun{in: in, ctx: ctx, req: req, host: host}
	res := r.execute()
	if res.Status == "ok" && len(req.UserExpressions) > 0 {
		res.UserExpressions = r.userExpressions()
	}
	res.Env = in.setEnv
	if now, err := os.Getwd(); err == nil && now != dir {
		res.Dir = now
	}
	return res
}

// runCell checks, lowers and runs a parsed cell.
func (in *Interp) runCell(ctx context.Context, c *cell.Cell, req language.Request, host language.Host) language.Result {
	res, compiled, wrong := in.prepare(c)
	if wrong != nil {
		return failed(wrong)
	}
	outcome := in.run(ctx, compiled, req, host)
	marks, started := in.rt.Done()
	if started {
		in.names.Lock()
		res.Commit(marks)
		in.names.Unlock()
	}
	in.rt.Drain()
	for _, note := range res.Notes {
		host.Stream("stderr", "note: "+note+"\n")
	}
	if outcome != nil {
		return failed(outcome)
	}
	out := language.Result{Status: "ok"}
	if values, ok := in.rt.Value(); ok && !req.Silent {
		out.Value = in.bundle(res, values)
	}
	return out
}

// prepare makes a program of a parsed cell.
func (in *Interp) prepare(c *cell.Cell) (res *check.Result, p *yaegi.Program, failure *language.Error) {
	in.names.Lock()
	defer in.names.Unlock()
	defer func() {
		if r := recover(); r != nil { // a fault of go/types or ours; the session is as before
			res, p, failure = nil, nil, internalError(fmt.Errorf("check: %v", r), &lower.Program{})
		}
	}()
	res, diags := in.session.Check(c)
	if len(diags) > 0 {
		return nil, nil, compileError(c, diags)
	}
	prog, err := lower.Lower(in.env, in.fset, res)
	if err != nil {
		return nil, nil, lowerError(err)
	}
	compiled, err := in.compile(prog)
	if err != nil {
		return nil, nil, internalError(err, prog)
	}
	prog.Compiled()
	in.trace.add(in.firstLine, prog)
	return res, compiled, nil
}

func failed(e *language.Error) language.Result { return language.Result{Status: "error", Error: e} }

// compile gives a lowered program to yaegi. Errors are faults of ours: the
// checker has accepted the cell.
func (in *Interp) compile(prog *lower.Program) (p *yaegi.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaegi: %v", r)
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
	in.firstLine, in.nextLine = in.nextLine, in.nextLine+strings.Count(prog.Text, "\n")+1
	src := fmt.Sprintf("//line _.go:%d\n%s", in.firstLine, prog.Text)
	f, err := parser.ParseFile(in.yaegi.FileSet(), "_.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return in.yaegi.CompileAST(f)
}

// run executes a program on a goroutine of the cell and waits until it has
// ended, interrupted or not.
func (in *Interp) run(ctx context.Context, p *yaegi.Program, req language.Request, host language.Host) *language.Error {
	in.stdin.ctx.Store(&ctx)
	interrupt := in.rt.Begin(host)
	display.SetOutput(host)
	in.trace.reset()
	done := make(chan error, 1)
	epoch := runID(in.yaegi)
	before := atomic.LoadUint64(epoch)
	go func() {
		defer cellid.Enter(req.Cell)()
		defer in.rt.EndPlaces()
		var err error
		normal := false
		defer func() {
			if !normal {
				done <- nil // runtime.Goexit
			}
		}()
		_, err = in.yaegi.Execute(p)
		normal = true
		done <- err
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		// yaegi stops every frame whose run number is not the current one.
		atomic.AddUint64(epoch, 1)
		interrupt()
		err = <-done
	}
	if atomic.LoadUint64(epoch) != before {
		// Functions made by earlier cells carry the old number: they must run again.
		atomic.StoreUint64(epoch, before)
		return interruptedError()
	}
	if err == nil {
		return nil
	}
	return in.panicError(err)
}

// runID is the number by which yaegi tells live frames from cancelled ones. It
// keeps the field to itself; the interrupt needs to set it back, or every
// function value made before would stay dead.
func runID(i *yaegi.Interpreter) *uint64 {
	f := reflect.ValueOf(i).Elem().FieldByName("id")
	return (*uint64)(unsafe.Pointer(f.UnsafeAddr()))
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
		if text, ok := treeText(values[0]); ok {
			return display.Text(text)
		}
		return display.Of(values[0])
	}
	return display.Text(strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
}

// TypeOf names the dynamic type of the last value, for tests and %who.
func (in *Interp) lastType() string {
	values, ok := in.rt.Value()
	if !ok || len(values) == 0 {
		return ""
	}
	return in.rt.DynamicType(values[0])
}

func plainDiagnostics(errs cell.Errors) []check.Diagnostic {
	list := make([]check.Diagnostic, len(errs))
	for i, e := range errs {
		list[i].Error = e
	}
	return list
}
