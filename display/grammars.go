package display

// Pieces of the grammars. A braced part may hold strings and one level of
// braces, which is what HLO prints.
const (
	quoted = `"(?:[^"\\\n]|\\.)*"`
	braced = `\{(?:[^{}"]|` + quoted + `|\{(?:[^{}"]|` + quoted + `)*\})*\}`
	floats = `-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b|-?\b(?:inf|nan)\b`
	// hloTypes are element types as XLA prints them, with dimensions and layout.
	hloTypes = `\b(?:pred|token|opaque|bf16|[suf]\d{1,3}(?:e\dm\d\w*)?|c64|c128)\[[^\]\n]*\](?:\{[^}\n]*\})?`
)

// grammars are the languages by the names that Sourcer uses.
var grammars = map[string]*grammar{
	"hlo": newGrammar("hlo", `^(?:ENTRY |%?[\w.\-]+ ).*\{\s*$`, "}", []rule{
		{tag, `\bfrontend_attributes=` + braced},
		{quiet, `\bmetadata=` + braced},
		{quiet, `/\*.*?\*/`},
		{text, quoted},
		{keyword, `\bHloModule\b|\bENTRY\b|\bROOT\b`},
		{typeName, hloTypes},
		{definition, `%?[\w.\-]+ =`},
		{attribute, `\b[a-z_]+=`},
		{reference, `%[\w.\-]+|\b[A-Za-z_][\w\-]*(?:\.[\w\-]+)+`},
		{keyword, `\b[a-z][a-z0-9]*(?:-[a-z0-9]+)*\b`},
		{reference, `\b[A-Za-z_][\w.\-]*`},
		{number, floats},
	}),
	"stablehlo": newGrammar("stablehlo", `^  func\.func .*\{\s*$`, "  }", []rule{
		{tag, `\bmhlo\.frontend_attributes = ` + braced},
		{quiet, `\bloc\([^\n]*\)|^#loc[^\n]*`},
		{text, quoted},
		{typeName, `\b(?:tensor|tuple)<[^>\n]*>|\b[if]\d+\b`},
		{reference, `%[\w#:]+`},
		{definition, `@[\w.$\-]+`},
		{keyword, `\b(?:module|attributes|func\.func|public|private|return|call|(?:stablehlo|mhlo|chlo|sdy|func)\.[\w.]+)\b`},
		{attribute, `\b[\w.]+ =`},
		{number, floats},
	}),
	"jaxpr": newGrammar("jaxpr", "", "", []rule{
		{tag, `\bxla_metadata\w*=\((?:[^()"']|"[^"]*"|'[^']*'|\((?:[^()"']|"[^"]*"|'[^']*')*\))*\)`},
		{text, `'(?:[^'\\\n]|\\.)*'|` + quoted},
		{keyword, `\b(?:lambda|let|in)\b`},
		{typeName, `:[\w.~]+\[[^\]\n]*\]`},
		{attribute, `\b[a-z_]+=`},
		{keyword, `\b[a-z][a-z_0-9]*_[a-z_0-9]*\b|\b[a-z][a-z_0-9]{2,}\b`},
		{number, floats},
	}),
	"diff": newGrammar("diff", "", "", []rule{
		{quiet, `^(?:--- |\+\+\+ |@@ )[^\n]*`},
		{added, `^\+[^\n]*`},
		{removed, `^-[^\n]*`},
	}),
}

// styleSheet colours the classes for both themes: JupyterLab and VS Code say
// which one is on, a plain page follows the system.
const styleSheet = `.gopherlo-code{` + lightColours + `;` + styleRules + `}` +
	`@media (prefers-color-scheme:dark){.gopherlo-code{` + darkColours + `}}` +
	`body[data-jp-theme-light="true"] .gopherlo-code,body.vscode-light .gopherlo-code{` + lightColours + `}` +
	`body[data-jp-theme-light="false"] .gopherlo-code,body.vscode-dark .gopherlo-code{` + darkColours + `}` +
	// Twice the class: JupyterLab's own rules for <pre> wrap lines.
	`div.gopherlo-code.gopherlo-code pre,div.gopherlo-code.gopherlo-code summary{margin:0;padding:0;overflow:visible;white-space:pre;word-break:normal;overflow-wrap:normal;font:inherit;line-height:1.45;tab-size:4;color:var(--c);background:none;border:0}` +
	`div.gopherlo-code.gopherlo-code summary{cursor:pointer;list-style-position:outside}` +
	`.gopherlo-code .k{color:var(--k)}.gopherlo-code .d{color:var(--d)}.gopherlo-code .r{color:var(--r)}` +
	`.gopherlo-code .t{color:var(--t)}.gopherlo-code .a{color:var(--a)}.gopherlo-code .q{color:var(--q)}` +
	`.gopherlo-code .s{color:var(--s)}.gopherlo-code .n{color:var(--n)}` +
	`.gopherlo-code .p{color:var(--p);background:var(--pb)}.gopherlo-code .x{color:var(--x);background:var(--xb)}` +
	`.gopherlo-code.placed{position:relative;padding-left:calc(var(--lw,2.2em) + 2em)}` +
	`.gopherlo-code.placed .l::before{content:attr(data-l);position:absolute;left:0;width:var(--lw,2.2em);text-align:right;color:var(--q);opacity:.8}` +
	`.gopherlo-code .m{color:var(--m);background:var(--mb);border-radius:3px;font-weight:600}`

const (
	styleRules   = `font-family:var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace);font-size:var(--jp-code-font-size,13px);overflow-x:auto;padding-left:1.3em;color:var(--c)`
	lightColours = `--c:#1f2328;--k:#0550ae;--d:#6639ba;--r:#1f2328;--t:#0a6b45;--a:#57606a;--m:#7d2d00;--mb:#fff1d6;--q:#6e7781;--s:#0a3069;--n:#953800;--p:#116329;--pb:#dafbe1;--x:#82071e;--xb:#ffebe9`
	darkColours  = `--c:#e6edf3;--k:#79c0ff;--d:#d2a8ff;--r:#e6edf3;--t:#7ee2b0;--a:#9aa4af;--m:#ffd58a;--mb:#4a3510;--q:#7d8590;--s:#a5d6ff;--n:#ffa657;--p:#aff5b4;--pb:#033a16;--x:#ffdcd7;--xb:#67060c`
)
