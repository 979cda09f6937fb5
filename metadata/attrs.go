package metadata

import (
	"reflect"
	"sort"
	"strings"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// Attrs are attributes: keys with strings, bools, integers or floats.
type Attrs map[string]any

// sortedKVs is the list of attributes by key.
func (a Attrs) sortedKVs() []core.KV {
	kvs := make([]core.KV, 0, len(a))
	for k, v := range a {
		kvs = append(kvs, core.KV{Key: k, Val: plain(v)})
	}
	sort.Slice(kvs, func(i, j int) bool { return kvs[i].Key < kvs[j].Key })
	return kvs
}

// plain brings numbers to the kinds that print as Python's: int, float64.
func plain(v any) any {
	rv := reflect.ValueOf(v)
	switch {
	case !rv.IsValid():
		return nil
	case rv.Kind() == reflect.Bool:
		return rv.Bool()
	case rv.Kind() == reflect.String && rv.Type().PkgPath() == "":
		return rv.String()
	case rv.CanInt() && rv.Type().PkgPath() == "":
		return rv.Int()
	case rv.CanUint() && rv.Type().PkgPath() == "":
		return rv.Uint()
	}
	return v
}

// texts canonicalises the attributes of a tagged call: the only kinds are
// strings, bools, integers and float64.
func (a Attrs) texts() core.Tuple {
	var t core.Tuple
	for _, kv := range a.sortedKVs() {
		t = append(t, core.Tuple{kv.Key, callText(kv)})
	}
	return t
}

func callText(kv core.KV) string {
	switch v := kv.Val.(type) {
	case string:
		return v
	case bool:
		return strings.ToLower(core.PyRepr(v))
	case int64, uint64, float64:
		return core.PyRepr(v)
	case interface{ BigInt() string }:
		return v.BigInt()
	}
	if s, ok := bigInt(kv.Val); ok {
		return s
	}
	core.TypeErrorf("xla_metadata_call metadata values must be str, bool, int, or float, got %s for key %s", tree.ClassOf(kv.Val), core.PyString(kv.Key))
	return ""
}
