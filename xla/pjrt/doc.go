// Package pjrt runs XLA programs on PJRT plugins: the backend behind xla.Open
// for every platform of package plugin. It is the only cgo of the product and
// the only importer of gopjrt.
//
// gopjrt loads the plugin, makes the client and compiles. What it lacks is
// here: compile options, the program after XLA's passes, serialisation,
// donation, status codes, and an execute path of one C call (direct.c).
//
// # Lifetimes
//
// gopjrt frees its C objects when the Go object is unreachable, so whatever
// holds a raw pointer also holds the gopjrt object it came from, and every call
// ends with KeepAlive. Buffers are handles of our own: small ones lie in slabs
// with one cleanup each; the C buffers of dead handles are destroyed in
// batches by the next call. As Go's collector does not see C memory, a
// collection is forced by the number and the bytes of live buffers.
package pjrt
