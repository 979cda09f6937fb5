//go:build cgo

package pjrt

import (
	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

// OptimizedModule is the program after XLA's passes.
func (e *Executable) OptimizedModule() (*hlo.Module, error) {
	code, format, err := e.OptimizedProto()
	if err != nil {
		return nil, err
	}
	switch format {
	case "hlo_with_config":
		return hlo.UnmarshalWithConfig(code)
	case "hlo":
		return hlo.Unmarshal(code)
	}
	return nil, xla.Errorf(xla.Unimplemented, "the plugin gives its optimised program in the unknown format %q", format)
}
