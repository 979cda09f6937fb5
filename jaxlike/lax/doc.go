// Package lax holds the primitives, one file each with all of its rules, and
// the thin functions that apply them.
package lax

//go:generate go run gopherlo/internal/jaxnames -pkg lax
