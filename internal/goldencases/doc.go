// Package goldencases holds the programs of the golden cases written with the Go
// API, and compares what they give with what JAX 0.12.0.1 gave: jaxprs, lowered
// texts, optimised programs, results, errors and probes. It has tests only:
//
//	go test ./internal/goldencases -v -run 'TestGoldenCases/082'
//
// A case without a program, or without one of its probes, counts as not passed;
// docs/exceptions.md lists the probes that have no meaning in Go.
package goldencases
