package flags

import (
	"fmt"
	"math"
	"reflect"
)

// Level is an effort level of XLA (xla.ExecutionOptions.EffortLevel).
type Level int

// The levels with XLA's numbers (xla/xla.proto).
const (
	Unknown Level = 0
	O0      Level = 9
	O1      Level = 19
	O2      Level = 29
	O3      Level = 39
)

// The defaults of jax_optimization_level and jax_memory_fitting_level
// (jax/_src/config.py, JAX 0.12.0.1).
const (
	DefaultOptimization  = Unknown
	DefaultMemoryFitting = O2
)

var levelNames = map[string]Level{"UNKNOWN": Unknown, "O0": O0, "O1": O1, "O2": O2, "O3": O3}

// LevelNames lists the names in JAX's order.
func LevelNames() []string { return []string{"UNKNOWN", "O0", "O1", "O2", "O3"} }

// Name is the level's name: "O3".
func (l Level) Name() string {
	for _, name := range LevelNames() {
		if levelNames[name] == l {
			return name
		}
	}
	return fmt.Sprintf("Level(%d)", int(l))
}

// String prints the level as Python prints JAX's enum.
func (l Level) String() string { return "CompilerEffortLevel." + l.Name() }

// PyRepr is Python's repr of the level.
func (l Level) PyRepr() string { return fmt.Sprintf("<%s: %d>", l, int(l)) }

// GoString is PyRepr, for %#v.
func (l Level) GoString() string { return l.PyRepr() }

// Valid says whether l is one of the five levels.
func (l Level) Valid() bool {
	switch l {
	case Unknown, O0, O1, O2, O3:
		return true
	}
	return false
}

// LevelError is a value that is no level. JAX raises it as ValueError.
type LevelError struct{ Value any }

// Error is the text of Python's enum: "'O4' is not a valid
// CompilerEffortLevel".
func (e *LevelError) Error() string {
	return repr(e.Value) + " is not a valid CompilerEffortLevel"
}

// ConfigError is a value that jax_optimization_level or
// jax_memory_fitting_level does not take. JAX raises it as ValueError.
type ConfigError struct{ Value any }

// Error is the text of JAX's enum_state (jax/_src/config.py).
func (e *ConfigError) Error() string {
	return fmt.Sprintf("new enum value must be in ['UNKNOWN', 'O0', 'O1', 'O2', 'O3'], got %s of type <class '%s'>.",
		str(e.Value), pyType(e.Value))
}

// ParseLevel accepts what JAX's compiler options accept: a Level, a name, or a
// number (also a whole float, and false) that is one of XLA's. XLA itself
// would take any number silently, so this is the only check.
func ParseLevel(v any) (Level, error) {
	if l, ok := v.(Level); ok {
		if l.Valid() {
			return l, nil
		}
		return 0, &LevelError{int(l)}
	}
	rv := reflect.ValueOf(v)
	var n float64
	switch rv.Kind() {
	case reflect.String:
		if l, ok := levelNames[rv.String()]; ok {
			return l, nil
		}
		return 0, &LevelError{v}
	case reflect.Bool:
		if rv.Bool() {
			n = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n = float64(rv.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n = float64(rv.Uint())
	case reflect.Float32, reflect.Float64:
		n = rv.Float()
	case reflect.Slice, reflect.Map:
		if _, bytes := v.([]byte); bytes || isTuple(rv) {
			return 0, &LevelError{v}
		}
		return 0, &UnhashableError{v}
	default:
		return 0, &LevelError{v}
	}
	if n != math.Trunc(n) || n < 0 || n > 100 || !Level(n).Valid() {
		return 0, &LevelError{v}
	}
	return Level(n), nil
}

// ParseConfigLevel accepts what the process-wide settings accept: names only.
func ParseConfigLevel(v any) (Level, error) {
	if s, ok := v.(string); ok {
		if l, ok := levelNames[s]; ok {
			return l, nil
		}
	}
	if l, ok := v.(Level); ok && l.Valid() {
		return l, nil
	}
	return 0, &ConfigError{v}
}
