// Package kernel is a Jupyter kernel without a language: it speaks the
// messaging protocol 5.5, queues and supervises, and leaves code to a worker
// process behind package worker.
//
// The process that runs [Run] never runs user code or native code, so that it
// answers (heartbeat, interrupt, shutdown, history, completion) while a cell
// runs and after the worker has died. What it must know of the language is the
// [language.Text] it is given; a test runs it with a language that is not Go.
//
// A [Kernel] owns the five channels; its [Session] owns what belongs to the
// notebook: the queue of cells, their count, history, comms. Requests are rows
// of the tables in shell.go and control.go.
package kernel
