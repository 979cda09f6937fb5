// Package bug reports states that should be impossible: defects of the
// product, not of its input.
package bug

import "fmt"

// Error is a defect of the product.
type Error struct{ Text string }

// Error says that the text is about an internal fault.
func (e *Error) Error() string { return "internal error: " + e.Text }

// Errorf makes a defect.
func Errorf(format string, args ...any) error {
	return &Error{Text: fmt.Sprintf(format, args...)}
}

// Panicf panics with a defect.
func Panicf(format string, args ...any) { panic(Errorf(format, args...)) }
