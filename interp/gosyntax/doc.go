// Package gosyntax tells what the Go compiler says of the syntax of a text: the
// same mistakes at the same places in the same words, all of them.
//
// go/parser finds where a text stops being Go, but loses its way there; the
// compiler has a parser of its own that takes up again behind a mistake. This
// package follows the rules of that one (cmd/compile/internal/syntax, Go 1.26):
// where it looks for what, what it leaves out after a mistake, and what it
// calls things. It builds no tree, only what those rules ask for.
package gosyntax

import (
	"cmp"
	"go/token"
	"slices"
	"strings"
)

// Error is a mistake at an offset of the text, or behind it.
type Error struct {
	Off int
	Msg string
}

// syntaxError starts the messages after which the compiler checks no types.
const syntaxError = "syntax error: "

// Hard reports whether the compiler goes no further than the syntax because of
// the mistake.
func (e Error) Hard() bool { return strings.HasPrefix(e.Msg, syntaxError) }

// Span is a part of the text.
type Span struct{ From, To int }

// Found is what the syntax of a text is like.
type Found struct {
	Errors []Error
	// Literals that have no value, names with characters that names do not
	// have, and single characters that mean nothing or lack what they need;
	// they are among the errors.
	Literals, Names, Characters []Span
	// Calls are the go and defer statements of expressions that are no calls,
	// with the keyword.
	Calls []Call
	// Ranges are the variables of range clauses behind the second, with the
	// comma in front.
	Ranges []Span
	// Parens are those around the expressions of go and defer statements.
	Parens []Span
	// Guards are the x.(type) that are not in the head of a switch.
	Guards []Guard
}

// Guard is x.(type): the offsets of x, of the dot and of the end.
type Guard struct{ X, Dot, To int }

// Call is a go or defer statement: the offsets of its keyword and expression.
type Call struct {
	Keyword string
	At, X   int
}

// Hard reports whether there are mistakes after which types are not checked.
func (f *Found) Hard() bool { return slices.ContainsFunc(f.Errors, Error.Hard) }

// Declarations looks at a text that is the rest of a file behind the package
// clause, with imports anywhere.
func Declarations(text string) Found { return look(text, "", (*parser).file) }

// Statements looks at a text that is the body of a function.
func Statements(text string) Found {
	return look(text, "\n}", func(p *parser) {
		p.funcs = 1
		p.statements()
		p.want(token.RBRACE)
		p.funcs = 0
		if p.tok != token.EOF && !p.got(token.SEMICOLON) {
			p.syntaxError("after top level declaration")
			p.advance(declarations...)
		}
		p.file()
	})
}

func look(text, after string, read func(*parser)) Found {
	p := &parser{}
	p.src = text + after
	p.report = p.errorAt
	p.next()
	read(p)
	f := p.found
	f.Errors = once(p.src, f.Errors)
	return f
}

// once puts the mistakes in order and leaves one syntax error to a line.
func once(src string, errs []Error) []Error {
	last := -1 // line of the syntax error told last
	var kept []Error
	for _, e := range errs {
		if e.Hard() {
			line := strings.Count(src[:min(e.Off, len(src))], "\n")
			if line == last {
				continue
			}
			last = line
		}
		kept = append(kept, e)
	}
	slices.SortStableFunc(kept, func(a, b Error) int { return cmp.Compare(a.Off, b.Off) })
	return slices.Compact(kept)
}
