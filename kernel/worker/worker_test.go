package worker

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestFrames(t *testing.T) {
	r, w := io.Pipe()
	s := newSender(w)
	big := bytes.Repeat([]byte("x"), 3*chunkSize+17)
	go func() {
		_ = s.send(KindStdout, 1, []byte("a"))
		_ = s.send(KindDisplay, 2, big)
		_ = s.send(KindCommOpen, -3, []byte("{}"), nil, big, []byte{0})
		_ = s.send(KindReady, 0)
		_ = w.Close()
	}()
	in := newReceiver(r)
	for _, want := range []message{
		{kind: KindStdout, cell: 1, parts: [][]byte{[]byte("a")}},
		{kind: KindDisplay, cell: 2, parts: [][]byte{big}},
		{kind: KindCommOpen, cell: -3, parts: [][]byte{[]byte("{}"), {}, big, {0}}},
		{kind: KindReady, parts: [][]byte{{}}},
	} {
		m, err := in.next()
		if err != nil {
			t.Fatal(err)
		}
		if m.kind != want.kind || m.cell != want.cell || len(m.parts) != len(want.parts) {
			t.Fatalf("kind %d cell %d with %d parts", m.kind, m.cell, len(m.parts))
		}
		for i := range m.parts {
			if !bytes.Equal(m.parts[i], want.parts[i]) {
				t.Errorf("kind %d: part %d differs", m.kind, i)
			}
		}
	}
	if _, err := in.next(); err != io.EOF {
		t.Errorf("end: %v", err)
	}
}

// askingReader wants an answer once the beginning of a long message has come, and
// reads on when the answer has its lane: then it is the next to be written or,
// at the worst, some frames later.
type askingReader struct {
	io.Reader
	s    *sender
	left int // to be read before
}

func (a *askingReader) Read(b []byte) (int, error) {
	n, err := a.Reader.Read(b)
	if a.left < 0 {
		return n, err
	}
	if a.left -= n; a.left < 0 {
		go func() { _ = a.s.send(KindAnswer, -1, []byte("{}")) }()
		for len(a.s.lanes[KindAnswer.lane()]) == 0 {
			runtime.Gosched()
		}
		time.Sleep(10 * time.Millisecond) // from the lane to the lock
	}
	return n, err
}

// TestAnswersPass: an answer does not wait for a long output, and the outputs
// keep their order.
func TestAnswersPass(t *testing.T) {
	r, w := io.Pipe()
	s := newSender(w)
	go func() {
		_ = s.send(KindDisplay, 1, make([]byte, 40*chunkSize))
		_ = s.send(KindStdout, 1, []byte("after"))
		_ = w.Close()
	}()
	in := newReceiver(&askingReader{r, s, 2 * chunkSize})
	var order []Kind
	for {
		m, err := in.next()
		if err != nil {
			break
		}
		order = append(order, m.kind)
	}
	if len(order) != 3 || order[0] != KindAnswer || order[1] != KindDisplay || order[2] != KindStdout {
		t.Errorf("order %v, want answer, display, stdout", order)
	}
}

func TestMalformedFrames(t *testing.T) {
	for name, b := range map[string][]byte{
		"length": {byte(KindStdout), 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0},
		"parts":  append([]byte{byte(KindCommMsg), flagParts, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 255, 255, 255, 255),
		"cut":    {byte(KindStdout), 0, 0, 0, 9},
	} {
		if _, err := newReceiver(bytes.NewReader(b)).next(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// nativeText runs text through the reader of descriptor 2, piece by piece.
func nativeText(t *testing.T, pieces ...string) (shown string, n *native) {
	t.Helper()
	r1, w1, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = w1.Close(), w2.Close() })
	var mu sync.Mutex
	n = newNative(r1, r2)
	n.run(func(_ string, text []byte) {
		mu.Lock()
		defer mu.Unlock()
		shown += string(text)
	})
	written := 0
	for _, p := range pieces {
		if _, err := w2.WriteString(p); err != nil {
			t.Fatal(err)
		}
		written += len(p)
		for taken := 0; taken < written; runtime.Gosched() { // one piece after the other
			n.mu.Lock()
			taken = len(n.tail)
			n.mu.Unlock()
		}
	}
	mu.Lock()
	defer mu.Unlock()
	return shown, n
}

func TestCause(t *testing.T) {
	for _, c := range []struct {
		pieces       []string
		shown, cause string
	}{
		{[]string{"hello\n"}, "hello\n", ""},
		{[]string{"warning: SIG\n"}, "warning: SIG\n", ""},
		{[]string{"a\nSIGSEGV: segmentation violation\nPC=1\n"}, "a\n", "SIGSEGV: segmentation violation"},
		{[]string{"a\n", "fatal error", ": stack overflow", "\n\ngoroutine"}, "a\n", "fatal error: stack overflow"},
		{[]string{"run", "time: goroutine stack exceeds 26", "8-byte limit\nx"}, "", "runtime: goroutine stack exceeds 268-byte limit"},
		{[]string{"runtime test\n"}, "runtime test\n", ""},
		{[]string{"F1129 10:00:00.0 1 x.cc:1] Check failed\n*** stack\n"}, "", "F1129 10:00:00.0 1 x.cc:1] Check failed"},
		{[]string{"F12 is a key\n", "Fine\n"}, "F12 is a key\nFine\n", ""},
		{[]string{"progress 1%\r", "progress 2%\r"}, "progress 1%\rprogress 2%\r", ""},
	} {
		shown, n := nativeText(t, c.pieces...)
		cause, _ := n.last()
		if shown != c.shown || cause != c.cause {
			t.Errorf("%q: shown %q, cause %q; want %q, %q", c.pieces, shown, cause, c.shown, c.cause)
		}
	}
}

// TestHeldBack: what looked like last words is shown when the process goes on.
func TestHeldBack(t *testing.T) {
	shown := ""
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	n := newNative(r, r)
	n.emit = func(_ string, text []byte) { shown += string(text) }
	n.take(1, []byte("panic: not mine\nmore\npani"))
	if shown != "" {
		t.Fatalf("shown at once: %q", shown)
	}
	n.drain(false)
	n.take(1, []byte("c attack\n"))
	if want := "panic: not mine\nmore\npanic attack\n"; shown != want {
		t.Errorf("shown %q, want %q", shown, want)
	}
	_, _ = w.Close(), r.Close()
}

func TestTail(t *testing.T) {
	d := linesFrom(strings.Repeat("x\n", 10)+"panic: a\n\ngoroutine 1\n"+strings.Repeat("y\n", 50), "panic: a")
	if len(d) != deathLines || d[0] != "goroutine 1" {
		t.Errorf("lines after the cause: %q", d)
	}
}

// countedWriter notes each write.
type countedWriter struct {
	mu     sync.Mutex
	writes int
	b      bytes.Buffer
}

func (c *countedWriter) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	return c.b.Write(b)
}

// TestFlood: a flood of text takes few writes and keeps its order and the
// order towards other messages; a few lines are written at once.
func TestFlood(t *testing.T) {
	w := &countedWriter{}
	s := newSender(w)
	s.tokens, s.filled = 3, time.Now().Add(time.Hour) // no refill
	want := ""
	for i := range 10_000 {
		kind, name := KindStdout, "o"
		if i%1000 == 999 {
			kind, name = KindStderr, "e"
		}
		line := fmt.Sprintf("%s%d\n", name, i)
		want += line
		if err := s.send(kind, 7, []byte(line)); err != nil {
			t.Fatal(err)
		}
		if i == 2 && w.writes != 3 {
			t.Errorf("%d of the first 3 lines were written at once", w.writes)
		}
		if i == 5000 {
			want += "[display]"
			_ = s.send(KindDisplay, 7, []byte("[display]"))
		}
	}
	_ = s.send(KindDone, 7)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writes > 1000 {
		t.Errorf("%d writes", w.writes)
	}
	got, r := "", newReceiver(&w.b)
	for {
		m, err := r.next()
		if err != nil {
			t.Fatal(err)
		}
		if m.kind == KindDone {
			break
		}
		got += string(m.content())
	}
	if got != want {
		t.Error("the text came in another order")
	}
}

// TestFloodEnds: the last of a flood is written although nothing follows.
func TestFloodEnds(t *testing.T) {
	w := &countedWriter{}
	s := newSender(w)
	s.filled = time.Now().Add(time.Hour)
	_ = s.send(KindStdout, 7, []byte("last\n"))
	written := func() string {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.b.String()
	}
	for end := time.Now().Add(20 * time.Second); written() == "" && time.Now().Before(end); {
		time.Sleep(textPause)
	}
	if !strings.HasSuffix(written(), "last\n") {
		t.Errorf("written: %q", written())
	}
}

func TestResidentPages(t *testing.T) {
	for statm, want := range map[string]int64{"": 0, "12": 0, "12 34 5 6 0 7 0\n": 34, "1 2\n": 2} {
		if got := residentPages([]byte(statm)); got != want {
			t.Errorf("%q: %d pages, want %d", statm, got, want)
		}
	}
}

// TestApart: a callback that ends its goroutine ends no more than that.
func TestApart(t *testing.T) {
	apart(runtime.Goexit)
	defer func() {
		if p := recover(); p != "on" {
			t.Errorf("panic %v", p)
		}
	}()
	apart(func() { panic("on") })
}
