package rt

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Clear is the builtin clear.
func (s *Session) Clear(x any) {
	v := reflect.ValueOf(x)
	if v.IsValid() {
		v.Clear()
	}
}

// Shift checks a shift count.
func (s *Session) Shift(n int64) uint {
	if n < 0 {
		panic(runtimeError("negative shift amount"))
	}
	return uint(n)
}

// Rune makes a valid rune of an integer for a conversion to string.
func (s *Session) Rune(n int64) rune {
	if n < 0 || n > utf8.MaxRune {
		return utf8.RuneError
	}
	return rune(n)
}

// Copy copies a struct into one of another type with the same fields.
func (s *Session) Copy(x, z any) {
	dst := reflect.ValueOf(z).Elem()
	dst.Set(retype(reflect.ValueOf(x), dst.Type()))
}

// FromSlice converts a slice to an array or a pointer to one.
func (s *Session) FromSlice(x, z any) {
	v, dst := reflect.ValueOf(x), reflect.ValueOf(z).Elem()
	n := dst.Type()
	if n.Kind() == reflect.Pointer {
		n = n.Elem()
	}
	if v.Len() < n.Len() {
		outOfBounds(boundsConvert, n.Len(), v.Len())
	}
	dst.Set(v.Convert(dst.Type()))
}

// Reinterpret converts a pointer to one whose type has the same layout.
func (s *Session) Reinterpret(x, z any) {
	v, dst := reflect.ValueOf(x), reflect.ValueOf(z).Elem()
	if v.IsNil() {
		dst.SetZero()
	} else {
		dst.Set(reflect.NewAt(dst.Type().Elem(), v.UnsafePointer()))
	}
}

// Print and Println are the builtins: they write to standard error.
func (s *Session) Print(args ...any) {
	text := ""
	for _, a := range args {
		text += builtinText(a)
	}
	s.stream("stderr", text)
}

// Println is the builtin println.
func (s *Session) Println(args ...any) {
	text := ""
	for i, a := range args {
		if i > 0 {
			text += " "
		}
		text += builtinText(a)
	}
	s.stream("stderr", text+"\n")
}

// builtinText writes a value as the print of Go 1.26 does.
func builtinText(a any) string {
	if b, ok := unbox(a); ok {
		a = b.V
	}
	switch v := reflect.ValueOf(a); v.Kind() {
	case reflect.Invalid:
		return "(0x0,0x0)"
	case reflect.Float32, reflect.Float64:
		return floatText(v.Float())
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		sign := "+"
		if math.Signbit(imag(c)) || math.IsInf(imag(c), 1) {
			sign = ""
		}
		return "(" + floatText(real(c)) + sign + floatText(imag(c)) + "i)"
	case reflect.Map, reflect.Pointer, reflect.Chan, reflect.Func:
		return fmt.Sprintf("%#x", v.Pointer())
	case reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	}
	return fmt.Sprint(a)
}

func floatText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// Runes decodes a string: where each rune starts, and the runes.
func (s *Session) Runes(text string) ([]int, []rune) {
	n := utf8.RuneCountInString(text)
	at, runes := make([]int, 0, n), make([]rune, 0, n)
	for i, r := range text {
		at, runes = append(at, i), append(runes, r)
	}
	return at, runes
}

// NilDeref raises the panic for a nil pointer.
func (s *Session) NilDeref() { panic(errNilDeref) }

// NotNil raises Go's panic when a method of a nil interface value is wanted.
func (s *Session) NotNil(x any) any {
	if x == nil {
		panic(errNilDeref)
	}
	return x
}

// BadIndex raises the panic for an index that is out of range.
func (s *Session) BadIndex(i, n int) { outOfBounds(boundsIndex, i, n) }

// BadSlice raises the panic for slice bounds that are out of range. kind has
// bit 0 for strings and arrays, bit 1 when the upper bound was left out.
func (s *Session) BadSlice(low, high, limit, kind int) {
	if high >= 0 && high <= limit {
		outOfBounds(boundsSliceLow, low, high)
	}
	if kind&1 != 0 {
		outOfBounds(boundsSliceLen, high, limit)
	}
	outOfBounds(boundsSliceCap, high, limit)
}

// BadSlice3 raises the panic for the bounds of x[low:high:max]; kind is 1 for
// arrays.
func (s *Session) BadSlice3(low, high, limit, capacity, kind int) {
	switch {
	case (limit < 0 || limit > capacity) && kind == 1:
		outOfBounds(boundsSlice3Len, limit, capacity)
	case limit < 0 || limit > capacity:
		outOfBounds(boundsSlice3Cap, limit, capacity)
	case high < 0 || high > limit:
		outOfBounds(boundsSlice3High, high, limit)
	}
	outOfBounds(boundsSlice3Low, low, high)
}

// isNilPointer reports nil, with a type or without.
func isNilPointer(x any) bool {
	v := reflect.ValueOf(x)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}
