package jaxlike

import "gopherlo/jaxlike/lax"

// StopGradient gives x, an array or a tree of arrays, as a constant for
// differentiation.
func StopGradient[T any](x T) T { return lax.StopGradient(x) }

// StopGradientAny is StopGradient for callers without type parameters.
func StopGradientAny(x any) any { return lax.StopGradientAny(x) }
