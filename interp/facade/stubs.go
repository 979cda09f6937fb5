//go:build amd64 || arm64

package facade

import "unsafe"

// stubBase is the address of the first stub.
func stubBase() unsafe.Pointer
