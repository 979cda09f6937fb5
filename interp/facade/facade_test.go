package facade

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"testing"
)

func TestLayout(t *testing.T) {
	if err := Check(); err != nil {
		t.Fatal(err)
	}
}

type point struct {
	X, Y int
	Name string
	Next *point
}

func made1(t *testing.T) *Def {
	t.Helper()
	d := New(reflect.TypeFor[point](), "main.Point", "main")
	d.SetFields("main", []Field{
		{Name: "X", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		{Name: "Y", Type: reflect.TypeFor[int]()},
		{Name: "name", Type: reflect.TypeFor[string]()},
		{Name: "Next", Type: reflect.PointerTo(d.Type())},
	})
	err := d.SetMethods([]Method{
		{Name: "String", Type: reflect.TypeFor[func() string](), Call: func(r reflect.Value, _ []reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(fmt.Sprint("P", reflect.Indirect(r).Field(0).Int()))}
		}},
		{Name: "Read", Pointer: true, Type: reflect.TypeFor[func([]byte) (int, error)](), Call: func(r reflect.Value, a []reflect.Value) []reflect.Value {
			r.Elem().Field(1).SetInt(int64(a[0].Len()))
			return []reflect.Value{reflect.ValueOf(7), reflect.ValueOf(&io.EOF).Elem()}
		}},
		{Name: "Add", Type: reflect.TypeFor[func(a, b float64, s string, more ...int) (string, float64)](), Call: func(_ reflect.Value, a []reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(fmt.Sprint(a[2], a[3])), reflect.ValueOf(a[0].Float() + a[1].Float())}
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestMethods(t *testing.T) {
	d := made1(t)
	p := &point{X: 3, Y: 4}
	v := reflect.NewAt(d.Type(), reflect.ValueOf(p).UnsafePointer())
	runtime.GC()
	if got := fmt.Sprint(v.Elem().Interface(), v.Interface().(fmt.Stringer)); got != "P3 P3" {
		t.Errorf("printed %s", got)
	}
	n, err := v.Interface().(io.Reader).Read(make([]byte, 9))
	if n != 7 || err != io.EOF || p.Y != 9 {
		t.Errorf("Read gave %d, %v; field %d", n, err, p.Y)
	}
	if _, ok := v.Elem().Interface().(io.Reader); ok {
		t.Error("the value has the pointer's method")
	}
	args := []reflect.Value{reflect.ValueOf(1.5), reflect.ValueOf(2.0), reflect.ValueOf("s"), reflect.ValueOf(8), reflect.ValueOf(9)}
	for _, recv := range []reflect.Value{v, v.Elem()} {
		out := recv.MethodByName("Add").Call(args)
		if out[0].String() != "s [8 9]" || out[1].Float() != 3.5 {
			t.Errorf("Add gave %v", out)
		}
	}
	m, _ := d.Type().MethodByName("Add")
	if out := m.Func.Call(append([]reflect.Value{v.Elem()}, args...)); out[1].Float() != 3.5 {
		t.Errorf("the method expression gave %v", out)
	}
	b, err := json.Marshal(v.Interface())
	if string(b) != `{"x":3,"Y":9,"Next":null}` {
		t.Errorf("json %s %v", b, err)
	}
	if d.Type().NumMethod() != 2 || v.Type().NumMethod() != 3 {
		t.Errorf("%d and %d methods", d.Type().NumMethod(), v.Type().NumMethod())
	}
	d.Free()
}

func TestDirect(t *testing.T) {
	d := New(reflect.TypeFor[map[string]int](), "main.M", "main")
	err := d.SetMethods([]Method{{Name: "Len", Type: reflect.TypeFor[func() int](), Call: func(r reflect.Value, _ []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(reflect.Indirect(r).Len())}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	v := reflect.ValueOf(map[string]int{"a": 1}).Convert(d.Type())
	if n := v.Interface().(interface{ Len() int }).Len(); n != 1 {
		t.Error(n)
	}
	f := New(reflect.TypeFor[func(int) int](), "main.F", "main")
	if err := f.SetMethods([]Method{{Name: "Do", Type: reflect.TypeFor[func() int](), Call: func(r reflect.Value, _ []reflect.Value) []reflect.Value {
		return r.Call([]reflect.Value{reflect.ValueOf(20)})
	}}}); err != nil {
		t.Fatal(err)
	}
	g := reflect.ValueOf(func(i int) int { return i * 2 }).Convert(f.Type())
	if n := g.Interface().(interface{ Do() int }).Do(); n != 40 {
		t.Error(n)
	}
}

// TestFreed calls a method of a type that has been freed: it panics, and stays
// apart from the methods of types that are made later.
func TestFreed(t *testing.T) {
	d := made1(t)
	v := reflect.NewAt(d.Type(), reflect.ValueOf(&point{}).UnsafePointer()).Interface().(fmt.Stringer)
	d.Free()
	defer made1(t).Free()
	defer func() {
		if r := recover(); r != errFreed {
			t.Errorf("it panicked with %v", r)
		}
	}()
	t.Errorf("it gave %s", v.String())
}
