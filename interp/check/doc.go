// Package check runs go/types over a cell in the scope of its session.
//
// Every cell is a package of its own with the path "main", so objects of
// earlier cells keep their identity and a cell costs what it refers to, not
// what the session holds. Two things make this work:
//
//   - go/types compares packages of unexported names by path, so fields and
//     methods of types of earlier cells stay reachable;
//   - the objects of earlier cells that the cell names are put into its package
//     scope before it is checked.
//
// Top-level variables become package variables, other statements the body of a
// function. Bodies of functions and methods are checked in a second round as
// plain functions with the receiver first, so that methods may be added to
// types of earlier cells. [Session.Check] changes nothing; [Result.Commit]
// enters what has run.
package check
