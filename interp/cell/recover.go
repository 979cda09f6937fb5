package cell

import (
	"go/token"
	"slices"
	"strings"
)

// This file leaves out of a text what go/parser cannot read, so that the tree of
// the rest can be looked at.

// syntaxErrors are those that go/parser has in a text with the lines of the
// cell's, in order.
func (c *Cell) syntaxErrors(text string) Errors {
	again := &Cell{N: c.N, Text: c.Text, Go: text, fset: token.NewFileSet()}
	r := split(text)
	if r.extra >= 0 {
		line, col := lineCol(text, r.extra)
		return Errors{{line, col, extraMessage(text[r.extra])}}
	}
	var errs Errors
	if len(r.imports) > 0 {
		again.parse(declPrefix, mask(text, r.imports, true), "", &errs)
	}
	if len(r.funcs) > 0 {
		again.parse(declPrefix, mask(text, r.funcs, true), "", &errs)
	}
	again.parse(stmtPrefix, mask(text, append(append([]region{}, r.imports...), r.funcs...), false), "\n}", &errs)
	return errs.Sort()
}

// without blanks the statement that has an error, but for what later lines
// need: the brace that opens a block.
func without(text string, e Error) (string, bool) {
	off := offsetIn(text, e.Line, e.Col)
	toks := scan(text)
	at := slices.IndexFunc(toks, func(t tok) bool { return t.off >= off })
	if at < 0 {
		return "", false
	}
	s := skipped{text: text, toks: toks}
	group := s.group(at)
	s.from = max(s.start(at), group+1)
	if s.to = s.end(at, e.Msg, group >= 0); s.to <= s.from {
		return "", false
	}
	begin, end := toks[s.from].off, len(text)
	if s.to < len(toks) {
		end = toks[s.to].off
	}
	return text[:begin] + s.instead() + blank(text[begin:end]) + text[end:], true
}

// skipped are the tokens from and to that are left out.
type skipped struct {
	text     string
	toks     []tok
	from, to int
}

// group is the bracket of the grouped declaration or the struct or interface
// type that token at is in, -1 without.
func (s *skipped) group(at int) int {
	depth := 0
	for i := at - 1; i > 0; i-- {
		switch s.toks[i].kind {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth++
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if depth--; depth >= 0 {
				continue
			}
			switch s.toks[i-1].kind {
			case token.IMPORT, token.CONST, token.VAR, token.TYPE, token.STRUCT, token.INTERFACE:
				return i
			}
			return -1
		}
	}
	return -1
}

// start is the first token of the statement that has token at.
func (s *skipped) start(at int) int {
	i := at
	for i > 0 {
		switch t := s.toks[i-1]; t.kind {
		case token.LBRACE, token.RBRACE:
			return i
		case token.SEMICOLON:
			if !s.header(i - 1) {
				return i
			}
		}
		i--
	}
	return i
}

// header reports a semicolon between the parts of a for, if or switch.
func (s *skipped) header(semi int) bool {
	for i := semi - 1; i >= 0; i-- {
		switch t := s.toks[i]; {
		case t.kind == token.FOR || t.kind == token.IF || t.kind == token.SWITCH:
			return true
		case t.kind == token.LBRACE, t.kind == token.SEMICOLON && t.lit == "\n":
			return false
		}
	}
	return false
}

// end is the first token that is kept behind an error at token at: after an
// operand or the separator of a list that is missing, that of a group too, all up to the next
// bracket or keyword of a statement is left out, else the statement.
func (s *skipped) end(at int, msg string, group bool) int {
	i := at
	list := strings.HasPrefix(msg, "expected operand") || strings.HasPrefix(msg, "missing ','")
	if list || group && strings.HasPrefix(msg, "expected ';'") {
		for ; i < len(s.toks); i++ {
			switch t := s.toks[i]; {
			case t.kind == token.RPAREN, t.kind == token.RBRACK, t.kind == token.RBRACE:
				if s.open(i) <= 0 {
					return i
				}
				return s.statementEnd(i + 1)
			case i > at && resumes(t.kind):
				return i
			}
		}
		return i
	}
	return s.statementEnd(i)
}

// open counts the brackets that are open before a token within the statement.
func (s *skipped) open(to int) (depth int) {
	for _, t := range s.toks[s.from:to] {
		switch t.kind {
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth++
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth--
		}
	}
	return depth
}

// statementEnd is where the statement ends that goes on at a token.
func (s *skipped) statementEnd(i int) int {
	at := i
	for depth := 0; i < len(s.toks); i++ {
		t := s.toks[i]
		if i > at && resumes(t.kind) || i > s.from && (t.kind == token.CASE || t.kind == token.DEFAULT) {
			return i
		}
		switch t.kind {
		case token.SEMICOLON:
			if depth <= 0 {
				return i
			}
		case token.LBRACE:
			if i+1 == len(s.toks) || strings.Contains(s.text[t.off:s.toks[i+1].off], "\n") {
				return i
			}
			depth++
		case token.RBRACE:
			if depth--; depth < 0 && s.open(i) <= 0 {
				return i
			}
		}
	}
	return i
}

// resumes reports the keywords at which the go command's parser takes up again.
func resumes(k token.Token) bool {
	switch k {
	case token.BREAK, token.CONST, token.CONTINUE, token.DEFER, token.FALLTHROUGH, token.FOR, token.GO, token.GOTO,
		token.IF, token.RETURN, token.SELECT, token.SWITCH, token.TYPE, token.VAR:
		return true
	}
	return false
}

// instead is what stands for the tokens that are left out, so that the block
// behind them can be parsed.
func (s *skipped) instead() string {
	first := s.toks[s.from].kind
	if first == token.CASE || first == token.DEFAULT {
		return "default:"
	}
	if s.to >= len(s.toks) || s.toks[s.to].kind != token.LBRACE {
		return ""
	}
	switch first {
	case token.FUNC:
		return "func _()"
	case token.SWITCH, token.SELECT:
		return first.String()
	}
	for _, t := range s.toks[s.from:s.to] {
		if t.kind == token.STRUCT || t.kind == token.INTERFACE {
			return "type _ " + t.kind.String()
		}
	}
	return ""
}
