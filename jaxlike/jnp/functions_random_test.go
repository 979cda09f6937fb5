package jnp_test

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/random"
)

// drawn adapts a function of a key, a shape and a type.
func drawn[T kw.Option](f func(key any, o ...T) array.Array, names ...string) adapter {
	return func(a []any, k map[string]any) []array.Array {
		a, k = withNames(a, k, 1, names...)
		if v, ok := k["shape"]; ok && v == nil {
			delete(k, "shape")
		}
		return list(f(a[0], options[T](k)...))
	}
}

func init() {
	for name, f := range map[string]adapter{
		"random.key": one(random.Key), "random.PRNGKey": one(random.PRNGKey), "random.key_data": one(random.KeyData),
		"random.wrap_key_data": one(random.WrapKeyData), "random.fold_in": two(random.FoldIn), "random.clone": one(random.Clone),
		"random.split": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 1, "num")
			return list(random.Split(a[0], ints(k["num"])...))
		},
		"random.bits": drawn(random.Bits, "shape", "dtype"), "random.uniform": drawn(random.Uniform, "shape", "dtype", "minval", "maxval"),
		"random.normal": drawn(random.Normal, "shape", "dtype"), "random.bernoulli": drawn(random.Bernoulli, "p", "shape"),
		"random.exponential": drawn(random.Exponential, "shape", "dtype"), "random.gumbel": drawn(random.Gumbel, "shape", "dtype"),
		"random.laplace": drawn(random.Laplace, "shape", "dtype"), "random.logistic": drawn(random.Logistic, "shape", "dtype"),
		"random.cauchy": drawn(random.Cauchy, "shape", "dtype"), "random.rademacher": drawn(random.Rademacher, "shape", "dtype"),
		"random.randint": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 1, "shape", "minval", "maxval", "dtype")
			var o []kw.RandIntOption
			if d, ok := k["dtype"].(dtype.DType); ok {
				o = append(o, kw.DType(d))
			}
			return list(random.RandInt(a[0], ints(k["shape"]), k["minval"], k["maxval"], o...))
		},
		"random.permutation": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 2, "axis", "independent")
			return list(random.Permutation(a[0], a[1], options[kw.PermutationOption](k)...))
		},
		"random.categorical": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 2, "axis", "shape")
			return list(random.Categorical(a[0], a[1], options[kw.CategoricalOption](k)...))
		},
		"random.choice": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 2, "shape", "replace", "p", "axis")
			return list(random.Choice(a[0], a[1], options[kw.ChoiceOption](k)...))
		},
		"random.truncated_normal": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 3, "shape", "dtype")
			return list(random.TruncatedNormal(a[0], a[1], a[2], options[kw.DrawOption](k)...))
		},
		"lax.nextafter": two(lax.NextAfter),
	} {
		functions[name] = f
	}
}
