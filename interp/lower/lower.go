package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"runtime/debug"
	"strconv"
	"strings"

	"gopherlo/internal/bug"
	"gopherlo/interp/check"
)

// fn is the function that is being emitted.
type fn struct {
	outer   *fn
	node    ast.Node // *ast.FuncDecl, *ast.FuncLit or, for the cell, nil
	name    string   // of a function literal, as traces show it
	sig     *types.Signature
	results []string // result variables, when byVar or when results have names
	// resultDecls declare them.
	resultDecls []string
	byVar       bool   // return statements assign the result variables
	frame       string // variable of the frame that holds deferred calls
	caller      string // variable of the place of the call, where places are reported
	place       int    // the first place that is reported
	ranges      *rangeBody
	callMarks   bool // it notes the lines of its calls
}

// Lower rewrites a checked cell. The last init function of the program has the
// cell's statements, the one before it, if any, puts the declarations in place:
// programs are compiled and declared one at a time, while statements of several
// may run. Each node of the text costs a small cell time; what can be done before
// and after the statements is left to who runs them.
// Constructs without a rule are reported as an error.
func Lower(env *Env, fset *token.FileSet, res *check.Result) (p *Program, err error) {
	return program(env, fset, res, (*lowerer).cellBody)
}

// program lowers a cell, or a package, whose statements body writes.
func program(env *Env, fset *token.FileSet, res *check.Result, body func(*lowerer) string) (p *Program, err error) {
	env.Ctxt = res.Context()
	l := &lowerer{env: env, res: res, fset: fset, info: res.Info, fresh: map[string]bool{}, freshIm: map[string]string{}}
	defer func() {
		if r := recover(); r != nil {
			if o, ok := r.(outdated); ok {
				err = o
				return
			}
			u, ok := r.(unsupported)
			if !ok {
				err = bug.Errorf("lowering: %v\n%s", r, debug.Stack())
				return
			}
			line, col := l.position(l.pos)
			err = &Unsupported{string(u), l.where.Cell, line, col}
		}
	}()
	l.once("runtime", func() { l.imports = append(l.imports, "import _k \"gopherlo/rt\"\n") })
	l.once("lines", func() {
		if env.NoLines {
			return
		}
		l.globals = append(l.globals, "var _ln int\nvar _top int\n")
		l.prelude = append(l.prelude, "_k.Lines(&_ln, &_top)")
	})
	l.declarations()
	stmts := body(l)
	for len(l.work) > 0 {
		w := l.work[0]
		l.work = l.work[1:]
		w()
	}
	l.initFuncs(stmts)
	return l.program(), nil
}

// program puts the parts together.
func (l *lowerer) program() *Program {
	p := &Program{Lines: []Pos{{}}}
	var b strings.Builder
	b.WriteString("package main\n")
	for _, im := range l.imports {
		b.WriteString(im)
	}
	for _, g := range l.globals {
		b.WriteString(g)
	}
	p.Text = b.String()
	p.Structs, p.First, p.Statements = l.structs, l.first, len(l.res.Stmts)
	p.Lines, p.Calls = lineMap(p.Text, l.res.Cell.N), l.calls
	fresh, imports, done, known := l.fresh, l.freshIm, l.env.done, l.env.imports
	instances, dynamic := l.instances, l.dynamic
	p.commit = func() {
		for k := range fresh {
			done[k] = true
		}
		for path, alias := range imports {
			known[path] = alias
		}
		l.env.keep(instances, dynamic)
	}
	return p
}

// declarations emits what the cell declares: variables, functions, methods.
// Types are declared where something mentions them.
func (l *lowerer) declarations() {
	for _, sym := range l.res.NewVars() {
		l.once("var "+sym.Emit, func() {
			l.globals = append(l.globals, "var "+sym.Emit+" "+l.typ(sym.Obj.Type())+"\n")
		})
	}
	for _, fd := range l.res.Funcs {
		if fd.Generic() {
			l.redeclared(fd)
			continue
		}
		l.declareFunc(fd, l.res.Info)
	}
}

// declareFunc emits a function or method: the variable that calls go through, and
// what it holds from now on.
func (l *lowerer) declareFunc(fd *check.FuncDecl, info *types.Info) {
	l.once("var "+fd.Emit, func() {
		l.globals = append(l.globals, "var "+fd.Emit+" func"+l.signature(fd.Plain())+"\n")
	})
	if fd.Init {
		l.inits = append(l.inits, fd.Emit+"()\n")
	}
	impl := l.unique(fmt.Sprintf("%sǃc%d", fd.Emit, l.res.Cell.N))
	l.prelude = append(l.prelude, fd.Emit+" = "+impl)
	if sig := fd.BodyObj.Signature(); fd.Recv == nil && l.traceable(sig) {
		line, _ := l.position(fd.Body.Pos())
		l.prelude = append(l.prelude, "_ = "+l.origin(fd.Emit, fd.Name, check.ParamNames(fd.Body.Type.Params), fd.Cell, line))
	}
	if fd.Body.Body == nil {
		line, _ := l.position(fd.Body.Pos())
		l.work = append(l.work, func() {
			l.refuse(fd, fd.Plain(), impl, fmt.Sprintf("%s:%d: %s is written in assembly", l.env.FileName(fd.Cell), line, fd.Title()))
		})
		return
	}
	lower := func() { l.function(impl, fd.Body, info, nil, place(fd.Cell, fd.Title())) }
	if fd.Late() {
		l.work = append(l.work, func() { l.late(fd, fd.Plain(), impl, lower) })
	} else {
		l.work = append(l.work, lower)
	}
	if fd.Recv != nil {
		l.methodImpl(fd.Recv, fd.Name, fd.Emit)
	}
}

// need emits a function of a package from source where it is first named: of large
// packages programs use little.
func (l *lowerer) need(fd *check.FuncDecl) {
	if fd.Late() {
		l.once("func "+fd.Emit, func() { l.declareFunc(fd, fd.Info) })
	}
}

// methodImpl tells the runtime which function implements a method.
func (l *lowerer) methodImpl(recv *types.Named, name, emit string) {
	id := l.env.Types.ID(recv)
	l.prelude = append(l.prelude, fmt.Sprintf("_k.Impl(%d, %q, &%s)", id, name, emit))
}

// typeID returns the number of a type and sees to it that the runtime knows its
// methods, those of instances of generic types and of packages from source too.
func (l *lowerer) typeID(t types.Type) int {
	t = l.sub(t)
	id := l.env.Types.ID(t)
	l.once(fmt.Sprintf("reg %d", id), func() {
		l.instanceMethods(t)
		l.parts(t)
	})
	return id
}

// parts registers the types that a type is made of, for printing and JSON.
func (l *lowerer) parts(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if l.isCell(t) && !isInterface(t) {
			l.parts(t.Underlying())
		}
	case *types.Pointer:
		l.part(t.Elem())
	case *types.Slice:
		l.part(t.Elem())
	case *types.Array:
		l.part(t.Elem())
	case *types.Map:
		l.part(t.Key())
		l.part(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			l.part(t.Field(i).Type())
		}
	}
}

func (l *lowerer) part(t types.Type) {
	if l.boxed(t) && !isInterface(t) {
		l.typeID(t)
	}
}

// instanceMethods emits all methods of an instance of a generic type, or of a type of
// a package from source: once a value is in an interface any of them may be called.
func (l *lowerer) instanceMethods(t types.Type) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || !l.isCell(n) {
		return
	}
	if n.TypeArgs().Len() == 0 {
		for m := range n.Methods() {
			if fd := l.res.Method(m); fd != nil {
				l.need(fd)
			}
		}
		return
	}
	l.once(fmt.Sprintf("methods %d", l.env.Types.ID(n)), func() {
		l.dynamic = append(l.dynamic, n)
		for i := range n.NumMethods() {
			m := n.Method(i)
			if name := l.methodName(n, m); name != "" {
				l.methodImpl(n, m.Name(), name)
			}
		}
	})
}

// cellBody writes the statements of the cell.
func (l *lowerer) cellBody() string {
	l.begin(Pos{Cell: l.res.Cell.N})
	l.fn = &fn{sig: types.NewSignatureType(nil, nil, nil, nil, nil, false)}
	root := &ast.BlockStmt{List: l.res.Stmts}
	a := l.analyse(root)
	needFrame := a.hasDefer[root]
	if needFrame {
		l.fn.frame = l.unique("fr")
	}
	for i, st := range l.res.Stmts {
		last := i == len(l.res.Stmts)-1 && !needFrame // who runs them notes the end
		if d, ok := st.(*ast.DeclStmt); len(l.res.Vars(i)) == 0 && !(ok && d.Decl.(*ast.GenDecl).Tok == token.VAR) {
			l.runInits()
		}
		l.topStatement(i, st, last && len(l.inits) == 0)
	}
	l.runInits()
	l.value()
	text := l.buf.String()
	if needFrame {
		text = l.fn.frame + " := _k.Enter()\n_k.Call(" + l.fn.frame + ", func() {\n" + text + "})\n"
	}
	return text
}

// runInits emits the calls of the cell's init functions: when the variables
// that it declares first have their values.
func (l *lowerer) runInits() {
	if len(l.inits) > 0 {
		l.begun = true
		l.printf("%s", strings.Join(l.inits, ""))
		l.inits = nil
	}
}

// initFuncs writes the functions that run the cell. Everything queued must
// have been emitted: the prelude is complete only then.
func (l *lowerer) initFuncs(stmts string) {
	if len(l.prelude) > 0 {
		l.globals = append(l.globals, initFunc+strings.Join(l.prelude, "\n")+"\n}\n")
	}
	l.globals = append(l.globals, initFunc+stmts+"}\n")
}

const initFunc = "func init() {\n"

// begin starts a function's text.
func (l *lowerer) begin(where Pos) {
	l.buf, l.place = &strings.Builder{}, 0
	l.where = where
	l.locals = map[types.Object]*local{}
	l.heap = map[types.Object]bool{}
	l.shared = map[types.Object]bool{}
	l.defers = map[ast.Node]bool{}
}

// topStatement emits one statement of the cell, and the note that it has
// finished where that declares names and is not the end of the cell.
func (l *lowerer) topStatement(i int, st ast.Stmt, last bool) {
	if l.res.Tail != nil && i == len(l.res.Stmts)-1 {
		return // value shows it
	}
	l.top(st)
	l.stmt(st)
	if len(l.res.Vars(i)) > 0 && !last {
		l.line(st.End())
		l.printf("_k.Mark(%d)\n", i+1)
	}
}

// value emits the call that shows the cell's value.
func (l *lowerer) value() {
	tail := l.res.Tail
	if tail == nil {
		return
	}
	l.line(tail.Pos())
	l.top(&ast.ExprStmt{X: tail})
	l.at(tail)
	l.callsFirst(&ast.ExprStmt{X: tail})
	l.checks(tail)
	tv := l.info.Types[tail]
	if tuple, ok := tv.Type.(*types.Tuple); ok && tuple.Len() != 1 {
		names := l.temps(tuple.Len())
		if len(names) == 0 || l.hidesValue(tail) {
			l.printf("%s\n", l.expr(tail))
			return
		}
		l.printf("%s := %s\n", strings.Join(names, ", "), l.expr(tail))
		args := make([]string, len(names))
		for i, n := range names {
			args[i] = l.toAny(n, tuple.At(i).Type())
		}
		l.printf("_k.Show(%s)\n", strings.Join(args, ", "))
		return
	}
	if tv.IsVoid() || l.hidesValue(tail) {
		l.printf("%s\n", l.expr(tail))
		return
	}
	if tv.IsType() {
		panic(unsupported("a type as value"))
	}
	l.printf("_k.Show(%s)\n", l.conv(tail, types.NewInterfaceType(nil, nil)))
}

// hidesValue reports calls whose results nobody wants to see: those of the
// printing functions of fmt.
func (l *lowerer) hidesValue(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := l.callee(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "fmt" {
		return false
	}
	return strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint")
}

// callee is the function that a call names, if it names one.
func (l *lowerer) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		return l.callee(&ast.CallExpr{Fun: f.X})
	case *ast.IndexListExpr:
		return l.callee(&ast.CallExpr{Fun: f.X})
	default:
		return nil
	}
	fobj, _ := l.info.Uses[id].(*types.Func)
	return fobj
}

func (l *lowerer) temps(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = l.unique("t")
	}
	return names
}

func (l *lowerer) printf(format string, args ...any) { fmt.Fprintf(l.buf, format, args...) }

// line notes where the text that follows comes from.
func (l *lowerer) line(pos token.Pos) {
	l.pos = pos
	n, _ := l.position(pos)
	if n > 0 {
		l.where.Line = n
	}
	l.printf("/*@%d:%d:%s*/", l.where.Cell, l.where.Line, l.where.Func)
}

// position is the line of a node of this or an earlier cell (an instance of a
// generic function of one).
func (l *lowerer) position(pos token.Pos) (line, col int) {
	if line, col = l.res.Cell.Position(pos); line > 0 {
		return line, col
	}
	if !pos.IsValid() {
		return 0, 0
	}
	p := l.fset.Position(pos)
	return p.Line, p.Column
}

// lineMap reads the place comments that line has written.
func lineMap(text string, cell int) []Pos {
	lines := []Pos{{}}
	var at Pos
	called := false // the native frame of a function; its body has not begun
	for _, s := range strings.Split(text, "\n") {
		if s == strings.TrimSuffix(initFunc, "\n") {
			at = Pos{Cell: cell}
		} else if strings.HasPrefix(s, "func ") {
			at = Pos{} // of no cell but for a place of its own
		}
		begun := s != "" && !strings.HasPrefix(s, "/*@")
		for rest := s; ; {
			i := strings.Index(rest, "/*@")
			if i < 0 {
				break
			}
			rest = rest[i+3:]
			j := strings.Index(rest, "*/")
			parts := strings.SplitN(rest[:j], ":", 3)
			at = Pos{Cell: number(parts[0]), Line: number(parts[1]), Func: parts[2]}
			rest = rest[j+2:]
			begun = begun || rest != "" && !strings.HasPrefix(rest, "/*@")
		}
		at.Framed = called
		called = called && !begun || strings.HasPrefix(s, "_k.Call(")
		lines = append(lines, at)
	}
	return lines
}

// number reads a number of a place comment.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		bug.Panicf("place comment with %q", text)
	}
	return n
}
