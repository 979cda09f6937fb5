package goldencases

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gopherlo/internal/golden"
	jax "gopherlo/jaxlike"
	"gopherlo/xla/plugin"

	_ "gopherlo/xla/pjrt" // the runtime that compiles and runs the programs
)

// program is a golden case written in Go.
type program struct {
	f        any // nil when the case has probes only
	args     []any
	jit      []jax.Option
	compile  jax.CompilerOptions
	jaxpr    []jax.Option // of make_jaxpr
	variants []variant
	probes   []probe
	done     func() // undoes what making the program set
}

// variant is another function of the case whose texts and results are known.
type variant struct {
	name string
	f    any
	args []any
}

// probe is a question whose answer is known: a text, a JSON value, arrays or an
// error.
type probe struct {
	name string
	ask  func() any
}

// cases maps case numbers to programs; making one may raise the case's error.
type cases map[string]func() program

var programs = cases{}

func register(cs cases) bool {
	for id, p := range cs {
		if programs[id] != nil {
			panic("two programs for case " + id)
		}
		programs[id] = p
	}
	return true
}

// expectation is the part of case.json that is compared.
type expectation struct {
	outcome
	Variants map[string]outcome
	Probes   map[string]answer
	Process  json.RawMessage
}

type outcome struct {
	Outputs    []golden.Leaf
	OutTree    string `json:"out_tree"`
	Error      *golden.Error
	JaxprError *golden.Error `json:"jaxpr_error"`
	Warnings   []warning
}

type warning struct{ Category, Message string }

type answer struct {
	JSON    json.RawMessage
	Text    *string
	File    string
	Outputs []golden.Leaf
	Error   *golden.Error
}

func expected(t *testing.T, c *golden.Case) expectation {
	t.Helper()
	var spec struct{ Expect expectation }
	d := json.NewDecoder(strings.NewReader(c.Files["case.json"]))
	d.UseNumber()
	if err := d.Decode(&spec); err != nil {
		t.Fatal(err)
	}
	return spec.Expect
}

// TestGoldenCases runs every case as a subtest of its name. Cases that
// testdata/pending.txt names are run too: they are reported, and fail the test
// only when they pass.
func TestGoldenCases(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	pending, exempt := readPending(t), readExceptions(t)
	var passed, total int
	var failing []string
	for _, c := range golden.All(t) {
		t.Run(c.ID, func(t *testing.T) {
			total++
			problems := check(t, c, exempt)
			reason, known := pending[c.ID[:3]]
			switch {
			case len(problems) == 0 && known:
				t.Errorf("passes now: take it out of testdata/pending.txt")
				passed++
			case len(problems) == 0:
				passed++
			case known:
				failing = append(failing, c.ID+" (pending: "+reason+")")
				t.Logf("pending: %s\n%s", reason, strings.Join(problems, "\n"))
			default:
				failing = append(failing, c.ID+": "+firstLine(problems[0]))
				t.Errorf("%d problems:\n%s", len(problems), strings.Join(problems, "\n"))
			}
		})
	}
	for _, f := range failing {
		t.Log("not passed: " + f)
	}
	fmt.Fprintf(os.Stdout, "goldencases: %d of %d cases pass\n", passed, total)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// readPending reads the cases that do not pass yet: a number and a reason.
func readPending(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/pending.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		id, reason, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && !strings.HasPrefix(line, "#") {
			out[id] = reason
		}
	}
	return out
}

// readExceptions reads the table of docs/exceptions.md: | case | probe | reason |.
func readExceptions(t *testing.T) map[string]bool {
	t.Helper()
	data, err := os.ReadFile("../../docs/exceptions.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			continue
		}
		id, name := strings.TrimSpace(cells[1]), strings.Trim(cells[2], " `")
		if len(id) == 3 && id[0] >= '0' && id[0] <= '9' {
			if strings.TrimSpace(cells[3]) == "" {
				t.Errorf("docs/exceptions.md: %s %s has no reason", id, name)
			}
			out[id+" "+name] = true
		}
	}
	return out
}

// checker compares one case.
type checker struct {
	t        *testing.T
	c        *golden.Case
	problems []string
	other    []string // optimised programs that differ: lines of other_xla.txt
}

func (k *checker) failf(format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf(format, args...))
}

// check gives what is wrong with a case, nothing when it passes.
func check(t *testing.T, c *golden.Case, exempt map[string]bool) []string {
	k := &checker{t: t, c: c}
	id := c.ID[:3]
	defer func() {
		if os.Getenv("GOLDENCASES_UPDATE") != "" && len(k.problems) == len(k.other) {
			appendLines(t, otherXLAFile, k.other)
		}
	}()
	build := programs[id]
	if build == nil {
		return []string{"there is no Go program for it"}
	}
	want := expected(t, c)
	if want.Process != nil {
		k.process(id, want.Process)
		return k.problems
	}
	var p program
	if err := raised(func() { p = build() }); err != nil {
		k.error("", want.Error, err, "define")
		return k.problems
	}
	if p.done != nil {
		defer p.done()
	}
	if p.f != nil {
		k.run("", variant{f: p.f, args: p.args}, p, want.outcome)
	} else if want.Outputs != nil || want.Error != nil {
		k.failf("the program has no function")
	}
	k.variants(p, want)
	k.probes(id, p, want, exempt)
	return k.problems
}

func (k *checker) variants(p program, want expectation) {
	for _, v := range p.variants {
		w, ok := want.Variants[v.name]
		if !ok {
			k.failf("there is no variant %s", v.name)
			continue
		}
		k.run(v.name+".", v, program{}, w)
		delete(want.Variants, v.name)
	}
	for name := range want.Variants {
		k.failf("variant %s is missing", name)
	}
}

func (k *checker) probes(id string, p program, want expectation, exempt map[string]bool) {
	for _, q := range p.probes {
		a, ok := want.Probes[q.name]
		if !ok {
			k.failf("there is no probe %s", q.name)
			continue
		}
		if exempt[id+" "+q.name] {
			k.failf("probe %s is exempt, but the program has it", q.name)
		}
		k.probe(q, a)
		delete(want.Probes, q.name)
	}
	var missing []string
	for name := range want.Probes {
		if !exempt[id+" "+name] {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	for _, name := range missing {
		k.failf("probe %s is missing", name)
	}
}

// raised gives what body panics with, as JAX's error where it is one.
func raised(body func()) (err *jax.Error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *jax.Error:
			err = r
		case runtime.Error:
			err = languageError(r)
		case error:
			err = &jax.Error{Name: fmt.Sprintf("%T", r), Message: r.Error()}
		default:
			err = &jax.Error{Name: "panic", Message: fmt.Sprint(r)}
		}
	}()
	body()
	return nil
}

// languageError translates panics that are Go's own, as Python has its own.
func languageError(r runtime.Error) *jax.Error {
	if r.Error() == "runtime error: integer divide by zero" {
		return &jax.Error{Name: "ZeroDivisionError", Message: "integer division or modulo by zero"}
	}
	var stack [1 << 14]byte
	return &jax.Error{Name: "Go panic", Message: r.Error() + "\n" + string(stack[:runtime.Stack(stack[:], false)])}
}
