package display

import (
	"strings"
	"testing"
)

// Lines of packages are marked with the name of their file, and have the room for it.
func TestOriginsOfFiles(t *testing.T) {
	at := newOrigins(map[string]string{"a.1": "cell-3.go:2", "b.1": "shapes/area.go:17"}, nil)
	if w := at.width(); w != ` style="--lw:4.3em"` {
		t.Errorf("width %q", w)
	}
	for i, want := range []string{"3:2 cell 3", "area:17 shapes/area.go"} {
		if got := at.label(at.order[i]) + " " + at.order[i].heading(); got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	if text := at.open(1); !strings.Contains(text, `data-l="area:17" title="shapes/area.go, line 17"`) {
		t.Error(text)
	}
	if w := newOrigins(map[string]string{"a.1": "cell-3.go:2", "b.1": "cell-4.go:17"}, nil).width(); w != "" {
		t.Errorf("cells alone: %q", w)
	}
}
