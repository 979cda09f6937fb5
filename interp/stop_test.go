package interp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// waitingTests are cells that wait outside of Go code, each with what must hold
// after the interrupt.
var waitingTests = []struct{ code, after string }{
	{`exec.Command("sleep", "60").Run()`, ""},
	{`c := exec.Command("sleep", "60")
c.Start()
c.Wait()`, "func() bool { for range 500 { if c.Process.Signal(os.Interrupt) != nil { return true }; time.Sleep(20 * time.Millisecond) }; return false }()"},
	{`exec.Command("sleep", "60").Output()`, ""},
	{`exec.Command("sh", "-c", "sleep 60 | cat").CombinedOutput()`, ""},
	{`ln, _ := net.Listen("tcp", "127.0.0.1:0")
ln.Accept()`, `func() bool { go net.Dial("tcp", ln.Addr().String()); c, err := ln.Accept(); return c != nil && err == nil }()`},
	{`r, w := io.Pipe()
r.Read(make([]byte, 1))`, ""},
	{`pr, pw, _ := os.Pipe()
pr.Read(make([]byte, 1))`, `func() bool { pw.Write([]byte("a")); b := make([]byte, 1); n, err := pr.Read(b); return n == 1 && b[0] == 'a' && err == nil }()`},
	{`sr, sw, _ := os.Pipe()
sc := bufio.NewScanner(sr)
for sc.Scan() {
	fmt.Println(sc.Text())
}`, ""},
	{`ar, aw, _ := os.Pipe()
io.ReadAll(ar)`, ""},
	{`br, bw, _ := os.Pipe()
b := bufio.NewReader(br)
line, err := b.ReadString('\n')`, `func() bool { bw.Write([]byte("hi\n")); s, err := b.ReadString('\n'); return s == "hi\n" && err == nil }()`},
	{`srv, _ := net.Listen("tcp", "127.0.0.1:0")
resp, err := http.Get("http://" + srv.Addr().String())`, ""},
	{`dl, _ := net.Listen("tcp", "127.0.0.1:0")
var conn net.Conn
conn, _ = net.Dial("tcp", dl.Addr().String())
conn.Read(make([]byte, 1))`, ""},
	{`fl, _ := net.Listen("tcp", "127.0.0.1:0")
fc, _ := net.Dial("tcp", fl.Addr().String())
fs, _ := fl.Accept()
io.ReadFull(fc, make([]byte, 4))`, `func() bool { fs.Write([]byte("abcd")); b := make([]byte, 4); n, err := io.ReadFull(fc, b); return n == 4 && string(b) == "abcd" && err == nil }()`},
	{`kl, _ := net.Listen("tcp", "127.0.0.1:0")
kc, _ := net.Dial("tcp", kl.Addr().String())
io.ReadAtLeast(bufio.NewReader(kc), make([]byte, 4), 2)`, ""},
	{`gl, _ := net.Listen("tcp", "127.0.0.1:0")
gc, _ := net.Dial("tcp", gl.Addr().String())
var word string
fmt.Fscan(gc, &word)`, ""},
	{`wl, _ := net.Listen("tcp", "127.0.0.1:0")
wc, _ := net.Dial("tcp", wl.Addr().String())
io.WriteString(wc, strings.Repeat("x", 64<<20))`, ""},
	{`vl, _ := net.Listen("tcp", "127.0.0.1:0")
vc, _ := net.Dial("tcp", vl.Addr().String())
bw := bufio.NewWriterSize(vc, 64<<20)
bw.WriteString(strings.Repeat("x", 60<<20))
bw.Flush()`, ""},
	{`import "crypto/tls"
tl, _ := net.Listen("tcp", "127.0.0.1:0")
tls.Dial("tcp", tl.Addr().String(), &tls.Config{InsecureSkipVerify: true})`, ""},
	{`ul, _ := net.Listen("tcp", "127.0.0.1:0")
uc, _ := net.Dial("tcp", ul.Addr().String())
tls.Client(uc, &tls.Config{InsecureSkipVerify: true}).Handshake()`, ""},
	{`ol, _ := net.Listen("tcp", "127.0.0.1:0")
oc, _ := net.Dial("tcp", ol.Addr().String())
tls.Client(oc, &tls.Config{InsecureSkipVerify: true}).Read(make([]byte, 1))`, ""},
	{`import crand "crypto/rand"
io.Copy(io.Discard, crand.Reader)`, ""},
	{`http.ListenAndServe("127.0.0.1:0", nil)`, ""},
	{`ctx, cancel := context.WithCancel(context.Background())
_ = cancel
<-ctx.Done()`, "ctx.Err() == nil"},
	{`cr, cw, _ := os.Pipe()
var v any
json.NewDecoder(cr).Decode(&v)`, ""},
}

// TestInterruptedWaits interrupts cells that wait for processes, sockets and
// pipes.
func TestInterruptedWaits(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	run := func(ctx context.Context, code string) language.Result {
		return in.Execute(ctx, language.Request{Code: code}, &recorder{})
	}
	for _, test := range waitingTests {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		began := time.Now()
		res := run(ctx, test.code)
		cancel()
		if res.Error == nil || res.Error.Name != "KeyboardInterrupt" {
			t.Errorf("%s\ngot %+v", test.code, res.Error)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%s\ntook %v", test.code, took)
		}
		if test.after == "" {
			continue
		}
		if res = run(context.Background(), test.after); res.Error != nil || res.Value["text/plain"] != "true" {
			t.Errorf("%s\nthen %s\ngives %v, %+v", test.code, test.after, res.Value, res.Error)
		}
	}
}

// TestInterruptedTree: what a stopped process has started ends too.
func TestInterruptedTree(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	for i, code := range []string{
		`exec.Command("sh", "-c", "echo $$ > FILE; sleep 1000; true").Run()`,
		`exec.Command("sh", "-c", "(echo $$ > FILE; sleep 1000; true) & wait").CombinedOutput()`,
		"!trap '' INT TERM; echo $$ > FILE; sleep 1000; sleep 1000",
		"!sh -c 'sleep 1000; true' & echo $! > FILE; sleep 1000",
	} {
		file := filepath.Join(t.TempDir(), strconv.Itoa(i))
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		res := in.Execute(ctx, language.Request{Code: strings.ReplaceAll(code, "FILE", file)}, &recorder{})
		cancel()
		if res.Error == nil || res.Error.Name != "KeyboardInterrupt" {
			t.Errorf("%s\ngot %+v", code, res.Error)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if text, err = exec.Command("pgrep", "-P", strings.TrimSpace(string(text))).Output(); err != nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if err == nil {
			t.Errorf("%s\nleaves %s", code, text)
		}
	}
}

// TestWaitsThatEnd: the same calls without an interrupt.
func TestWaitsThatEnd(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	for code, want := range map[string]string{
		`out, err := exec.Command("echo", "hi").Output()
fmt.Sprint(string(out), err)`: "hi\n<nil>",
		`_, err := exec.Command("sh", "-c", "echo no >&2; exit 3").Output()
string(err.(*exec.ExitError).Stderr) + err.Error()`: "no\nexit status 3",
		`both, _ := exec.Command("sh", "-c", "echo a; echo b >&2").CombinedOutput()
string(both)`: "a\nb\n",
		`data, err := io.ReadAll(strings.NewReader("abc"))
string(data)`: "abc",
		`s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello") }))
resp, _ := http.Get(s.URL)
page, _ := io.ReadAll(resp.Body)
s.Close()
string(page)`: "hello",
		`text := ""
words := bufio.NewScanner(strings.NewReader("a b\nc"))
for words.Scan() {
	text += words.Text() + "|"
}
text`: "a b|c|",
		`var n struct{ A int }
json.NewDecoder(strings.NewReader("{\"A\": 3}")).Decode(&n)
n.A`: "3",
		`var w io.Writer = &strings.Builder{}
w.Write([]byte("ab"))`: "",
	} {
		res := in.Execute(context.Background(), language.Request{Code: code}, &recorder{})
		if res.Error != nil {
			t.Errorf("%s\n%v", code, res.Error.Traceback)
		} else if got := res.Value["text/plain"]; want != "" && got != want {
			t.Errorf("%s\ngives %q, want %q", code, got, want)
		}
	}
}

// TestNilErrors: a call made for its effect shows nothing when it went well.
func TestNilErrors(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	for code, want := range map[string]string{
		`os.Setenv("GOPHERLO_TEST_NIL", "1")`:                     "",
		`os.Chdir("/does/not/exist")`:                             "chdir /does/not/exist: no such file or directory",
		"var e error\ne":                                          "<nil>",
		"func ok() error { return nil }\nok()":                    "",
		"func two() (int, error) { return 1, nil }\ntwo()":        "1 <nil>",
		"func p() *int { return nil }\np()":                       "<nil>",
		"func bad() error { return errors.New(\"no\") }\n(bad())": "no",
	} {
		res := in.Execute(context.Background(), language.Request{Code: code}, &recorder{})
		got, _ := res.Value["text/plain"].(string)
		if res.Error != nil || got != want {
			t.Errorf("%s: shows %q, want %q; %+v", code, got, want, res.Error)
		}
	}
}

// TestBusyFunc: what a cell waits for in compiled code has a name.
func TestBusyFunc(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	for code, want := range map[string]string{
		"import \"math/big\"\nnew(big.Int).Exp(big.NewInt(3), big.NewInt(6000000), nil).BitLen()": "func math/big.(*Int).Exp",
		"sort.Ints(rand.Perm(8000000))":    "func sort.Ints",
		"n := 0\nfor range 300000 { n++ }": "",
	} {
		done := make(chan language.Result, 1)
		go func() { done <- in.Execute(context.Background(), language.Request{Code: code}, &recorder{}) }()
		seen := map[string]bool{}
		for running := true; running; {
			select {
			case res := <-done:
				if running = false; res.Error != nil {
					t.Error(res.Error.Traceback)
				}
			case <-time.After(5 * time.Millisecond):
				seen[in.Busy()] = true
			}
		}
		if want != "" && !seen[want] {
			t.Errorf("%s\nis busy with %v, want %s", code, seen, want)
		}
		for text := range seen {
			if want == "" && text != "" {
				t.Errorf("%s\nis busy with %v", code, seen)
			}
		}
	}
}

// TestPanicsOfPanics: a panic value whose own method panics, or whose text is
// long, ends its cell as any other.
func TestPanicsOfPanics(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	for _, test := range []struct{ code, want string }{
		{"type E struct{}\nfunc (E) Error() string { panic(\"in Error\") }\npanic(E{})", "panic while printing panic value: main.E: in Error"},
		{"type S struct{}\nfunc (S) String() string { panic(\"in String\") }\ngo panic(S{})\ntime.Sleep(50 * time.Millisecond)\n" + `panic("on")`, "on"},
		{`panic(strings.Repeat("y", 50<<20))`, strings.Repeat("y", 64<<10) + "... (52428800 bytes)"},
		{"x := new(int)\nruntime.SetFinalizer(x, func(x *int) { panic(1) })\ntype T struct{ A int }\nruntime.SetFinalizer(&T{}, func(x *T) { panic(1) })\nx = nil\nruntime.GC()\nruntime.GC()\n" + `panic("on")`, "on"},
	} {
		began := time.Now()
		res := in.Execute(context.Background(), language.Request{Code: test.code}, &recorder{})
		if res.Error == nil || res.Error.Value != test.want {
			t.Errorf("%s\ngives %.300v", test.code, res.Error)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s\ntook %v", test.code, took)
		}
	}
}
