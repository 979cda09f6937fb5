package lower

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"gopherlo/interp/check"
)

// typ writes a type as yaegi sees it.
func (l *lowerer) typ(t types.Type) string {
	t = types.Unalias(l.sub(t))
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			l.mayBeUnsafe("Pointer")
		}
		return basicName(t)
	case *types.Named:
		return l.named(t)
	case *types.Pointer:
		return "*" + l.typ(t.Elem())
	case *types.Slice:
		return "[]" + l.typ(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), l.typ(t.Elem()))
	case *types.Map:
		return "map[" + l.typ(t.Key()) + "]" + l.typ(t.Elem())
	case *types.Chan:
		return chanType(t.Dir(), l.typ(t.Elem()))
	case *types.Struct:
		return l.structType(t)
	case *types.Interface:
		return "interface{}"
	case *types.Signature:
		return "func" + l.signature(t)
	case *types.Tuple:
		parts := make([]string, t.Len())
		for i := range parts {
			parts[i] = l.typ(t.At(i).Type())
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	panic(unsupported("type " + t.String()))
}

func chanType(dir types.ChanDir, elem string) string {
	if strings.HasPrefix(elem, "<-chan ") {
		elem = "(" + elem + ")"
	}
	switch dir {
	case types.SendOnly:
		return "chan<- " + elem
	case types.RecvOnly:
		return "<-chan " + elem
	}
	return "chan " + elem
}

func basicName(t *types.Basic) string {
	switch t.Kind() {
	case types.UntypedBool:
		return "bool"
	case types.UntypedInt:
		return "int"
	case types.UntypedRune:
		return "int32"
	case types.UntypedFloat:
		return "float64"
	case types.UntypedComplex:
		return "complex128"
	case types.UntypedString:
		return "string"
	case types.UntypedNil:
		return "interface{}"
	case types.UnsafePointer:
		return "_k.Pointer"
	case types.Byte:
		return "uint8"
	case types.Rune:
		return "int32"
	}
	return t.Name()
}

// named writes a named type: native ones by their package, structs of cells
// (and recursive types) by a name of their own, all others by what they are
// made of.
func (l *lowerer) named(t *types.Named) string {
	obj := t.Obj()
	if !l.isCell(t) {
		if obj.Pkg() == nil { // error, comparable
			if obj.Name() == "error" {
				return "error"
			}
			return "interface{}"
		}
		if IsAtomicPointer(t) {
			return "_k.AtomicPointer"
		}
		if t.TypeArgs().Len() > 0 {
			return l.typ(t.Underlying())
		}
		if !obj.Exported() && !isInterface(t) { // of a variable, or of what a function gives
			return l.declare(t)
		}
		return l.pkg(obj.Pkg().Path()) + "." + obj.Name()
	}
	if _, ok := t.Underlying().(*types.Interface); ok {
		return "interface{}"
	}
	if _, ok := t.Underlying().(*types.Struct); !ok {
		if Recursive(t) {
			return "interface{}" // see erased
		}
		return l.typ(t.Underlying())
	}
	if native := NativeBase(t); native != nil {
		return l.typ(native)
	}
	return l.declare(t)
}

// NativeBase finds the native struct type that a cell type is made of, as in
// "type Stamp time.Time": its unexported fields cannot be declared again.
func NativeBase(t *types.Named) *types.Named {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 {
		return nil
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Exported() || f.Pkg() == nil || check.Interpreted(f.Pkg()) {
			continue
		}
		for _, n := range f.Pkg().Scope().Names() {
			if tn, ok := f.Pkg().Scope().Lookup(n).(*types.TypeName); ok && tn.Exported() {
				if nt, ok := tn.Type().(*types.Named); ok && nt.TypeParams().Len() == 0 && types.Identical(nt.Underlying(), st) {
					return nt
				}
			}
		}
	}
	return nil
}

// CellPackage is the alias under which lowered code knows the struct types of
// cells; package rt makes them.
const CellPackage = "p_cell"

// declare returns the name of a struct type of a cell, or of a compiled type that is
// not exported, and sees to it that the program asks for the type.
func (l *lowerer) declare(t *types.Named) string {
	id := l.env.Types.ID(t)
	key := fmt.Sprintf("type %d", id)
	name := l.name(key, "T_"+t.Obj().Name())
	l.once("cell package", func() { l.imports = append(l.imports, "import "+CellPackage+" \"gopherlo/cell\"\n") })
	l.once(key, func() { l.structs = append(l.structs, Struct{name, t}) })
	return CellPackage + "." + name
}

// structType writes a struct type without a name.
func (l *lowerer) structType(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct{}"
	}
	var b strings.Builder
	b.WriteString("struct { ")
	for i := range t.NumFields() {
		b.WriteString(FieldName(t, i) + " " + l.typ(t.Field(i).Type()))
		if tag := FieldTag(t, i, ""); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
		b.WriteString("; ")
	}
	b.WriteString("}")
	return b.String()
}

// FieldTag is the tag of a field in memory: the user's, and under "yg" what
// native code needs to know: the name of the struct type, in its first field,
// and the name of a field that is not exported.
func FieldTag(t *types.Struct, i int, name string) string {
	f := t.Field(i)
	tag := ""
	if i == 0 && name != "" || !f.Exported() {
		first := ""
		if i == 0 {
			first = name
		}
		tag = "yg:" + strconv.Quote(first+";"+f.Name())
		if !f.Exported() {
			tag += ` json:"-" xml:"-"`
		}
	}
	if user := t.Tag(i); user != "" && f.Exported() {
		tag = strings.TrimSpace(user + " " + tag)
	}
	return tag
}

// FieldName is the name of a field in memory. Fields that are not exported get
// an X in front, as reflection needs.
func FieldName(t *types.Struct, i int) string {
	f := t.Field(i)
	switch {
	case f.Name() == "_":
		return "X_" + strconv.Itoa(i)
	case f.Exported():
		return f.Name()
	}
	return "X" + f.Name()
}

// signature writes parameter and result types without names.
func (l *lowerer) signature(t *types.Signature) string {
	var ps []string
	for i := range t.Params().Len() {
		typ := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			ps = append(ps, "..."+l.typ(l.elemOfVariadic(typ)))
			continue
		}
		ps = append(ps, l.typ(typ))
	}
	return "(" + strings.Join(ps, ", ") + ")" + l.results(t)
}

func (l *lowerer) elemOfVariadic(t types.Type) types.Type {
	if s, ok := l.under(t).(*types.Slice); ok {
		return s.Elem()
	}
	return types.Typ[types.Byte] // append([]byte, string...)
}

func (l *lowerer) results(t *types.Signature) string {
	var rs []string
	for i := range t.Results().Len() {
		rs = append(rs, l.typ(t.Results().At(i).Type()))
	}
	switch len(rs) {
	case 0:
		return ""
	case 1:
		return " " + rs[0]
	}
	return " (" + strings.Join(rs, ", ") + ")"
}

// isCell reports whether a named type is lowered from its declaration: one of
// a cell or an instance of a generic type held as source.
func (l *lowerer) isCell(t *types.Named) bool {
	if check.IsCellType(t.Obj()) {
		return true
	}
	pkg := l.sourcePkg()
	return pkg != nil && t.Obj().Pkg() == pkg && !t.Obj().Exported()
}

// Recursive reports whether a named type that is no struct contains itself
// otherwise than by way of a struct with a name.
func Recursive(t *types.Named) bool {
	seen := map[types.Type]bool{}
	var visit func(x types.Type) bool
	visit = func(x types.Type) bool {
		x = types.Unalias(x)
		if seen[x] {
			return false
		}
		seen[x] = true
		switch x := x.(type) {
		case *types.Named:
			if x == t || types.Identical(x, t) {
				return true
			}
			if !check.IsCellType(x.Obj()) {
				return false
			}
			if _, ok := x.Underlying().(*types.Struct); ok {
				return false
			}
			return visit(x.Underlying())
		case *types.Pointer:
			return visit(x.Elem())
		case *types.Slice:
			return visit(x.Elem())
		case *types.Array:
			return visit(x.Elem())
		case *types.Chan:
			return visit(x.Elem())
		case *types.Map:
			return visit(x.Key()) || visit(x.Elem())
		case *types.Signature:
			return visit(x.Params()) || visit(x.Results())
		case *types.Tuple:
			for i := range x.Len() {
				if visit(x.At(i).Type()) {
					return true
				}
			}
		case *types.Struct:
			for i := range x.NumFields() {
				if visit(x.Field(i).Type()) {
					return true
				}
			}
		}
		return false
	}
	return visit(t.Underlying())
}

// erased reports recursive types that are no structs, such as
// "type state func() state": yaegi cannot have them, so their values are held
// as "any" and taken out where they are used.
func (l *lowerer) erased(t types.Type) bool {
	n, ok := types.Unalias(l.sub(t)).(*types.Named)
	return ok && l.isCell(n) && Erased(n)
}

// Erased is the rule for one named type of a cell.
func Erased(n *types.Named) bool {
	switch n.Underlying().(type) {
	case *types.Struct, *types.Interface:
		return false
	}
	return Recursive(n)
}

// boxed reports whether a value of this type must carry its type when it
// becomes an interface value: whether the type that yaegi uses for it is
// another than Go's.
func (l *lowerer) boxed(t types.Type) bool { return boxed(l.sub(t), map[types.Type]bool{}) }

func boxed(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		if check.IsCellType(t.Obj()) || t.TypeArgs().Len() > 0 {
			return true
		}
		return false
	case *types.Pointer:
		return boxed(t.Elem(), seen)
	case *types.Slice:
		return boxed(t.Elem(), seen)
	case *types.Array:
		return boxed(t.Elem(), seen)
	case *types.Chan:
		return boxed(t.Elem(), seen)
	case *types.Map:
		return boxed(t.Key(), seen) || boxed(t.Elem(), seen)
	case *types.Signature:
		return boxed(t.Params(), seen) || boxed(t.Results(), seen)
	case *types.Tuple:
		for i := range t.Len() {
			if boxed(t.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			f := t.Field(i)
			if !f.Exported() || f.Embedded() || boxed(f.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		return t.NumMethods() > 0
	}
	return false
}

// nativeIface reports whether values of an interface type are held as values
// of the native interface; all other interface values are plain "any".
func (l *lowerer) nativeIface(t types.Type) bool {
	n, ok := types.Unalias(l.sub(t)).(*types.Named)
	if !ok {
		return false
	}
	_, isIface := n.Underlying().(*types.Interface)
	return isIface && !l.isCell(n) && n.TypeArgs().Len() == 0
}

func isInterface(t types.Type) bool {
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

// under is the underlying type with type arguments put in.
func (l *lowerer) under(t types.Type) types.Type { return l.sub(t).Underlying() }

// unsupported is a construct that lowering has no rule for.
type unsupported string

// Unsupported is a part of a cell that is right and cannot be interpreted.
type Unsupported struct {
	What            string
	Cell, Line, Col int // of the statement
}

func (u *Unsupported) Error() string { return u.What + " cannot be interpreted" }

// Hint says what to do instead.
func (u *Unsupported) Hint() string {
	return "compiled Go can: put it into a package of yours and make a kernel that has it with `gopherlo build --with PATH`"
}
