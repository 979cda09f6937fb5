package check

import (
	"go/types"
	"regexp"
	"slices"
)

var (
	typeNameRE  = regexp.MustCompile(`^cannot use "(\w+)" .* as dtype\.DType value`)
	dtypeCallRE = regexp.MustCompile(`^invalid operation: cannot call (jnp\.\w+) \(constant \d+ of int32 type dtype\.DType\)`)
	compiledRE  = regexp.MustCompile(`^cannot use (.*) \((?:value|variable) of (?:func )?type (\*Lowered|Func)\) as Compiled value`)
	mathRE      = regexp.MustCompile(`value in argument to math\.(\w+)`)
	arrayToGoRE = regexp.MustCompile(`^cannot use (.*) \((?:value|variable) of struct type Array\) as (\w+) value`)
)

// metadataHints help with calls that tag operations, whose forms in Python are
// other ones.
var metadataHints = []struct {
	re   *regexp.Regexp
	hint string
}{
	{regexp.MustCompile(`^cannot use .* as metadata\.Attrs value`), `attributes are a map: attrs{"k": "v"}`},
	{regexp.MustCompile(`^cannot use (.*) \((?:untyped string constant|constant|value|variable)\b.* as metadata\.Option value`), "write ad_metadata($1)"},
	{regexp.MustCompile(`^not enough arguments in call to (set_xla_metadata|xla_metadata_call2?)\b`), `write $1(x, attrs{"k": "v"}); for all operations of a block: for range xla_metadata(attrs{…}).Scope { … }`},
	{regexp.MustCompile(`^cannot range over .* \(value of struct type metadata\.Context\)`), "write for range xla_metadata(attrs{…}).Scope { … }"},
	{regexp.MustCompile(`^invalid operation: cannot call (.*) \(value of struct type metadata\.Context\)`), "for a function write xla_metadata(attrs{…}).Wrap(f), for a block for range xla_metadata(attrs{…}).Scope { … }"},
	{regexp.MustCompile(`^cannot index (.*)\.At \(value of type func\(`), "write $1.At(i).Set(v)"},
	{regexp.MustCompile(`^not enough arguments in call to custom_vjp\b`), "write custom_vjp(f, fwd, bwd): fwd gives the result and what bwd needs, bwd takes that and the cotangent"},
	{regexp.MustCompile(`^not enough arguments in call to custom_jvp\b`), "write custom_jvp(f, rule), rule a func(primals, tangents jax.Args) (Array, Array)"},
	{regexp.MustCompile(`^too many arguments in call to fuse_limit\b`), "for a function write fuse_limit().Wrap(f), for a block for range fuse_limit().Scope { … }"},
	{regexp.MustCompile(`as Option value in argument to make_jaxpr\b`), "the arguments come in a call of their own: make_jaxpr(f)(x)"},
}

// valueHints help with Go values where Python's are Arrays, or the other way round.
var valueHints = []struct {
	re   *regexp.Regexp
	hint string
}{
	{regexp.MustCompile(`^invalid operation: .*?(\S+)\.Shape\(\).* \(mismatched types `), "the shape is a slice of ints: $1.Shape()[0], $1.Size(), len($1)"},
	{regexp.MustCompile(`\.Item\(\)(?: .*mismatched types .*\bany\b| \(value of interface type any\))`), "Item() is of any type; x.Float() is a float64, x.Int() an int"},
	{regexp.MustCompile(`^invalid operation: .*\(mismatched types (?:(?:\[\])+\w+ and |\w[\w ]* and (?:\[\])+\w)`), "slices have no arithmetic; jnp.Array(x) makes an Array"},
	{regexp.MustCompile(`^invalid operation: operator \S+ not defined on \w+ \(variable of type (?:\[\])+\w+\)`), "slices have no arithmetic; jnp.Array(x) makes an Array"},
	{regexp.MustCompile(`^invalid operation: (.*) == (.*) \(slice can only be compared to nil\)`), "write slices.Equal($1, $2)"},
	{regexp.MustCompile(`^invalid operation: (.*) != (.*) \(slice can only be compared to nil\)`), "write !slices.Equal($1, $2)"},
	{regexp.MustCompile(`^invalid operation: (.*) [!=]= nil \(mismatched types Array and untyped nil\)`), "an Array is no pointer: $1.IsZero() is true of one without a value, $1.IsNone() of JAX's None"},
	{regexp.MustCompile(`^invalid operation: ("[^"]*%[^"]*") % (.*) \(mismatched types .*string`), "in Go: fmt.Sprintf($1, $2)"},
	{regexp.MustCompile(`^invalid operation: (.*) \+ (.*) \(mismatched types (?:untyped )?string and `), "in Go: fmt.Sprint($1, $2)"},
	{regexp.MustCompile(`^invalid operation: (.*) \+ (.*) \(mismatched types .* and (?:untyped )?string\)`), "in Go: fmt.Sprint($1, $2)"},
	{regexp.MustCompile(`^invalid operation: (.*) \* (.*) \(mismatched types (?:untyped )?string and `), "in Go: strings.Repeat($1, $2)"},
	{regexp.MustCompile(`^invalid argument: .* \(.* of struct type Array\) cannot be ordered`), "of an Array x.Max() and x.Min(), of two jnp.Maximum(x, y) and jnp.Minimum(x, y)"},
	{regexp.MustCompile(`^invalid argument: (.*) \(.* of type \[\].*\) cannot be ordered`), "of a slice slices.Max($1) and slices.Min($1)"},
	{regexp.MustCompile(`^invalid operation: invalid use of \.\.\. with built-in (max|min)`), "of a slice slices.Max(xs) and slices.Min(xs)"},
	{regexp.MustCompile(`^in call to slices\.(\w+), S \(type Array\) does not satisfy`), "package slices is for slices; of an Array jnp.$1(x), or var xs []float64 = x first"},
	{regexp.MustCompile(`^label (?:try|except|finally) defined and not used`), "Go has no exceptions: functions give errors, if err != nil { … }; f.Try(x) gives one of JAX's, defer and recover() catch panics"},
	{regexp.MustCompile(`^cannot use '(.)' \(untyped rune constant \d+\) as string value`), `texts stand in double quotes: "$1"`},
	{regexp.MustCompile(`^non-boolean condition in (?:if|for) statement`), `a condition is a bool: n != 0, len(xs) > 0, s != "", p != nil`},
	{regexp.MustCompile(`^assignment mismatch: \d+ variables? but (\S+)\.Shape returns 1 value`), "a slice is not taken apart: s := $1.Shape(), then s[0], s[1]"},
	{regexp.MustCompile(`^jnp\.Array \(value of type func.* is not a type`), "the type is Array; jnp.Array(xs) makes one"},
	{regexp.MustCompile(`^implicit assignment to unexported field \w+ in struct literal of type Array`), "jnp.Array([]float64{1, 2}) makes an Array"},
	{regexp.MustCompile(`^cannot use .* \((untyped \w+) constant[^()]*\) as (?:\[\])+\w+ value in array or slice literal`), "the rows are slices: [][]float64{{1, 2}, {3, 4}}"},
	{regexp.MustCompile(`^cannot use .* \(untyped float constant\) as int value in array or slice literal`), "numbers with fractions are []float64{…}"},
	{regexp.MustCompile(`^index \d+ is out of bounds \(>= \d+\)`), "a slice, []T{…}, takes any number"},
	{regexp.MustCompile(`^cannot use (.*) \(.*\bu?int\d*\) as (float64|float32) value in`), "Go converts no number by itself: $2($1)"},
	{regexp.MustCompile(`^invalid argument: index (.*) \(.* of struct type Array\) must be integer`), "its value, when it is not traced: int($1)"},
	{regexp.MustCompile(`^cannot switch on (.*) \(.* of struct type Array\)`), "a switch is over a Go value: switch int($1) { … }"},
	{regexp.MustCompile(`^cannot convert (.*) \(.* of struct type Array\) to type ((?:\[\])+\w+)`), "write var xs $2 = $1"},
	{regexp.MustCompile(`^invalid operation: (.*) \(.* of struct type Array\) is not an interface`), "an Array has no other type within: float64($1), or var xs []float64 = $1"},
	{regexp.MustCompile(`^invalid append: argument must be a slice; have (.*) \(.* of struct type Array\)`), "write jnp.Append($1, y); a slice of Arrays grows by xs = append(xs, x)"},
	{regexp.MustCompile(`^invalid copy: argument must be a slice; have (.*) \(.* of struct type Array\)`), "Arrays are immutable; var xs []float64 = $1 takes the elements out"},
	{regexp.MustCompile(`^cannot use (\w+) \(.* of type (?:\[\])+\w+\) as Array value in`), "write jnp.Array($1)"},
	{regexp.MustCompile(`^cannot use \S+ \(value of type (?:\[\])+\w+\) as Array value in`), "write jnp.Array(xs)"},
	{regexp.MustCompile(`^invalid map key type Array$`), "an Array is unhashable, as in JAX; a key is a Go value, such as int(x)"},
	{regexp.MustCompile(`\bArray does not satisfy comparable\b`), "an Array is unhashable, as in JAX, and == compares its elements; jnp.ArrayEqual(x, y) compares two"},
	{regexp.MustCompile(`^invalid operation: .* [!=]= .* \(struct containing Array cannot be compared\)`), "compare Arrays each, with jnp.ArrayEqual(x, y)"},
	{regexp.MustCompile(`^label lambda defined and not used`), "in Go: f := func(x Array) Array { return … }"},
	{regexp.MustCompile(`^label (?:else|while|with|def|class) defined and not used`), "in Go: blocks stand in braces, { … }"},
}

// annotationRE matches a declaration with a type as Python has it.
var annotationRE = regexp.MustCompile(`^\s*(\w+)\s*:\s*([\w.\[\]]+)\s*=`)

// labelHint helps with Python's y: int = 3, of which Go takes y for a label.
func (k *checker) labelHint(msg string, e types.Error) string {
	line, _ := k.c.Position(e.Pos)
	m := annotationRE.FindStringSubmatch(k.c.Line(line))
	if m == nil || msg != "label "+m[1]+" defined and not used" {
		return ""
	}
	return "in Go: " + m[1] + " := …, or var " + m[1] + " " + m[2] + " = …"
}

var transformRE = regexp.MustCompile(`^cannot use .* as Option value in argument to (\w+)`)

// transformOptions are the options of the transformations.
var transformOptions = map[string]string{
	"jit":            "options are compiler_options{…}, static_argnums(…), static_argnames(…), donate_argnums(…), keep_unused(…)",
	"grad":           "options are argnums(…), has_aux(…), jax.Holomorphic(…), jax.AllowInt(…)",
	"value_and_grad": "options are argnums(…), has_aux(…), jax.Holomorphic(…), jax.AllowInt(…)",
	"vmap":           "options are in_axes(…), out_axes(…), axis_name(…), axis_size(…)",
	"checkpoint":     "options are jax.Policy(jax.CheckpointPolicies.…), jax.PreventCSE(…), static_argnums(…)",
	"jacfwd":         "options are argnums(…), has_aux(…), jax.Holomorphic(…)",
	"jacrev":         "options are argnums(…), has_aux(…), jax.Holomorphic(…), jax.AllowInt(…)",
	"hessian":        "options are argnums(…), has_aux(…), jax.Holomorphic(…)",
	"custom_jvp":     "options are jax.NondiffArgnums(…)",
	"custom_vjp":     "options are jax.NondiffArgnums(…)",
}

// argumentHint helps with values that Python takes in their place.
func (k *checker) argumentHint(msg string) string {
	if m := typeNameRE.FindStringSubmatch(msg); m != nil {
		if n := k.jnpName(m[1]); n != "" {
			return "types are values: jnp." + n
		}
		return ""
	}
	if m := dtypeCallRE.FindStringSubmatch(msg); m != nil {
		return "types are values: jnp.Array(x, kw.DType(" + m[1] + ")), of an Array x.AsType(" + m[1] + ")"
	}
	if m := compiledRE.FindStringSubmatch(msg); m != nil {
		return "it is not compiled yet: " + m[1] + map[string]string{"Func": ".Lower(…)"}[m[2]] + ".Compile()"
	}
	for _, h := range slices.Concat(metadataHints, valueHints) {
		if m := h.re.FindStringSubmatchIndex(msg); m != nil {
			return string(h.re.ExpandString(nil, h.hint, msg, m))
		}
	}
	if m := transformRE.FindStringSubmatch(msg); m != nil {
		return transformOptions[m[1]]
	}
	m := arrayToGoRE.FindStringSubmatch(msg)
	if f := mathRE.FindStringSubmatch(msg); m != nil && f != nil && k.jnpName(f[1]) != "" {
		return "of an Array jnp." + k.jnpName(f[1]) + "(" + m[1] + "); its value, when it is not traced: " + m[2] + "(" + m[1] + ")"
	}
	if m == nil || types.Universe.Lookup(m[2]) == nil {
		return ""
	}
	if m[2] == "bool" {
		return "its value, when it is not traced: bool(" + m[1] + ")"
	}
	return "its value, when it is not traced: " + m[2] + "(" + m[1] + ")"
}
