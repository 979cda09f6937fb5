// Package install puts gopherlo into a user's environment and checks what is
// there: the Jupyter kernelspec ([Kernelspec]), PJRT plugins, and the report
// of `gopherlo doctor` ([Doctor]).
//
// Everything is written to a temporary name beside its place and renamed, so
// that an interrupted install leaves the old state.
package install
