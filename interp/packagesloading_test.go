package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/interp/cell"
)

// TestLoadingStops interrupts a cell while packages are loaded; the next cell loads
// them.
func TestLoadingStops(t *testing.T) {
	s := newPackageSession(t, map[string]string{
		"up/up.go":     "package up\n\nimport (\n\t\"left\"\n\t\"right\"\n)\n\nvar X = left.X + right.X\n",
		"left/l.go":    "package left\n\nvar X = 1\n",
		"right/r.go":   "package right\n\nvar X = 2\n",
		"other/one.go": "package other\n",
	})
	ctx, cancel := context.WithCancel(context.Background())
	host := &recorder{}
	l := &loading{ctx: ctx, host: host}
	var paths []string
	s.in.session.Loading = func(path string) error {
		if paths = append(paths, path); len(paths) == 3 {
			l.late()
			cancel()
		}
		return l.step(path)
	}
	c, errs := cell.Parse(s.in.fset, 1, "import (\n\t_ \"./other\"\n\t\"./up\"\n)")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	_, diags := s.in.session.Check(c)
	s.in.session.Loading = nil
	l.end()
	if len(diags) == 0 || !l.stopped {
		t.Errorf("the check went on: %v", diags)
	}
	if got := strings.Join(paths[:3], " "); got != "up up up" { // up, left, right
		t.Errorf("steps %s", got)
	}
	if s.in.session.Loaded("left") == nil || s.in.session.Loaded("right") != nil {
		t.Error("not what was loaded before the interrupt")
	}
	if got := host.stderr.String(); got != "loading up ...\n" {
		t.Errorf("told %q", got)
	}
	s.want("import \"./up\"\nup.X", "= 3\n")
}
