package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// journalHost is a host with a journal.
type journalHost struct {
	recorder
	cells []language.Past
}

func (j *journalHost) Journal(context.Context) ([]language.Past, error) { return j.cells, nil }
func (j *journalHost) Forget()                                          { j.cells = nil }
func (j *journalHost) AutoReplay(bool)                                  {}

// lost runs cells in a session, then replays them in a fresh one and gives what
// an expression is worth there and what the replay printed.
func lost(t *testing.T, cells []string, expr string) (value, printed string) {
	t.Helper()
	t.Setenv(SessionDir, t.TempDir())
	host := &journalHost{}
	run := func(in *Interp, code string) language.Result {
		t.Helper()
		res := in.Execute(context.Background(), language.Request{Code: code}, host)
		if res.Error != nil {
			t.Fatalf("%s:\n%s", code, strings.Join(res.Error.Traceback, "\n"))
		}
		return res
	}
	first := New(Options{})
	defer first.rt.Close()
	for _, code := range cells {
		run(first, code)
		host.cells = append(host.cells, language.Past{Code: code})
	}
	want, _ := run(first, expr).Value["text/plain"].(string)
	second := New(Options{})
	defer second.rt.Close()
	host.stdout.Reset()
	run(second, "%replay")
	got, _ := run(second, expr).Value["text/plain"].(string)
	if got != want {
		t.Errorf("%s is %s, was %s", expr, got, want)
	}
	return got, host.stdout.String()
}

// TestCheckpointValues saves and restores values of many types.
func TestCheckpointValues(t *testing.T) {
	const types = "type Layer struct { W Array; b []float32; N int }\ntype Net struct { Layers []Layer; By map[string]*Layer; name string; opt *int; pair [2]bool; c complex64 }"
	for _, c := range []struct{ name, make, expr string }{
		{"struct", "x := Net{Layers: []Layer{{b: []float32{1, 2.5}, N: 3}, {N: 4}}, By: map[string]*Layer{\"a\": {N: 7}, \"b\": nil}, name: \"é\\\"\\n\", pair: [2]bool{true, false}, c: 2 + 1i}", "fmt.Sprint(x.Layers[0].b, x.Layers[0].N, x.Layers[1].b == nil, x.By[\"a\"].N, x.By[\"b\"] == nil, x.name, x.opt == nil, x.pair, x.c)"},
		{"numbers", "x := []float64{1, 2, 1e300}", "fmt.Sprint(x, len(x))"},
		{"empty", "x := []int{}", "fmt.Sprint(x != nil, len(x))"},
		{"nil slice", "var x []int", "x == nil"},
		{"strings", "x := map[string][]string{\"k\": {\"a\", \"b\\x00\"}}", "fmt.Sprintf(\"%q\", x)"},
		{"keys", "type K struct{ a, b int }\nx := map[K]int{{1, 2}: 3}", "x[K{1, 2}]"},
		{"pointer", "n := 5\nx := &n", "*x"},
		{"named", "type Day int\nfunc (d Day) String() string { return \"day\" }\nx := []Day{1, 2}", "fmt.Sprint(x, int(x[1]))"},
		{"int64", "x := int64(-1 << 63)", "x"},
		{"uint64", "x := ^uint64(0)", "x"},
		{"float32", "x := float32(0.1)", "x"},
		{"duration", "x := 3*time.Second", "x"},
		{"nested", "x := [][]int{{1}, nil, {2, 3}}", "fmt.Sprintf(\"%#v\", x)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, printed := lost(t, []string{types, c.make, "%checkpoint x"}, c.expr)
			if strings.Contains(c.make, "type ") || strings.Contains(c.make, "&") {
				return // such a cell always runs
			}
			if !strings.Contains(printed, "1 more") {
				t.Errorf("the cell ran again: %q", printed)
			}
		})
	}
}

// TestCheckpointArrays saves trees of Arrays.
func TestCheckpointArrays(t *testing.T) {
	needsPlugin(t)
	got, printed := lost(t, []string{
		"type Params struct { W, B Array; Moments map[string]Array; Step int }",
		"p := Params{W: jnp.Arange(6.).Reshape(2, 3), B: jnp.Array(2.), Moments: map[string]Array{\"m\": jnp.Ones(2)}, Step: 3}",
		"%checkpoint p",
		"s := p.W.Sum() + p.B",
	}, "fmt.Sprint(s, p.W, p.B.WeakType(), p.Moments[\"m\"], p.Step)")
	if !strings.Contains(got, "17") || !strings.Contains(printed, "1 more") {
		t.Errorf("%s; %s", got, printed)
	}
}

// TestCheckpointRefusals: what cannot be saved says where it is.
func TestCheckpointRefusals(t *testing.T) {
	t.Setenv(SessionDir, t.TempDir())
	in := New(Options{})
	defer in.rt.Close()
	for _, c := range [][2]string{
		{"type A struct { F []func() }\nx := A{F: []func(){nil, func() {}}}", ".F[1]: a func cannot be saved"},
		{"x := make(chan int)", "a channel cannot be saved"},
		{"x := map[string]any{\"a\": 1}", "[a]: a value in an interface cannot be saved"},
		{"type N struct { next *N }\nx := &N{}\nx.next = x", "it refers to itself"},
		{"x := time.Now()", "values of type time.Time cannot be saved"},
	} {
		for _, code := range []string{c[0], "%checkpoint x"} {
			res := in.Execute(context.Background(), language.Request{Code: code}, &recorder{})
			if code == c[0] {
				if res.Error != nil {
					t.Fatal(res.Error.Traceback)
				}
				continue
			}
			if res.Error == nil || !strings.Contains(res.Error.Value, c[1]) {
				t.Errorf("%s: %+v", c[0], res.Error)
			}
		}
	}
}
