package lower

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// constText writes a constant of a type. Numbers of the default types are
// plain literals; others are converted.
func (l *lowerer) constText(v constant.Value, t types.Type) string {
	t = types.Unalias(l.sub(t))
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && !l.isCell(n) {
		if b, ok := n.Underlying().(*types.Basic); ok {
			return l.typ(n) + "(" + l.constText(v, b) + ")"
		}
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		// A constant where an interface is wanted has its default type.
		b = defaultBasic(v)
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return strconv.FormatBool(constant.BoolVal(v))
	case info&types.IsString != 0:
		return strconv.Quote(constant.StringVal(v))
	case info&types.IsInteger != 0:
		return intText(v, b)
	case info&types.IsFloat != 0:
		return floatText(v, b)
	case info&types.IsComplex != 0:
		re, _ := constant.Float64Val(constant.Real(v))
		im, _ := constant.Float64Val(constant.Imag(v))
		// yaegi cannot convert complex constants.
		text := fmt.Sprintf("_k.Complex(%s, %s)", floatLit(re), floatLit(im))
		if b.Kind() == types.Complex64 {
			text = "complex64(" + text + ")"
		}
		return text
	}
	panic(unsupported("constant of type " + t.String()))
}

func defaultBasic(v constant.Value) *types.Basic {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.Bool]
	case constant.String:
		return types.Typ[types.String]
	case constant.Int:
		return types.Typ[types.Int]
	case constant.Float:
		return types.Typ[types.Float64]
	}
	return types.Typ[types.Complex128]
}

func intText(v constant.Value, b *types.Basic) string {
	text := constant.ToInt(v).ExactString()
	if strings.HasPrefix(text, "-") {
		text = "(" + text + ")"
	}
	if b.Kind() == types.Int || b.Kind() == types.UntypedInt {
		return text
	}
	return basicName(b) + "(" + strings.Trim(text, "()") + ")"
}

func floatText(v constant.Value, b *types.Basic) string {
	f, _ := constant.Float64Val(v)
	if b.Kind() == types.Float32 {
		g, _ := constant.Float32Val(v)
		return "float32(" + floatLit(float64(g)) + ")"
	}
	return floatLit(f)
}

func floatLit(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if math.IsInf(f, 0) {
		panic(unsupported("infinite constant"))
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if f < 0 {
		text = "(" + text + ")"
	}
	return text
}
