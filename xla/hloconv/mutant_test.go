package hloconv_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopherlo/xla/hloconv"
	"gopherlo/xla/stablehlo"
)

var token = regexp.MustCompile(`%?[\w.#]+|[^\s\w]`)

// mutate changes one to three places of a text: a number, a word for another, a
// line gone or twice.
func mutate(r *rand.Rand, text string) string {
	for range 1 + r.IntN(3) {
		if r.IntN(4) == 0 {
			lines := strings.Split(text, "\n")
			i := r.IntN(len(lines))
			if r.IntN(2) == 0 {
				lines = slices.Delete(lines, i, i+1)
			} else {
				lines = slices.Insert(lines, i, lines[r.IntN(len(lines))])
			}
			text = strings.Join(lines, "\n")
			continue
		}
		at := token.FindAllStringIndex(text, -1)
		if len(at) == 0 {
			return text
		}
		a := at[r.IntN(len(at))]
		b := at[r.IntN(len(at))]
		with := text[b[0]:b[1]]
		if c := text[a[0]]; c >= '0' && c <= '9' {
			with = []string{"0", "1", "2", "3", "-1", "7", "4294967296", "9223372036854775807"}[r.IntN(8)]
		}
		text = text[:a[0]] + with + text[a[1]:]
	}
	return text
}

// TestMutants converts programs with a few words changed: most do not parse or
// do not pass the verifier, and none may panic or take long.
func TestMutants(t *testing.T) {
	files := unpack(t, "../stablehlo/testdata/hlo-print.tar.gz", "")
	var texts []string
	for name, text := range files {
		if strings.HasSuffix(name, ".stablehlo.mlir") && len(text) < 6000 {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	r := rand.New(rand.NewPCG(1, 2))
	parsed, converted := 0, 0
	for range rounds {
		for _, text := range texts {
			in := mutate(r, text)
			start := time.Now()
			if ok := tryConvert(t, in, &parsed); ok {
				converted++
			}
			if d := time.Since(start); d > 2*time.Second {
				t.Fatalf("takes %v:\n%s", d, in)
			}
		}
	}
	t.Logf("of %d texts, %d parse, %d convert", rounds*len(texts), parsed, converted)
}

func tryConvert(t *testing.T, text string, parsed *int) bool {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("panic: %v\n%s", p, text)
		}
	}()
	m, err := stablehlo.Parse(text)
	if err != nil {
		return false
	}
	*parsed++
	_ = m.Text()
	h, err := hloconv.Convert(m)
	if err != nil {
		return false
	}
	_ = h.String()
	return true
}
