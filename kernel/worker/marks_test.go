package worker

import (
	"testing"

	"gopherlo/kernel/language"
)

// TestPlaceOf: what marks say depends on how many cells ran.
func TestPlaceOf(t *testing.T) {
	for _, c := range []struct {
		line, statement, running int
		want                     string
	}{
		{0, 0, 1, ""},
		{7_000_002, 7_000_002, 1, "cell 7, line 2"},
		{7_000_002, 7_000_009, 1, "cell 7, line 9; last seen at line 2"},
		{3_000_002, 7_000_009, 1, "cell 7, line 9; last seen at cell 3, line 2"},
		{7_000_002, 7_000_009, 2, "last seen at cell 7, line 2"},
		{7_000_002, 0, 0, "last seen at cell 7, line 2"},
		{1_000_003_000_012, 7_000_009, 1, "cell 7, line 9; last seen at line 12 of a package"},
	} {
		if got := placeOf(language.Marks{Line: c.line, Statement: c.statement}, c.running); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestMarks: what is written through another mapping of the page is found.
func TestMarks(t *testing.T) {
	m := newMarks()
	if m == nil {
		t.Skip("no memory can be shared here")
	}
	other := mapMarks(int(m.file.Fd()))
	if other == nil {
		t.Fatal("no second mapping")
	}
	m.started()
	copy(other, []byte{2, 0, 0, 0, 0, 0, 0, 0})
	if got := m.last(0); got != "last seen at cell 0, line 2" {
		t.Errorf("%q", got)
	}
	if got := m.last(0); got != "" {
		t.Errorf("%q after the page is gone", got)
	}
}
