package metadata

import (
	"fmt"
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

// plain brings values to the kinds that print as Python's: string, bool, int64,
// uint64, float64. Numbers of a size (int32, float32) are NumPy's, and types
// with a text of their own are objects; both stay as they are.
func plain(v any) any {
	switch v.(type) {
	case nil, fmt.Stringer, core.PyReprer:
		return v
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Bool:
		return rv.Bool()
	case reflect.String:
		return rv.String()
	case reflect.Int, reflect.Int64:
		return rv.Int()
	case reflect.Uint, reflect.Uint64:
		return rv.Uint()
	case reflect.Float64:
		return rv.Float()
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
