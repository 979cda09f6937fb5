package interp

// keywordDocs say what Go's keywords do, for inspection.
var keywordDocs = map[string]string{
	"break":       "break ends the innermost for, switch or select, or the one with a label: break outer.",
	"case":        "case begins a branch of a switch or select: case 1, 2:",
	"chan":        "chan T is a channel of values of type T; <-chan T only receives, chan<- T only sends.",
	"const":       "const declares constants: const n = 3. In a group iota counts the lines.",
	"continue":    "continue goes on with the next round of the innermost for, or of the one with a label.",
	"default":     "default: is the branch of a switch or select that runs when no case does.",
	"defer":       "defer f(x) calls f when the function around it ends; x is evaluated now. At the top of a cell: when the cell ends.",
	"else":        "else begins the other branch of an if: if ok { … } else { … }.",
	"fallthrough": "fallthrough goes on with the next case of a switch.",
	"for": `for is Go's only loop:
for i := 0; i < n; i++ { … }
for cond { … }
for i, v := range xs { … } (slices, maps, strings, channels, functions)
for i := range 10 { … }`,
	"func":      "func declares a function, func f(x int) int { … }, a method, func (t T) M() { … }, or makes a value of one: func(x Array) Array { … }.",
	"go":        "go f(x) calls f in a goroutine of its own.",
	"goto":      "goto jumps to a label of the same function.",
	"if":        "if cond { … } else { … }; a statement may come first: if v, ok := m[k]; ok { … }. An Array of one element may be the condition, outside of jit.",
	"import":    "import \"path\" or import name \"path\". Cells know the standard packages, jax, jnp, lax and the others of the kernel without it.",
	"interface": "interface{ M(); … } is the type of all values with these methods; of constraints it may list types: ~int | ~string.",
	"map":       "map[K]V is a map from K to V: m := map[string]int{\"a\": 1}; v, ok := m[\"a\"].",
	"package":   "A cell has no package clause.",
	"range":     "for i, v := range x goes over a slice, array, string, map, channel, integer, or function of iter.Seq.",
	"return":    "return ends a function and gives its results.",
	"select":    "select waits for the first of several sends and receives; with default it does not wait.",
	"struct":    "struct{ A int; B string } is a type with fields. Structs of Arrays are pytrees: jit, grad and vmap take them apart.",
	"switch":    "switch x { case 1, 2: … default: … }; without x the cases are conditions; switch v := x.(type) looks at the type of an interface's value.",
	"type":      "type T struct{ … } declares a type, type T = U another name for one.",
	"var":       "var x int, var x = 3, var x, y Array declare variables.",
}

// builtinSignatures are the forms of Go's own functions.
var builtinSignatures = map[string]string{
	"append":  "func(slice []T, elems ...T) []T",
	"cap":     "func(v T) int",
	"clear":   "func(t []T | map[K]V)",
	"close":   "func(c chan<- T)",
	"complex": "func(r, i F) C",
	"copy":    "func(dst, src []T) int",
	"delete":  "func(m map[K]V, key K)",
	"imag":    "func(c C) F",
	"len":     "func(v T) int",
	"make":    "func(t T, size ...int) T",
	"max":     "func(x T, y ...T) T",
	"min":     "func(x T, y ...T) T",
	"new":     "func(T) *T",
	"panic":   "func(v any)",
	"print":   "func(args ...T)",
	"println": "func(args ...T)",
	"real":    "func(c C) F",
	"recover": "func() any",
}

// builtinDocs say what Go's own functions, types and values are.
var builtinDocs = map[string]string{
	"append":  "append gives a slice with the elements added; it may use the memory of the one that it gets: xs = append(xs, x).",
	"cap":     "cap is how many elements a slice may have in its memory, or a channel in its buffer.",
	"clear":   "clear takes all entries out of a map, or sets all elements of a slice to zero.",
	"close":   "close ends a channel: receivers get what is left, then zero values, and range ends.",
	"complex": "complex makes a complex number of its parts.",
	"copy":    "copy copies elements, as many as both slices have, and says how many.",
	"delete":  "delete takes the entry of a key out of a map.",
	"imag":    "imag is the imaginary part of a complex number.",
	"len":     "len is the number of elements of a slice, array, map or channel's buffer, the bytes of a string, and the first dimension of an Array.",
	"make":    "make makes a slice of a length, make([]int, n), a map, or a channel with a buffer, make(chan int, n).",
	"max":     "max is the largest of its arguments. Of Arrays: jnp.Maximum(x, y), x.Max().",
	"min":     "min is the smallest of its arguments. Of Arrays: jnp.Minimum(x, y), x.Min().",
	"new":     "new makes a zero value of a type, or a copy of a value, and gives a pointer to it.",
	"panic":   "panic ends the function, and those that have called it, up to a deferred function that recovers; in a cell it is the cell's error.",
	"print":   "print writes to the standard error; fmt.Print is for programs.",
	"println": "println writes to the standard error; fmt.Println is for programs.",
	"real":    "real is the real part of a complex number.",
	"recover": "recover, called in a deferred function, ends a panic and gives its value.",

	"any":        "any is interface{}: a value of any type.",
	"bool":       "bool is true or false.",
	"byte":       "byte is uint8.",
	"comparable": "comparable is the constraint of types with == and !=.",
	"error":      "error is the type of errors; nil means that there is none.",
	"float32":    "float32 is a 32-bit floating-point number, JAX's usual type.",
	"float64":    "float64 is a 64-bit floating-point number; in an Array it is float32 unless jax_enable_x64 is set.",
	"int":        "int is a 64-bit integer; in an Array it is int32 unless jax_enable_x64 is set.",
	"rune":       "rune is int32: a Unicode code point.",
	"string":     "string is a sequence of bytes, as a rule UTF-8; range over it gives runes.",
	"uintptr":    "uintptr is an integer that can hold a pointer.",
	"iota":       "iota counts the lines of a group of constants, from 0.",
	"nil":        "nil is the zero value of pointers, funcs, slices, maps, channels and interfaces.",
	"true":       "true is one of the two values of bool.",
	"false":      "false is one of the two values of bool.",
}
