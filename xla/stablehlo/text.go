package stablehlo

import (
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
)

// elemNames are MLIR's names of the element types.
var elemNames = map[hlo.PrimitiveType]string{
	hlo.PRED: "i1", hlo.S1: "si1", hlo.U1: "ui1",
	hlo.S2: "i2", hlo.S4: "i4", hlo.S8: "i8", hlo.S16: "i16", hlo.S32: "i32", hlo.S64: "i64",
	hlo.U2: "ui2", hlo.U4: "ui4", hlo.U8: "ui8", hlo.U16: "ui16", hlo.U32: "ui32", hlo.U64: "ui64",
	hlo.F16: "f16", hlo.BF16: "bf16", hlo.F32: "f32", hlo.F64: "f64",
	hlo.C64: "complex<f32>", hlo.C128: "complex<f64>",
	hlo.F8E5M2: "f8E5M2", hlo.F8E4M3: "f8E4M3", hlo.F8E3M4: "f8E3M4", hlo.F8E4M3FN: "f8E4M3FN",
	hlo.F8E4M3B11FNUZ: "f8E4M3B11FNUZ", hlo.F8E5M2FNUZ: "f8E5M2FNUZ", hlo.F8E4M3FNUZ: "f8E4M3FNUZ",
	hlo.F4E2M1FN: "f4E2M1FN", hlo.F8E8M0FNU: "f8E8M0FNU",
	hlo.F6E3M2FN: "f6E3M2FN", hlo.F6E2M3FN: "f6E2M3FN",
}

var elemByName = func() map[string]hlo.PrimitiveType {
	m := make(map[string]hlo.PrimitiveType, len(elemNames))
	for e, n := range elemNames {
		m[n] = e
	}
	return m
}()

// String is the type as MLIR prints it: tensor<2x3xf32>.
func (t Type) String() string { return string(appendType(nil, t)) }

// appendType appends a type as MLIR prints it.
func appendType(buf []byte, t Type) []byte {
	switch t.Elem {
	case hlo.Token:
		return append(buf, "!stablehlo.token"...)
	case hlo.Tuple:
		buf = append(buf, "tuple<"...)
		buf = appendTypes(buf, t.Tuple)
		return append(buf, '>')
	}
	buf = append(buf, "tensor<"...)
	for _, d := range t.Dims {
		buf = strconv.AppendInt(buf, d, 10)
		buf = append(buf, 'x')
	}
	buf = append(buf, elemNames[t.Elem]...)
	return append(buf, '>')
}

func appendTypes(buf []byte, ts []Type) []byte {
	for i, t := range ts {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = appendType(buf, t)
	}
	return buf
}

// appendFuncType appends (a, b) -> c, with parentheses around the results
// unless there is exactly one.
func appendFuncType(buf []byte, args, results []Type) []byte {
	buf = append(buf, '(')
	buf = appendTypes(buf, args)
	buf = append(buf, ") -> "...)
	if len(results) == 1 {
		return appendType(buf, results[0])
	}
	buf = append(buf, '(')
	buf = appendTypes(buf, results)
	return append(buf, ')')
}

// isBareID reports whether MLIR prints the name without quotes.
func isBareID(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' || s[0] == '.' || s[0] == '$' {
		return false
	}
	for i := range len(s) {
		if !isIDChar(s[i]) {
			return false
		}
	}
	return true
}

func isIDChar(c byte) bool {
	return c == '_' || c == '.' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// appendQuoted appends a string in MLIR's quotes: backslashes doubled, quotes
// and what is not printable ASCII as two hexadecimal digits.
func appendQuoted(buf []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	buf = append(buf, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			buf = append(buf, '\\', '\\')
		case c >= ' ' && c < 0x7f && c != '"':
			buf = append(buf, c)
		default:
			buf = append(buf, '\\', digits[c>>4], digits[c&15])
		}
	}
	return append(buf, '"')
}

func appendKey(buf []byte, s string) []byte {
	if isBareID(s) {
		return append(buf, s...)
	}
	return appendQuoted(buf, s)
}

func appendSymbol(buf []byte, s string) []byte { return appendKey(append(buf, '@'), s) }

func appendInts(buf []byte, vs []int64) []byte {
	for i, v := range vs {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = strconv.AppendInt(buf, v, 10)
	}
	return buf
}

func appendIntList(buf []byte, vs []int64) []byte {
	return append(appendInts(append(buf, '['), vs), ']')
}

// appendAttrs appends a {key = value} dictionary.
func appendAttrs(buf []byte, a Attrs) []byte {
	buf = append(buf, '{')
	buf = appendEntries(buf, a)
	return append(buf, '}')
}

func appendEntries(buf []byte, a Attrs) []byte {
	for i, n := range a {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = appendKey(buf, n.Key)
		if _, unit := n.Value.(Unit); unit {
			continue
		}
		buf = append(buf, " = "...)
		buf = appendAttr(buf, n.Value)
	}
	return buf
}

// appendAttr appends an attribute as it prints inside a dictionary.
func appendAttr(buf []byte, a Attr) []byte {
	switch a := a.(type) {
	case Bool:
		return strconv.AppendBool(buf, bool(a))
	case Int:
		return a.append(buf)
	case Float:
		buf = appendFloat(buf, a.Elem, EncodeFloat(a.Elem, a.Value))
		return append(append(buf, " : "...), elemNames[a.Elem]...)
	case String:
		return appendQuoted(buf, string(a))
	case Unit:
		return append(buf, "unit"...)
	case Symbol:
		return appendSymbol(buf, string(a))
	case Ints:
		return appendArray(buf, "i64", len(a), func(buf []byte) []byte { return appendInts(buf, a) })
	case Bools:
		return appendArray(buf, "i1", len(a), func(buf []byte) []byte { return appendBools(buf, a) })
	case Array:
		buf = append(buf, '[')
		for i, e := range a {
			if i > 0 {
				buf = append(buf, ", "...)
			}
			buf = appendAttr(buf, e)
		}
		return append(buf, ']')
	case Dict:
		return appendAttrs(buf, Attrs(a))
	case TypeAttr:
		return appendType(buf, a.Type)
	case Raw:
		return append(buf, a...)
	case *Dense:
		return appendDense(buf, a)
	case Index:
		return appendIndex(buf, a)
	}
	return appendDialectAttr(buf, a)
}

func (a Int) append(buf []byte) []byte {
	if a.Unsigned {
		buf = strconv.AppendUint(buf, uint64(a.Value), 10)
		buf = append(buf, " : u"...)
	} else {
		buf = strconv.AppendInt(buf, a.Value, 10)
		buf = append(buf, " : "...)
	}
	bits := a.Bits
	if bits == 0 {
		bits = 64
	}
	return strconv.AppendInt(append(buf, 'i'), int64(bits), 10)
}

func appendArray(buf []byte, elem string, n int, fn func([]byte) []byte) []byte {
	buf = append(append(buf, "array<"...), elem...)
	if n > 0 {
		buf = fn(append(buf, ": "...))
	}
	return append(buf, '>')
}

func appendBools(buf []byte, vs []bool) []byte {
	for i, v := range vs {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = strconv.AppendBool(buf, v)
	}
	return buf
}

// appendIndex appends a layout: dense<[1, 0]> : tensor<2xindex>.
func appendIndex(buf []byte, a Index) []byte {
	buf = append(buf, "dense<"...)
	same := len(a) > 0
	for _, v := range a {
		same = same && v == a[0]
	}
	switch {
	case same:
		buf = strconv.AppendInt(buf, a[0], 10)
	case len(a) > 0:
		buf = appendIntList(buf, a)
	}
	buf = append(buf, "> : tensor<"...)
	buf = strconv.AppendInt(buf, int64(len(a)), 10)
	return append(buf, "xindex>"...)
}

// appendDialectAttr appends the attributes of the StableHLO dialect.
func appendDialectAttr(buf []byte, a Attr) []byte {
	switch a := a.(type) {
	case Enum:
		buf = append(append(buf, "#stablehlo<"...), a.Kind...)
		return append(append(append(buf, ' '), a.Value...), '>')
	case *GatherDims:
		return appendFields(buf, "#stablehlo.gather", []field{
			{"offset_dims", a.OffsetDims},
			{"collapsed_slice_dims", a.CollapsedSliceDims},
			{"operand_batching_dims", a.OperandBatchingDims},
			{"start_indices_batching_dims", a.StartIndicesBatchingDims},
			{"start_index_map", a.StartIndexMap},
		}, a.IndexVectorDim)
	case *ScatterDims:
		return appendFields(buf, "#stablehlo.scatter", []field{
			{"update_window_dims", a.UpdateWindowDims},
			{"inserted_window_dims", a.InsertedWindowDims},
			{"input_batching_dims", a.InputBatchingDims},
			{"scatter_indices_batching_dims", a.ScatterIndicesBatchingDims},
			{"scatter_dims_to_operand_dims", a.ScatterDimsToOperandDims},
		}, a.IndexVectorDim)
	case *DotDims:
		return appendDotDims(buf, a)
	case *ConvDims:
		return append(appendConvDims(append(buf, "#stablehlo.conv<"...), a), '>')
	case *DotAlgorithm:
		return appendAlgorithm(append(buf, "#stablehlo.dot_algorithm"...), a)
	case OutputAlias:
		buf = appendIntList(append(buf, "#stablehlo.output_operand_alias<output_tuple_indices = "...), a.OutputTupleIndices)
		buf = strconv.AppendInt(append(buf, ", operand_index = "...), a.OperandIndex, 10)
		buf = appendIntList(append(buf, ", operand_tuple_indices = "...), a.OperandTupleIndices)
		return append(buf, '>')
	}
	return buf
}

type field struct {
	key  string
	ints []int64
}

// appendFields appends the dimension numbers of gather or scatter: empty lists
// and a zero index_vector_dim are left out.
func appendFields(buf []byte, name string, fs []field, vectorDim int64) []byte {
	buf = append(append(buf, name...), '<')
	sep := ""
	for _, f := range fs {
		if len(f.ints) > 0 {
			buf = append(append(append(buf, sep...), f.key...), " = "...)
			buf, sep = appendIntList(buf, f.ints), ", "
		}
	}
	if vectorDim != 0 {
		buf = append(append(buf, sep...), "index_vector_dim = "...)
		buf = strconv.AppendInt(buf, vectorDim, 10)
	}
	return append(buf, '>')
}

func appendDotDims(buf []byte, a *DotDims) []byte {
	return appendFields(buf, "#stablehlo.dot", []field{
		{"lhs_batching_dimensions", a.LHSBatch},
		{"rhs_batching_dimensions", a.RHSBatch},
		{"lhs_contracting_dimensions", a.LHSContracting},
		{"rhs_contracting_dimensions", a.RHSContracting},
	}, 0)
}

// appendConvDims appends [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
func appendConvDims(buf []byte, c *ConvDims) []byte {
	buf = appendConvSide(buf, "bf", c.InputBatch, c.InputFeature, c.InputSpatial)
	buf = append(buf, 'x')
	buf = appendConvSide(buf, "io", c.KernelInputFeature, c.KernelOutput, c.KernelSpatial)
	buf = append(buf, "->"...)
	return appendConvSide(buf, "bf", c.OutputBatch, c.OutputFeature, c.OutputSpatial)
}

func appendConvSide(buf []byte, letters string, first, second int64, spatial []int64) []byte {
	names := make([]string, len(spatial)+2)
	set := func(i int64, s string) {
		if i >= 0 && i < int64(len(names)) {
			names[i] = s
		}
	}
	set(first, letters[:1])
	set(second, letters[1:])
	for i, d := range spatial {
		set(d, strconv.Itoa(i))
	}
	buf = append(buf, '[')
	buf = append(buf, strings.Join(names, ", ")...)
	return append(buf, ']')
}

// appendAlgorithm appends <lhs_precision_type = f32, ...>.
func appendAlgorithm(buf []byte, a *DotAlgorithm) []byte {
	buf = append(append(buf, "<lhs_precision_type = "...), precisionName(a.LHSType)...)
	buf = append(append(buf, ", rhs_precision_type = "...), precisionName(a.RHSType)...)
	buf = append(append(buf, ", accumulation_type = "...), precisionName(a.AccumulationType)...)
	buf = strconv.AppendInt(append(buf, ", lhs_component_count = "...), a.LHSComponents, 10)
	buf = strconv.AppendInt(append(buf, ", rhs_component_count = "...), a.RHSComponents, 10)
	buf = strconv.AppendInt(append(buf, ", num_primitive_operations = "...), a.NumPrimitiveOps, 10)
	buf = strconv.AppendBool(append(buf, ", allow_imprecise_accumulation = "...), a.AllowImpreciseAccumulation)
	return append(buf, '>')
}

// precisionName names the type of a dot algorithm. TF32 is no element type;
// the product writes it with InvalidType.
func precisionName(e hlo.PrimitiveType) string {
	if e == hlo.InvalidType {
		return "tf32"
	}
	return elemNames[e]
}

// AttrText is an attribute as MLIR prints it: {alpha = 1.500000e+00 : f64}.
func AttrText(a Attr) string { return string(appendAttr(nil, a)) }
