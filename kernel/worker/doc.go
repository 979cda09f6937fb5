// Package worker runs the interpreter in a process of its own, so that nothing
// a cell does, natively or otherwise, can end the kernel.
//
// It holds both ends. [Serve] is the worker process: it runs an interpreter
// behind two pipes. [Supervisor] is the kernel's end: it starts the worker,
// talks to it, interrupts it, sees it die, says why and starts another.
//
// # The pipes
//
// Descriptor 3 of the worker carries requests, descriptor 4 messages; both are
// closed on exec, so that a child of a cell cannot forge a frame. Descriptors
// 1 and 2 are pipes for native code alone: what cells print travels as frames,
// written by the calling goroutine, so that its order is the program's own.
//
// A frame is {kind, flags, length, cell} and a body. A message above 256 kB
// goes in chunks, between which answers (completions and the like) may pass;
// the order of outputs is never changed.
package worker
