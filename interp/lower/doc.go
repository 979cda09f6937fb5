// Package lower rewrites a checked cell into the Go that yaegi runs rightly.
//
// yaegi sees a small language: no methods, no named types but structs, no
// interfaces but those of native packages, no generics, no defer, select,
// range over functions. Everything else is expressed with it:
//
//   - a value of a cell type that becomes an interface value is boxed together
//     with its go/types type (calls named _k.… are to package rt), so that type
//     switches, method calls, fmt and json see the real type;
//   - methods are functions with the receiver first; functions are variables,
//     so that a new version is called by earlier cells too;
//   - generic functions and types are emitted once per instance, those of the
//     standard library from their source;
//   - constants are folded; local names are made unique; variables that a
//     closure may keep beyond a turn of its loop live in memory of their own.
//
// [Lower] returns the text and a map from its lines back to the cell.
package lower
