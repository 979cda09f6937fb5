package interp

import (
	"regexp"
	"slices"
	"strings"
)

// maskTexts puts blanks of the same length in the place of what texts hold, and
// cuts comments of both languages off.
func maskTexts(line string) string {
	masked := textRE.ReplaceAllStringFunc(line, func(text string) string {
		return text[:1] + strings.Repeat("_", len(text)-2) + text[len(text)-1:]
	})
	masked, _, _ = strings.Cut(masked, "//")
	masked, _, _ = strings.Cut(masked, "#")
	return masked
}

// textRE matches texts, in which words mean nothing.
var textRE = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")

// closing is where the bracket at i ends, or -1.
func closing(masked string, i int) int {
	var open []byte
	for ; i < len(masked); i++ {
		switch c := masked[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if last := open[len(open)-1]; c != last+1 && c != last+2 { // of another kind
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i
			}
		}
	}
	return -1
}

// splitAt cuts line[from:to] at each sep that stands in no brackets.
func splitAt(line, masked string, from, to int, sep byte) (parts [][2]int) {
	depth, start := 0, from
	for i := from; i < to; i++ {
		switch c := masked[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == sep && depth == 0:
			parts = append(parts, [2]int{start, i})
			start = i + 1
		}
	}
	if strings.TrimSpace(line[start:to]) != "" || sep == ':' && len(parts) > 0 {
		parts = append(parts, [2]int{start, to})
	}
	return parts
}

// literalHint writes the first list, set or dict of Python in a line as Go has it.
func literalHint(line, masked string) string {
	for i := 0; i < len(masked); i++ {
		c, end := masked[i], 0
		if c == '[' || c == '{' {
			if end = closing(masked, i); end < 0 {
				end = len(masked) // on a later line
			}
		}
		if end <= 0 || !operandRE.MatchString(masked[:i]) {
			if c == '{' && end > 0 && i > 0 && compositeRE.MatchString(masked[:i]) {
				i = end // a literal of Go
			}
			continue
		}
		switch {
		case end == len(masked) && !strings.Contains(masked[i:], ","):
			continue
		case end == len(masked) && c == '{':
			return "in Go: map[string]T{…}, T the type of the values"
		case end == len(masked):
			return "in Go: []float64{1, 2}, [][]float64{{1, 2}, {3, 4}}, as an Array jnp.Array([]float64{1, 2})"
		case c == '[' && strings.TrimSpace(line[i+1:end]) == "":
			if strings.TrimSpace(masked[end+1:]) != "" {
				continue
			}
			return "an empty slice: []float64{}, or the type that its elements have"
		}
		if hint := literal(line, masked, i, end); hint != "" {
			return hint
		}
	}
	return ""
}

var (
	// operandRE matches what stands before an operand, compositeRE what stands before
	// the brace of a literal.
	operandRE    = regexp.MustCompile(`(?:^|[-(,=\[{:+*/]|\breturn|\bin)\s*$`)
	compositeRE  = regexp.MustCompile(`[\pL\pN_\]]$`)
	makesArrayRE = regexp.MustCompile(`\b(?:jnp|np|numpy)\.(?:array|asarray|Array|AsArray)\(\s*$`)
)

// literal is the hint for brackets from i to end, "" if Go may have them so.
func literal(line, masked string, i, end int) string {
	after := strings.TrimSpace(masked[end+1:])
	if after != "" && (goWordRE.MatchString(after) || strings.ContainsAny(after[:1], "[{*")) {
		return "" // a type follows
	}
	if strings.ContainsAny(masked[i:end], ";=") {
		return "" // a block
	}
	l := parseLiteral(line, masked, i, end)
	switch {
	case l.dict:
		return "in Go: " + l.text() + l.orType()
	case len(l.items) == 0 || !l.nested && !strings.Contains(masked[i:end], ",") && (masked[i] == '{' || after != "" && after[0] != ')'):
		return ""
	case makesArrayRE.MatchString(masked[:i]):
		return "in Go: jnp.Array(" + l.text() + ")" + l.orType()
	case strings.HasSuffix(strings.TrimSpace(masked[:i]), "("):
		return "in Go: " + l.text() + l.orType()
	case l.elem == "int" || l.elem == "float64" || l.elem == "any":
		return "in Go: " + l.text() + ", as an Array jnp.Array(" + l.text() + ")"
	}
	return "in Go: " + l.text() + l.orType()
}

var goWordRE = regexp.MustCompile(`^[\pL_]`)

// pyLiteral is a list or a dict of Python.
type pyLiteral struct {
	dict, nested bool
	depth        int
	elem         string   // Go's type of its elements
	items        []string // as Go writes them
}

func (l pyLiteral) typ() string {
	if l.dict {
		return "map[string]" + l.elem
	}
	return strings.Repeat("[]", l.depth) + l.elem
}

func (l pyLiteral) body() string { return "{" + strings.Join(l.items, ", ") + "}" }

func (l pyLiteral) text() string { return l.typ() + l.body() }

func (l pyLiteral) orType() string {
	if l.elem == "Array" {
		return ", or the type that its values have"
	}
	return ""
}

// parseLiteral reads the brackets from i to end.
func parseLiteral(line, masked string, i, end int) pyLiteral {
	l := pyLiteral{depth: 1}
	var kinds []string
	ragged := false
	for n, p := range splitAt(line, masked, i+1, end, ',') {
		from, key := p[0], ""
		if parts := splitAt(line, masked, p[0], p[1], ':'); masked[i] == '{' && len(parts) == 2 {
			l.dict = true
			key = goText(strings.TrimSpace(line[parts[0][0]:parts[0][1]])) + ": "
			from = parts[1][0]
		}
		item := strings.TrimSpace(line[from:p[1]])
		at := from + strings.Index(line[from:p[1]], item)
		if item != "" && (item[0] == '[' || item[0] == '{' || item[0] == '(') && closing(masked, at) == at+len(item)-1 {
			inner := parseLiteral(line, masked, at, at+len(item)-1)
			ragged = ragged || n > 0 && (!l.nested || inner.depth+1 != l.depth)
			l.nested = true
			switch {
			case l.dict || inner.dict:
				l.items, kinds = append(l.items, key+inner.text()), append(kinds, inner.typ())
			default:
				l.depth = inner.depth + 1
				l.items, kinds = append(l.items, inner.body()), append(kinds, inner.elem)
			}
			continue
		}
		ragged = ragged || l.nested && !l.dict
		if words := strings.Fields(item); len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !floatRE.MatchString(w) }) {
			for _, w := range words { // the commas are missing
				l.items, kinds = append(l.items, w), append(kinds, goKind(w))
			}
			continue
		}
		l.items, kinds = append(l.items, key+goText(item)), append(kinds, goKind(item))
	}
	l.elem = l.common(kinds)
	if ragged {
		l.elem, l.depth = "any", 1
	}
	return l
}

// common is the type of all elements.
func (l pyLiteral) common(kinds []string) string {
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	switch {
	case len(kinds) == 1 && kinds[0] != "":
		return kinds[0]
	case slices.Equal(kinds, []string{"float64", "int"}):
		return "float64"
	case l.dict && slices.Contains(kinds, "") || len(kinds) == 1:
		return "Array"
	}
	return "any"
}

var (
	intRE   = regexp.MustCompile(`^[-+]?\d+$`)
	floatRE = regexp.MustCompile(`^[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?$`)
)

// goKind is Go's type of a simple value of Python, "" of others.
func goKind(v string) string {
	switch {
	case intRE.MatchString(v):
		return "int"
	case floatRE.MatchString(v):
		return "float64"
	case v == "True" || v == "False":
		return "bool"
	case v != "" && (v[0] == '"' || v[0] == '\''):
		return "string"
	}
	return ""
}

var indexRE = regexp.MustCompile(`([\pL_][\pL\pN_.]*|\))\s*\[`)

// indexHint writes several indices and steps in one pair of brackets as a call.
func indexHint(line, masked string) string {
	for _, m := range indexRE.FindAllStringSubmatchIndex(masked, -1) {
		open := m[1] - 1
		end := closing(masked, open)
		if end < 0 {
			continue
		}
		parts := splitAt(line, masked, open+1, end, ',')
		steps := len(parts) == 1 && strings.Count(masked[open:end], ":") > 1
		if len(parts) < 2 && !steps && !strings.Contains(masked[open:end], "...") {
			continue
		}
		var list []string
		for _, p := range parts {
			list = append(list, goIndex(line, masked, p[0], p[1]))
		}
		x := line[m[2]:m[3]]
		if strings.HasSuffix(masked[:m[2]], "]") {
			return "a literal stands in braces: []" + x + "{" + line[open+1:end] + "}"
		}
		if x == ")" {
			x = "x"
		}
		args := strings.Join(list, ", ")
		if op := assignedRE.FindStringSubmatchIndex(masked[end+1:]); op != nil {
			value := goText(strings.TrimSpace(line[end+1+op[3] : len(masked)]))
			switch masked[end+1+op[2]] {
			case '-':
				value = "-(" + value + ")"
			case '=':
				return "Arrays are immutable: " + x + " = " + x + ".At(" + args + ").Set(" + value + ")"
			case '*':
				return "Arrays are immutable: " + x + " = " + x + ".At(" + args + ").Mul(" + value + ")"
			}
			return "Arrays are immutable: " + x + " = " + x + ".At(" + args + ").Add(" + value + ")"
		}
		if strings.HasSuffix(x, ".at") || strings.HasSuffix(x, ".At") {
			return "write " + x[:len(x)-3] + ".At(" + args + ").Set(…)"
		}
		return "several axes and steps are written " + x + ".Index(" + args + ")"
	}
	return ""
}

var assignedRE = regexp.MustCompile(`^\s*([-+*]?=)(?:[^=]|$)`)

// goIndex is one index of NumPy as an argument.
func goIndex(line, masked string, from, to int) string {
	text := strings.TrimSpace(line[from:to])
	switch text {
	case "...", "Ellipsis":
		return "jnp.Ellipsis"
	case "None", "jnp.newaxis", "np.newaxis", "jnp.NewAxis":
		return "jnp.NewAxis"
	}
	parts := splitAt(line, masked, from, to, ':')
	if len(parts) < 2 {
		return goText(text)
	}
	var bounds []string
	for _, p := range parts {
		b := strings.TrimSpace(line[p[0]:p[1]])
		if b == "" {
			b = "nil"
		}
		bounds = append(bounds, goText(b))
	}
	for len(bounds) > 0 && len(bounds) != 1 && bounds[len(bounds)-1] == "nil" {
		if len(bounds) == 2 && bounds[0] != "nil" {
			break // Slice(a) would be :a
		}
		bounds = bounds[:len(bounds)-1]
	}
	if len(bounds) == 1 && bounds[0] == "nil" {
		bounds = nil
	}
	return "jnp.Slice(" + strings.Join(bounds, ", ") + ")"
}

var (
	defRE      = regexp.MustCompile(`^\s*def\s+([\pL_][\pL\pN_]*)\s*\(([^()]*)\)[^:]*:(.*)$`)
	lambdaRE   = regexp.MustCompile(`\blambda\b\s*([^:]*):\s*`)
	assigneeRE = regexp.MustCompile(`^\s*(\w+)\s*:?=\s*$`)
	returnRE   = regexp.MustCompile(`^\s*return\b\s*`)
)

// defHint writes the head of a function of Python, and one that is a line.
func defHint(line, masked string) string {
	m := defRE.FindStringSubmatchIndex(masked)
	if m == nil {
		return ""
	}
	body := strings.TrimSpace(returnRE.ReplaceAllString(line[m[6]:min(m[7], len(line))], ""))
	if body == "" || body == "pass" || body == "..." {
		body = "…"
	}
	return "in Go: func " + line[m[2]:m[3]] + goFunc(line[m[4]:m[5]], body)
}

// lambdaHint writes a lambda as a literal.
func lambdaHint(line, masked string) string {
	m := lambdaRE.FindStringSubmatchIndex(masked)
	if m == nil {
		return ""
	}
	end := valueEnd(masked, m[1])
	if end < 0 {
		end = len(masked)
	}
	name := ""
	if to := assigneeRE.FindStringSubmatch(masked[:m[0]]); to != nil {
		name = to[1] + " := "
	}
	return "in Go: " + name + "func" + goFunc(line[m[2]:m[3]], strings.TrimSpace(line[m[1]:end]))
}

// goFunc writes parameters, results and body of a function, for a tuple several
// results.
func goFunc(params, body string) string {
	results := "Array"
	if strings.HasPrefix(body, "(") && closing(maskTexts(body), 0) == len(body)-1 {
		if parts := splitAt(body, maskTexts(body), 1, len(body)-1, ','); len(parts) > 1 {
			results = "(" + strings.Repeat("Array, ", len(parts)-1) + "Array)"
			body = strings.TrimSuffix(strings.TrimSpace(body[1:len(body)-1]), ",")
		}
	}
	return "(" + goParams(params) + ") " + results + " { return " + goText(body) + " }"
}

// goParams writes the parameters of a function of Python, all of them Arrays.
func goParams(params string) string {
	var names []string
	for p := range strings.SplitSeq(params, ",") {
		p, _, _ = strings.Cut(p, "=")
		p, _, _ = strings.Cut(p, ":")
		if p = strings.Trim(p, " *\t/"); p != "" && p != "self" {
			names = append(names, p)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + " Array"
}

var (
	formatTextRE = regexp.MustCompile(`(print\()?\s*\b[fF](?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`)
	formatPartRE = regexp.MustCompile(`\{([^{}:!=]+)(?:![rs])?(=)?(?::([^{}]*))?\}`)
	formatSpecRE = regexp.MustCompile(`^[<>+ ]?(0?\d*(?:\.\d+)?[defgxs])$`)
)

// formatHint writes a text of Python with values in it as a call of fmt.
func formatHint(line, _ string) string {
	m := formatTextRE.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	var args []string
	text := formatPartRE.ReplaceAllStringFunc(m[2]+m[3], func(part string) string {
		sub := formatPartRE.FindStringSubmatch(part)
		args = append(args, goText(strings.TrimSpace(sub[1])))
		verb := "%v"
		if spec := formatSpecRE.FindStringSubmatch(sub[3]); spec != nil {
			verb = "%" + spec[1]
		}
		if sub[2] != "" {
			verb = sub[1] + "=" + verb
		}
		return verb
	})
	list := strings.Join(append([]string{""}, args...), ", ")
	if m[1] != "" {
		return `in Go: fmt.Printf("` + text + `\n"` + list + ")"
	}
	return `in Go: fmt.Sprintf("` + text + `"` + list + ")"
}

var quotedRE = regexp.MustCompile(`'([^']{2,})'`)

// quoteHint writes a text in the quotes that Go has.
func quoteHint(line, masked string) string {
	m := quotedRE.FindStringSubmatchIndex(masked)
	if m == nil {
		return ""
	}
	return `texts stand in double quotes: "` + line[m[2]:m[3]] + `"`
}

var jitDictRE = regexp.MustCompile(`\bjit\([^{}]*,\s*\{`)

// optionsHint writes a dict that jit gets as compiler options.
func optionsHint(line, masked string) string {
	m := jitDictRE.FindStringIndex(masked)
	if m == nil {
		return ""
	}
	end := closing(masked, m[1]-1)
	if end < 0 {
		return ""
	}
	return "options of the compiler are compiler_options" + parseLiteral(line, masked, m[1]-1, end).body()
}
