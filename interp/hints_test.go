package interp

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

var update = flag.Bool("update", false, "write testdata/hints.txt")

// TestHints: each cell of testdata/hints.txt, written by somebody who knows Python or
// Go better than this kernel, gets the hints that stand below it.
func TestHints(t *testing.T) {
	const file, mark = "testdata/hints.txt", "// hint: "
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := New(Options{})
	defer func() { in.rt.Close() }()
	var out []string
	for i, chunk := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n---\n") {
		code, _, _ := strings.Cut(chunk, "\n"+mark)
		res := in.Execute(context.Background(), language.Request{Code: code, Count: i + 1}, quiet{})
		now := code
		for _, h := range hintsOf(res.Error) {
			now += "\n" + mark + h
		}
		if out = append(out, now); now != chunk && !*update {
			t.Errorf("%s\nis now\n%s", chunk, now)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n---\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hintsOf are the lines of a compile error that stand below those which mark a place.
func hintsOf(e *language.Error) (hints []string) {
	if e == nil {
		return nil
	}
	for _, text := range e.Traceback {
		lines := strings.Split(text, "\n")
		for i := 1; i < len(lines); i++ {
			if strings.TrimLeft(lines[i-1], " ") == "^" {
				hints = append(hints, strings.TrimSpace(lines[i]))
			}
		}
	}
	return hints
}

// TestTraps: what runs but means another thing in Python is noted, and comments
// that are comments are not.
func TestTraps(t *testing.T) {
	in := New(Options{})
	defer func() { in.rt.Close() }()
	for i, c := range []struct{ code, want string }{
		{"var x, y Array\nvar z float64 = 2.5\nn := 7\ntwo := \"\"\nfunc f(x Array) Array { return x }", ""},
		{"x//2", "whole division is jnp.FloorDivide(x, 2)"},
		{"w := x//n", "whole division is jnp.FloorDivide(x, n)"},
		{"_ = f(x)//n + 1", "whole division is jnp.FloorDivide(f(x), n + 1)"},
		{"n//2", "of two ints n/2 is the whole part"},
		{"z//2  # half", "whole division is math.Floor(z/2)"},
		{"x // 2", ""},
		{"x // two", ""},
		{"x//two", ""},
		{"x //2", ""},
		{"x//2nd try", ""},
		{"x//TODO", ""},
		{"x///2", ""},
		{"two//2", ""},
		{"\"http://2\"", ""},
		{"//2", ""},
		{"x.T", "x.T is a method; x.T() calls it"},
		{"g := x.T", ""},
		{"func(h func() Array) {}(x.T)", ""},
	} {
		host := &streams{}
		in.Execute(context.Background(), language.Request{Code: c.code, Count: i + 1}, host)
		if c.want == "" && host.text != "" || !strings.Contains(host.text, c.want) {
			t.Errorf("%s: %q, not %q", c.code, host.text, c.want)
		}
	}
}

// streams is a host that keeps what is written to stderr.
type streams struct {
	quiet
	text string
}

func (s *streams) Stream(name, text string) {
	if name == "stderr" {
		s.text += text
	}
}

// TestMutatedLines: lines with letters missing, doubled or exchanged stop no search
// for a hint.
func TestMutatedLines(t *testing.T) {
	text, err := os.ReadFile("testdata/hints.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	lines := strings.Split(string(text), "\n")
	for range 2_000 {
		line := []byte(lines[r.IntN(len(lines))])
		for range 1 + r.IntN(4) {
			if len(line) == 0 {
				break
			}
			switch i, j := r.IntN(len(line)), r.IntN(len(line)); r.IntN(4) {
			case 0:
				line = append(line[:i], line[i+1:]...)
			case 1:
				line[i], line[j] = line[j], line[i]
			case 2:
				line[i] = "()[]{}:,='\"`/#*@"[r.IntN(16)]
			default:
				line = append(line[:i], append([]byte{line[i]}, line[i:]...)...)
			}
		}
		pythonHint(string(line))
	}
}
