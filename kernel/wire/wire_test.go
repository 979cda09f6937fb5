package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func frames(t *testing.T, c *Codec, m *Message) [][]byte {
	t.Helper()
	f, err := c.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func sample(t *testing.T) *Message {
	t.Helper()
	m, err := NewOrigin("u").Message("execute_request", json.RawMessage(`{"msg_id":"p"}`), map[string]any{"code": "a < b & é"})
	if err != nil {
		t.Fatal(err)
	}
	m.Identities = [][]byte{[]byte("route")}
	m.Buffers = [][]byte{{0, 255}, {}}
	return m
}

func TestRoundTrip(t *testing.T) {
	m := sample(t)
	got, err := NewCodec([]byte("k")).Decode(frames(t, NewCodec([]byte("k")), m))
	if err != nil {
		t.Fatal(err)
	}
	if got.Header != m.Header || got.ParentID() != "p" || string(got.Content) != string(m.Content) ||
		len(got.Buffers) != 2 || string(got.Identities[0]) != "route" || string(got.Metadata) != "{}" {
		t.Errorf("decoded %+v from %+v", got, m)
	}
	if strings.Contains(string(m.Content), `\u003c`) {
		t.Errorf("content is escaped for HTML: %s", m.Content)
	}
}

// TestKnownSignature compares with the signature that Python's hmac gives for
// the same parts.
func TestKnownSignature(t *testing.T) {
	c := NewCodec([]byte("a-key"))
	sum := c.digest([][]byte{[]byte(`{"a":1}`), []byte("{}"), []byte("{}"), []byte(`{"b":2}`)})
	const want = "1604f0f51389304da8deb86bbdc74d6a7bf9ca6e3fec5edbab90155d2efa5bb3"
	if got := fmt.Sprintf("%x", sum); got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

func TestRefused(t *testing.T) {
	key := []byte("k")
	for name, c := range map[string]struct {
		change func([][]byte) [][]byte
		want   error
	}{
		"no delimiter":    {func(f [][]byte) [][]byte { return f[2:] }, ErrDelimiter},
		"nothing":         {func([][]byte) [][]byte { return nil }, ErrDelimiter},
		"no signature":    {func(f [][]byte) [][]byte { f[2] = nil; return f }, ErrSignature},
		"wrong signature": {func(f [][]byte) [][]byte { f[2] = bytes.Repeat([]byte("0"), 64); return f }, ErrSignature},
		"no hex":          {func(f [][]byte) [][]byte { f[2] = bytes.Repeat([]byte("z"), 64); return f }, ErrSignature},
		"short":           {func(f [][]byte) [][]byte { return f[:6] }, ErrShort},
		"changed content": {func(f [][]byte) [][]byte { f[6] = []byte(`{"code":"rm"}`); return f }, ErrSignature},
	} {
		t.Run(name, func(t *testing.T) {
			f := c.change(frames(t, NewCodec(key), sample(t)))
			if _, err := NewCodec(key).Decode(f); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
}

func TestOtherKey(t *testing.T) {
	if _, err := NewCodec([]byte("b")).Decode(frames(t, NewCodec([]byte("a")), sample(t))); !errors.Is(err, ErrSignature) {
		t.Errorf("error %v", err)
	}
}

func TestReplay(t *testing.T) {
	c := NewCodec([]byte("k"))
	f := frames(t, c, sample(t))
	if _, err := c.Decode(f); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Decode(f); !errors.Is(err, ErrReplay) {
		t.Errorf("second time: %v", err)
	}
}

// TestForgedNotRemembered: a message with a wrong signature must not make the
// right one look like a replay.
func TestForgedNotRemembered(t *testing.T) {
	c := NewCodec([]byte("k"))
	f := frames(t, c, sample(t))
	forged := append([][]byte(nil), f...)
	forged[6] = []byte("{}")
	_, _ = c.Decode(forged)
	if _, err := c.Decode(f); err != nil {
		t.Errorf("right message after a forged one: %v", err)
	}
}

func TestReplayMemoryIsBounded(t *testing.T) {
	c := NewCodec([]byte("k"))
	for i := range historySize + 100 {
		part := []byte(fmt.Sprint(i))
		sum := c.digest([][]byte{part})
		if err := c.check(fmt.Appendf(nil, "%x", sum), [][]byte{part}); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.seen) != historySize || len(c.ring) != historySize {
		t.Errorf("%d signatures kept, want %d", len(c.seen), historySize)
	}
}

func TestBadParts(t *testing.T) {
	c := NewCodec(nil)
	good := `{"msg_id":"a","msg_type":"b"}`
	for name, parts := range map[string][4]string{
		"header no JSON":   {"x", "{}", "{}", "{}"},
		"header a list":    {"[]", "{}", "{}", "{}"},
		"header a number":  {"3", "{}", "{}", "{}"},
		"no type":          {`{"msg_id":"a"}`, "{}", "{}", "{}"},
		"no id":            {`{"msg_type":"a"}`, "{}", "{}", "{}"},
		"type a number":    {`{"msg_id":"a","msg_type":3}`, "{}", "{}", "{}"},
		"content no JSON":  {good, "{}", "{}", "{"},
		"parent no JSON":   {good, "", "{}", "{}"},
		"metadata no JSON": {good, "{}", "nope", "{}"},
		"no UTF-8":         {good, "{}", "{}", "\"\xff\""},
		"deep":             {good, "{}", "{}", strings.Repeat("[", 1_000_000)},
		"deep and closed":  {good, "{}", "{}", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)},
	} {
		t.Run(name, func(t *testing.T) {
			f := [][]byte{delimiter, nil}
			for _, p := range parts {
				f = append(f, []byte(p))
			}
			if m, err := c.Decode(f); err == nil {
				t.Errorf("accepted: %+v", m.Header)
			}
		})
	}
}

func TestReplyNames(t *testing.T) {
	for got, want := range map[string]string{
		Execute.ReplyName(): "execute_reply", KernelInfo.ReplyName(): "kernel_info_reply", CommInfo.ReplyName(): "comm_info_reply",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("a"), []byte("{}"), []byte("{}"))
	f.Fuzz(func(_ *testing.T, a, b, c []byte) {
		_, _ = NewCodec(nil).Decode([][]byte{a, delimiter, nil, b, c, a, b, c})
		_, _ = NewCodec([]byte("k")).Decode([][]byte{delimiter, a, b, c, a, b})
	})
}
