package interp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// TestNotBuiltIn imports packages that the kernel does not have.
func TestNotBuiltIn(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "geo", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/local\n\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	in := New(Options{})
	for _, tt := range []struct{ in, path, want string }{
		{"", "example.org/local/geo", "--with ./geo`"},
		{"", "example.org/local", "--with .`"},
		{"geo", "example.org/local/geo/deep", "--with ./deep`"},
		{"geo", "example.org/local", "--with ..`"},
		{"", "example.org/local/none", "--with example.org/local/none`"},
		{"", "example.org/localother", "--with example.org/localother`"},
		{"", "./geo", "by its module's path"},
		{"", "net/htp", "did you mean net/http?"},
		{"", "encoding/jsn", "did you mean encoding/json?"},
		{"", "numpy", "jnp, lax"},
		{"", "nosuchpackageatall", "--with PATH`"},
	} {
		t.Chdir(filepath.Join(dir, tt.in))
		res := in.Execute(context.Background(), language.Request{Code: "import _ \"" + tt.path + "\""}, quiet{})
		if res.Error == nil || !strings.Contains(res.Error.Value, tt.want) {
			t.Errorf("%s: %+v, want %s", tt.path, res.Error, tt.want)
		}
	}
}
