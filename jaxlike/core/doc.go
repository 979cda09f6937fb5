// Package core holds the intermediate language of the product: jaxprs, their
// equations and variables, primitives with all of their rules, abstract
// values, traces and tracers, the printer and the checker.
//
// Start with [Primitive] for what an operation is, [Trace] for what happens
// when one is applied, and [Jaxpr] for what staging produces. The names and the
// semantics follow JAX 0.12.0.1 (jax/_src/core.py); where a rule's text or
// order decides printed output, the comment names the file it follows.
package core
