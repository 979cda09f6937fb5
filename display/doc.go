// Package display makes the MIME bundles that front ends show: text for every
// value, and highlighted, foldable HTML for HLO, StableHLO and jaxprs.
//
// [Of] is what a cell's value goes through. In a cell, display.Show(v) shows v
// in the middle of the cell:
//
//	display.Show(f.Lower(1.0))
//	display.Show(display.Markdown("**done**"))
//
// A program that is a [Programs] shows all its stages in tabs, its HLO with the
// cell's line beside each instruction.
//
// The HTML is self-contained (no script, nothing from the network), follows the
// front end's light or dark theme, and every text from a user's program in it is
// escaped.
package display
