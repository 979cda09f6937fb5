// Package nn holds functions of neural networks (jax.nn):
//
//	h := nn.Relu(x.MatMul(w).Add(b))
//	p := nn.Softmax(logits)
package nn

//go:generate go run gopherlo/internal/jaxnames -pkg nn
