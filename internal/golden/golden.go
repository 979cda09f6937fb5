// Package golden gives tests the programs that JAX 0.12.0.1 ran, with the texts,
// values and errors that it gave for them. Start with [Get]:
//
//	c := golden.Get(t, "082")
//	c.Equal(t, "lowered.hlo.txt", f.Lower(0.5, 2.0).AsText("hlo"))
//
// The cases are packed in testdata. With GOPHERLO_GOLDEN set to a folder, the
// cases in its subfolder "cases" are added and win over packed ones.
package golden

import (
	"archive/zip"
	"bytes"
	_ "embed" // for the packed cases
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// EnvDir names the variable with a folder of more cases.
const EnvDir = "GOPHERLO_GOLDEN"

//go:embed testdata/cases.zip
var packed []byte

// Case is one program and what JAX gave for it.
type Case struct {
	// ID is the folder's name, such as "082-meta-string".
	ID string
	// Files maps file names to their text: "program.py", "jaxpr.txt",
	// "lowered.hlo.txt", "grad.lowered.hlo.txt" for the variant "grad", …
	Files map[string]string
	Spec
}

// Spec is the content of case.json.
type Spec struct {
	Title, Topic string
	API          []string
	Args         []Leaf
	Jit          map[string]any
	Compile      map[string]any
	Expect       Expect
}

// Expect is what the program and its variants give.
type Expect struct {
	Outcome
	Variants map[string]Outcome
	Probes   map[string]json.RawMessage
	Process  json.RawMessage
	Warnings json.RawMessage
}

// Outcome is the result of one call: outputs or an error.
type Outcome struct {
	Args    []Leaf
	Outputs []Leaf
	Error   *Error
}

// Leaf is one array of a pytree. Value holds numbers, "nan", "inf", "-inf",
// nested lists of them, or for many elements a hash and the first few.
type Leaf struct {
	Path     string
	Python   string
	DType    string `json:"dtype"`
	Shape    []int
	WeakType bool `json:"weak_type"`
	Value    any
}

// Error is an error that the program ends with. When is define, trace, lower,
// compile or call.
type Error struct {
	Type, Module, Message, When string
}

var load = sync.OnceValues(func() (map[string]*Case, error) {
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, err
	}
	cases := map[string]*Case{}
	if err := read(archive, cases); err != nil {
		return nil, err
	}
	if dir := os.Getenv(EnvDir); dir != "" {
		err := read(os.DirFS(filepath.Join(dir, "cases")), cases)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return cases, nil
})

// read adds the cases of a file system, one folder each.
func read(fsys fs.FS, cases map[string]*Case) error {
	specs, err := fs.Glob(fsys, "*/case.json")
	if err != nil {
		return err
	}
	for _, spec := range specs {
		id := path.Dir(spec)
		c := &Case{ID: id, Files: map[string]string{}}
		entries, err := fs.ReadDir(fsys, id)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.IsDir() {
				continue
			}
			data, err := fs.ReadFile(fsys, path.Join(id, entry.Name()))
			if err != nil {
				return err
			}
			c.Files[entry.Name()] = string(data)
		}
		decoder := json.NewDecoder(strings.NewReader(c.Files["case.json"]))
		decoder.UseNumber()
		if err := decoder.Decode(&c.Spec); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", spec, err)
		}
		cases[id] = c
	}
	return nil
}

// All gives every case, by name.
func All(t testing.TB) []*Case {
	t.Helper()
	cases, err := load()
	if err != nil {
		t.Fatal(err)
	}
	var all []*Case
	for _, id := range slices.Sorted(maps.Keys(cases)) {
		all = append(all, cases[id])
	}
	return all
}

// Get gives the case with the number, such as "082".
func Get(t testing.TB, number string) *Case {
	t.Helper()
	for _, c := range All(t) {
		if strings.HasPrefix(c.ID, number+"-") {
			return c
		}
	}
	t.Fatalf("there is no golden case %s", number)
	return nil
}

// Text gives a file of the case.
func (c *Case) Text(t testing.TB, file string) string {
	t.Helper()
	text, ok := c.Files[file]
	if !ok {
		t.Fatalf("%s has no file %s", c.ID, file)
	}
	return text
}

// Equal fails the test when got is not the file, byte for byte. jaxpr files
// end in a newline that the text itself does not have.
func (c *Case) Equal(t testing.TB, file, got string) {
	t.Helper()
	want := c.Text(t, file)
	if strings.HasSuffix(file, "jaxpr.txt") {
		want = strings.TrimSuffix(want, "\n")
	}
	if got != want {
		t.Errorf("%s: %s differs\n%s", c.ID, file, Diff(want, got))
	}
}

// Diff shows where two texts part, line by line, with a few lines around.
func Diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	first := 0
	for first < min(len(w), len(g)) && w[first] == g[first] {
		first++
	}
	var b strings.Builder
	for i := max(0, first-2); i < first; i++ {
		fmt.Fprintf(&b, "  %4d   %s\n", i+1, w[i])
	}
	const shown = 8
	for i := first; i < min(first+shown, len(w)); i++ {
		fmt.Fprintf(&b, "- %4d   %q\n", i+1, w[i])
	}
	for i := first; i < min(first+shown, len(g)); i++ {
		fmt.Fprintf(&b, "+ %4d   %q\n", i+1, g[i])
	}
	return b.String()
}
