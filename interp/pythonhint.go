package interp

import "regexp"

// form is a way in which Python writes something, with what Go has for it: where re
// matches, or where find gives it.
type form struct {
	re   *regexp.Regexp
	hint string
	find func(line, masked string) string
}

func says(re, hint string) form { return form{re: regexp.MustCompile(re), hint: hint} }

// pythonForms are lines of Python that the parser refuses, with what Go has for
// them; the first that matches counts.
var pythonForms = []form{
	{find: defHint},
	says(`^\s*(async\s+)?def\b`, "in Go: func f(x Array) Array { return … }"),
	{find: lambdaHint},
	says(`\blambda\b`, "in Go: f := func(x Array) Array { return … }"),
	says(`^\s*import\s+(numpy|jax|flax|optax)\b`, "jax, jnp, lax, nn, random, tree, xla and display are there already; NumPy's functions are in jnp"),
	says(`^\s*from\s+(jax|numpy)\b[\w.]*\s+import\b`, "jit, grad, vmap and others are there already, and so are jax, jnp, lax, nn and random"),
	says(`^\s*from\s+[\w.]+\s+import\b`, `in Go: import "path", and name.F for what it exports; packages of the standard library are imported when they are used`),
	says(`^\s*import\s+[\w.]+(\s+as\s+\w+)?\s*(,.*)?$`, `in Go: import name "path"; packages of the standard library are imported when they are used`),
	says(`^\s*(pip3?|conda|mamba|apt|apt-get)\s+\w`, "commands of the shell begin with !; Go packages come in by gopherlo build --with PATH"),
	says(`^\s*(go\s+(get|mod|install|build|run|test|list|version|env)|git|wget|curl|sudo|python3?|cat|mkdir|rm|cp|mv|ls|echo|which)\s+[-\w./~$*"]`, "commands of the shell begin with !, as in !ls -l"),
	says(`^\s*cd\s`, "%cd DIR changes the folder"),
	says(`[\[(].*\bfor\s+\w.*\bin\b`, "Go has no comprehensions: for … { xs = append(xs, x) } fills a slice; jnp.Arange(n) and vmap(f) make Arrays at once"),
	says(`\{[^{}]*:[^{}]*\bfor\s+\w[^{}]*\bin\b`, "Go has no comprehensions: for … { m[k] = v } fills a map"),
	says(`^\s*(for|if|while)\s*\(.*;`, "in Go without parentheses: for i := 0; i < 3; i++ { … }"),
	says(`^\s*do\s*\{`, "in Go: for { …; if !condition { break } }"),
	says(`^\s*(\+\+|--)\w`, "in Go: n++ and n--, statements of their own"),
	says(`^\s*(if|else if|for)\s+[\w.]+\s*=\s*[^=\s]`, "in Go: == compares"),
	says(`(?:^|[^.\w])map\s*\(`, "in Go: for i, x := range xs { … }; over the rows of an Array vmap(f)(x)"),
	{find: newHint},
	{find: rangeHint},
	{find: eachHint},
	says(`^\s*while\s+([Tt]rue|1)\b`, "in Go: for { … }"),
	says(`^\s*while\b`, "in Go: for condition { … }"),
	says(`^\s*class\s+\w+`, "in Go: type T struct { … }, with func (t T) Method() { … }"),
	says(`^\s*\}?\s*(elif|elseif|elsif)\b`, "in Go: } else if condition { … }"),
	says(`^\s*(try|except|finally)\b`, exceptionHint),
	says(`^\s*with\s+open\b`, "in Go: f, err := os.Open(name), then defer f.Close(); os.ReadFile(name) reads a whole file"),
	says(`^\s*with\s+.*\bdisable_jit\b`, "in Go: disable_jit(func() { … })"),
	says(`^\s*with\s+.*\bnamed_scope\b`, "in Go: jax.NamedScope(name, func() { … })"),
	says(`^\s*with\b`, "in Go: for range xla_metadata(attrs{…}).Scope { … } and the like; defer ends things"),
	says(`^\s*(if|else|for|match)\b[^{]*:(\s|$)`, bracesHint),
	says(`^\s*raise\b`, "in Go: panic(err), or return an error"),
	says(`^\s*assert\b`, "in Go: if !condition { panic(…) }"),
	says(`^\s*(global|nonlocal)\b`, "functions see the variables around them; nothing declares that"),
	says(`^\s*del\s+\w`, "%reset NAME forgets a name, x.Delete() frees an Array, delete(m, k) takes a key out of a map"),
	says(`^\s*yield\b`, "in Go: a func(yield func(T) bool) gives values to a for range loop"),
	says(`\bawait\b`, "in Go: go f() starts f, a channel gives what it has"),
	says(`^\s*@[\w.]+`, "Go has no decorators: f := jit(func(x Array) Array { … }), or fast := jit(f)"),
	{find: productHint},
	says(`^\s*func\b.*(\w\s*:\s|->)`, "in Go: func f(x Array) Array { … }: types stand behind the names, the result's behind the parameters"),
	says(`=>|[=(,]\s*\|\w+(\s*,\s*\w+)*\|`, "in Go: func(x Array) Array { return … }"),
	{find: declarationHint},
	says(`=\s*[\w.]+(\+\+|--)`, "in Go: n++ is a statement: n++, then y := n"),
	says(`\?.*:`, "Go has no conditional expression; jnp.Where(condition, x, y) is one for Arrays"),
	{find: formatHint},
	says(`^\s*type\s*\(\s*\w`, `in Go: fmt.Printf("%T\n", x); x? tells more`),
	says(`\btype\s*\(\s*\w[^)]*\)`, `in Go: fmt.Sprintf("%T", x); x? tells more`),
	says(`\brange\s*\(`, "in Go: for i := range n { … }; as an Array jnp.Arange(n)"),
	says(`\bis\s+(not\s+)?None\b`, "in Go: x == nil, x != nil; of an Array x.IsNone()"),
	says(`^[^{]*\S\s+if\s[^{]*\selse\s[^{]*$`, "Go has no conditional expression; jnp.Where(condition, x, y) is one for Arrays"),
	{find: notHint},
	says(`\S\s+and\s+\S`, andHint),
	says(`\S\s+or\s+\S`, andHint),
	says(`\S\s+is\s+\S`, "in Go: x == y"),
	says(`<>`, "in Go: !="),
	says(`(?:xla_metadata(?:_call2?)?|metadata\.\w+)\([^{}]*[(,]\s*\{\s*["'][^{}]*:`, `attributes are a map: attrs{"k": "v"}`),
	{find: optionsHint},
	{find: indexHint},
	{find: printHint},
	{find: callHint},
	{find: literalHint},
	says(`\S\s+(not\s+)?in\s+\S`, "in Go: slices.Contains(xs, x), or _, ok := m[x]"),
	says(`"""|'''`, "texts of several lines stand in backquotes: `text`"),
	{find: quoteHint},
	says(`^\s*print\s+["'\w]`, "in Go: fmt.Println(x)"),
	says(`\btree(_util)?\.(tree_)?map\s*\(`, "write tree.Map(f, t)"),
	{find: divisionHint},
}

// pythonHint says how Go writes a line that is Python's.
func pythonHint(line string) string {
	masked := maskTexts(line)
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

const (
	andHint    = "in Go: && and ||; for the elements of Arrays & and |"
	bracesHint = "in Go: blocks stand in braces, { … }"
)

const exceptionHint = "Go has no exceptions: functions give errors, if err != nil { … }; f.Try(x) gives one of JAX's, defer and recover() catch panics"

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
