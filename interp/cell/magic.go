package cell

import (
	"go/ast"
	"go/parser"
	"regexp"
	"strings"
)

// Magic is one line that speaks to the kernel and not to Go: "%name args",
// "%%name args" (with the rest of the cell as Body), "!command", or "?name",
// "name?" and "name??", which ask about a name.
type Magic struct {
	Name string // without % signs; "!" for a shell line, "?" or "??" for a question
	Args string
	Cell bool   // %%name
	Line int    // line of the cell, from 1
	Body string // rest of the text for a cell magic
}

// MaskMagics replaces magic and shell lines by blanks of the same length, so
// that offsets and lines of what remains are those of the cell.
func MaskMagics(src string) string {
	masked, _ := ExtractMagics(src)
	return masked
}

// ExtractMagics returns src with magic lines blanked, and those lines.
// A line is a magic line when its first character that is not blank is % or !
// and it does not continue a Go expression, raw string or comment.
func ExtractMagics(src string) (string, []Magic) {
	if !strings.ContainsAny(src, "%!?") {
		return src, nil
	}
	var out strings.Builder
	var magics []Magic
	lines := strings.SplitAfter(src, "\n")
	for i, line := range lines {
		text := strings.TrimSpace(line)
		m, ok := asks(text, i+1)
		if !ok && len(text) > 1 && (text[0] == '%' || text[0] == '!') && looksMagic(text) {
			m, ok = parseMagic(text, i+1), true
		}
		if ok && StartsStatement(out.String()) {
			if m.Cell {
				m.Body = strings.Join(lines[i+1:], "")
			}
			magics = append(magics, m)
			out.WriteString(blank(line))
			continue
		}
		out.WriteString(line)
	}
	return out.String(), magics
}

var (
	askRE   = regexp.MustCompile(`^(%{0,2}[\pL_][\pL\pN_.]*)(\?{1,2})$`)
	askedRE = regexp.MustCompile(`^(\?{1,2})\s*(%{0,2}[\pL_][\pL\pN_.]*)$`)
)

// asks reads a line that asks about a name, as in IPython.
func asks(text string, line int) (Magic, bool) {
	if m := askRE.FindStringSubmatch(text); m != nil {
		return Magic{Name: m[2], Args: m[1], Line: line}, true
	}
	if m := askedRE.FindStringSubmatch(text); m != nil {
		return Magic{Name: m[1], Args: m[2], Line: line}, true
	}
	return Magic{}, false
}

// looksMagic keeps lines that are Go expressions: "!x.All()" with a call, which
// no shell takes; a magic line must start with a letter.
func looksMagic(text string) bool {
	if text[0] == '!' {
		return text[1] != '=' && text[1] != '(' && !calls(text)
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(text, "%"), "%")
	return rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] >= 'A' && rest[0] <= 'Z')
}

// calls reports a Go expression with a call in it.
func calls(text string) (found bool) {
	x, err := parser.ParseExpr(strings.TrimRight(text, "; \t"))
	if err != nil {
		return false
	}
	ast.Inspect(x, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

func parseMagic(text string, line int) Magic {
	if text[0] == '!' {
		return Magic{Name: "!", Args: strings.TrimSpace(text[1:]), Line: line}
	}
	m := Magic{Line: line, Cell: strings.HasPrefix(text, "%%")}
	text = strings.TrimLeft(text, "%")
	i := strings.IndexAny(text, " \t{(")
	if i < 0 {
		m.Name = text
		return m
	}
	m.Name, m.Args = text[:i], strings.TrimSpace(text[i:])
	return m
}

// StartsStatement reports whether a statement may start after src.
func StartsStatement(src string) bool {
	if strings.TrimSpace(src) == "" {
		return true
	}
	b := newBrackets(src)
	return b.depth == 0 && !b.openRaw && !b.openComment && !b.continues
}

// blank keeps the length and the line ends of s.
func blank(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
	return string(b)
}

// HLO is the Go text for %hlo f(args): the HLO of f for the arguments. It is
// false where the magic's argument is no call.
func (m Magic) HLO() (text string, ok bool) {
	expr, err := parser.ParseExpr(m.Args)
	if err != nil {
		return "", false
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	open := int(call.Lparen) - 1
	return m.Args[:open] + ".Lower" + m.Args[open:] + `.AsText("hlo")`, true
}
