package rt

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"testing"

	"gopherlo/interp/lower"
)

const source = `package main

type ID int
type P struct { X int; y ID }
type Node struct { Next *Node; Kids []*Node; Edges map[string]*Edge }
type Edge struct { From, To *Node; F func(*Node) *Edge }
type Self []Self
type Shape interface { Area() float64 }
type G[T any] struct { v T }
type GI = G[int]
type Fn func(a int, b ...string) (P, error)
type S struct { ID; *P; A any; M map[ID][]P; C <-chan P }
`

// declared checks the source and gives its package.
func declared(t *testing.T) (*Session, *types.Package) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&types.Config{Importer: importer.Default()}).Check("main", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return NewSession(lower.NewEnv(types.NewContext())), p
}

func typeOf(t *testing.T, p *types.Package, name string) types.Type {
	t.Helper()
	o := p.Scope().Lookup(name)
	if o == nil {
		t.Fatal("no type", name)
	}
	return o.Type()
}

func TestTypeString(t *testing.T) {
	_, p := declared(t)
	for name, want := range map[string]string{"ID": "main.ID", "GI": "main.G[int]", "Shape": "main.Shape"} {
		if got := TypeString(typeOf(t, p, name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	under := map[string]string{
		"P":     "struct { X int; y main.ID }",
		"Fn":    "func(int, ...string) (main.P, error)",
		"Shape": "interface { Area() float64 }",
		"S":     "struct { main.ID; *main.P; A interface {}; M map[main.ID][]main.P; C <-chan main.P }",
	}
	for name, want := range under {
		if got := TypeString(typeOf(t, p, name).Underlying()); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestRecursiveTypes makes types that refer to themselves and each other.
func TestRecursiveTypes(t *testing.T) {
	s, p := declared(t)
	node, edge := s.RType(typeOf(t, p, "Node")), s.RType(typeOf(t, p, "Edge"))
	field := func(r reflect.Type, name string) reflect.Type {
		f, ok := r.FieldByName(name)
		if !ok {
			t.Fatalf("%s has no field %s", r, name)
		}
		return f.Type
	}
	if field(node, "Next") != reflect.PointerTo(node) || field(node, "Kids") != reflect.SliceOf(reflect.PointerTo(node)) {
		t.Error("Node does not refer to itself")
	}
	if field(node, "Edges").Elem() != reflect.PointerTo(edge) || field(edge, "To") != reflect.PointerTo(node) {
		t.Error("Node and Edge do not refer to each other")
	}
	if f := field(edge, "F"); f.In(0) != reflect.PointerTo(node) || f.Out(0) != reflect.PointerTo(edge) {
		t.Error("the function's types are others")
	}
	v := reflect.New(node).Elem()
	v.FieldByName("Next").Set(reflect.New(node))
	v.FieldByName("Next").Elem().FieldByName("Kids").Set(reflect.MakeSlice(field(node, "Kids"), 2, 2))
	if v.FieldByName("Next").Elem().FieldByName("Kids").Len() != 2 {
		t.Error("a value of the type does not hold")
	}
	if s.RType(typeOf(t, p, "Self")).Kind() != reflect.Interface {
		t.Error("a recursive slice is not held as any")
	}
	// The same declaration in another session is another type.
	s2, p2 := declared(t)
	if s2.RType(typeOf(t, p2, "P")) == s.RType(typeOf(t, p, "P")) {
		t.Error("types of two sessions are one")
	}
}

func TestBoxes(t *testing.T) {
	s, p := declared(t)
	id := s.table.ID(typeOf(t, p, "ID"))
	three := s.B(id, 3)
	if !s.Eq(three, s.B(id, 3)) || s.Eq(three, s.B(id, 4)) || s.Eq(three, 3) {
		t.Error("boxes do not compare as their values")
	}
	if m := map[any]int{three: 1}; m[s.B(id, 3)] != 1 {
		t.Error("a box is no key")
	}
	if got := s.TypeSwitch(three, []int{s.table.ID(types.Typ[types.Int]), id}); got != 1 {
		t.Errorf("type switch gives %d", got)
	}
	var n int
	if !s.As2(three, id, &n) || n != 3 {
		t.Errorf("assertion gives %d", n)
	}
	defer func() {
		want := "interface conversion: interface {} is main.ID, not int"
		if got := fmt.Sprint(recover()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}()
	s.As(three, s.table.ID(types.Typ[types.Int]), s.table.ID(types.NewInterfaceType(nil, nil)), &n)
}

func TestFrames(t *testing.T) {
	s, _ := declared(t)
	var order []string
	note := func(text string) func() { return func() { order = append(order, text) } }
	run := func(body func(f *Frame)) (caught any) {
		defer func() { caught = recover() }()
		f := s.Enter()
		s.Call(f, func() { body(f) })
		return nil
	}
	got := run(func(f *Frame) {
		f.Defer(note("last"))
		f.Defer(func() { order = append(order, fmt.Sprint(s.Recover())) })
		f.Defer(note("first"))
		panic("boom")
	})
	if got != nil || fmt.Sprint(order) != "[first boom last]" {
		t.Errorf("caught %v, order %v", got, order)
	}
	if got := run(func(f *Frame) { f.Defer(func() { panic("second") }); panic("first") }); got != "second" {
		t.Errorf("caught %v", got)
	}
	if got := run(func(f *Frame) { f.Defer(func() { s.Recover() }); panic(Interrupted{}) }); got != (Interrupted{}) {
		t.Errorf("an interrupt was recovered: %v", got)
	}
	if s.Recover() != nil {
		t.Error("something to recover outside a deferred call")
	}
}

func TestTranslate(t *testing.T) {
	for text, want := range map[string]string{
		"reflect: slice index out of range":              "runtime error: index out of range",
		"reflect.Value.Slice: slice index out of bounds": "runtime error: slice bounds out of range",
		"reflect.MakeSlice: negative len":                "runtime error: makeslice: len out of range",
		"reflect.MakeChan: negative buffer size":         "makechan: size out of range",
		"a user's text":                                  "a user's text",
	} {
		if got := fmt.Sprint(Translate(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestBrokenType makes a type of which another, which there cannot be, has a field.
func TestBrokenType(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", `package main

type In struct { P *Out }
type Out struct { N int }
type Big struct { In In; A [1 << 40][1 << 30]byte }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&types.Config{}).Check("main", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(lower.NewEnv(types.NewContext()))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("an array larger than the memory has a type")
			}
		}()
		s.RType(typeOf(t, p, "Big"))
	}()
	in, out := s.RType(typeOf(t, p, "In")), s.RType(typeOf(t, p, "Out"))
	if got := in.Field(0).Type; got != reflect.PointerTo(out) {
		t.Errorf("field P has type %s", got)
	}
}
