package worker

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// same checks appendString against encoding/json.
func same(t *testing.T, s string) {
	t.Helper()
	want, err := encode(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := appendString(nil, s); !bytes.Equal(got, want) {
		t.Errorf("%q: got %s, want %s", s, got, want)
	}
}

func TestAppendString(t *testing.T) {
	for _, s := range []string{
		"", "a", "1234567", "12345678", "\"", "\\", "</b>&", "\x00\x1f\x20\x7f\x80\xff", "é\u2028\u2029\u2027😀", "\xed\xa0\x80",
		"\ufffd", "a\xc3", "\t\r\n\b\f\v", strings.Repeat("line\n", 100),
	} {
		for pad := range 9 {
			same(t, strings.Repeat("x", pad)+s+strings.Repeat("y", pad))
		}
	}
	for c := range 256 {
		for at := range 8 {
			b := bytes.Repeat([]byte{'.'}, 9)
			b[at] = byte(c)
			same(t, string(b))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = byte(r.Uint32())
			if r.IntN(2) == 0 {
				b[i] = "ab\"\\\n ~!#"[r.IntN(9)]
			}
		}
		same(t, string(b))
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\n\x80é\u2028")
	f.Fuzz(same)
}

// TestContents: the contents are those that encoding/json makes of the maps.
func TestContents(t *testing.T) {
	data := language.Bundle{"text/plain": "1 < 2\n", "application/json": map[string]any{"b": []int{1}, "a": "<"}, "image/png": "AAAA"}
	meta := map[string]any{"k": 1, "bad": func() {}}
	var got, want any
	decode := func(b []byte, into *any) {
		t.Helper()
		if err := json.Unmarshal(b, into); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
	}
	check := func(b []byte, m map[string]any) {
		t.Helper()
		w, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		decode(b, &got)
		decode(w, &want)
		g, _ := json.Marshal(got)
		w, _ = json.Marshal(want)
		if !bytes.Equal(g, w) {
			t.Errorf("got %s, want %s", g, w)
		}
	}
	none := map[string]any{}
	check(displayContent(data, meta, nil), map[string]any{"data": data, "metadata": map[string]any{"k": 1}, "transient": none})
	check(resultContent(3, data, nil), map[string]any{"data": data, "metadata": none, "execution_count": 3})
	check(displayContent(nil, nil, map[string]any{"display_id": "d"}), map[string]any{"data": none, "metadata": none, "transient": map[string]any{"display_id": "d"}})
}

func BenchmarkDisplayContent(b *testing.B) {
	data := language.Bundle{"text/html": strings.Repeat("<p class=\"x\">some text</p>\n", 400000)}
	b.SetBytes(int64(len(data["text/html"].(string))))
	for b.Loop() {
		displayContent(data, nil, nil)
	}
}
