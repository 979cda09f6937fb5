//go:build race

package jaxlike_test

const raceEnabled = true
