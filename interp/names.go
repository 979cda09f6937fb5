package interp

import "gopherlo/interp/check"

// preimported are the packages that cells use without an import.
var preimported = map[string]string{
	"fmt": "fmt", "math": "math",
	"jax": "gopherlo/jaxlike", "jaxlike": "gopherlo/jaxlike",
	"jnp": "gopherlo/jaxlike/jnp", "lax": "gopherlo/jaxlike/lax", "nn": "gopherlo/jaxlike/nn",
	"random": "gopherlo/jaxlike/random", "tree": "gopherlo/jaxlike/tree", "kw": "gopherlo/jaxlike/kw",
	"metadata": "gopherlo/metadata", "xla": "gopherlo/jaxlike/xla", "display": "gopherlo/display",
}

// predeclared are the JAX-style names that cells use without a package. Which
// package declares each and under which name; a user's own name hides it.
var predeclared = map[string]check.Predeclared{
	"jit": jax("Jit"), "grad": jax("Grad"), "value_and_grad": jax("ValueAndGrad"), "vmap": jax("Vmap"),
	"jvp": jax("Jvp"), "vjp": jax("Vjp"), "linearize": jax("Linearize"),
	"jacfwd": jax("Jacfwd"), "jacrev": jax("Jacrev"), "hessian": jax("Hessian"),
	"checkpoint": jax("Checkpoint"), "custom_jvp": jax("CustomJVP"), "custom_vjp": jax("CustomVJP"),
	"make_jaxpr": jax("MakeJaxpr"), "eval_shape": jax("EvalShape"), "device_put": jax("DevicePut"),
	"block_until_ready": jax("BlockUntilReady"), "named_call": jax("NamedCall"), "disable_jit": jax("DisableJit"),

	"xla_metadata_call": meta("Call"), "xla_metadata_call2": meta("Call2"),
	// The form without a function; the checker chooses it by the first argument.
	"xla_metadata_call" + check.TagForm: meta("Tag"), "xla_metadata_call2" + check.TagForm: meta("Tag"),
	"set_xla_metadata": meta("Set"), "xla_metadata": meta("With"),
	"must_fuse_call": meta("MustFuseCall"), "fuse_limit": meta("FuseLimit"), "scheduling_group": meta("SchedulingGroup"),
	"ad_metadata": meta("AdMetadata"), "attrs": meta("Attrs"),

	"Array": jax("Array"), "Func": jax("Func"), "compiler_options": jax("CompilerOptions"),
	"static_argnums": jax("StaticArgnums"), "static_argnames": jax("StaticArgnames"),
	"donate_argnums": jax("DonateArgnums"), "keep_unused": jax("KeepUnused"), "argnums": jax("Argnums"),
	"has_aux": jax("HasAux"), "in_axes": jax("InAxes"), "out_axes": jax("OutAxes"),
	"axis_name": jax("AxisName"), "axis_size": jax("AxisSize"),
	"O0": jax("O0"), "O1": jax("O1"), "O2": jax("O2"), "O3": jax("O3"),
}

func jax(name string) check.Predeclared {
	return check.Predeclared{Path: "gopherlo/jaxlike", Name: name}
}

func meta(name string) check.Predeclared {
	return check.Predeclared{Path: "gopherlo/metadata", Name: name}
}
