package geo

import shapes "example.com/go-shapes"

func Square(x float64) shapes.Rect { return shapes.Rect{W: x, H: x} }
