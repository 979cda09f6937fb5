package cell

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"gopherlo/interp/gosyntax"
)

// mostErrors is how many syntax errors of a cell are told.
const mostErrors = 50

const packageMessage = "a cell has no package clause: write the rest without it"

// found is what the syntax of a cell is like, with errors as the user sees them.
type found struct {
	gosyntax.Found
	errs Errors
}

func (f *found) add(g gosyntax.Found) {
	f.Errors = append(f.Errors, g.Errors...)
	f.Literals = append(f.Literals, g.Literals...)
	f.Names = append(f.Names, g.Names...)
	f.Characters = append(f.Characters, g.Characters...)
	f.Calls = append(f.Calls, g.Calls...)
	f.Ranges = append(f.Ranges, g.Ranges...)
	f.Parens = append(f.Parens, g.Parens...)
	f.Guards = append(f.Guards, g.Guards...)
}

// look says what the compiler would say of the syntax of the cell's Go text if its
// statements stood in a function and the rest outside.
func (c *Cell) look(s *scans) *found {
	text := c.Go
	f := &found{}
	leave := func(at, size int, msg string) {
		f.Errors = append(f.Errors, gosyntax.Error{Off: at, Msg: msg})
		text = text[:at] + blank(text[at:at+size]) + text[at+size:]
	}
	for at, size := packageClause(s.of(text), text); at >= 0; at, size = packageClause(s.of(text), text) {
		leave(at, size, packageMessage)
	}
	r := splitTokens(s.of(text), text)
	if !balanced(s.of(text)) {
		r = splitLines(text)
	}
	r.withBlocks(text)
	rest := mask(text, append(append([]region{}, r.imports...), r.funcs...), false)
	extra := func() int { return splitTokens(s.of(rest), rest).extra }
	for at := extra(); at >= 0 && text[at] == '}'; at = extra() { // it would end the function
		leave(at, 1, extraMessage('}'))
		rest = rest[:at] + " " + rest[at+1:]
	}
	if len(r.imports) > 0 {
		f.add(gosyntax.Declarations(mask(text, r.imports, true)))
	}
	switch {
	case onlyDeclarations(s.of(rest)):
		f.add(gosyntax.Declarations(mask(text, r.imports, false)))
	default:
		if len(r.funcs) > 0 {
			f.add(gosyntax.Declarations(mask(text, r.funcs, true)))
		}
		f.add(gosyntax.Statements(rest))
	}
	c.told(f)
	return f
}

// withBlocks adds to each function without a body the block that stands on the
// next line, where it should not.
func (r *regions) withBlocks(text string) {
	for i, f := range r.funcs {
		toks := scan(text[f.to:])
		if len(toks) > 0 && toks[0].kind == token.SEMICOLON {
			toks = toks[1:]
		}
		if len(toks) == 0 || toks[0].kind != token.LBRACE || strings.HasSuffix(strings.TrimSpace(text[f.from:f.to]), "}") {
			continue
		}
		end, _ := statementEnd(toks, 0, len(text)-f.to)
		r.funcs[i].to += end
	}
}

// packageClause is where a clause stands that no cell has, -1 without.
func packageClause(toks []tok, text string) (at, size int) {
	for i, t := range toks {
		if t.kind == token.PACKAGE && (i == 0 || toks[i-1].kind == token.SEMICOLON) {
			end := len(text)
			if j := slices.IndexFunc(toks[i:], func(t tok) bool { return t.kind == token.SEMICOLON }); j >= 0 {
				end = toks[i+j].off
			}
			return t.off, end - t.off
		}
	}
	return -1, 0
}

// onlyDeclarations reports a text, without functions, that can be a file.
func onlyDeclarations(toks []tok) bool {
	depth, start := 0, true
	for i, t := range toks {
		if start && depth == 0 {
			switch t.kind {
			case token.VAR, token.CONST, token.TYPE, token.SEMICOLON:
			case token.FUNC: // none that is right, see declaresFunc
				if i+1 < len(toks) && toks[i+1].kind == token.LPAREN {
					return false
				}
			default:
				return false
			}
		}
		switch t.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		start = t.kind == token.SEMICOLON
	}
	return true
}

// told words and orders the errors. What is missing at the end of the cell counts
// only when nothing else is wrong.
func (c *Cell) told(f *found) {
	size := len(strings.TrimRight(c.Go, " \t\r\n"))
	var end Errors
	for _, e := range f.Errors {
		msg := e.Msg
		atEnd := e.Off > size || e.Off == size && strings.HasPrefix(msg, "method has ") || strings.Contains(msg, "unexpected EOF")
		if atEnd {
			msg = strings.NewReplacer("unexpected }", "unexpected end of the cell", "unexpected EOF", "unexpected end of the cell",
				"unexpected newline", "unexpected end of the cell").Replace(msg)
		}
		line, col := lineCol(c.Go, min(e.Off, size))
		if atEnd {
			end = append(end, Error{line, col, msg})
		} else {
			f.errs = append(f.errs, Error{line, col, msg})
		}
	}
	if len(f.errs) == 0 && len(end) > 0 {
		f.errs = end[:1]
	}
	f.errs = f.errs.Sort()
	last := 0 // line of the syntax error told last
	f.errs = slices.DeleteFunc(f.errs, func(e Error) bool {
		if !(gosyntax.Error{Msg: e.Msg}).Hard() {
			return false
		}
		again := e.Line == last
		last = e.Line
		return again
	})
	f.errs = f.errs[:min(len(f.errs), mostErrors)]
}

// extraMessage is the error for a closing bracket that nothing opened.
func extraMessage(bracket byte) string { return fmt.Sprintf("syntax error: unexpected %c", bracket) }

// offsetIn is the offset of a line and column of a text.
func offsetIn(text string, line, col int) int {
	off := 0
	for range line - 1 {
		i := strings.IndexByte(text[off:], '\n')
		if i < 0 {
			break
		}
		off += i + 1
	}
	return off + col - 1
}
