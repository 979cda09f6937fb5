package interp

import (
	"testing"

	"gopherlo/xla"
)

// needsPlugin skips a test that runs programs where no plugin can be loaded:
// without cgo, or when none is installed.
func needsPlugin(t *testing.T) {
	t.Helper()
	if _, err := xla.Open("cpu"); err != nil {
		t.Skip("no PJRT plugin: ", err)
	}
}
