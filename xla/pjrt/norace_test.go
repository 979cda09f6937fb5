//go:build !race

package pjrt

const raceEnabled = false
