package interp

import (
	"fmt"
	"go/constant"
	"go/token"
	"reflect"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"unsafe"

	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/internal/bug"
	"gopherlo/interp/lower"
	"gopherlo/interp/rt"
)

// This file looks at functions of cells that a panic is leaving, in what yaegi
// v0.16.1 and the runtime keep of them: the numbers of an index that is out of
// range cost running code nothing so.

// yaegiNode is a node of yaegi's syntax tree, yaegiFrame the variables of a running
// function; both are the structs themselves.
type (
	yaegiNode  struct{ v reflect.Value }
	yaegiFrame struct{ v reflect.Value }
)

// frameIn finds functions of cells in the text of a stack: where their code starts
// and their variables.
var frameIn = regexp.MustCompile(`(?m)^github\.com/traefik/yaegi/interp\.runCfg\(0x([0-9a-f]+), 0x([0-9a-f]+),`)

// boundsIn finds the operation whose bounds are out of range and the function that
// it is part of.
var boundsIn = regexp.MustCompile(`(?m)^reflect\.Value\.(?:Index|Slice|Slice3)\(.*\n.*\n(github\.com/traefik/yaegi/interp\.\w+[\w.]*)\(.*\n.*\n` +
	`github\.com/traefik/yaegi/interp\.runCfg\(0x([0-9a-f]+), 0x([0-9a-f]+),`)

// yaegiTypes are the types of the two.
func yaegiTypes() (node, frame reflect.Type) {
	field := func(t reflect.Type, name string) reflect.Type {
		f, ok := t.FieldByName(name)
		if !ok {
			bug.Panicf("%v has no field %s: another version of yaegi?", t, name)
		}
		return f.Type
	}
	node = field(reflect.TypeFor[yaegi.Program](), "init").Elem().Elem()
	return node, field(reflect.TypeFor[yaegi.Interpreter](), "frame").Elem()
}

// at makes an object of yaegi's of its address in a stack, which holds it.
func at(t reflect.Type, hex string) reflect.Value {
	n, _ := strconv.ParseUint(hex, 16, 64)
	return reflect.NewAt(t, *(*unsafe.Pointer)(unsafe.Pointer(&n))).Elem()
}

// outOfRange raises the panic of the operation in a stack whose bounds are out of
// range, if it finds it: the first one on the marked line with such operands.
func (in *Interp) outOfRange(stack string, mark int) {
	m := boundsIn.FindStringSubmatch(stack)
	if m == nil {
		return
	}
	start := yaegiNode{at(in.nodeType, m[2])}
	f := yaegiFrame{at(in.frameType, m[3])}
	var found, marked []bounds
	order := start.order()
	start.function().walk(func(n yaegiNode) {
		if n.does(m[1]) {
			if b, ok := n.bounds(f); ok && b.bad() {
				b.order, b.unsure = order[n.v.Addr().UnsafePointer()], n.conditional()
				found = append(found, b)
				if in.trace.mark(in.yaegi.FileSet().Position(n.pos()).Line) == mark {
					marked = append(marked, b)
				}
			}
		}
	})
	if len(marked) > 0 {
		found = marked
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].order < found[j].order })
	if len(found) == 0 || len(found) > 1 && (found[0].unsure || mark == 0) {
		return
	}
	found[0].raise(in.rt)
}

// mark is the mark of the cell's line that a line of yaegi's stands for.
func (t *traceLog) mark(line int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.place(line)
	return p.Cell*lower.LineBase + p.Line
}

// place finds the place of a line that yaegi numbers; t.mu is held.
func (t *traceLog) place(line int) (p lower.Pos) {
	if i := sort.SearchInts(t.first, line+1) - 1; i >= 0 {
		if k := line - t.first[i] + 1; k < len(t.lines[i]) {
			p = t.lines[i][k]
		}
	}
	return p
}

// bounds are the operands of an index or slice expression.
type bounds struct {
	index           bool
	low, high, full int // of an index low
	open, three     bool
	size            int // the length of what is indexed, or the capacity
	fixed           bool
	order           int
	unsure          bool // it may not run at all
}

func (b bounds) bad() bool {
	switch {
	case b.index:
		return b.low < 0 || b.low >= b.size
	case b.three:
		return b.low < 0 || b.low > b.high || b.high > b.full || b.full > b.size
	}
	return b.low < 0 || b.low > b.high || b.high > b.size
}

// raise raises the panic.
func (b bounds) raise(s *rt.Session) {
	kind := 0
	if b.fixed {
		kind = 1
	}
	switch {
	case b.index:
		s.BadIndex(b.low, b.size)
	case b.three:
		s.BadSlice3(b.low, b.high, b.full, b.size, kind)
	case b.open:
		kind |= 2
	}
	s.BadSlice(b.low, b.high, b.size, kind)
}

// bounds evaluates the operands of an expression as they are now.
func (n yaegiNode) bounds(f yaegiFrame) (b bounds, ok bool) {
	list := n.nodes("child")
	if len(list) < 2 {
		return b, false
	}
	x, ok := list[0].value(f)
	if !ok {
		return b, false
	}
	if x.Kind() == reflect.Pointer {
		if x, b.fixed = x.Elem(), true; !x.IsValid() {
			return b, false
		}
	}
	switch x.Kind() {
	case reflect.Slice:
		b.size = x.Cap()
	case reflect.Array, reflect.String:
		b.size, b.fixed = x.Len(), true
	default:
		return b, false
	}
	var at []int
	for _, c := range list[1:] {
		v, ok := c.value(f)
		i, isInt := intOf(v)
		if !ok || !isInt {
			return b, false
		}
		at = append(at, i)
	}
	switch exec := n.exec(); {
	case strings.Contains(exec, ".getIndexArray."):
		b.index, b.low, b.size = true, at[0], x.Len()
		return b, len(at) == 1
	case strings.Contains(exec, ".slice0."):
		at = append([]int{0}, at...)
	}
	if b.low = at[0]; len(at) == 1 {
		b.high, b.open = x.Len(), true
		return b, true
	}
	if b.high = at[1]; len(at) > 2 {
		b.full, b.three = at[2], true
	}
	return b, true
}

func intOf(v reflect.Value) (int, bool) {
	switch {
	case !v.IsValid():
	case v.CanInt():
		return int(v.Int()), true
	case v.CanUint():
		return int(v.Uint()), true
	case v.CanInterface():
		if c, ok := v.Interface().(constant.Value); ok {
			i, exact := constant.Int64Val(constant.ToInt(c))
			return int(i), exact
		}
	}
	return 0, false
}

// value is what a node's value is in a function.
func (n yaegiNode) value(f yaegiFrame) (reflect.Value, bool) {
	if !n.v.IsValid() {
		return reflect.Value{}, false
	}
	if v := *(*reflect.Value)(n.v.FieldByName("rval").Addr().UnsafePointer()); v.IsValid() {
		return v, true
	}
	index, level := int(n.v.FieldByName("findex").Int()), int(n.v.FieldByName("level").Int())
	if sym := n.v.FieldByName("sym"); !sym.IsNil() {
		index = int(sym.Elem().FieldByName("index").Int())
		if sym.Elem().FieldByName("global").Bool() {
			level = -1
		}
	}
	at := f.v
	for ; level > 0 && at.IsValid(); level-- {
		at = at.FieldByName("anc").Elem()
	}
	if level < 0 {
		at = at.FieldByName("root").Elem()
	}
	if !at.IsValid() {
		return reflect.Value{}, false
	}
	data := *(*[]reflect.Value)(at.FieldByName("data").Addr().UnsafePointer())
	if index < 0 || index >= len(data) || !data[index].IsValid() {
		return reflect.Value{}, false
	}
	return data[index], true
}

// exec names what runs for a node.
func (n yaegiNode) exec() string {
	e := n.v.FieldByName("exec")
	if e.IsNil() {
		return ""
	}
	return runtime.FuncForPC(e.Pointer()).Name()
}

func (n yaegiNode) does(exec string) bool { return n.exec() == exec }

func (n yaegiNode) pos() token.Pos { return token.Pos(n.v.FieldByName("pos").Int()) }

func (n yaegiNode) kind() string {
	k := n.v.FieldByName("kind")
	return reflect.NewAt(k.Type(), k.Addr().UnsafePointer()).Elem().Interface().(fmt.Stringer).String()
}

func (n yaegiNode) nodes(field string) (list []yaegiNode) {
	v := n.v.FieldByName(field)
	for i := range v.Len() {
		list = append(list, yaegiNode{v.Index(i).Elem()})
	}
	return list
}

// next is the node that a field points to, false for none.
func (n yaegiNode) next(field string) (yaegiNode, bool) {
	v := n.v.FieldByName(field)
	return yaegiNode{v.Elem()}, !v.IsNil()
}

// function is the declaration or the literal that a node is part of.
func (n yaegiNode) function() yaegiNode {
	for {
		up, ok := n.next("anc")
		if k := n.kind(); !ok || k == "funcDecl" || k == "funcLit" {
			return n
		}
		n = up
	}
}

// conditional reports an expression that the operand of && or || before it may
// keep from running.
func (n yaegiNode) conditional() bool {
	for {
		switch n.kind() {
		case "landExpr", "lorExpr":
			return true
		case "blockStmt", "funcDecl", "funcLit":
			return false
		}
		up, ok := n.next("anc")
		if !ok {
			return false
		}
		n = up
	}
}

// walk visits the nodes of a function but not those of functions in it.
func (n yaegiNode) walk(visit func(yaegiNode)) {
	visit(n)
	for _, c := range n.nodes("child") {
		if c.v.IsValid() && c.kind() != "funcLit" {
			c.walk(visit)
		}
	}
}

// order numbers the nodes of a function in the order in which they run first.
func (n yaegiNode) order() map[unsafe.Pointer]int {
	seen := map[unsafe.Pointer]int{}
	for todo := []yaegiNode{n}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for ok := true; ok; {
			p := n.v.Addr().UnsafePointer()
			if _, known := seen[p]; known {
				break
			}
			seen[p] = len(seen) + 1
			if other, branches := n.next("fnext"); branches {
				todo = append(todo, other)
			}
			n, ok = n.next("tnext")
		}
	}
	return seen
}

// outermost words the functions at the outer end of a stack as yaegi does those
// that a panic leaves.
func (in *Interp) outermost(stack string) (text string, n int) {
	i := strings.LastIndex(stack, "frames elided")
	if i < 0 {
		return "", 0
	}
	var b strings.Builder
	b.WriteString(rt.Calls + " ..." + in.callLines(stack[i:]) + "\n")
	for _, m := range frameIn.FindAllStringSubmatch(stack[i:], -1) {
		start := yaegiNode{at(in.nodeType, m[1])}
		fmt.Fprintf(&b, "%d: panic: main.%s(...)\n", in.yaegi.FileSet().Position(start.pos()).Line, start.functionName())
		n++
	}
	return b.String(), n
}

// callLines gives the lines of calls that the functions of a stack have noted.
func (in *Interp) callLines(stack string) string {
	var b strings.Builder
	for _, m := range frameIn.FindAllStringSubmatch(stack, -1) {
		line := 0
		if v, ok := in.callMark(yaegiNode{at(in.nodeType, m[1])}).value(yaegiFrame{at(in.frameType, m[2])}); ok {
			line, _ = intOf(v)
		}
		fmt.Fprintf(&b, " %d", line)
	}
	return b.String()
}

// callMark finds the variable for the lines of calls in the function that starts
// with a node; the result has no value if there is none.
func (in *Interp) callMark(start yaegiNode) yaegiNode {
	p := start.v.Addr().UnsafePointer()
	if n, ok := in.callMarks.Load(p); ok {
		return n.(yaegiNode)
	}
	var found yaegiNode
	start.function().walk(func(n yaegiNode) {
		if !found.v.IsValid() && n.v.FieldByName("ident").String() == lower.CallMark {
			found = n
		}
	})
	in.callMarks.Store(p, found)
	return found
}

// functionName names the function of a node as yaegi does.
func (n yaegiNode) functionName() string {
	f := n.function()
	if f.kind() == "funcDecl" {
		return f.nodes("child")[1].v.FieldByName("ident").String()
	}
	if up, ok := f.next("anc"); ok {
		return up.functionName() + ".func"
	}
	return "func"
}
