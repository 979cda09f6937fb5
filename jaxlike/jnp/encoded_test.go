package jnp_test

import (
	"encoding/json"
	"strconv"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
)

// constant makes the array of an encoded value.
func constant(v map[string]any) (*core.Const, bool) {
	if words, ok := v["key"].([]any); ok {
		a := core.NewAval(dtype.KeyFry, ints2(v["shape"])...)
		data := make([]byte, 8*a.Size())
		for i, w := range flatNumbers(words) {
			putElem(dtype.Uint32, data[4*i:], w)
		}
		return core.NewHostConst(a, data), true
	}
	name, ok := v["dtype"].(string)
	if !ok {
		return nil, false
	}
	d, ok := dtype.Parse(name)
	if !ok {
		return nil, false
	}
	a := &core.ShapedArray{DType: d, Shape: ints2(v["shape"])}
	a.Weak, _ = v["weak_type"].(bool)
	data := make([]byte, a.Size()*d.Size())
	for i, e := range v["data"].([]any) {
		putElem(d, data[i*d.Size():], e)
	}
	return core.NewHostConst(a, data), true
}

func ints2(v any) []int {
	out := []int{}
	for _, x := range v.([]any) {
		n, _ := x.(json.Number).Int64()
		out = append(out, int(n))
	}
	return out
}

func putElem(d dtype.DType, b []byte, e any) {
	switch e := e.(type) {
	case []any:
		d.PutComplex(b, complex(float(e[0]), float(e[1])))
	case json.Number:
		if n, err := strconv.ParseInt(e.String(), 10, 64); err == nil && d.IsInt() {
			d.PutInt(b, n)
			return
		}
		if n, err := strconv.ParseUint(e.String(), 10, 64); err == nil && d.IsInt() {
			d.PutInt(b, int64(n))
			return
		}
		d.PutFloat(b, float(e))
	case bool:
		_ = d.Put(b, e)
	default:
		d.PutFloat(b, float(e))
	}
}

// indexed adapts an index or an indexed update. The index is among the
// keywords.
func indexed(fn string) adapter {
	return func(a []any, k map[string]any) []array.Array {
		var opts []any
		for name, v := range k {
			if name != "$index" {
				opts = append(opts, indexOption(name, v))
			}
		}
		index := k["$index"].([]any)
		if fn == "index" {
			return list(arr(a[0]).Index(index...))
		}
		r := arr(a[0]).At(index...)
		if fn == "at.get" {
			return list(r.Get(opts...))
		}
		f := map[string]func(any, ...any) array.Array{
			"at.set": r.Set, "at.add": r.Add, "at.multiply": r.Multiply, "at.divide": r.Divide, "at.subtract": r.Subtract,
			"at.power": r.Power, "at.min": r.Min, "at.max": r.Max,
		}[fn]
		return list(f(a[1], opts...))
	}
}

func indexOption(name string, v any) any {
	switch name {
	case "mode":
		return kw.Mode(v.(string))
	case "fill_value":
		return kw.FillValue(v)
	case "unique_indices":
		return kw.UniqueIndices(v.(bool))
	case "indices_are_sorted":
		return kw.IndicesAreSorted(v.(bool))
	case "wrap_negative_indices":
		return kw.WrapNegativeIndices(v.(bool))
	}
	core.TypeErrorf("the test knows no keyword %s", name)
	return nil
}

// flatNumbers are the numbers of nested lists.
func flatNumbers(v any) []any {
	l, ok := v.([]any)
	if !ok {
		return []any{v}
	}
	var out []any
	for _, x := range l {
		out = append(out, flatNumbers(x)...)
	}
	return out
}
