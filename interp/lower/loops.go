package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// jump is a statement around the current one that break and continue can name.
type jump struct {
	label   string // lowered label, "" if none
	user    string // as break statements spell it
	loop    bool
	fn      *fn
	onNext  string // emitted before continue: copies the loop variables back
	rangeFn *rangeBody
}

// rangeBody is the body of a range over a function, itself a function.
type rangeBody struct {
	exit  string // variable that says how the body was left
	codes []exit
}

// exit is one way out of a range body.
type exit struct {
	kind  string // exitReturn, exitGoto, "break" or "continue"
	label string // user label, "" for the innermost
	to    *jump
}

const (
	exitReturn = "return"
	exitGoto   = "goto"
)

func (l *lowerer) push(j *jump) { j.fn = l.fn; l.jumps = append(l.jumps, j) }
func (l *lowerer) pop()         { l.jumps = l.jumps[:len(l.jumps)-1] }

// open writes the label of a statement.
func (l *lowerer) open(label string) {
	if label != "" {
		l.printf("%s:\n", label)
	}
}

// forStmt emits a for statement. Loop variables that closures keep are copied
// into each turn and back.
func (l *lowerer) forStmt(s *ast.ForStmt, label string) {
	var shared []*types.Var // loop variables with a copy per turn
	if init, ok := s.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
		for _, e := range init.Lhs {
			if v, ok := l.info.Defs[e.(*ast.Ident)].(*types.Var); ok && l.heap[v] {
				shared = append(shared, v)
				delete(l.heap, v)
			}
		}
	}
	if s.Init != nil {
		l.printf("{\n")
		l.stmt(s.Init)
		defer l.printf("}\n")
	}
	l.open(label)
	cond := "true"
	if s.Cond != nil {
		cond = l.expr(s.Cond)
	}
	// The post statement is emitted with the variables of the loop itself.
	post := ""
	if s.Post != nil {
		post = strings.TrimSpace(l.captureText(func() { l.simplePost(s.Post) }))
	}
	j := &jump{label: label, user: strings.TrimPrefix(label, "L_"), loop: true}
	back := ""
	outer := map[*types.Var]*local{}
	for _, v := range shared {
		outer[v] = l.locals[v]
	}
	if strings.Contains(post, "\n") {
		// Not a simple statement any more: it goes before continue and at the end.
		j.onNext, post = post+"\n", ""
	}
	l.printf("for ; %s; %s {\n", cond, post)
	for _, v := range shared {
		l.heap[v] = true
		l.declareVar(v, outer[v].name)
		back += fmt.Sprintf("%s = *%s\n", outer[v].name, l.locals[v].name)
	}
	j.onNext = back + j.onNext
	l.push(j)
	l.stmts(s.Body.List)
	l.pop()
	l.printf("%s}\n", j.onNext)
	for _, v := range shared {
		l.locals[v] = outer[v]
	}
}

// simplePost emits a post statement.
func (l *lowerer) simplePost(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		l.printf("%s", l.incDec(s))
	case *ast.AssignStmt:
		l.assign(s)
	default:
		l.stmt(s)
	}
}

// captureText runs emit and returns what it wrote.
func (l *lowerer) captureText(emit func()) string {
	buf := l.buf
	l.buf = &strings.Builder{}
	emit()
	text := l.buf.String()
	l.buf = buf
	return text
}

func (l *lowerer) rangeStmt(s *ast.RangeStmt, label string) {
	j := &jump{label: label, user: strings.TrimPrefix(label, "L_"), loop: true}
	switch u := l.under(l.typeOf(s.X)).(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			l.rangeInt(s, j)
			return
		}
		l.rangeString(s, j)
	case *types.Signature:
		l.rangeFunc(s, j, u)
	case *types.Chan:
		l.rangeChan(s, j, u)
	case *types.Map:
		l.rangeNative(s, j, u.Key(), u.Elem())
	case *types.Slice:
		l.rangeNative(s, j, types.Typ[types.Int], u.Elem())
	case *types.Array:
		if isBlank(s.Value) && !l.hasCall([]ast.Expr{s.X}) { // Go does not look at the array
			l.rangeCount(s, j, fmt.Sprint(u.Len()), types.Typ[types.Int])
			return
		}
		l.rangeNative(s, j, types.Typ[types.Int], u.Elem())
	case *types.Pointer:
		if a := l.under(u.Elem()).(*types.Array); isBlank(s.Value) {
			if !l.pure(s.X) {
				l.printf("_ = %s\n", l.expr(s.X))
			}
			l.rangeCount(s, j, fmt.Sprint(a.Len()), types.Typ[types.Int])
		} else {
			l.rangeArrayPointer(s, j, a)
		}
	default:
		panic(unsupported("range over " + u.String()))
	}
}

// item hands one iteration value to the variable of the range clause.
func (l *lowerer) item(s *ast.RangeStmt, e ast.Expr, text string, t types.Type) {
	if e == nil || text == "" {
		return
	}
	tg := l.targets([]ast.Expr{e}, s.Tok == token.DEFINE)[0]
	if tg.typ == nil {
		return
	}
	text = l.convText(text, t, tg.typ)
	if tg.fresh != nil {
		l.declareVar(tg.fresh, text)
		return
	}
	l.printf("%s = %s\n", l.lvalue(tg.expr), text)
}

// items hands both iteration values over; "" is one that nobody wants. What is
// assigned to is found before the first is assigned.
func (l *lowerer) items(s *ast.RangeStmt, key string, keyType types.Type, value string, valueType types.Type) {
	if s.Tok != token.ASSIGN || isBlank(s.Key) || isBlank(s.Value) {
		if !isBlank(s.Key) {
			l.item(s, s.Key, key, keyType)
		}
		if !isBlank(s.Value) {
			l.item(s, s.Value, value, valueType)
		}
		return
	}
	p := l.stable(s.Value)
	l.item(s, s.Key, key, keyType)
	l.printf("%s = %s\n", p, l.convText(value, valueType, l.typeOf(s.Value)))
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

func (l *lowerer) rangeInt(s *ast.RangeStmt, j *jump) {
	t := types.Default(l.typeOf(s.X))
	if s.Key != nil && !isBlank(s.Key) {
		t = l.typeOf(s.Key)
		if id, ok := s.Key.(*ast.Ident); ok && l.info.Defs[id] != nil {
			t = l.sub(l.info.Defs[id].Type())
		}
	}
	l.rangeCount(s, j, l.conv(s.X, t), t)
}

// rangeString emits a range over the runes of a string. yaegi miscounts the
// bytes of invalid ones.
func (l *lowerer) rangeString(s *ast.RangeStmt, j *jump) {
	n, idx, runes := l.unique("n"), l.unique("x"), l.unique("x")
	l.printf("%s, %s := _k.Runes(%s)\n_ = %s\n", idx, runes, l.conv(s.X, types.Typ[types.String]), runes)
	l.open(j.label)
	l.printf("for %s := 0; %s < len(%s); %s++ {\n", n, n, idx, n)
	l.items(s, idx+"["+n+"]", types.Typ[types.Int], runes+"["+n+"]", types.Typ[types.Rune])
	l.push(j)
	l.stmts(s.Body.List)
	l.pop()
	l.printf("}\n")
}

// rangeArrayPointer emits a range over an array by its address: elements are
// read as the loop goes.
func (l *lowerer) rangeArrayPointer(s *ast.RangeStmt, j *jump, a *types.Array) {
	p, i := l.unique("x"), l.unique("i")
	l.printf("%s := %s\n", p, l.val(s.X))
	l.open(j.label)
	l.printf("for %s := 0; %s < %d; %s++ {\n", i, i, a.Len(), i)
	l.items(s, i, types.Typ[types.Int], "(*"+p+")["+i+"]", a.Elem())
	l.push(j)
	l.stmts(s.Body.List)
	l.pop()
	l.printf("}\n")
}

// rangeCount emits a loop over the integers below a count.
func (l *lowerer) rangeCount(s *ast.RangeStmt, j *jump, count string, t types.Type) {
	i, n := l.unique("i"), l.unique("n")
	typ := l.typ(t)
	l.printf("var %s %s = %s\n", n, typ, count)
	l.open(j.label)
	l.printf("for %s := %s(0); %s < %s; %s++ {\n", i, typ, i, n, i)
	l.item(s, s.Key, i, t)
	l.push(j)
	l.stmts(s.Body.List)
	l.pop()
	l.printf("}\n")
}

// rangeNative emits ranges that yaegi runs rightly, with iteration variables
// of its own.
func (l *lowerer) rangeNative(s *ast.RangeStmt, j *jump, key, elem types.Type) {
	x := l.val(s.X)
	if _, ok := l.typeOf(s.X).Underlying().(*types.Pointer); ok {
		x = "(*" + x + ")"
	}
	k, v := "", ""
	if !isBlank(s.Key) {
		k = l.unique("k")
	}
	if !isBlank(s.Value) {
		v = l.unique("v")
	}
	over := l.unique("x")
	l.printf("%s := %s\n", over, x)
	value := v
	if _, isChan := l.under(elem).(*types.Chan); isChan && v != "" {
		// yaegi takes a loop whose value is a channel for one over that channel.
		if k == "" {
			k = l.unique("k")
		}
		v, value = "", over+"["+k+"]"
	}
	l.open(j.label)
	switch {
	case k == "" && v == "":
		l.printf("for range %s {\n", over)
	case v == "":
		l.printf("for %s := range %s {\n", k, over)
	case k == "":
		l.printf("for _, %s := range %s {\n", v, over)
	default:
		l.printf("for %s, %s := range %s {\n", k, v, over)
	}
	l.items(s, k, key, value, elem)
	l.push(j)
	l.stmts(s.Body.List)
	l.pop()
	l.printf("}\n")
}

func (l *lowerer) rangeChan(s *ast.RangeStmt, j *jump, t *types.Chan) {
	c, v, ok := l.unique("c"), l.unique("v"), l.unique("ok")
	l.printf("%s := %s\n", c, l.val(s.X))
	l.open(j.label)
	l.printf("for true {\nvar %s %s\n%s := _k.Recv(%s, &%s)\nif !%s { break }\n", v, l.typ(t.Elem()), ok, c, v, ok)
	l.item(s, s.Key, v, t.Elem())
	l.push(j)
	l.stmts(s.Body.List)
	l.pop()
	l.printf("}\n")
}

// States of a range over a function, beside 0, when the body may run, and the
// numbers of the ways out of it. Package rt has the words for those in which it
// may not.
const (
	rangeBusy = -1 - iota // the body runs, or a panic has ended it
	rangeLeft             // it was left by a break
	rangeOver             // the statement has ended
)

// rangeFunc emits a range over a function: the body becomes the yield
// function, ways out of it are numbered and taken after the call.
func (l *lowerer) rangeFunc(s *ast.RangeStmt, j *jump, sig *types.Signature) {
	yield := l.under(sig.Params().At(0).Type()).(*types.Signature)
	rb := &rangeBody{exit: l.unique("exit")}
	j.rangeFn = rb
	var decl []string
	names := make([]string, yield.Params().Len())
	for i := range names {
		names[i] = l.unique("y")
		decl = append(decl, names[i]+" "+l.typ(yield.Params().At(i).Type()))
	}
	over := l.val(s.X)
	l.push(j)
	outer, buf := l.fn, l.buf
	l.buf = &strings.Builder{}
	l.fn = &fn{outer: outer, node: s, sig: outer.userFunc().sig, ranges: rb, frame: outer.frame, callMarks: outer.callMarks}
	l.declareCallMark()
	for i, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && i < len(names) {
			l.item(s, e, names[i], yield.Params().At(i).Type())
		}
	}
	l.stmts(s.Body.List)
	l.printf("*%s = 0\nreturn true\n", rb.exit)
	body := l.buf.String()
	l.fn, l.buf = outer, buf
	l.pop()
	text := fmt.Sprintf("func(%s) bool {\nif *%s != 0 { _k.BadRange(*%[2]s) }\n*%[2]s = %d\n%s}", strings.Join(decl, ", "), rb.exit, rangeBusy, body)
	l.printf("%s := new(int)\n", rb.exit)
	l.printf("%s(%s)\n", over, l.rangeMaker(s, rb, text, "func"+l.signature(yield)))
	l.printf("if *%s == %d { _k.BadRange(0) }\n", rb.exit, rangeBusy)
	exit := rb.exit
	if len(rb.codes) > 0 {
		exit = l.unique("x")
		l.printf("%s := *%s\n", exit, rb.exit)
	}
	l.printf("*%s = %d\n", rb.exit, rangeOver)
	for i, c := range rb.codes {
		l.printf("if %s == %d {\n", exit, i+1)
		l.takeExit(c)
		l.printf("}\n")
	}
}

// rangeMaker binds the exit variable and the heap variables of the body.
func (l *lowerer) rangeMaker(s *ast.RangeStmt, rb *rangeBody, text, typ string) string {
	decl, args := []string{rb.exit + " *int"}, []string{rb.exit}
	for _, loc := range l.captured(s) {
		decl = append(decl, loc.name+" *"+l.typ(loc.typ))
		args = append(args, loc.name)
	}
	return fmt.Sprintf("func(%s) %s { return %s }(%s)", strings.Join(decl, ", "), typ, text, strings.Join(args, ", "))
}

// takeExit continues on the way out, in the function around the range body.
func (l *lowerer) takeExit(c exit) {
	if c.kind == exitReturn {
		if l.fn.ranges != nil {
			l.leave(exitReturn, "")
			return
		}
		f := l.fn.userFunc()
		if f.frame != "" || len(f.results) == 0 {
			l.printf("return\n")
			return
		}
		l.printf("return %s\n", strings.Join(f.results, ", "))
		return
	}
	if c.kind == exitGoto {
		l.gotoLabel(c.label)
		return
	}
	l.jumpTo(c.kind, c.label, c.to)
}

// gotoLabel emits a goto, which may leave the body of a range over a function.
func (l *lowerer) gotoLabel(label string) {
	if l.fn.ranges != nil && !hasLabel(l.fn.node, label) {
		l.leave(exitGoto, label)
		return
	}
	l.printf("goto G_%s\n", identifier(label))
}

// hasLabel reports a label of the function that n belongs to within n.
func hasLabel(n ast.Node, label string) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			found = found || m.Label.Name == label
		}
		return !found
	})
	return found
}

// leave sets the exit of the innermost range body and ends it.
func (l *lowerer) leave(kind, label string) { l.leaveTo(exit{kind: kind, label: label}) }

func (l *lowerer) leaveTo(c exit) {
	rb := l.fn.ranges
	n := 0
	for i, have := range rb.codes {
		if have == c {
			n = i + 1
		}
	}
	if n == 0 {
		rb.codes = append(rb.codes, c)
		n = len(rb.codes)
	}
	l.printf("*%s = %d\nreturn false\n", rb.exit, n)
}

// branch emits break, continue, goto and fallthrough.
func (l *lowerer) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.FALLTHROUGH:
		l.printf("fallthrough\n")
	case token.GOTO:
		l.gotoLabel(s.Label.Name)
	default:
		label := ""
		if s.Label != nil {
			label = identifier(s.Label.Name)
		}
		j := l.findJump(s.Tok, label)
		if j == nil {
			panic(unsupported(s.Tok.String() + " here"))
		}
		l.jumpTo(s.Tok.String(), label, j)
	}
}

func (l *lowerer) findJump(tok token.Token, label string) *jump {
	for i := len(l.jumps) - 1; i >= 0; i-- {
		j := l.jumps[i]
		if label != "" && j.user != label {
			continue
		}
		if tok == token.CONTINUE && !j.loop {
			continue
		}
		return j
	}
	return nil
}

// jumpTo emits a break or continue to a statement that may lie outside the
// range body being emitted.
func (l *lowerer) jumpTo(kind, label string, j *jump) {
	if j.rangeFn != nil && l.fn.ranges == j.rangeFn {
		if kind == "continue" {
			l.printf("*%s = 0\nreturn true\n", j.rangeFn.exit)
			return
		}
		l.printf("*%s = %d\nreturn false\n", j.rangeFn.exit, rangeLeft)
		return
	}
	if l.fn != j.fn {
		l.leaveTo(exit{kind: kind, label: label, to: j})
		return
	}
	if kind == "continue" {
		l.printf("%s", j.onNext)
	}
	if label != "" && j.label != "" {
		kind += " " + j.label
	}
	l.printf("%s\n", kind)
}
