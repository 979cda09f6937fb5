package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// typist is a host with a user who types lines.
type typist struct {
	quiet
	lines []string
}

func (t *typist) Input(ctx context.Context, _ string, _ bool) (string, error) {
	if len(t.lines) == 0 {
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
	line := t.lines[0]
	t.lines = t.lines[1:]
	return line, nil
}

func TestScan(t *testing.T) {
	in := New(Options{})
	host := &typist{lines: []string{"7 name", "8", "9"}}
	run := func(code, want string) {
		t.Helper()
		res := in.Execute(context.Background(), language.Request{Code: code, AllowStdin: true}, host)
		if res.Error != nil {
			t.Fatal(res.Error.Traceback)
		}
		if got, _ := res.Value["text/plain"].(string); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
	run("var n int\nvar s string\nfmt.Scanln(&n, &s)\nfmt.Sprint(n, s)", "7name")
	run("fmt.Scan(&n);\nfmt.Scan(&s);\nfmt.Sprint(n, s)", "89")
	host.lines = []string{"a b", "c", "d", "e f", "g h", "i"}
	run("import \"bufio\"\nr := bufio.NewReader(os.Stdin)\nline, err := r.ReadString('\\n')\nfmt.Sprintf(\"%q %v\", line, err)", `"a b\n" <nil>`)
	run("sc := bufio.NewScanner(os.Stdin)\nsc.Scan()\nsc.Text()", "c")
	run("sc.Scan()\nsc.Text()", "d")
	run("line, err = r.ReadString('\\n')\nline", "e f\n")
	run("fmt.Fscan(os.Stdin, &s);\ns", "g")
	run("fmt.Fscan(os.Stdin, &s);\ns", "h")
	run("f := os.Stdin\nsc = bufio.NewScanner(f)\nsc.Scan()\nsc.Text()", "i")
	host.lines = []string{"xyz"}
	run("b := make([]byte, 2)\nk, err := os.Stdin.Read(b)\nfmt.Sprintf(\"%q %v\", b[:k], err)", `"xy" <nil>`)
	run("k, err = f.Read(b)\nfmt.Sprintf(\"%q %v\", b[:k], err)", `"z\n" <nil>`)
}

// TestScanEnds: without a user the cell fails, and an interrupt ends the wait.
func TestScanEnds(t *testing.T) {
	in := New(Options{})
	const scan = "var n int\nfmt.Scan(&n);"
	res := in.Execute(context.Background(), language.Request{Code: scan}, quiet{})
	if res.Error == nil || res.Error.Name != "StdinNotImplementedError" {
		t.Errorf("no stdin: %+v", res.Error)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(language.ErrInterrupted)
	res = in.Execute(ctx, language.Request{Code: scan, AllowStdin: true}, &typist{})
	if res.Error == nil || res.Error.Name != "KeyboardInterrupt" {
		t.Errorf("interrupted: %+v", res.Error)
	}
	if res = in.Execute(context.Background(), language.Request{Code: "1 + 1"}, quiet{}); res.Error != nil || !strings.Contains(res.Value["text/plain"].(string), "2") {
		t.Errorf("afterwards: %+v", res)
	}
}
