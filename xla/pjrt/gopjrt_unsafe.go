//go:build cgo

package pjrt

import (
	"fmt"
	"reflect"
	"unsafe"

	gopjrt "github.com/gomlx/gopjrt/pjrt"
	"google.golang.org/protobuf/proto"
)

// This file is the only one that reaches into gopjrt's private fields. Each
// path is listed in privatePaths; TestPrivateFields fails when gopjrt changes.

type privatePath struct {
	of     reflect.Type
	fields []string // from a field to the next, through pointers
	want   string   // type of the last one
}

var privatePaths = map[string]privatePath{
	"api":        {reflect.TypeFor[gopjrt.Plugin](), []string{"api"}, "*pjrt._Ctype_struct_PJRT_Api"},
	"client":     {reflect.TypeFor[gopjrt.Client](), []string{"client", "c"}, "*pjrt._Ctype_struct_PJRT_Client"},
	"executable": {reflect.TypeFor[gopjrt.LoadedExecutable](), []string{"wrapper", "c"}, "*pjrt._Ctype_struct_PJRT_LoadedExecutable"},
	"device":     {reflect.TypeFor[gopjrt.Device](), []string{"cDevice"}, "*pjrt._Ctype_struct_PJRT_Device"},
	"options":    {reflect.TypeFor[gopjrt.CompileConfig](), []string{"options"}, "*compile_options.CompileOptionsProto"},
}

// check follows the path through the types alone.
func (p privatePath) check() error {
	t := p.of
	for _, name := range p.fields {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return fmt.Errorf("gopjrt: %s has no field %s", t, name)
		}
		t = f.Type
	}
	if t.String() != p.want {
		return fmt.Errorf("gopjrt: %s.%v has type %s, not %s", p.of, p.fields, t, p.want)
	}
	return nil
}

// field follows the path from v, a pointer to p.of, and gives the last field.
func (p privatePath) field(v any) reflect.Value {
	rv := reflect.ValueOf(v).Elem()
	for _, name := range p.fields {
		if rv.Kind() == reflect.Pointer {
			rv = rv.Elem()
		}
		rv = rv.FieldByName(name)
		rv = reflect.NewAt(rv.Type(), unsafe.Pointer(rv.UnsafeAddr())).Elem()
	}
	return rv
}

func (p privatePath) pointer(v any) unsafe.Pointer { return p.field(v).UnsafePointer() }

// rawAPI is the plugin's PJRT_Api table.
func rawAPI(p *gopjrt.Plugin) unsafe.Pointer { return privatePaths["api"].pointer(p) }

// rawClient is the PJRT_Client of c; keep c alive while it is used.
func rawClient(c *gopjrt.Client) unsafe.Pointer { return privatePaths["client"].pointer(c) }

// rawExecutable is the PJRT_LoadedExecutable of e; keep e alive while it is used.
func rawExecutable(e *gopjrt.LoadedExecutable) unsafe.Pointer {
	return privatePaths["executable"].pointer(e)
}

// rawDevice is the PJRT_Device of d; it lives as long as the client.
func rawDevice(d *gopjrt.Device) unsafe.Pointer { return privatePaths["device"].pointer(d) }

// setOptions replaces the compile options of cc by the serialised
// CompileOptionsProto. Unmarshal resets the message, so options carries every
// default itself.
func setOptions(cc *gopjrt.CompileConfig, options []byte) error {
	m, ok := privatePaths["options"].field(cc).Interface().(proto.Message)
	if !ok {
		return fmt.Errorf("gopjrt: the compile options are no proto message")
	}
	return proto.Unmarshal(options, m)
}
