package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// TestNotBuiltIn imports packages that the kernel does not have.
func TestNotBuiltIn(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOMODCACHE", t.TempDir())
	in := New(Options{})
	for path, want := range map[string]string{
		"example.org/local/none": "go mod download example.org/local/none@latest",
		"./geo":                  "there is no folder ./geo with Go files",
		"net/htp":                "did you mean net/http?",
		"encoding/jsn":           "did you mean encoding/json?",
		"numpy":                  "jnp, lax",
		"nosuchpackageatall":     "--with PATH`",
	} {
		res := in.Execute(context.Background(), language.Request{Code: "import _ \"" + path + "\""}, quiet{})
		if res.Error == nil || !strings.Contains(res.Error.Value, want) {
			t.Errorf("%s: %+v, want %s", path, res.Error, want)
		}
	}
}
