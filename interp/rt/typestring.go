package rt

import (
	"go/types"
	"strconv"
	"strings"
)

// TypeString writes a type as reflection and the runtime do: "main.P",
// "interface {}", "struct { X int }".
func TypeString(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.Byte:
			return "uint8"
		case types.Rune:
			return "int32"
		}
		return strings.TrimPrefix(t.Name(), "untyped ")
	case *types.Named:
		return namedString(t)
	case *types.Pointer:
		return "*" + TypeString(t.Elem())
	case *types.Slice:
		return "[]" + TypeString(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + TypeString(t.Elem())
	case *types.Map:
		return "map[" + TypeString(t.Key()) + "]" + TypeString(t.Elem())
	case *types.Chan:
		return chanString(t)
	case *types.Signature:
		return "func" + signatureString(t)
	case *types.Struct:
		return structString(t)
	case *types.Interface:
		return ifaceString(t)
	}
	return t.String()
}

func namedString(t *types.Named) string {
	name := t.Obj().Name()
	if p := t.Obj().Pkg(); p != nil {
		pkg := p.Name()
		if p.Path() == "main" {
			pkg = "main"
		}
		name = pkg + "." + name
	}
	if n := t.TypeArgs().Len(); n > 0 {
		args := make([]string, n)
		for i := range args {
			args[i] = TypeString(t.TypeArgs().At(i))
		}
		name += "[" + strings.Join(args, ",") + "]"
	}
	return name
}

func chanString(t *types.Chan) string {
	elem := TypeString(t.Elem())
	switch t.Dir() {
	case types.SendOnly:
		return "chan<- " + elem
	case types.RecvOnly:
		return "<-chan " + elem
	}
	if strings.HasPrefix(elem, "<-") {
		elem = "(" + elem + ")"
	}
	return "chan " + elem
}

func signatureString(t *types.Signature) string {
	var ps, rs []string
	for i := range t.Params().Len() {
		p := t.Params().At(i).Type()
		if s, ok := p.Underlying().(*types.Slice); ok && t.Variadic() && i == t.Params().Len()-1 {
			ps = append(ps, "..."+TypeString(s.Elem()))
			continue
		}
		ps = append(ps, TypeString(p))
	}
	for i := range t.Results().Len() {
		rs = append(rs, TypeString(t.Results().At(i).Type()))
	}
	text := "(" + strings.Join(ps, ", ") + ")"
	switch len(rs) {
	case 0:
	case 1:
		text += " " + rs[0]
	default:
		text += " (" + strings.Join(rs, ", ") + ")"
	}
	return text
}

func structString(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	fields := make([]string, t.NumFields())
	for i := range fields {
		f := t.Field(i)
		fields[i] = f.Name() + " " + TypeString(f.Type())
		if f.Embedded() {
			fields[i] = TypeString(f.Type())
		}
		if tag := t.Tag(i); tag != "" {
			fields[i] += " " + strconv.Quote(tag)
		}
	}
	return "struct { " + strings.Join(fields, "; ") + " }"
}

func ifaceString(t *types.Interface) string {
	if t.NumMethods() == 0 {
		return "interface {}"
	}
	methods := make([]string, t.NumMethods())
	for i := range methods {
		m := t.Method(i)
		methods[i] = m.Name() + signatureString(m.Type().(*types.Signature))
	}
	return "interface { " + strings.Join(methods, "; ") + " }"
}
