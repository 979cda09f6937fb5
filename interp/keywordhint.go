package interp

import (
	"go/token"
	"regexp"
	"slices"
	"strings"

	"gopherlo/interp/check"
	"gopherlo/interp/symbols"
)

// keyword is an argument with a name, as Python has them.
type keyword struct {
	callee, name, value string
}

// keywordNames are the options of transformations that have a name of their own
// in cells.
var keywordNames = []string{
	"compiler_options", "static_argnums", "static_argnames", "donate_argnums", "keep_unused",
	"argnums", "has_aux", "in_axes", "out_axes", "axis_name", "axis_size", "ad_metadata",
}

// transformations are the functions whose other options are in package jax.
var transformations = []string{
	"jit", "grad", "valueandgrad", "vmap", "jvp", "vjp", "linearize", "jacfwd", "jacrev", "hessian",
	"checkpoint", "customjvp", "customvjp", "makejaxpr", "evalshape", "deviceput", "namedcall",
}

var taggers = []string{"xlametadata", "xlametadatacall", "xlametadatacall2", "setxlametadata", "metadata.call", "metadata.call2", "metadata.set", "metadata.with", "metadata.tag"}

// arrayPackages are the packages whose functions take the options of package kw.
var arrayPackages = []string{"jnp", "lax", "nn", "random", "tree"}

// keywordHint writes the arguments with names that a call on a line has as the
// options that the function takes. Texts in masked say nothing.
func keywordHint(line, masked string) string {
	list := keywords(line, masked)
	if len(list) == 0 {
		return ""
	}
	name0 := list[0].callee
	if short, ok := strings.CutPrefix(name0, "jax."); ok && strings.Contains(short, ".") {
		name0 = strings.Replace(short, "numpy.", "jnp.", 1)
	}
	callee := check.Fold(name0)
	pkg, name, dotted := strings.Cut(callee, ".")
	if !dotted {
		pkg, name = "", callee
	}
	if name == "jit" && (list[0].name == "device" || list[0].name == "backend") {
		return "there is one device here, on which everything runs"
	}
	var options, pairs []string
	for _, k := range list {
		if o := k.option(pkg, name); o != "" {
			options = append(options, o)
		}
		pairs = append(pairs, `"`+k.name+`": `+k.value)
	}
	switch {
	case slices.Contains(taggers, callee) && len(options) == 0:
		return "attributes are a map: attrs{" + strings.Join(pairs, ", ") + "}"
	case len(options) > 0:
		return "keyword arguments are options: " + strings.Join(options, ", ")
	case dotted && methodOptions(list) != "":
		return methodOptions(list)
	case dotted && !slices.Contains(arrayPackages, pkg):
		return "keyword arguments are options of functions: jnp.Sum(x, kw.Axis(0)); methods take the axes: x.Sum(0)"
	}
	return "arguments have no names in Go; options of JAX's functions are values: jnp.Sum(x, kw.Axis(0))"
}

// methodOptions writes the call of an Array's method with options as that of the
// function, which takes them.
func methodOptions(list []keyword) string {
	dot := strings.LastIndexByte(list[0].callee, '.')
	x, method := list[0].callee[:dot], list[0].callee[dot+1:]
	f := exported(preimported["jnp"], method)
	if f == "" || preimported[x] != "" {
		return ""
	}
	args := []string{x}
	for _, k := range list {
		o := k.option("jnp", f)
		if o == "" {
			return ""
		}
		args = append(args, o)
	}
	call := "jnp." + f + "(" + strings.Join(args, ", ") + ")"
	if len(list) == 1 && list[0].name == "axis" {
		return "methods take the axes: " + x + "." + f + "(" + pythonValue(list[0].value) + "); keyword arguments are options of functions: " + call
	}
	return "keyword arguments are options of functions: " + call
}

// option is the Go value for a keyword of a function, "" where none is known.
func (k keyword) option(pkg, callee string) string {
	value := pythonValue(k.value)
	own := ""
	if slices.Contains(keywordNames, k.name) {
		own = k.name + "(" + value + ")"
	}
	if k.name == "compiler_options" {
		own = "compiler_options{…}"
		if strings.HasPrefix(value, "{") {
			own = "compiler_options" + value
		}
	}
	kw := ""
	if n := exported("gopherlo/jaxlike/kw", k.name); n != "" {
		kw = "kw." + n + "(" + value + ")"
	}
	switch {
	case slices.Contains(arrayPackages, pkg) && kw != "":
		return kw
	case own != "":
		return own
	case slices.Contains(transformations, callee):
		if n := exported("gopherlo/jaxlike", k.name); n != "" {
			return "jax." + n + "(" + value + ")"
		}
	}
	return ""
}

// keywords finds the arguments with names of the first call on a line that has
// some, also of one that began on an earlier line.
func keywords(line, masked string) (list []keyword) {
	var open []int // offsets of the brackets around
	call := -2     // the bracket of the call; -1 is on an earlier line
	for i := range len(masked) {
		switch masked[i] {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			open = open[:max(len(open)-1, 0)]
		case '=':
			at := -1
			if len(open) > 0 {
				at = open[len(open)-1]
			}
			m := keywordRE.FindStringSubmatch(masked[:i])
			end := valueEnd(masked, i+1)
			if m == nil || end < 0 || call != -2 && call != at || at >= 0 && masked[at] != '(' || strings.HasPrefix(masked[i:], "==") {
				continue
			}
			k := keyword{name: m[1], value: strings.TrimSpace(line[i+1 : end])}
			if at >= 0 {
				if k.callee = calleeRE.FindString(masked[:at]); k.callee == "" && !strings.HasSuffix(masked[:at], ")") {
					continue
				}
			}
			call = at
			list = append(list, k)
		}
	}
	return list
}

var (
	keywordRE = regexp.MustCompile(`(?:^|[(,])\s*([\pL_][\pL\pN_]*)\s*$`)
	calleeRE  = regexp.MustCompile(`[\pL_][\pL\pN_.]*$`)
)

// valueEnd is where the argument ends that begins at from, or -1.
func valueEnd(masked string, from int) int {
	depth := 0
	for i := from; i < len(masked); i++ {
		switch masked[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}', ',':
			if depth == 0 && strings.TrimSpace(masked[from:i]) != "" && masked[i] != '}' {
				return i
			}
			if masked[i] != ',' {
				depth--
			}
		case ';':
			return -1
		}
	}
	return -1
}

var (
	pythonWords = map[string]string{"True": "true", "False": "false", "None": "nil"}
	powerRE     = regexp.MustCompile(`([\pL_][\pL\pN_.]*|\))\s*\*\*\s*(-?[\w.]+)`)
	// keywordListRE matches a list or a dict that has a name.
	keywordListRE = regexp.MustCompile(`=\s*[\[{]`)
	pythonWordRE  = regexp.MustCompile(`\b(True|False|None)\b`)
	ownNameRE     = regexp.MustCompile(`\b(jax|jnp|lax|nn|random)\.([\w.]+)`)
	wrappedRE     = regexp.MustCompile(`^(?:\(([^()]*?),?\s*\)|\[([^\[\]]*?),?\s*\])$`)
)

// pythonValue writes a value of Python as arguments in Go.
func pythonValue(v string) string {
	if m := wrappedRE.FindStringSubmatch(v); m != nil { // a tuple of places
		v = m[1] + m[2]
	}
	return goText(v)
}

// goText writes words and names of Python in a text as Go has them.
func goText(v string) string {
	if len(v) > 1 && v[0] == '\'' && strings.Count(v, "'") == 2 {
		v = strings.ReplaceAll(v, "'", `"`)
	}
	v = powerRE.ReplaceAllString(v, "$1.Pow($2)")
	v = pythonWordRE.ReplaceAllStringFunc(v, func(w string) string { return pythonWords[w] })
	return ownNameRE.ReplaceAllStringFunc(v, func(name string) string {
		pkg, rest, _ := strings.Cut(name, ".")
		if n := exported(preimported[pkg], rest); n != "" {
			return pkg + "." + n
		}
		parts := strings.FieldsFunc(rest, func(r rune) bool { return r == '_' })
		for i, p := range parts {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
		return pkg + "." + afterDotRE.ReplaceAllStringFunc(strings.Join(parts, ""), strings.ToUpper)
	})
}

var afterDotRE = regexp.MustCompile(`\.\w`)

// exported is the name that a package exports for one of Python, "" without.
func exported(path, name string) string {
	pkg, err := symbols.NewImporter(token.NewFileSet()).Import(path)
	if err != nil {
		return ""
	}
	return check.Exported(pkg, name)
}

var (
	tupleRE = regexp.MustCompile(`[(,=]\s*\(([^()]*,[^()]*)\)`)
	// methodCallRE matches the methods of Arrays that take numbers one by one.
	methodCallRE = regexp.MustCompile(`\.((?i:reshape|transpose|squeeze|sum|mean|max|min|prod|all|any|std|var))\($`)
	sequenceRE   = regexp.MustCompile(`\b(?i:concatenate|stack|vstack|hstack|dstack|column_stack)\($`)
	axesRE       = regexp.MustCompile(`\bvmap\([^()]*,$`)
	comparedRE   = regexp.MustCompile(`([\w.]+(?:\(\))?)\s*[=!]=$`)
	intsRE       = regexp.MustCompile(`^\s*-?\d+(\s*,\s*-?\d+)*\s*,?\s*$`)
)

// tupleHint writes a tuple as a slice.
func tupleHint(line, masked string) string {
	m := tupleRE.FindStringSubmatchIndex(masked)
	if m == nil {
		return ""
	}
	inner := strings.TrimSuffix(strings.TrimSpace(line[m[2]:m[3]]), ",")
	switch {
	case comparedRE.MatchString(masked[:m[0]+1]) && intsRE.MatchString(inner):
		x := comparedRE.FindStringSubmatch(masked[:m[0]+1])[1]
		if before, ok := strings.CutSuffix(x, ".shape"); ok {
			x = before + ".Shape()"
		}
		return "tuples are slices: slices.Equal(" + x + ", []int{" + inner + "})"
	case strings.HasSuffix(strings.TrimSpace(masked[:m[0]+1]), "="):
		if keywordHint(line, masked) != "" {
			return ""
		}
	case sequenceRE.MatchString(masked[:m[0]+1]):
		return "several Arrays are a slice: []Array{" + goText(inner) + "}"
	case axesRE.MatchString(masked[:m[0]+1]):
		return "write in_axes(" + goText(inner) + ")"
	case intsRE.MatchString(inner) && methodCallRE.MatchString(masked[:m[0]+1]):
		return "the method takes them one by one: ." + methodCallRE.FindStringSubmatch(masked[:m[0]+1])[1] + "(" + inner + ")"
	case intsRE.MatchString(inner):
		return "tuples are slices: []int{" + inner + "}"
	}
	return "tuples are slices, []any{" + inner + "}, or structs"
}

// callHint writes the arguments of a call that Go has otherwise.
func callHint(line, masked string) string {
	hints := []string{tupleHint(line, masked), keywordHint(line, masked)}
	if hints[0] == "" && hints[1] != "" && !keywordListRE.MatchString(masked) {
		hints[0] = literalHint(line, masked)
	}
	return strings.Join(slices.DeleteFunc(hints, func(h string) bool { return h == "" }), "; ")
}
