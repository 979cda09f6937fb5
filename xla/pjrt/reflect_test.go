//go:build cgo

package pjrt

import "reflect"

// reflectNew makes the message that an empty CompileConfig lacks.
func reflectNew(pointer reflect.Type) reflect.Value { return reflect.New(pointer.Elem()) }
