//go:build !race && cgo

package pjrt

const raceEnabled = false
