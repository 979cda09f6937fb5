package flags

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of xla.CompileOptionsProto, ExecutableBuildOptionsProto and
// OptionOverrideProto (xla/pjrt/proto/compile_options.proto, June 2026). The
// messages are written field by field: a generated type would marshal the map
// in a random order, and the same options shall give the same bytes.
const (
	fieldBuildOptions  = 3
	fieldPortable      = 4
	fieldProfile       = 5
	fieldOverrides     = 7
	buildDeviceOrdinal = 1
	buildReplicas      = 4
	buildPartitions    = 5
	buildPropOutput    = 12
	buildProfile       = 14
	buildPropParams    = 18
	buildOptLevel      = 24
	buildMemLevel      = 25
	overrideString     = 1
	overrideBool       = 2
	overrideInt        = 3
	overrideDouble     = 4
	mapKey             = 1
	mapValue           = 2
)

// profileDontRetrieve is JAX's profile_version without feedback-directed
// optimisation (jax/_src/compiler.py, _NO_PROFILE_DONT_RETRIEVE).
const profileDontRetrieve = -1

// Proto is what one compilation says to XLA beside the program.
type Proto struct {
	Overrides map[string]any // string, bool, int64 or float64
	// OptimizationLevel and MemoryFittingLevel are XLA's numbers.
	OptimizationLevel, MemoryFittingLevel int
	Profile                               []byte // for feedback-directed optimisation
	// NumParams and NumResults count the entries of
	// allow_spmd_sharding_propagation_to_parameters and _to_output, all true,
	// as JAX sets them for a program without shardings.
	NumParams, NumResults int
}

// Marshal gives the bytes of the CompileOptionsProto: portable, one replica,
// one partition, no device chosen.
func (p Proto) Marshal() ([]byte, error) {
	var build []byte
	build = appendInt(build, buildDeviceOrdinal, -1)
	build = appendInt(build, buildReplicas, 1)
	build = appendInt(build, buildPartitions, 1)
	build = appendTrues(build, buildPropOutput, p.NumResults)
	if len(p.Profile) > 0 {
		build = protowire.AppendTag(build, buildProfile, protowire.BytesType)
		build = protowire.AppendBytes(build, p.Profile)
	}
	build = appendTrues(build, buildPropParams, p.NumParams)
	build = appendInt(build, buildOptLevel, int64(p.OptimizationLevel))
	build = appendInt(build, buildMemLevel, int64(p.MemoryFittingLevel))

	out := protowire.AppendTag(nil, fieldBuildOptions, protowire.BytesType)
	out = protowire.AppendBytes(out, build)
	out = appendInt(out, fieldPortable, 1)
	out = appendInt(out, fieldProfile, profileDontRetrieve)
	for _, k := range slices.Sorted(maps.Keys(p.Overrides)) {
		value, err := marshalOverride(p.Overrides[k])
		if err != nil {
			return nil, fmt.Errorf("compile option %q: %w", k, err)
		}
		entry := protowire.AppendTag(nil, mapKey, protowire.BytesType)
		entry = protowire.AppendString(entry, k)
		entry = protowire.AppendTag(entry, mapValue, protowire.BytesType)
		entry = protowire.AppendBytes(entry, value)
		out = protowire.AppendTag(out, fieldOverrides, protowire.BytesType)
		out = protowire.AppendBytes(out, entry)
	}
	return out, nil
}

// marshalOverride writes an OptionOverrideProto. A oneof member is written
// even when it is zero: its presence says which kind the value has.
func marshalOverride(v any) ([]byte, error) {
	v, err := Value(v)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case string:
		b := protowire.AppendTag(nil, overrideString, protowire.BytesType)
		return protowire.AppendString(b, v), nil
	case bool:
		b := protowire.AppendTag(nil, overrideBool, protowire.VarintType)
		return protowire.AppendVarint(b, protowire.EncodeBool(v)), nil
	case int64:
		b := protowire.AppendTag(nil, overrideInt, protowire.VarintType)
		return protowire.AppendVarint(b, uint64(v)), nil
	case float64:
		b := protowire.AppendTag(nil, overrideDouble, protowire.Fixed64Type)
		return protowire.AppendFixed64(b, math.Float64bits(v)), nil
	}
	return nil, &TypeError{Value: v}
}

func appendInt(b []byte, field protowire.Number, v int64) []byte {
	if v == 0 {
		return b
	}
	b = protowire.AppendTag(b, field, protowire.VarintType)
	return protowire.AppendVarint(b, uint64(v))
}

// appendTrues writes a packed repeated bool of n times true.
func appendTrues(b []byte, field protowire.Number, n int) []byte {
	if n <= 0 {
		return b
	}
	b = protowire.AppendTag(b, field, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(n))
	for range n {
		b = append(b, 1)
	}
	return b
}
