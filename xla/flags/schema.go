package flags

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Schema reads the fields of xla.DebugOptions, which are the compile options,
// from the descriptor of xla/xla.proto that every plugin file embeds. Nothing
// is loaded: the file is searched for the descriptor's first bytes.
func Schema(pluginFile string) ([]Flag, error) {
	f, err := os.Open(pluginFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() == 0 {
		return nil, fmt.Errorf("%s is empty", pluginFile)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(st.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", pluginFile, err)
	}
	// It fails only for memory that was not mapped.
	defer func() { _ = syscall.Munmap(data) }()
	for rest := data; ; {
		i := bytes.Index(rest, descriptorStart)
		if i < 0 {
			return nil, fmt.Errorf("%s embeds no descriptor of xla/xla.proto: its flags are not known", pluginFile)
		}
		file, err := readDescriptor(rest[i:])
		if err == nil {
			if flags := debugOptions(file); len(flags) > 0 {
				return flags, nil
			}
		}
		rest = rest[i+1:]
	}
}

// descriptorStart is field 1 (name) of the FileDescriptorProto.
var descriptorStart = []byte("\n\rxla/xla.proto")

// maxDescriptor is far above the 40 kB of the descriptors seen so far.
const maxDescriptor = 4 << 20

// readDescriptor reads a FileDescriptorProto whose length is not known: its
// fields come in rising order, none is above 14, and field 12 (syntax) is the
// last one that protoc writes here.
func readDescriptor(b []byte) (*descriptorpb.FileDescriptorProto, error) {
	b = b[:min(len(b), maxDescriptor)]
	n := 0
	for n < len(b) {
		field, typ, m := protowire.ConsumeField(b[n:])
		if m < 0 || field > 14 || typ != protowire.BytesType && !slices.Contains([]protowire.Number{10, 11, 14}, field) {
			break
		}
		n += m
		if field == 12 {
			break
		}
	}
	var file descriptorpb.FileDescriptorProto
	if err := proto.Unmarshal(bytes.Clone(b[:n]), &file); err != nil {
		return nil, err
	}
	if file.GetPackage() != "xla" {
		return nil, errors.New("not package xla")
	}
	return &file, nil
}

// debugOptions lists the fields of message DebugOptions in their order.
func debugOptions(file *descriptorpb.FileDescriptorProto) []Flag {
	enums := map[string][]string{}
	addEnums := func(prefix string, list []*descriptorpb.EnumDescriptorProto) {
		for _, e := range list {
			for _, v := range e.GetValue() {
				name := prefix + e.GetName()
				enums[name] = append(enums[name], v.GetName())
			}
		}
	}
	addEnums(".xla.", file.GetEnumType())
	for _, m := range file.GetMessageType() {
		addEnums(".xla."+m.GetName()+".", m.GetEnumType())
	}
	var out []Flag
	for _, m := range file.GetMessageType() {
		if m.GetName() != "DebugOptions" {
			continue
		}
		for _, f := range m.GetField() {
			out = append(out, Flag{
				Name:     f.GetName(),
				Type:     typeName(f),
				Enum:     enums[f.GetTypeName()],
				Repeated: f.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED,
				Option:   true,
			})
		}
	}
	return out
}

// typeName is the word that XLA's own errors use: bool, int32, float, string,
// enum, message.
func typeName(f *descriptorpb.FieldDescriptorProto) string {
	switch f.GetType() {
	case descriptorpb.FieldDescriptorProto_TYPE_BOOL:
		return "bool"
	case descriptorpb.FieldDescriptorProto_TYPE_INT32:
		return "int32"
	case descriptorpb.FieldDescriptorProto_TYPE_INT64:
		return "int64"
	case descriptorpb.FieldDescriptorProto_TYPE_FLOAT:
		return "float"
	case descriptorpb.FieldDescriptorProto_TYPE_DOUBLE:
		return "double"
	case descriptorpb.FieldDescriptorProto_TYPE_STRING:
		return "string"
	case descriptorpb.FieldDescriptorProto_TYPE_ENUM:
		return "enum"
	case descriptorpb.FieldDescriptorProto_TYPE_MESSAGE:
		return "message"
	}
	return f.GetType().String()
}
