package kernel

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// TestDropOldSessions: sessions that nobody came back for go, those of running
// kernels stay, whatever the clock says.
func TestDropOldSessions(t *testing.T) {
	parent := t.TempDir()
	session := func(name string) *journal {
		j := openJournal(filepath.Join(parent, name), slog.New(slog.DiscardHandler))
		j.add(language.Past{Code: "x := 1"})
		return &j
	}
	old := func(name string) {
		before := time.Now().Add(-2 * sessionAge)
		for _, f := range []string{filepath.Join(parent, name, journalName), filepath.Join(parent, name)} {
			if err := os.Chtimes(f, before, before); err != nil {
				t.Fatal(err)
			}
		}
	}
	session("left").close()
	old("left")
	running := session("running")
	defer running.close()
	old("running")
	session("fresh").close()
	dropOldSessions(parent)
	for name, want := range map[string]bool{"left": false, "running": true, "fresh": true} {
		if _, err := os.Stat(filepath.Join(parent, name)); (err == nil) != want {
			t.Errorf("%s is there: %v", name, err == nil)
		}
	}
}
