package random

import (
	"reflect"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// Key makes a random key of a number.
func Key(seed any) array.Array { return newKey("key", seed) }

// PRNGKey makes a key in the older form, an array of two words.
func PRNGKey(seed any) array.Array { return lax.RandomUnwrap(newKey("PRNGKey", seed)) }

func newKey(name string, seed any) array.Array {
	if n, plain := seed.(int); plain && !core.X64() {
		seed = int32(n) // wrapped, as JAX does
	}
	v, ok := array.ToValue(seed)
	if !ok {
		core.TypeErrorf("Value '%v' with dtype <U1 is not a valid JAX array type. Only arrays of numeric types are supported by JAX.", seed)
	}
	a := v.Aval()
	switch {
	case a.DType.IsExtended():
		core.TypeErrorf("%s accepts a scalar seed, but was given a PRNG key.", name)
	case a.NDim() > 0:
		core.TypeErrorf("%s accepts a scalar seed, but was given an array of shape %s != (). Use jax.vmap for batching", name, core.PyRepr(core.NewInts(a.Shape...)))
	case !a.DType.IsInt():
		core.TypeErrorf("PRNG key seed must be an integer; got %v", seed)
	}
	if c, plain := v.(*core.Const); plain && a.Weak {
		v = c.WithAval(a.Strong())
	}
	return lax.RandomSeed(jnp.AsArray(array.New(v)))
}

// takeKey accepts a key in either form; raw tells whether it was the older one.
func takeKey(name string, key any, many bool) (k array.Array, raw bool) {
	switch key.(type) {
	case bool, int, float64, complex128: // Python's numbers
		core.TypeErrorf("JAX encountered invalid PRNG key data: expected key_data to have ndim, shape, and dtype attributes. Got %s", core.PyRepr(key))
	}
	v, ok := array.ToValue(key)
	if k := reflect.ValueOf(key).Kind(); !ok || k == reflect.Slice && reflect.TypeOf(key).Elem().Kind() != reflect.Uint32 {
		core.TypeErrorf("unexpected PRNG key type %s", tree.ClassOf(key))
	}
	k = array.New(v)
	if !k.DType().IsExtended() {
		k, raw = lax.RandomWrap(k), true
	}
	if !many && k.NDim() > 0 {
		core.ValueErrorf("%s accepts a single key, but was given a key array of shape %s != (). Use jax.vmap for batching.", name, core.PyRepr(core.NewInts(array.New(v).Shape()...)))
	}
	return k, raw
}

func giveKey(k array.Array, raw bool) array.Array {
	if raw {
		return lax.RandomUnwrap(k)
	}
	return k
}

// Split makes new keys of a key: two, or as many as num says.
func Split(key any, num ...int) array.Array {
	k, raw := takeKey("split", key, false)
	if len(num) == 0 {
		num = []int{2}
	}
	return giveKey(lax.RandomSplit(k, num), raw)
}

// Split2 is Split into two keys.
func Split2(key any) (k1, k2 array.Array) {
	ks := Split(key)
	return ks.Index(0), ks.Index(1)
}

// FoldIn makes a new key of a key and a number.
func FoldIn(key, data any) array.Array {
	k, raw := takeKey("fold_in", key, false)
	if n, plain := data.(int); plain {
		data = uint32(n)
	}
	d := jnp.AsArray(data)
	if d.NDim() > 0 {
		core.TypeErrorf("fold_in accepts a scalar, but was given an array ofshape %s != (). Use jax.vmap for batching.", core.PyRepr(core.NewInts(d.Shape()...)))
	}
	return giveKey(lax.RandomFoldIn(k, lax.ConvertElementType(d, dtype.Uint32)), raw)
}

// KeyData gives the words of keys.
func KeyData(keys any) array.Array {
	k, _ := takeKey("key_data", keys, true)
	return lax.RandomUnwrap(k)
}

// WrapKeyData takes pairs of words as keys.
func WrapKeyData(data any) array.Array { return lax.RandomWrap(jnp.AsArray(data)) }

// Clone is the key itself.
func Clone(key any) array.Array {
	k, raw := takeKey("clone", key, true)
	return giveKey(k, raw)
}
