package pjrt

/*
#include "direct.h"
*/
import "C"

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unsafe"

	"gopherlo/xla"
)

// status takes over a PJRT_Error and destroys it; nil stays nil.
func status(api, cErr unsafe.Pointer) error {
	if cErr == nil {
		return nil
	}
	var code C.int
	var text *C.char
	var size C.size_t
	C.gx_error_read(api, cErr, &code, &text, &size)
	err := &xla.StatusError{Code: xla.Code(code), Message: C.GoStringN(text, C.int(size))}
	C.gx_error_destroy(api, cErr)
	return err
}

// gopjrtError matches the text of gopjrt's toError (pjrt/error.go, v0.10.0).
var gopjrtError = regexp.MustCompile(`(?s)^PJRT error \(code=(\d+)\): (.*)$`)

// statusOf cuts gopjrt's wrapping off an error and gives XLA's own.
func statusOf(err error) error {
	if err == nil {
		return nil
	}
	var have *xla.StatusError
	if errors.As(err, &have) {
		return have
	}
	text := cause(err).Error()
	if m := gopjrtError.FindStringSubmatch(text); m != nil {
		code, convErr := strconv.Atoi(m[1])
		if convErr != nil {
			code = int(xla.Unknown)
		}
		return &xla.StatusError{Code: xla.Code(code), Message: m[2]}
	}
	return &xla.StatusError{Code: xla.Internal, Message: text}
}

// aboutOption says whether XLA refused a compile option (its texts:
// xla/pjrt/pjrt_executable.cc, ApplyOption).
func aboutOption(err error) bool {
	var s *xla.StatusError
	return errors.As(err, &s) && s.Code == xla.InvalidArgument &&
		(strings.HasPrefix(s.Message, "No such compile option: ") || strings.HasPrefix(s.Message, "While setting option "))
}

// cause unwraps gopjrt's errors, which wrap in the manner of pkg/errors.
func cause(err error) error {
	for {
		c, ok := err.(interface{ Cause() error })
		if !ok || c.Cause() == nil {
			return err
		}
		err = c.Cause()
	}
}
