package interp

import (
	"regexp"
	"strings"
)

var (
	rangeRE  = regexp.MustCompile(`^\s*for\s+(\w+)\s+in\s+range\s*\(\s*((?:[^,()]|\([^()]*\))+)\)`)
	countRE  = regexp.MustCompile(`^\s*for\s+(\w+)\s+in\s+range\s*\(\s*([^,()]+),\s*([^,()]+?)\s*(?:,\s*([^,()]+?)\s*)?\)`)
	eachRE   = regexp.MustCompile(`^\s*for\s+(\w+)\s+in\s+([\w.]+)\s*(?::|\{|$)`)
	pairRE   = regexp.MustCompile(`^\s*for\s+\(?(\w+)\s*,\s*(\w+)\)?\s+in\s+(?:enumerate\(\s*([\w.]+)\s*\)|([\w.]+)\.items\(\))`)
	forInRE  = regexp.MustCompile(`^\s*for\s+.*\bin\b`)
	notRE    = regexp.MustCompile(`\bnot\s+([\w.]+|\()`)
	printRE  = regexp.MustCompile(`(?:^|[^.\w])print\s*\(.*=`)
	divideRE = regexp.MustCompile(`[\w)\]]//=?[\w(]`)
)

// rangeHint writes a loop over numbers.
func rangeHint(_, masked string) string {
	if m := rangeRE.FindStringSubmatch(masked); m != nil {
		return "in Go: for " + m[1] + " := range " + strings.TrimSpace(m[2]) + " { … }"
	}
	m := countRE.FindStringSubmatch(masked)
	if m == nil {
		return ""
	}
	i, test, step := m[1], " < ", "++"
	if strings.HasPrefix(m[4], "-") {
		test, step = " > ", " -= "+m[4][1:]
	} else if m[4] != "" {
		step = " += " + m[4]
	}
	return "in Go: for " + i + " := " + m[2] + "; " + i + test + m[3] + "; " + i + step + " { … }"
}

// eachHint writes a loop over what a slice, an Array or a map holds.
func eachHint(_, masked string) string {
	if m := eachRE.FindStringSubmatch(masked); m != nil {
		return "in Go: for _, " + m[1] + " := range " + m[2] + " { … }"
	}
	if m := pairRE.FindStringSubmatch(masked); m != nil {
		return "in Go: for " + m[1] + ", " + m[2] + " := range " + m[3] + m[4] + " { … }"
	}
	if forInRE.MatchString(masked) {
		return "in Go: for i, x := range xs { … }"
	}
	return ""
}

// notHint is for not, but for that of not in.
func notHint(_, masked string) string {
	switch m := notRE.FindStringSubmatch(masked); {
	case m == nil || m[1] == "in":
		return ""
	case m[1] == "(":
		return "in Go: !(…)"
	default:
		return "in Go: !" + m[1]
	}
}

// printHint is for the options of print.
func printHint(line, masked string) string {
	if !printRE.MatchString(masked) || len(keywords(line, masked)) == 0 {
		return ""
	}
	return `in Go: fmt.Println(a, b); fmt.Print(a, " ", b) ends no line; fmt.Printf("%v, %v\n", a, b)`
}

// divisionHint is for a division that Go takes for a comment.
func divisionHint(line, masked string) string {
	texts := textRE.ReplaceAllStringFunc(line, func(text string) string { return strings.Repeat("_", len(text)) })
	if !strings.HasPrefix(texts[len(masked):], "//") || !divideRE.MatchString(texts) {
		return ""
	}
	return "// begins a comment in Go; whole division is jnp.FloorDivide(x, y), of two ints x/y"
}

var declarationRE = regexp.MustCompile(`^\s*(?:let|val|auto|int|float|double|float64|bool|string|final|mut)\s+(?:mut\s+)?(\w+)\s*(?::\s*\w+\s*)?=\s*(.*?);?\s*$`)

// declarationHint writes a declaration of C, Rust or JavaScript.
func declarationHint(line, masked string) string {
	m := declarationRE.FindStringSubmatchIndex(masked)
	if m == nil {
		return ""
	}
	return "in Go: " + line[m[2]:m[3]] + " := " + line[m[4]:m[5]]
}

var (
	productRE = regexp.MustCompile(`[\w)\]]\s*@=?\s*[\w(]`)
	factorsRE = regexp.MustCompile(`(?:^|[-+=(,]|\breturn)\s*([\pL_][\pL\pN_.]*)\s*@\s*([\pL_][\pL\pN_.]*)\s*(?:$|[-+,);])`)
)

// productHint writes Python's product of matrices, of names the very one.
func productHint(line, masked string) string {
	if !productRE.MatchString(masked) {
		return ""
	}
	m := factorsRE.FindStringSubmatchIndex(masked)
	if m == nil {
		return "the matrix product is x.MatMul(y), jnp.MatMul(x, y)"
	}
	transposed := func(x string) string {
		if name, ok := strings.CutSuffix(x, ".T"); ok {
			return name + ".T()"
		}
		return x
	}
	return "the matrix product is " + transposed(line[m[2]:m[3]]) + ".MatMul(" + transposed(line[m[4]:m[5]]) + ")"
}

var (
	newRE   = regexp.MustCompile(`\bnew\s+([A-Z]\w*)`)
	fieldRE = regexp.MustCompile(`\b([A-Z]\w*)([({])\s*\w+\s*=[^=]`)
	setRE   = regexp.MustCompile(`(\w+)\s*=\s*`)
)

// newHint writes a struct that is made as in Python or Java.
func newHint(line, masked string) string {
	if m := newRE.FindStringSubmatch(masked); m != nil {
		return "in Go: " + m[1] + "{Field: value}, for a pointer &" + m[1] + "{…}"
	}
	m := fieldRE.FindStringSubmatchIndex(masked)
	if m == nil || m[2] > 0 && masked[m[2]-1] == '.' {
		return ""
	}
	end := closing(masked, m[4])
	if end < 0 {
		return ""
	}
	return "a struct is written " + line[m[2]:m[3]] + "{" + goText(setRE.ReplaceAllString(line[m[5]:end], "$1: ")) + "}"
}
