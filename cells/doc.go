// Package cells is what a notebook calls that was exported as a Go program:
// what cells do beyond plain Go. [Run] runs the cells in order, [Show] prints
// the value of a cell's last expression, [Into2] and its like take the results
// of a Func apart, and each magic that has a meaning in a program has its
// function:
//
//	func main() { cells.Run(cells.Cell{N: 1, Body: cell1}) }
//
//	func cell1() {
//		f = jax.Jit(jax.Named(wave, "wave", "x"))
//		cells.Show(f(2.0))
//	}
package cells
