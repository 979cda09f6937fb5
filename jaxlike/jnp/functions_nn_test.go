package jnp_test

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/nn"
)

func init() {
	for name, f := range map[string]adapter{
		"nn.relu": one(nn.Relu), "nn.relu6": one(nn.Relu6), "nn.sigmoid": one(nn.Sigmoid), "nn.silu": one(nn.Silu), "nn.swish": one(nn.Swish),
		"nn.softplus": one(nn.Softplus), "nn.soft_sign": one(nn.SoftSign), "nn.mish": one(nn.Mish), "nn.log_sigmoid": one(nn.LogSigmoid),
		"nn.squareplus": one(nn.Squareplus), "nn.identity": one(nn.Identity),
		"nn.elu": unaryWith(nn.Elu, "alpha"), "nn.celu": unaryWith(nn.Celu, "alpha"), "nn.selu": one(nn.Selu),
		"nn.leaky_relu": unaryWith(nn.LeakyRelu, "negative_slope"), "nn.hard_tanh": one(nn.HardTanh), "nn.hard_sigmoid": one(nn.HardSigmoid),
		"nn.hard_silu": one(nn.HardSilu), "nn.hard_swish": one(nn.HardSwish), "nn.gelu": unaryWith(nn.Gelu, "approximate"),
		"nn.glu": unaryWith(nn.Glu, "axis"), "nn.softmax": unaryWith(nn.Softmax, "axis"), "nn.log_softmax": unaryWith(nn.LogSoftmax, "axis"),
		"nn.logsumexp": unaryWith(nn.LogSumExp, "axis"), "jsp.special.logsumexp": unaryWith(nn.LogSumExp, "axis"),
		"nn.standardize": unaryWith(nn.Standardize, "axis"),
		"nn.one_hot": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 2, "dtype")
			if d, ok := k["dtype"]; ok && d == nil {
				delete(k, "dtype")
			}
			return list(nn.OneHot(a[0], a[1].(int), options[kw.OneHotOption](k)...))
		},
		"lax.erf": one(lax.Erf), "lax.erfc": one(lax.Erfc), "lax.erf_inv": one(lax.ErfInv),
	} {
		functions[name] = f
	}
}
