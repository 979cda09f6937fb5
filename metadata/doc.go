// Package metadata puts XLA frontend attributes on computations, values and
// regions of a program: [Tag] and [Call] stage a function as a tagged call,
// [Set] tags the operation that gives a value, [With] tags everything traced
// inside (jax/_src/xla_metadata.py of JAX 0.12.0.1).
package metadata
