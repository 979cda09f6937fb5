//go:build race

package interp

// raceEnabled leaves out line marks: goroutines of a cell share them, which the
// race detector would report.
const raceEnabled = true
