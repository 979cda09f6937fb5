package core

import (
	"sort"
	"strings"
)

// KV is one attribute: a key and a value that is a string, bool, integer,
// float, nil (None) or anything with a text.
type KV struct {
	Key string
	Val any
}

// Metadata is the set of attributes that a set_xla_metadata context puts on
// the operations traced under it (jax/_src/xla_metadata_lib.py). Immutable,
// sorted by key.
type Metadata struct {
	KVs []KV
	key string
}

// UpdateMetadata joins updates into m: later values win, nil values remove
// their key. Without updates m itself is returned; with updates the result is
// never nil, so that a context which removes everything is a context still.
func UpdateMetadata(m *Metadata, updates []KV) *Metadata {
	if len(updates) == 0 {
		return m
	}
	vals := map[string]any{}
	if m != nil {
		for _, kv := range m.KVs {
			vals[kv.Key] = kv.Val
		}
	}
	for _, kv := range updates {
		vals[kv.Key] = kv.Val
	}
	out := &Metadata{}
	for k, v := range vals {
		if v != nil {
			out.KVs = append(out.KVs, KV{k, v})
		}
	}
	sort.Slice(out.KVs, func(i, j int) bool { return out.KVs[i].Key < out.KVs[j].Key })
	out.key = metadataKey(out.KVs)
	return out
}

// Key is equal for contexts that JAX takes for equal: the order of keys does
// not matter, 1 and true are the same, "1" and 1 are not.
func (m *Metadata) Key() string {
	if m == nil {
		return ""
	}
	return "{" + m.key + "}"
}

// String prints the attributes as a Python dict.
func (m *Metadata) String() string {
	if m == nil {
		return "None"
	}
	parts := make([]string, len(m.KVs))
	for i, kv := range m.KVs {
		parts[i] = PyString(kv.Key) + ": " + PyRepr(kv.Val)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func metadataKey(kvs []KV) string {
	var b strings.Builder
	for _, kv := range kvs {
		b.WriteString(PyString(kv.Key))
		b.WriteByte('=')
		switch v := kv.Val.(type) {
		case bool:
			if v {
				b.WriteString("1")
			} else {
				b.WriteString("0")
			}
		case float64:
			s := PyFloat(v)
			b.WriteString(strings.TrimSuffix(s, ".0"))
		default:
			b.WriteString(PyRepr(v))
		}
		b.WriteByte(',')
	}
	return b.String()
}

// Attributes are the texts that the keys get in HLO: booleans in lower case,
// everything else as Python's str prints it.
func (m *Metadata) Attributes() map[string]string {
	if m == nil || len(m.KVs) == 0 {
		return nil
	}
	return AttributeTexts(m.KVs)
}

// AttributeTexts is Attributes for a list of keys and values.
func AttributeTexts(kvs []KV) map[string]string {
	out := make(map[string]string, len(kvs))
	for _, kv := range kvs {
		s := PyStr(kv.Val)
		if _, isBool := kv.Val.(bool); isBool {
			s = strings.ToLower(s)
		}
		out[kv.Key] = s
	}
	return out
}
