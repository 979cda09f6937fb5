package gosyntax

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestMutants compares what is said of wrong texts with what the compiler says.
func TestMutants(t *testing.T) {
	data, err := os.ReadFile("testdata/mutants.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Texts []struct {
			Text   string
			Body   bool // of a function
			Errors []Error
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Texts {
		look := Declarations
		if c.Body {
			look = Statements
		}
		if got := look(c.Text).Errors; !reflect.DeepEqual(got, c.Errors) {
			t.Errorf("%s\ngot  %v\nwant %v", c.Text, got, c.Errors)
		}
	}
}

func TestFound(t *testing.T) {
	got := Statements("go f\ndefer (g)()\nx := 08 + “a”\nfor a, b, c := range x {\n\t@\n}")
	want := Found{
		Literals:   []Span{{22, 24}},
		Names:      []Span{{27, 34}},
		Characters: []Span{{61, 62}},
		Calls:      []Call{{"go", 0, 3}},
		Ranges:     []Span{{43, 46}},
	}
	got.Errors = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestDeep: a text that goes deep costs no more stack than there is.
func TestDeep(t *testing.T) {
	for _, unit := range []string{"(", "[", "x(", "{", "func(", "if x {} else ", "for {", "map[", "-", "*", "T{{{", "chan "} {
		text := strings.Repeat(unit, 50_000)
		if found := Statements("x := " + text); !found.Hard() {
			t.Errorf("%s: no error", unit)
		}
		Declarations("type T " + text)
	}
}

// FuzzStatements looks for texts behind which the parser does not end.
func FuzzStatements(f *testing.F) {
	f.Add("for x { case y: z := [ }")
	f.Add("'\\")
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range Statements(text).Errors {
			if e.Off < 0 {
				t.Errorf("%q: %v", text, e)
			}
		}
		Declarations(text)
	})
}
