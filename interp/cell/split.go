package cell

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// region is a part of the cell's text: [from, to) byte offsets.
type region struct{ from, to int }

// regions splits Go text at bracket depth 0 into import declarations and
// function declarations; all the rest is statements.
type regions struct {
	imports, funcs []region
	// extra is the offset of a closing bracket that nothing opened, or -1.
	extra int
	// semi tells that the text ends in an explicit semicolon, end is the offset
	// behind the last token.
	semi bool
	end  int
}

// tok is one scanned token.
type tok struct {
	kind token.Token
	off  int
	lit  string
}

func scan(src string) []tok {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	var toks []tok
	for {
		pos, kind, lit := s.Scan()
		if kind == token.EOF {
			return toks
		}
		toks = append(toks, tok{kind, file.Offset(pos), lit})
	}
}

// scans gives the tokens of texts. It keeps the last ones: a cell's text is looked
// at from several sides, most of them with nothing left out.
type scans struct {
	text string
	toks []tok
}

func (s *scans) of(text string) []tok {
	if s.toks == nil || s.text != text {
		s.text, s.toks = text, scan(text)
	}
	return s.toks
}

// split finds the regions of src.
func split(src string) regions { return splitTokens(scan(src), src) }

func splitTokens(toks []tok, src string) regions {
	r := regions{extra: -1}
	depth, start := 0, true
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if start && depth == 0 {
			isImport := t.kind == token.IMPORT
			if isImport || t.kind == token.FUNC && declaresFunc(toks[i+1:]) {
				end, next := statementEnd(toks, i, len(src))
				if isImport {
					r.imports = append(r.imports, region{t.off, end})
				} else {
					r.funcs = append(r.funcs, region{t.off, end})
				}
				i = next
				continue
			}
		}
		switch t.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth == 0 {
				r.extra = t.off
				return r
			}
			depth--
		}
		start = t.kind == token.SEMICOLON
	}
	r.finish(toks, len(src))
	return r
}

func (r *regions) finish(toks []tok, size int) {
	for i := len(toks) - 1; i >= 0; i-- {
		t := toks[i]
		if t.kind == token.SEMICOLON && t.lit == "\n" {
			continue
		}
		r.semi = t.kind == token.SEMICOLON
		r.end = t.off + len(t.lit)
		if t.lit == "" {
			r.end = t.off + len(t.kind.String())
		}
		r.end = min(r.end, size)
		return
	}
}

// declaresFunc reports whether the tokens after "func" are those of a
// declaration: a name, or a receiver followed by a name. "func(){}()" and
// "func(x int) {…}(1)" are expressions.
func declaresFunc(toks []tok) bool {
	if len(toks) == 0 {
		return false
	}
	if toks[0].kind == token.IDENT {
		return true
	}
	if toks[0].kind != token.LPAREN {
		return false
	}
	depth := 0
	for i, t := range toks {
		switch t.kind {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			if depth--; depth == 0 {
				return i+2 < len(toks) && toks[i+1].kind == token.IDENT &&
					(toks[i+2].kind == token.LPAREN || toks[i+2].kind == token.LBRACK)
			}
		}
	}
	return false
}

// statementEnd returns the offset where the statement that starts at toks[i]
// ends, with its semicolon if that is written, and the index of the semicolon.
func statementEnd(toks []tok, i, size int) (end, next int) {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			if depth <= 0 {
				if toks[i].lit == ";" {
					return toks[i].off + 1, i
				}
				return toks[i].off, i
			}
		}
	}
	return size, i
}

// balanced reports tokens whose brackets fit each other.
func balanced(toks []tok) bool {
	var open []token.Token
	for _, t := range toks {
		switch t.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, t.kind)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 || !matches(open[len(open)-1], t.kind) {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// splitLines splits a text with wrong brackets, as its lines are indented: a
// function ends with its line, or with the next bracket at the start of a line.
func splitLines(src string) regions {
	r := regions{extra: -1}
	toks := scan(src)
	first := func(t tok) bool { return t.off == 0 || src[t.off-1] == '\n' }
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if !first(t) || t.kind != token.IMPORT && (t.kind != token.FUNC || !declaresFunc(toks[i+1:])) {
			continue
		}
		end, next := lineEnd(toks, i, len(src), first)
		if t.kind == token.IMPORT {
			r.imports = append(r.imports, region{t.off, end})
		} else {
			r.funcs = append(r.funcs, region{t.off, end})
		}
		i = next
	}
	return r
}

// lineEnd is where the declaration ends that starts at toks[i], see splitLines,
// and the last token before that.
func lineEnd(toks []tok, i, size int, first func(tok) bool) (end, last int) {
	depth, closing := 0, false
	for j := i; j < len(toks); j++ {
		t := toks[j]
		if j > i && first(t) {
			switch t.kind {
			case token.RPAREN, token.RBRACK, token.RBRACE:
				closing = true
			case token.IMPORT, token.FUNC, token.VAR, token.TYPE, token.CONST:
				return t.off, j - 1
			}
		}
		switch t.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			if closing || depth <= 0 && !manyLines(toks[i:j]) {
				return t.off + len(strings.TrimRight(t.lit, "\n")), j
			}
		}
	}
	return size, len(toks)
}

// manyLines reports a semicolon that stands for the end of a line.
func manyLines(toks []tok) bool {
	return slices.ContainsFunc(toks, func(t tok) bool { return t.kind == token.SEMICOLON && t.lit == "\n" })
}

// mask returns src with all but (or, with keep false, nothing but) the regions
// blanked.
func mask(src string, rs []region, keep bool) string {
	if len(rs) == 0 && !keep {
		return src
	}
	b := []byte(src)
	if keep {
		b = []byte(blank(src))
	}
	for _, r := range rs {
		if keep {
			copy(b[r.from:r.to], src[r.from:r.to])
		} else {
			copy(b[r.from:r.to], blank(src[r.from:r.to]))
		}
	}
	return string(b)
}
