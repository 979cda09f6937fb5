//go:build !amd64 && !arm64

package facade

import "unsafe"

func stubBase() unsafe.Pointer { return nil }
