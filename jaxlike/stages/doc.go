// Package stages takes functions through the stages of JAX's ahead-of-time
// interface: [Callable] (a Go function with names and declared types), traced,
// lowered, compiled, run. It owns the trace cache and the executables, and it is
// the runtime that core calls for primitives on concrete values
// (jax/_src/stages.py and pjit.py of JAX 0.12.0.1).
package stages
