// Package cell reads the text of a notebook cell.
//
// A cell is more than a Go file allows: magic lines, imports, declarations and
// statements in any order, and a last expression whose value is shown.
// [Parse] splits the text and parses each part with go/parser so that every
// position stays that of the cell. [IsComplete] answers consoles.
package cell
