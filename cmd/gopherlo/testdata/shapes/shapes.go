// Package shapes has shapes.
package shapes

import "fmt"

// Shape has an area.
type Shape interface {
	Area() float64
}

// Rect is a rectangle.
type Rect struct{ W, H float64 }

// Area is W times H.
func (r Rect) Area() float64 { return r.W * r.H }

func (r Rect) String() string { return fmt.Sprintf("%gx%g", r.W, r.H) }

// Total adds areas.
func Total(ss ...Shape) (sum float64) {
	for _, s := range ss {
		sum += s.Area()
	}
	return sum
}

// Max is the larger value.
func Max[T int | float64](a, b T) T {
	if less(a, b) {
		return b
	}
	return a
}

func less[T int | float64](a, b T) bool { return a < b }

const Unit = 2.5

var Default = Rect{1, 2}
