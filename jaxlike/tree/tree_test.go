package tree

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type arr struct{ id int } // stands for an array

func init() { RegisterLeaf(reflect.TypeFor[arr](), "jaxlib._jax.ArrayImpl") }

type layer struct {
	W, b arr
	n    int
	Name string
}

type model struct {
	Layers []layer
	Extra  map[string]any
	Next   *model
	act    func(arr) arr
}

func TestStructs(t *testing.T) {
	m := model{
		Layers: []layer{{arr{1}, arr{2}, 3, "a"}, {arr{4}, arr{5}, 6, "b"}},
		Extra:  map[string]any{"z": arr{7}, "k": 2.5},
		Next:   &model{Layers: []layer{}},
	}
	leaves, def := FlattenWith(m, nil, Options{Static: true})
	if got, want := fmt.Sprint(leaves), "[{1} {2} {4} {5} 2.5 {7}]"; got != want {
		t.Errorf("leaves %s, want %s", got, want)
	}
	var paths []string
	for _, p := range def.Paths() {
		paths = append(paths, p.String())
	}
	if got, want := strings.Join(paths, " "), ".Layers[0].W .Layers[0].b .Layers[1].W .Layers[1].b .Extra['k'] .Extra['z']"; got != want {
		t.Errorf("paths %s, want %s", got, want)
	}
	want := "PyTreeDef(CustomNode(model[(<function>,)], [[CustomNode(layer[(3, 'a')], [*, *]), CustomNode(layer[(6, 'b')], [*, *])], {'k': *, 'z': *}, CustomNode(model[(<function>,)], [[], {}, None])]))"
	if def.String() != want {
		t.Errorf("def\n%s, want\n%s", def, want)
	}
	back, ok := def.Unflatten(leaves).(model)
	if !ok || !reflect.DeepEqual(back, model{m.Layers, m.Extra, &model{Layers: []layer{}, Extra: map[string]any{}}, nil}) {
		t.Errorf("rebuilt %+v", back)
	}
	m.Layers[0].n++
	_, other := FlattenWith(m, nil, Options{Static: true})
	if def.Equal(other) {
		t.Error("another static value gave the same structure")
	}
	if ms := def.Mismatches(other); len(ms) != 1 || ms[0].Path.String() != ".Layers[0]" ||
		ms[0].Seen != "<class 'gopherlo.jaxlike.tree.layer'> with pytree metadata (3, 'a')" {
		t.Errorf("mismatches %+v", ms)
	}
}

func TestFuncIdentity(t *testing.T) {
	mk := func(i int) func(arr) arr { return func(a arr) arr { return arr{a.id + i} } }
	f, g := mk(1), mk(2) // same code, two closures
	def := func(h func(arr) arr) *Def {
		_, d := FlattenWith(model{act: h}, nil, Options{Static: true})
		return d
	}
	again := def(f)
	if !def(f).Equal(again) || def(f).Equal(def(g)) {
		t.Error("functions are not compared by closure")
	}
	if def(f).Hash() != again.Hash() {
		t.Error("hash is not stable")
	}
}

// TestCellStruct uses a type as yaegi makes it.
func TestCellStruct(t *testing.T) {
	typ := reflect.StructOf([]reflect.StructField{
		{Name: "Xw", Type: reflect.TypeFor[arr](), Tag: `yg:"main.Params;w"`},
		{Name: "B", Type: reflect.TypeFor[arr]()},
	})
	v := reflect.New(typ).Elem()
	v.Field(0).Set(reflect.ValueOf(arr{1}))
	leaves, def := Flatten(v.Interface())
	if def.String() != "PyTreeDef(CustomNode(Params[()], [*, *]))" || def.Paths()[0].String() != ".w" {
		t.Errorf("%s %v", def, def.Paths())
	}
	if got := def.Unflatten(leaves); got != v.Interface() {
		t.Errorf("rebuilt %v", got)
	}
	// Leaves of another type: a general container that flattens the same way.
	shapes := def.Unflatten([]any{"f32[2]", "f32[]"})
	back, d2 := Flatten(shapes)
	if !reflect.DeepEqual(back, []any{"f32[2]", "f32[]"}) || !d2.Equal(def) {
		t.Errorf("%v %v", back, d2)
	}
}

func TestPlaces(t *testing.T) {
	places := []reflect.Type{reflect.TypeFor[arr](), reflect.TypeFor[int](), nil, reflect.TypeFor[string](), reflect.TypeFor[[]float64]()}
	args := []any{[][]float64{{1}, {2}}, 3, 4, "s", []float64{5, 6}}
	leaves, def := FlattenArgs(args, places, Options{Static: true})
	if got := fmt.Sprint(leaves); got != "[[[1] [2]] 4]" {
		t.Errorf("leaves %s", got)
	}
	if def.String() != "PyTreeDef((*, 3, *, 's', [5.0, 6.0]))" {
		t.Errorf("def %s", def)
	}
	leaves, def = FlattenArgs([]any{1, []int{2, 3}}, nil, Options{Static: true})
	if def.String() != "PyTreeDef((*, [*, *]))" || len(leaves) != 3 {
		t.Errorf("undeclared places: %s", def)
	}
	_, def = FlattenWith([]int{2, 3}, nil, Options{HostArrays: true})
	if !def.IsLeaf() {
		t.Errorf("host array: %s", def)
	}
}

func TestBuild(t *testing.T) {
	leaves, def := Flatten(Tuple{map[string]any{"W": arr{1}, "b": arr{2}, "n": arr{3}, "Name": nil}, []any{arr{4}}, arr{5}})
	type out struct {
		P    layer2
		More []arr
		Loss float64
	}
	toFloat := func(leaf any, to reflect.Type) (reflect.Value, error) {
		a, ok := leaf.(arr)
		if !ok || to.Kind() != reflect.Float64 {
			return reflect.Value{}, errors.New("no conversion")
		}
		return reflect.ValueOf(float64(a.id)), nil
	}
	v, err := def.Build(reflect.TypeFor[out](), leaves, toFloat)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v", v); got != "{P:{W:{id:1} b:{id:2} n:{id:3} Name:<nil>} More:[{id:4}] Loss:5}" {
		t.Errorf("built %s", got)
	}
	_, err = def.Build(reflect.TypeFor[Tuple](), leaves[:3], nil)
	if err == nil || err.Error() != "Too few leaves for PyTreeDef; expected 5, got 3" {
		t.Errorf("too few: %v", err)
	}
	type bad struct {
		P    map[string]any
		More arr
		Loss arr
	}
	_, err = def.Build(reflect.TypeFor[bad](), leaves, nil)
	if err == nil || err.Error() != "at [1]: a list of length 1 cannot be stored in a variable of type tree.arr" {
		t.Errorf("bad target: %v", err)
	}
}

type layer2 struct {
	W arr
	//lint:ignore U1000 reached by reflection
	b, n arr
	Name any
}

func TestMismatches(t *testing.T) {
	none := Tuple{Tuple{arr{}, arr{}}, map[string]any{}}
	for _, c := range []struct {
		given any
		want  string
	}{ // golden case 055
		{Tuple{Tuple{arr{}}, map[string]any{}}, "[0]: seen tuple of length 2 but now given tuple of length 1, so the lengths do not match"},
		{Tuple{Tuple{arr{}, arr{}}, map[string]any{"z": arr{}}}, "[1]: seen <class 'dict'> with 0 child but now given <class 'dict'> with 1 child, so the numbers of children do not match, with the symmetric difference of key sets: {'z'}"},
		{Tuple{Tuple{[]any{arr{}}, arr{}}, map[string]any{}}, "[0][0]: seen pytree leaf but now given <class 'list'>, so their Python types differ"},
		{Tuple{Tuple{nil, arr{}}, map[string]any{}}, "[0][0]: seen pytree leaf but now given <class 'NoneType'>, so their Python types differ"},
	} {
		ms := Structure(none).Mismatches(Structure(c.given))
		if len(ms) != 1 {
			t.Errorf("%v: %+v", c.given, ms)
			continue
		}
		m := ms[0]
		if got := fmt.Sprintf("%s: seen %s but now given %s, so %s", m.Path, m.Seen, m.Given, m.Why); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestBroadcastPrefix(t *testing.T) {
	full := Structure(Tuple{arr{}, map[string]any{"a": arr{}, "b": []any{arr{}, arr{}}}, nil})
	got, err := BroadcastPrefix("vmap in_axes", Tuple{0, map[string]any{"a": nil, "b": 1}, nil}, full, true)
	if err != nil || fmt.Sprint(got) != "[0 <nil> 1 1]" {
		t.Errorf("%v %v", got, err)
	}
	for _, c := range []struct {
		prefix any
		full   any
		want   string
	}{
		{Tuple{[]any{0, 0}}, Tuple{[]any{arr{}}}, "vmap in_axes specification must be a tree prefix of the corresponding value; \n  Mismatch details (1 found):\n  pytree structure error: different lengths of list at key path\n    vmap in_axes[0]\nAt that key path, the prefix pytree vmap in_axes has a subtree of type list of length 2, but the full pytree has a subtree of the same type but of length 1."},
		{Tuple{map[string]any{"a": 0}}, Tuple{[]any{arr{}}}, "vmap in_axes specification must be a tree prefix of the corresponding value; \n  Mismatch details (1 found):\n  pytree structure error: different types at key path\n    vmap in_axes[0]\nAt that key path, the prefix pytree vmap in_axes has a subtree of type\n    <class 'dict'>\nbut at the same key path the full pytree has a subtree of different type\n    <class 'list'>."},
		{Tuple{map[string]any{"a": 0}}, Tuple{map[string]any{"b": arr{}}}, "vmap in_axes specification must be a tree prefix of the corresponding value; \n  Mismatch details (1 found):\n  pytree structure error: different pytree metadata at key path\n    vmap in_axes[0]\nAt that key path, the prefix pytree vmap in_axes has a subtree of type\n    <class 'dict'>\nwith metadata\n    ('a',)\nbut at the same key path the full pytree has a subtree of the same type but with metadata\n    ('b',)\nso the diff in the metadata at these pytree nodes is\n    - ('a',)\n    ?   ^\n\n    + ('b',)\n    ?   ^\n"},
	} {
		_, err := BroadcastPrefix("vmap in_axes", c.prefix, Structure(c.full), false)
		if err == nil || err.Error() != c.want {
			t.Errorf("got\n%v\nwant\n%s", err, c.want)
		}
	}
}

type pair struct{ a, b any }

func TestRegister(t *testing.T) {
	err := Register(pair{}, Node{
		Name:      "pair",
		Flatten:   func(v any) ([]any, any) { p := v.(pair); return []any{p.a}, p.b },
		Unflatten: func(aux any, c []any) any { return pair{c[0], aux} },
	})
	if err != nil {
		t.Fatal(err)
	}
	leaves, def := Flatten([]any{pair{1, "x"}})
	if def.String() != "PyTreeDef([CustomNode(pair['x'], [*])])" || def.Paths()[0].String() != "[0][<flat index 0>]" {
		t.Errorf("%s %v", def, def.Paths())
	}
	if got := def.Unflatten(leaves); !reflect.DeepEqual(got, []any{pair{1, "x"}}) {
		t.Errorf("rebuilt %v", got)
	}
	if Register(pair{}, Node{}) == nil {
		t.Error("a node without functions was accepted")
	}
}
