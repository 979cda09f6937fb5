package xla

import (
	"errors"
	"fmt"
)

// Code is a status code of absl, which XLA's errors carry.
type Code int

// The codes of absl/status/status.h.
const (
	OK Code = iota
	Cancelled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
)

var codeNames = [...]string{
	OK:                 "OK",
	Cancelled:          "CANCELLED",
	Unknown:            "UNKNOWN",
	InvalidArgument:    "INVALID_ARGUMENT",
	DeadlineExceeded:   "DEADLINE_EXCEEDED",
	NotFound:           "NOT_FOUND",
	AlreadyExists:      "ALREADY_EXISTS",
	PermissionDenied:   "PERMISSION_DENIED",
	ResourceExhausted:  "RESOURCE_EXHAUSTED",
	FailedPrecondition: "FAILED_PRECONDITION",
	Aborted:            "ABORTED",
	OutOfRange:         "OUT_OF_RANGE",
	Unimplemented:      "UNIMPLEMENTED",
	Internal:           "INTERNAL",
	Unavailable:        "UNAVAILABLE",
	DataLoss:           "DATA_LOSS",
	Unauthenticated:    "UNAUTHENTICATED",
}

// String is absl's name of the code: "INVALID_ARGUMENT".
func (c Code) String() string {
	if c >= 0 && int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("UNKNOWN_CODE_%d", int(c))
}

// StatusError is an error of the runtime in XLA's own words. JAX raises it as
// JaxRuntimeError.
type StatusError struct {
	Code    Code
	Message string
}

// Error is the text as JAX shows it: "INVALID_ARGUMENT: No such compile
// option: 'x'".
func (e *StatusError) Error() string { return e.Code.String() + ": " + e.Message }

// Is matches another status error of the same code without a message, so that
// errors.Is(err, &StatusError{Code: NotFound}) asks for the code alone.
func (e *StatusError) Is(target error) bool {
	t, ok := target.(*StatusError)
	return ok && t.Code == e.Code && (t.Message == "" || t.Message == e.Message)
}

// Errorf makes a status error.
func Errorf(code Code, format string, args ...any) *StatusError {
	return &StatusError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ErrDeleted is matched by errors of uses of a buffer that was deleted or
// donated. JAX raises RuntimeError "Array has been deleted".
var ErrDeleted = errors.New("buffer has been deleted or donated")

// NoPluginError says that no plugin for a platform is installed.
type NoPluginError struct {
	Platform string
	// Searched lists the folders that were looked in.
	Searched []string
}

// Error names the command that helps.
func (e *NoPluginError) Error() string {
	return fmt.Sprintf("no PJRT plugin for %q found: install one with `gopherlo plugin install %s`, or name its folder in PJRT_PLUGIN_LIBRARY_PATH", e.Platform, e.Platform)
}
