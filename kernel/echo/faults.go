package echo

import (
	"encoding/hex"
	"strconv"
	"strings"
	"syscall"
)

// Commands for what a program can do to the process that it runs in.
func init() {
	commands["close"] = closeFD
	commands["frame"] = frame
}

// closeFD closes a descriptor of the worker, which is not this package's to close.
func closeFD(_ *run, s string) error {
	fd, err := strconv.Atoi(s)
	if err == nil {
		err = syscall.Close(fd)
	}
	return err
}

// frame writes bytes, in hexadecimal digits, to a descriptor: "frame 4 00ff".
func frame(_ *run, s string) error {
	number, digits, _ := strings.Cut(s, " ")
	fd, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return err
	}
	return write(fd, string(b))
}
