package stablehlo

import (
	"strconv"
	"strings"
)

// A form is the custom assembly of an op: what stands after its name, part by
// part. The same rows print and parse.
type form []part

type part struct {
	print func(p *printer, o *Op)
	parse func(p *parser, o *Op)
}

// formOf gives the custom assembly that an op prints with; false means the
// generic form.
func formOf(o *Op) (form, bool) {
	f, ok := forms[o.Name]
	return f, ok
}

var (
	elementwise  = form{operands, dict(), lit(" : "), sameOrFunc}
	withFuncType = func(parts ...part) form { return append(parts, dict(), lit(" : "), funcType) }
)

// forms are the assembly formats of StableHLO's ops and those of func, chlo and
// sdy that JAX emits (StablehloOps.td, ChloOps.td and FuncOps.td of the
// jaxlib 0.12.0.1 sources). Ops without a row print in generic form.
var forms map[string]form

func init() {
	forms = map[string]form{
		"stablehlo.constant":         {dict(), lit(" "), denseValue},
		"stablehlo.broadcast_in_dim": withFuncType(operands, lit(", dims = "), intList("broadcast_dimensions")),
		"stablehlo.transpose":        withFuncType(operands, lit(", dims = "), intList("permutation")),
		"stablehlo.reverse":          {operands, lit(", dims = "), intList("dimensions"), dict(), lit(" : "), sameOrFunc},
		"stablehlo.iota":             {lit(" dim = "), integer("iota_dimension", 64), dict(), lit(" : "), resultType},
		"stablehlo.concatenate":      withFuncType(operands, lit(", dim = "), integer("dimension", 64)),
		"stablehlo.compare": withFuncType(lit(" "), enum("comparison_direction", "comparison_direction"), lit(","), operands,
			optEnum("compare_type", "comparison_type")),
		"stablehlo.select":               {operands, dict(), lit(" : "), selectTypes},
		"stablehlo.slice":                withFuncType(operands, lit(" "), sliceRanges),
		"stablehlo.dynamic_slice":        withFuncType(operands, lit(", sizes = "), intList("slice_sizes")),
		"stablehlo.dynamic_update_slice": withFuncType(operands),
		"stablehlo.pad": withFuncType(operands, lit(", low = "), intList("edge_padding_low"),
			lit(", high = "), intList("edge_padding_high"), lit(", interior = "), intList("interior_padding")),
		"stablehlo.reduce_precision":  {operands, lit(", format = "), exponentMantissa, dict(), lit(" : "), sameOrFunc},
		"stablehlo.fft":               withFuncType(operands, lit(", type = "), enum("fft_type", "fft_type"), lit(", length = "), intList("fft_length")),
		"stablehlo.rng":               withFuncType(operands, lit(", distribution = "), enum("rng_distribution", "rng_distribution")),
		"stablehlo.rng_bit_generator": withFuncType(operands, lit(", algorithm = "), enum("rng_algorithm", "rng_algorithm")),
		"stablehlo.get_tuple_element": withFuncType(operands, bracketed("index")),
		"stablehlo.cholesky":          {operands, optBool(", lower = ", "lower"), dict(), lit(" : "), sameOrFunc},
		"stablehlo.dot_general":       withFuncType(operands, dotNumbers),
		"stablehlo.convolution":       withFuncType(callOperands, convolutionBody),
		"stablehlo.reduce":            {reduceAssembly},
		"stablehlo.while":             {whileAssembly},
		"stablehlo.custom_call":       withFuncType(lit(" "), symbolString("call_target_name"), callOperands),
		"stablehlo.return":            {operands, dict(), operandTypes},
		"func.return":                 {operands, dict(), operandTypes},
		"sdy.return":                  {operands, dict(), operandTypes},
		"func.call":                   withFuncType(lit(" "), symbol("callee"), callOperands),
		"chlo.top_k":                  {lit("("), bareOperands, lit(", k = "), integer("k", 64), lit(")"), dict(), lit(" : "), arrowTypes},
		"sdy.sharding_constraint":     {operands, lit(" "), raw("sharding"), dict(), lit(" : "), sameOrFunc},
		"sdy.manual_computation":      {manualComputation},
	}
	for _, n := range strings.Fields(`abs add and atan2 bitcast_convert cbrt ceil clamp complex convert cosine
		count_leading_zeros divide exponential exponential_minus_one floor imag is_finite log
		log_plus_one logistic maximum minimum multiply negate not optimization_barrier or partition_id popcnt power
		real remainder replica_id reshape round_nearest_afz round_nearest_even rsqrt shift_left
		shift_right_arithmetic shift_right_logical sign sine sqrt subtract tan tanh xor`) {
		forms["stablehlo."+n] = elementwise
	}
	forms["stablehlo.bitcast_convert"] = withFuncType(operands)
	forms["stablehlo.reshape"] = withFuncType(operands)
	forms["stablehlo.complex"] = form{operands, dict(), lit(" : "), complexTypes}
	forms["stablehlo.optimization_barrier"] = form{dict(), operands, lit(" : "), pairwise}
	forms["stablehlo.tuple"] = form{operands, dict(), lit(" : "), tupleType}
	forms["stablehlo.after_all"] = form{operands, dict(), lit(" : "), sameOrFunc}
	forms["stablehlo.create_token"] = form{dict(), lit(" : "), resultType}
	forms["stablehlo.partition_id"] = form{dict(), lit(" : "), resultType}
	forms["stablehlo.replica_id"] = forms["stablehlo.partition_id"]
	for _, n := range strings.Fields(`acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf mulhi
		is_neg_inf is_pos_inf lgamma next_after polygamma sinh square tan zeta`) {
		forms["chlo."+n] = form{operands, dict(), lit(" : "), arrowTypes}
	}
}

// inlineKeys are the attributes that each op's form prints outside its
// dictionary.
var inlineKeys = map[string][]string{
	"stablehlo.constant":          {"value"},
	"stablehlo.broadcast_in_dim":  {"broadcast_dimensions"},
	"stablehlo.transpose":         {"permutation"},
	"stablehlo.reverse":           {"dimensions"},
	"stablehlo.iota":              {"iota_dimension"},
	"stablehlo.concatenate":       {"dimension"},
	"stablehlo.compare":           {"comparison_direction", "compare_type"},
	"stablehlo.slice":             {"start_indices", "limit_indices", "strides"},
	"stablehlo.dynamic_slice":     {"slice_sizes"},
	"stablehlo.pad":               {"edge_padding_low", "edge_padding_high", "interior_padding"},
	"stablehlo.reduce_precision":  {"exponent_bits", "mantissa_bits"},
	"stablehlo.fft":               {"fft_type", "fft_length"},
	"stablehlo.rng":               {"rng_distribution"},
	"stablehlo.rng_bit_generator": {"rng_algorithm"},
	"stablehlo.get_tuple_element": {"index"},
	"stablehlo.cholesky":          {"lower"},
	"stablehlo.dot_general":       {"dot_dimension_numbers", "precision_config", "algorithm"},
	"stablehlo.convolution":       {"dimension_numbers", "window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"},
	"stablehlo.reduce":            {"dimensions"},
	"stablehlo.custom_call":       {"call_target_name"},
	"func.call":                   {"callee"},
	"chlo.top_k":                  {"k"},
	"sdy.sharding_constraint":     {"sharding"},
	"sdy.manual_computation":      {"header"},
}

// lit is fixed text. Parsing takes it without regard to white space.
func lit(s string) part {
	words := strings.Fields(s)
	return part{
		func(p *printer, _ *Op) { p.str(s) },
		func(p *parser, _ *Op) {
			for _, w := range words {
				p.expectLit(w)
			}
		},
	}
}

// dict is the attribute dictionary, if there is anything in it.
func dict() part {
	return part{
		func(p *printer, o *Op) {
			keys := inlineKeys[o.Name]
			p.attrDict(o.attrsWithout(func(key string) bool {
				for _, k := range keys {
					if k == key {
						return true
					}
				}
				return false
			}))
		},
		func(p *parser, o *Op) {
			if p.peek() == '{' {
				p.setAttrs(o, p.dictionary())
			}
		},
	}
}

// operands are the operands after a space, with commas between.
var operands = part{
	func(p *printer, o *Op) {
		if len(o.Operands) > 0 {
			p.str(" ")
			p.values(o.Operands)
		}
	},
	func(p *parser, o *Op) { p.operandList(o) },
}

// bareOperands are operands without the space before them.
var bareOperands = part{
	func(p *printer, o *Op) { p.values(o.Operands) },
	func(p *parser, o *Op) { p.operandList(o) },
}

// callOperands are operands in parentheses.
var callOperands = part{
	func(p *printer, o *Op) { p.str("("); p.values(o.Operands); p.str(")") },
	func(p *parser, o *Op) { p.expect('('); p.operandList(o); p.expect(')') },
}

// funcType is (operand types) -> result types.
var funcType = part{
	func(p *printer, o *Op) { p.buf = appendFuncType(p.buf, types(o.Operands), types(o.Results)) },
	func(p *parser, o *Op) { p.functionType(o) },
}

// sameOrFunc is one type when all operands and results have it, else a function
// type (custom<SameOperandsAndResultType>).
var sameOrFunc = part{
	func(p *printer, o *Op) {
		if t, ok := sameType(o); ok {
			p.buf = appendType(p.buf, t)
			return
		}
		p.buf = appendFuncType(p.buf, types(o.Operands), types(o.Results))
	},
	func(p *parser, o *Op) {
		if p.peek() == '(' {
			p.functionType(o)
			return
		}
		t := p.typ()
		p.checkOperands(o, func(int) Type { return t })
		o.AddResults(t)
	},
}

func sameType(o *Op) (Type, bool) {
	if len(o.Results) != 1 {
		return Type{}, false
	}
	t := o.Results[0].Type
	for _, v := range o.Operands {
		if !v.Type.Equal(t) {
			return Type{}, false
		}
	}
	return t, true
}

// pairwise is the operands' types, which are also the results'.
var pairwise = part{
	func(p *printer, o *Op) { p.buf = appendTypes(p.buf, types(o.Results)) },
	func(p *parser, o *Op) {
		ts := p.typeList()
		p.checkTypes(o, ts)
		o.AddResults(ts...)
	},
}

var resultType = part{
	func(p *printer, o *Op) { p.buf = appendTypes(p.buf, types(o.Results)) },
	func(p *parser, o *Op) { o.AddResults(p.typ()) },
}

// tupleType is the result's type; the operands are its elements.
var tupleType = part{
	resultType.print,
	func(p *parser, o *Op) {
		t := p.typ()
		p.checkTypes(o, t.Tuple)
		o.AddResults(t)
	},
}

// complexTypes is the result's type; the operands are its parts.
var complexTypes = part{
	resultType.print,
	func(p *parser, o *Op) {
		t := p.typ()
		p.checkOperands(o, func(int) Type { return t.WithElem(t.Elem.ComplexPart()) })
		o.AddResults(t)
	},
}

// operandTypes are the operands' types after a colon; nothing without operands.
var operandTypes = part{
	func(p *printer, o *Op) {
		if len(o.Operands) > 0 {
			p.buf = appendTypes(append(p.buf, " : "...), types(o.Operands))
		}
	},
	func(p *parser, o *Op) {
		if len(o.Operands) > 0 {
			p.expect(':')
			p.checkTypes(o, p.typeList())
		}
	},
}

// arrowTypes is chlo's: operand types -> result types.
var arrowTypes = part{
	func(p *printer, o *Op) {
		p.buf = append(appendTypes(p.buf, types(o.Operands)), " -> "...)
		if len(o.Results) == 1 {
			p.buf = appendType(p.buf, o.Results[0].Type)
			return
		}
		p.buf = append(appendTypes(append(p.buf, '('), types(o.Results)), ')')
	},
	func(p *parser, o *Op) {
		p.checkTypes(o, p.typeList())
		p.expectLit("->")
		o.AddResults(p.typesMaybeParen()...)
	},
}

// selectTypes are the types of the predicate and of the result, or a function
// type when the operands differ.
var selectTypes = part{
	func(p *printer, o *Op) {
		if len(o.Operands) == 3 && o.Operands[1].Type.Equal(o.Operands[2].Type) {
			p.buf = appendTypes(p.buf, []Type{o.Operands[0].Type, o.Results[0].Type})
			return
		}
		p.buf = appendFuncType(p.buf, types(o.Operands), types(o.Results))
	},
	func(p *parser, o *Op) {
		if p.peek() == '(' {
			p.functionType(o)
			return
		}
		pred := p.typ()
		p.expect(',')
		t := p.typ()
		p.checkTypes(o, []Type{pred, t, t})
		o.AddResults(t)
	},
}

func intList(key string) part {
	return part{
		func(p *printer, o *Op) { p.buf = appendIntList(p.buf, o.Attrs.Ints(key)) },
		func(p *parser, o *Op) { o.Attrs.Set(key, Ints(p.intList())) },
	}
}

func integer(key string, bits int) part {
	return part{
		func(p *printer, o *Op) { p.buf = strconv.AppendInt(p.buf, o.Attrs.Int(key), 10) },
		func(p *parser, o *Op) { o.Attrs.Set(key, Int{Value: p.integer(), Bits: bits}) },
	}
}

func bracketed(key string) part {
	return part{
		func(p *printer, o *Op) { p.str("[" + strconv.FormatInt(o.Attrs.Int(key), 10) + "]") },
		func(p *parser, o *Op) {
			p.expect('[')
			o.Attrs.Set(key, Int{Value: p.integer(), Bits: 32})
			p.expect(']')
		},
	}
}

func enum(key, kind string) part {
	return part{
		func(p *printer, o *Op) { p.str(o.Attrs.Enum(key)) },
		func(p *parser, o *Op) { o.Attrs.Set(key, Enum{kind, p.ident()}) },
	}
}

// optEnum is ", WORD", or nothing.
func optEnum(key, kind string) part {
	return part{
		func(p *printer, o *Op) {
			if s := o.Attrs.Enum(key); s != "" {
				p.str(", " + s)
			}
		},
		func(p *parser, o *Op) {
			if p.accept(',') {
				o.Attrs.Set(key, Enum{kind, p.ident()})
			}
		},
	}
}

func optBool(prefix, key string) part {
	return part{
		func(p *printer, o *Op) {
			if v, ok := o.Attrs.Get(key).(Bool); ok {
				p.str(prefix + strconv.FormatBool(bool(v)))
			}
		},
		func(p *parser, o *Op) {
			if p.accept(',') {
				p.expectLit(key)
				p.expect('=')
				o.Attrs.Set(key, Bool(p.ident() == "true"))
			}
		},
	}
}

func symbol(key string) part {
	return part{
		func(p *printer, o *Op) {
			s, _ := o.Attrs.Get(key).(Symbol)
			p.buf = appendSymbol(p.buf, string(s))
		},
		func(p *parser, o *Op) { o.Attrs.Set(key, Symbol(p.symbol())) },
	}
}

// symbolString is a string attribute that prints as a symbol.
func symbolString(key string) part {
	return part{
		func(p *printer, o *Op) {
			s, _ := o.Attrs.Get(key).(String)
			p.buf = appendSymbol(p.buf, string(s))
		},
		func(p *parser, o *Op) { o.Attrs.Set(key, String(p.symbol())) },
	}
}

// raw is an attribute in angle brackets that is kept as text.
func raw(key string) part {
	return part{
		func(p *printer, o *Op) {
			s, _ := o.Attrs.Get(key).(Raw)
			p.str(string(s))
		},
		func(p *parser, o *Op) { o.Attrs.Set(key, Raw(p.balanced())) },
	}
}

var denseValue = part{
	func(p *printer, o *Op) {
		if d, ok := o.Attrs.Get("value").(*Dense); ok {
			p.buf = appendDense(p.buf, d)
		}
	},
	func(p *parser, o *Op) {
		d := p.dense()
		o.Attrs.Set("value", d)
		o.AddResults(d.Type)
	},
}

// exponentMantissa is e5m10.
var exponentMantissa = part{
	func(p *printer, o *Op) {
		p.str("e" + strconv.FormatInt(o.Attrs.Int("exponent_bits"), 10) + "m" + strconv.FormatInt(o.Attrs.Int("mantissa_bits"), 10))
	},
	func(p *parser, o *Op) {
		e, m, _ := strings.Cut(strings.TrimPrefix(p.ident(), "e"), "m")
		exp, err1 := strconv.ParseInt(e, 10, 32)
		man, err2 := strconv.ParseInt(m, 10, 32)
		if err1 != nil || err2 != nil {
			p.fail("expected a format such as e5m10")
		}
		o.Attrs.Set("exponent_bits", Int{Value: exp, Bits: 32})
		o.Attrs.Set("mantissa_bits", Int{Value: man, Bits: 32})
	},
}
