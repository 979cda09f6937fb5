// Package ad differentiates: forward mode (JVPTrace), linearization
// (LinearizeTrace) and the backward pass, over values and over jaxprs, with the
// combinators that primitives build their rules from
// (jax/_src/interpreters/ad.py of JAX 0.12.0.1). The order in which equations
// come out decides printed texts, so it follows that file closely.
package ad
