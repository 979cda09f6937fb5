// Package shapes is imported by cells from its source.
package shapes

import (
	"errors"
	"fmt"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
)

// ErrFlat tells of a shape without an area.
var ErrFlat = errors.New("flat")

// Made counts the shapes.
var Made = first()

func first() int { return 1 }

// Rect is a rectangle.
type Rect struct {
	W, H  int
	label string
}

// New makes a rectangle.
func New(w, h int) *Rect {
	Made++
	return &Rect{w, h, fmt.Sprintf("r%d", Made)}
}

func (r Rect) String() string { return fmt.Sprintf("%s %dx%d", r.label, r.W, r.H) }

// Area is its size.
func (r Rect) Area() (int, error) {
	if r.W*r.H == 0 {
		return 0, fmt.Errorf("%v: %w", r, ErrFlat)
	}
	return r.W * r.H, nil
}

// Map applies f to each.
func Map[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// Wave is traced.
func Wave(x jax.Array) jax.Array { return jnp.Multiply(jnp.Sin(x), 2) }
