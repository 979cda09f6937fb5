package interp

import (
	"regexp"
	"strings"
)

// pythonForms are lines of Python that the parser refuses, with what Go has for
// them; the first that matches counts.
var pythonForms = []struct {
	re   *regexp.Regexp
	hint string
	find func(line, masked string) string
}{
	{re: regexp.MustCompile(`^\s*def\s+\w+\s*\(`), hint: "in Go: func f(x Array) Array { return … }"},
	{re: regexp.MustCompile(`\blambda\b`), hint: "in Go: f := func(x Array) Array { return … }"},
	{re: regexp.MustCompile(`^\s*import\s+(numpy|jax|jax\.numpy|flax|optax)\b`), hint: "jax, jnp, lax, nn, random, tree, xla and display are there already; NumPy's functions are in jnp"},
	{re: regexp.MustCompile(`^\s*from\s+[\w.]+\s+import\b`), hint: "jit, grad, vmap and others are there already, and so are jax, jnp, lax, nn and random"},
	{re: regexp.MustCompile(`^\s*import\s+[\w.]+(\s+as\s+\w+)?\s*$`), hint: `in Go: import name "path"; packages of the standard library are imported when they are used`},
	{re: regexp.MustCompile(`^\s*for\s+\w+\s+in\s+range\s*\(`), hint: "in Go: for i := range n { … }"},
	{re: regexp.MustCompile(`^\s*for\s+.*\bin\b`), hint: "in Go: for i, x := range xs { … }"},
	{re: regexp.MustCompile(`^\s*while\b`), hint: "in Go: for condition { … }"},
	{re: regexp.MustCompile(`^\s*class\s+\w+`), hint: "in Go: type T struct { … }, with func (t T) Method() { … }"},
	{re: regexp.MustCompile(`^\s*elif\b`), hint: "in Go: } else if condition { … }"},
	{re: regexp.MustCompile(`^\s*(if|else|elif|for|with|try|except|finally|class)\b.*:\s*(#.*)?$`), hint: "in Go: blocks stand in braces, { … }"},
	{re: regexp.MustCompile(`^\s*raise\b`), hint: "in Go: panic(err), or return an error"},
	{re: regexp.MustCompile(`^\s*assert\b`), hint: "in Go: if !condition { panic(…) }"},
	{re: regexp.MustCompile(`^\s*with\b`), hint: "in Go: for range xla_metadata(attrs{…}).Scope { … } and the like; defer ends things"},
	{re: regexp.MustCompile(`^\s*@[\w.]+`), hint: "Go has no decorators: f = jit(f)"},
	{re: regexp.MustCompile(`[\w)\]]\s*@\s*[\w(]`), hint: "the matrix product is x.MatMul(y), jnp.MatMul(x, y)"},
	{re: regexp.MustCompile(`^\s*#`), hint: "comments start with //"},
	{re: regexp.MustCompile(`\bf["']`), hint: `in Go: fmt.Sprintf("%v", x)`},
	{re: regexp.MustCompile(`\bnot\s+\w`), hint: "in Go: !x"},
	{re: regexp.MustCompile(`\S\s+(and|or)\s+\S`), hint: "in Go: && and ||"},
	{re: regexp.MustCompile(`\S\s+if\s.*\selse\s`), hint: "Go has no conditional expression; jnp.Where(condition, x, y) is one for Arrays"},
	{re: regexp.MustCompile(`[(,]\s*\[+[^\[\]]+,`), hint: "in Go: []float64{1, 2}, as an Array jnp.Array([]float64{1, 2})"},
	{find: tupleHint},
	{find: keywordHint},
	{re: regexp.MustCompile(`(?:xla_metadata(?:_call2?)?|metadata\.\w+)\([^{}]*[(,]\s*\{\s*["'][^{}]*:`), hint: `attributes are a map: attrs{"k": "v"}`},
	{re: regexp.MustCompile(`\w\(([^{}]*,)?\s*\{\s*["'][^{}]*:`), hint: "in Go: map[string]int{\"a\": 1}"},
	{re: regexp.MustCompile(`\S\s+(not\s+)?in\s+\S`), hint: "in Go: slices.Contains(xs, x), or _, ok := m[x]"},
	{re: regexp.MustCompile(`=\s*\[+[^\[\]]+,`), hint: "in Go: []float64{1, 2}, as an Array jnp.Array([]float64{1, 2})"},
	{re: regexp.MustCompile(`=\s*\{\s*["'].*:`), hint: "in Go: map[string]int{\"a\": 1}"},
	{re: regexp.MustCompile(`'[^']{2,}'`), hint: `texts stand in double quotes: "text"`},
}

// textRE matches texts, in which words mean nothing.
var textRE = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// pythonHint says how Go writes a line that is Python's.
func pythonHint(line string) string {
	masked, _, _ := strings.Cut(textRE.ReplaceAllStringFunc(line, func(text string) string {
		return `"` + strings.Repeat("_", len(text)-2) + `"`
	}), "//")
	for _, f := range pythonForms {
		if f.find != nil {
			if hint := f.find(line, masked); hint != "" {
				return hint
			}
		} else if f.re.MatchString(masked) {
			return f.hint
		}
	}
	return ""
}

// foreignMagics are magics of IPython that have no place here, with what does
// the same.
var foreignMagics = map[string]string{
	"%lsmagic": "%help lists the magics", "%magic": "%help lists the magics", "%quickref": "%help lists the magics",
	"%pip": "!pip … runs pip; Go packages come in by gopherlo build --with PATH", "%conda": "!conda … runs it",
	"%%bash": "!COMMAND runs one command, !bash -c '…' several", "%%sh": "!COMMAND runs one command, !sh -c '…' several",
	"%%script": "!COMMAND runs one command", "%%capture": "a semicolon behind the last expression hides its value",
	"%matplotlib": "figures of package display are shown in the output", "%config": "jax.Update(name, value) configures JAX",
	"%run": "gopherlo run FILE.ipynb runs a notebook; %load FILE puts a file's text into the cell",
	"%ls":  "!ls", "%cat": "!cat FILE", "%whos": "%who", "%history": "In[n] is the text of cell n", "%prun": "%time, or runtime/pprof",
	"%%html": "display.HTML(text)", "%%markdown": "display.Markdown(text)", "%%latex": "display.LaTeX(text)",
	"%%javascript": "display.HTML(text) with a script", "%%writefile": "os.WriteFile(name, []byte(text), 0o644)",
	"%debug": "a panic shows the lines that led to it", "%pdb": "a panic shows the lines that led to it",
	"%autoreload": "a cell that is run again replaces what it declares", "%load_ext": "there are no extensions",
}
