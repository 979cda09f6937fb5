package check

import (
	"go/types"
	"regexp"
	"slices"
)

// pythonNames are names that programs with JAX have in Python, with what does
// the same here.
var pythonNames = map[string]string{
	"jax.config": `jax.config.update("jax_enable_x64", True) is jax.Update("jax_enable_x64", true)`,
	"jax.Config": `jax.config.update("jax_enable_x64", True) is jax.Update("jax_enable_x64", true)`,
	"jax.numpy":  "jax.numpy is the package jnp", "jax.lax": "jax.lax is the package lax", "jax.nn": "jax.nn is the package nn",
	"jax.random": "jax.random is the package random", "jax.tree": "jax.tree is the package tree", "jax.tree_util": "jax.tree_util is the package tree",
	"jacobian": "jacrev(f), or jacfwd(f) for few arguments and many results", "jax.Jacobian": "jax.Jacrev(f), or jax.Jacfwd(f) for few arguments and many results",
	"pmap": "there is one device here; jit(f) and vmap(f) run on it", "jax.Pmap": "there is one device here; jit(f) and vmap(f) run on it",
	"constraints": "cmp.Ordered, or an interface such as interface{ ~int | ~float64 }",
	"np":          "NumPy's functions are in the package jnp", "None": "None is nil",
	"True": "True is true", "False": "False is false", "abs": "math.Abs of a float64, jnp.Abs of an Array", "pow": "math.Pow of a float64, jnp.Power of an Array",
	"sum": "jnp.Sum of an Array; of a slice, a loop", "str": "fmt.Sprint(x)", "list": "slices are []T{…}, Arrays jnp.Array(…)",
	"float": "float64(x)", "dict": "maps are map[string]T{…}", "tuple": "several values: a struct, or []any{…}", "enumerate": "for i, x := range xs", "isinstance": "_, ok := x.(T)",
	"type": "fmt.Sprintf(\"%T\", x)", "input": "fmt.Scanln(&x)", "open": "os.Open(name)", "pass": "an empty block is {}", "self": "the receiver has a name: func (t T) M()",
	"numpy": "NumPy's functions are in the package jnp", "partial": "a func literal: func(x Array) Array { return f(3, x) }", "sorted": "slices.Sorted, jnp.Sort of an Array",
	"syscall": "it is not in this kernel; processes are in os and os/exec, signals in os/signal: p, _ := os.FindProcess(pid); p.Signal(os.Kill)", "unsafe": `it is imported by name only: import "unsafe"`,
	"jax.checkpoint_policies": "the policies are in jax.CheckpointPolicies", "jax.EverythingSaveable": "it is jax.CheckpointPolicies.EverythingSaveable",
	"jax.NothingSaveable": "it is jax.CheckpointPolicies.NothingSaveable", "jax.DotsSaveable": "it is jax.CheckpointPolicies.DotsSaveable",
}

var (
	typeNameRE  = regexp.MustCompile(`^cannot use "(\w+)" .* as dtype\.DType value`)
	dtypeCallRE = regexp.MustCompile(`^invalid operation: cannot call (jnp\.\w+) \(constant \d+ of int32 type dtype\.DType\)`)
	compiledRE  = regexp.MustCompile(`^cannot use (.*) \((?:value|variable) of (?:func )?type (\*Lowered|Func)\) as Compiled value`)
	arrayToGoRE = regexp.MustCompile(`^cannot use (.*) \((?:value|variable) of struct type Array\) as (\w+) value`)
)

// powerRE matches Python's x ** y, which is x * (*y) in Go.
var powerRE = regexp.MustCompile(`^invalid operation: cannot indirect `)

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
	{regexp.MustCompile(`\.Item\(\)(?: .*mismatched types .*\bany\b| \(value of interface type any\))`), "Item() is of any type; x.Float() is a float64, x.Int() an int"},
	{regexp.MustCompile(`^invalid operation: .*\(mismatched types (?:(?:\[\])+\w+ and |\w[\w ]* and (?:\[\])+\w)`), "slices have no arithmetic; jnp.Array(x) makes an Array"},
	{regexp.MustCompile(`^invalid operation: operator \S+ not defined on \w+ \(variable of type (?:\[\])+\w+\)`), "slices have no arithmetic; jnp.Array(x) makes an Array"},
	{regexp.MustCompile(`^(\w+)\.([\w]+) undefined \(type (?:\[\])+(?:float|int|uint|complex)\d* has no field or method `), "a slice has no methods; jnp.Array($1) makes an Array"},
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
	if powerRE.MatchString(msg) {
		return "powers are x.Pow(y), jnp.Power(x, y), of float64 math.Pow(x, y); ** is none of Go's operators"
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
	if m == nil || types.Universe.Lookup(m[2]) == nil {
		return ""
	}
	if m[2] == "bool" {
		return "its value, when it is not traced: " + m[1] + ".Bool()"
	}
	return "its value, when it is not traced: " + m[2] + "(" + m[1] + ")"
}
