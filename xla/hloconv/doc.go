// Package hloconv makes HLO modules of StableHLO modules, as JAX does for
// Lowered.as_text("hlo"): the names, the order, the ids and the simplifications
// are those of jaxlib 0.12.0.1.
//
// [Convert] copies the module into a graph with use lists (graph.go), runs the
// passes of the table in passes.go (expand, simplify and fold, sink, prepare)
// with a check after each, and builds the HLO module with one row per op
// (build.go and emit*.go). Each pass takes time linear in the number of ops.
package hloconv
