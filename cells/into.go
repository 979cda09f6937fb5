// Code below is one function for each number of results; Go has no other way.
//
//archtest:table

package cells

import "gopherlo/jaxlike/array"

// Into1 takes the result of a call into typed Go values.
func Into1[T0 any](x array.Array) (y0 T0) {
	x.Into(&y0)
	return y0
}

// Into2 takes 2 results of a call into typed Go values.
func Into2[T0, T1 any](x array.Array) (y0 T0, y1 T1) {
	x.Into(&y0, &y1)
	return y0, y1
}

// Into3 takes 3 results of a call into typed Go values.
func Into3[T0, T1, T2 any](x array.Array) (y0 T0, y1 T1, y2 T2) {
	x.Into(&y0, &y1, &y2)
	return y0, y1, y2
}

// Into4 takes 4 results of a call into typed Go values.
func Into4[T0, T1, T2, T3 any](x array.Array) (y0 T0, y1 T1, y2 T2, y3 T3) {
	x.Into(&y0, &y1, &y2, &y3)
	return y0, y1, y2, y3
}

// Into5 takes 5 results of a call into typed Go values.
func Into5[T0, T1, T2, T3, T4 any](x array.Array) (y0 T0, y1 T1, y2 T2, y3 T3, y4 T4) {
	x.Into(&y0, &y1, &y2, &y3, &y4)
	return y0, y1, y2, y3, y4
}

// Into6 takes 6 results of a call into typed Go values.
func Into6[T0, T1, T2, T3, T4, T5 any](x array.Array) (y0 T0, y1 T1, y2 T2, y3 T3, y4 T4, y5 T5) {
	x.Into(&y0, &y1, &y2, &y3, &y4, &y5)
	return y0, y1, y2, y3, y4, y5
}

// Into7 takes 7 results of a call into typed Go values.
func Into7[T0, T1, T2, T3, T4, T5, T6 any](x array.Array) (y0 T0, y1 T1, y2 T2, y3 T3, y4 T4, y5 T5, y6 T6) {
	x.Into(&y0, &y1, &y2, &y3, &y4, &y5, &y6)
	return y0, y1, y2, y3, y4, y5, y6
}

// Into8 takes 8 results of a call into typed Go values.
func Into8[T0, T1, T2, T3, T4, T5, T6, T7 any](x array.Array) (y0 T0, y1 T1, y2 T2, y3 T3, y4 T4, y5 T5, y6 T6, y7 T7) {
	x.Into(&y0, &y1, &y2, &y3, &y4, &y5, &y6, &y7)
	return y0, y1, y2, y3, y4, y5, y6, y7
}

// Each1 gives the Arrays among 1 value their Go types.
func Each1[T0 any](x0 any) T0 {
	return each[T0](x0)
}

// Each2 gives the Arrays among 2 values their Go types.
func Each2[T0, T1 any](x0, x1 any) (T0, T1) {
	return each[T0](x0), each[T1](x1)
}

// Each3 gives the Arrays among 3 values their Go types.
func Each3[T0, T1, T2 any](x0, x1, x2 any) (T0, T1, T2) {
	return each[T0](x0), each[T1](x1), each[T2](x2)
}

// Each4 gives the Arrays among 4 values their Go types.
func Each4[T0, T1, T2, T3 any](x0, x1, x2, x3 any) (T0, T1, T2, T3) {
	return each[T0](x0), each[T1](x1), each[T2](x2), each[T3](x3)
}

// Each5 gives the Arrays among 5 values their Go types.
func Each5[T0, T1, T2, T3, T4 any](x0, x1, x2, x3, x4 any) (T0, T1, T2, T3, T4) {
	return each[T0](x0), each[T1](x1), each[T2](x2), each[T3](x3), each[T4](x4)
}

// Each6 gives the Arrays among 6 values their Go types.
func Each6[T0, T1, T2, T3, T4, T5 any](x0, x1, x2, x3, x4, x5 any) (T0, T1, T2, T3, T4, T5) {
	return each[T0](x0), each[T1](x1), each[T2](x2), each[T3](x3), each[T4](x4), each[T5](x5)
}

// Each7 gives the Arrays among 7 values their Go types.
func Each7[T0, T1, T2, T3, T4, T5, T6 any](x0, x1, x2, x3, x4, x5, x6 any) (T0, T1, T2, T3, T4, T5, T6) {
	return each[T0](x0), each[T1](x1), each[T2](x2), each[T3](x3), each[T4](x4), each[T5](x5), each[T6](x6)
}

// Each8 gives the Arrays among 8 values their Go types.
func Each8[T0, T1, T2, T3, T4, T5, T6, T7 any](x0, x1, x2, x3, x4, x5, x6, x7 any) (T0, T1, T2, T3, T4, T5, T6, T7) {
	return each[T0](x0), each[T1](x1), each[T2](x2), each[T3](x3), each[T4](x4), each[T5](x5), each[T6](x6), each[T7](x7)
}
