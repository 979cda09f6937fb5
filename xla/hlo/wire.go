package hlo

import (
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// wireFault says where and why data is no message of type d: "byte 37, in
// computations.instructions: …". It is empty where the bytes are well formed.
func wireFault(data []byte, d protoreflect.MessageDescriptor) string {
	w := wireReader{}
	if w.message(data, 0, d, "", 0); w.reason == "" {
		return ""
	}
	if w.path != "" {
		return fmt.Sprintf("byte %d, in %s: %s", w.at, w.path, w.reason)
	}
	return fmt.Sprintf("byte %d: %s", w.at, w.reason)
}

type wireReader struct {
	at     int
	path   string
	reason string
}

// maxWireDepth is the depth at which protobuf gives up.
const maxWireDepth = 10000

func (w *wireReader) fail(at int, path, reason string) bool {
	w.at, w.path, w.reason = at, path, reason
	return false
}

// message checks data, which begins at byte at of the whole.
func (w *wireReader) message(data []byte, at int, d protoreflect.MessageDescriptor, path string, depth int) bool {
	if depth >= maxWireDepth {
		return w.fail(at, path, "messages are nested too deep")
	}
	for pos := 0; pos < len(data); {
		num, typ, n := protowire.ConsumeTag(data[pos:])
		if n < 0 {
			return w.fail(at+pos, path, "no field begins here: "+tagFault(data[pos:]))
		}
		name, f := fmt.Sprintf("field %d", num), d.Fields().ByNumber(num)
		if f != nil {
			name = string(f.Name())
		}
		if path != "" && len(path) < 80 {
			name = path + "." + name
		} else if path != "" {
			name = path
		}
		m := protowire.ConsumeFieldValue(num, typ, data[pos+n:])
		if m < 0 {
			return w.fail(at+pos, name, valueFault(typ, data[pos+n:]))
		}
		if f != nil && typ == protowire.BytesType {
			v, _ := protowire.ConsumeBytes(data[pos+n:])
			if !w.bytes(v, at+pos+n+m-len(v), f, name, depth) {
				return false
			}
		}
		pos += n + m
	}
	return true
}

func (w *wireReader) bytes(v []byte, at int, f protoreflect.FieldDescriptor, path string, depth int) bool {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return w.message(v, at, f.Message(), path, depth+1)
	case protoreflect.StringKind:
		if !utf8.Valid(v) {
			return w.fail(at, path, "the text is not valid UTF-8")
		}
	}
	return true
}

func tagFault(b []byte) string {
	n, m := protowire.ConsumeVarint(b)
	switch {
	case m < 0:
		return "the bytes end within its number"
	case n>>3 == 0:
		return "its number is 0"
	}
	return fmt.Sprintf("its number %d is too large", n>>3)
}

func valueFault(typ protowire.Type, b []byte) string {
	if typ == protowire.BytesType {
		if n, m := protowire.ConsumeVarint(b); m > 0 {
			return fmt.Sprintf("%d bytes are announced, %d follow", n, len(b)-m)
		}
	}
	switch {
	case typ > protowire.Fixed32Type:
		return fmt.Sprintf("wire type %d does not exist", typ)
	case typ == protowire.StartGroupType, typ == protowire.EndGroupType:
		return "a group that does not begin and end"
	}
	return "the bytes end within its value"
}
