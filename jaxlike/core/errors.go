package core

import (
	"fmt"

	"gopherlo/jaxlike/dtype"
)

// Error is an error with JAX's class and words. It is raised by panic and
// turned into an error value or a cell's error at the seams.
type Error struct {
	// Name is the class: "TypeError", "JaxRuntimeError", ...
	Name    string
	Message string
	// Cause is the error below, if any.
	Cause error
	// Advice may say what helps; it is shown apart from JAX's own words.
	Advice string
}

// Error is the message without the class, as Python's str(e).
func (e *Error) Error() string { return e.Message }

// JaxName is the class, for front ends that show "Name: message".
func (e *Error) JaxName() string { return e.Name }

// JaxAdvice is the advice, for front ends that show it on a line of its own.
func (e *Error) JaxAdvice() string { return e.Advice }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Raise panics with an *Error.
func Raise(name, format string, args ...any) {
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	panic(&Error{Name: name, Message: msg})
}

// TypeErrorf raises a TypeError.
func TypeErrorf(format string, args ...any) { Raise("TypeError", format, args...) }

// ValueErrorf raises a ValueError.
func ValueErrorf(format string, args ...any) { Raise("ValueError", format, args...) }

// CheckInteger raises NumPy's OverflowError for a plain integer that the integer
// type dt cannot hold (NumPy 2 under JAX 0.12.0.1).
func CheckInteger(n int64, dt dtype.DType) {
	if lo, hi := dtype.IntRange(dt); n < lo || n > 0 && uint64(n) > hi {
		Raise("OverflowError", "Python integer %d out of bounds for %s", n, dt)
	}
}

// Catch runs body and gives an error that it raises; other panics pass.
func Catch(body func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			if _, isRuntime := r.(interface{ RuntimeError() }); isRuntime {
				panic(r)
			}
			err = r
		default:
			panic(r)
		}
	}()
	body()
	return nil
}
