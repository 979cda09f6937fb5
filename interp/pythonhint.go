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
}{
	{regexp.MustCompile(`^\s*def\s+\w+\s*\(`), "in Go: func f(x Array) Array { return … }"},
	{regexp.MustCompile(`\blambda\b`), "in Go: f := func(x Array) Array { return … }"},
	{regexp.MustCompile(`^\s*import\s+(numpy|jax|jax\.numpy|flax|optax)\b`), "jax, jnp, lax, nn, random, tree, xla and display are there already; NumPy's functions are in jnp"},
	{regexp.MustCompile(`^\s*from\s+[\w.]+\s+import\b`), "jit, grad, vmap and others are there already, and so are jax, jnp, lax, nn and random"},
	{regexp.MustCompile(`^\s*import\s+[\w.]+(\s+as\s+\w+)?\s*$`), `in Go: import name "path"; packages of the standard library are imported when they are used`},
	{regexp.MustCompile(`^\s*for\s+\w+\s+in\s+range\s*\(`), "in Go: for i := range n { … }"},
	{regexp.MustCompile(`^\s*for\s+.*\bin\b`), "in Go: for i, x := range xs { … }"},
	{regexp.MustCompile(`^\s*while\b`), "in Go: for condition { … }"},
	{regexp.MustCompile(`^\s*class\s+\w+`), "in Go: type T struct { … }, with func (t T) Method() { … }"},
	{regexp.MustCompile(`^\s*elif\b`), "in Go: } else if condition { … }"},
	{regexp.MustCompile(`^\s*(if|else|elif|for|with|try|except|finally|class)\b.*:\s*(#.*)?$`), "in Go: blocks stand in braces, { … }"},
	{regexp.MustCompile(`^\s*raise\b`), "in Go: panic(err), or return an error"},
	{regexp.MustCompile(`^\s*assert\b`), "in Go: if !condition { panic(…) }"},
	{regexp.MustCompile(`^\s*with\b`), "in Go: for range xla_metadata(attrs{…}).Scope { … } and the like; defer ends things"},
	{regexp.MustCompile(`^\s*@[\w.]+`), "Go has no decorators: f = jit(f)"},
	{regexp.MustCompile(`[\w)\]]\s*@\s*[\w(]`), "the matrix product is x.MatMul(y), jnp.MatMul(x, y)"},
	{regexp.MustCompile(`^\s*#`), "comments start with //"},
	{regexp.MustCompile(`\bf["']`), `in Go: fmt.Sprintf("%v", x)`},
	{regexp.MustCompile(`\bnot\s+\w`), "in Go: !x"},
	{regexp.MustCompile(`\S\s+(and|or)\s+\S`), "in Go: && and ||"},
	{regexp.MustCompile(`\S\s+if\s.*\selse\s`), "Go has no conditional expression; jnp.Where(condition, x, y) is one for Arrays"},
	{regexp.MustCompile(`xla_metadata(_call2?)?\([^;]*\b\w+\s*=[^=;]+$`), `attributes are a map: attrs{"k": "v"}`},
	{regexp.MustCompile(`^[^;]*\w\([^;]*\b\w+\s*=[^=;]+$`), "keyword arguments are options: jnp.Sum(x, kw.Axis(0))"},
	{regexp.MustCompile(`\S\s+(not\s+)?in\s+\S`), "in Go: slices.Contains(xs, x), or _, ok := m[x]"},
	{regexp.MustCompile(`=\s*\[.*,`), "in Go: []float64{1, 2}, as an Array jnp.Array([]float64{1, 2})"},
	{regexp.MustCompile(`=\s*\{\s*["'].*:`), "in Go: map[string]int{\"a\": 1}"},
	{regexp.MustCompile(`'[^']{2,}'`), `texts stand in double quotes: "text"`},
}

// textRE matches texts, in which words mean nothing.
var textRE = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// pythonHint says how Go writes a line that is Python's.
func pythonHint(line string) string {
	line, _, _ = strings.Cut(textRE.ReplaceAllString(line, `""`), "//")
	for _, f := range pythonForms {
		if f.re.MatchString(line) {
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
