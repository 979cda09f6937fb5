package gosyntax

import (
	"go/token"
	"slices"
	"strings"
)

// parser goes through the tokens. Its methods are named after what they read and
// leave the token behind it as the next one.
type parser struct {
	scanner
	funcs  int // bodies of functions around the token
	levels int // brackets around it within an expression; -1 in the header of an if, for or switch
	any    bool
	depth  int // of calls of enter
}

// mostDepth bounds the nesting of a text, and with it the stack.
const mostDepth = 10000

// enter is called by what is read within itself, which calls leave behind it. In a
// text that goes too deep there is nothing more to read.
func (p *parser) enter() {
	if p.depth++; p.depth == mostDepth {
		p.errorAt(p.pos, syntaxError+"exceeded max nesting depth")
		p.off, p.tok = len(p.src), token.EOF
		p.ends = false
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) errorAt(off int, msg string) {
	p.any = true
	p.found.Errors = append(p.found.Errors, Error{off, msg})
}

func (p *parser) syntaxError(msg string) { p.syntaxErrorAt(p.pos, msg) }

// syntaxErrorAt tells a mistake. A message that starts with where the parser is or
// what it looks for gets the token that it has found.
func (p *parser) syntaxErrorAt(off int, msg string) {
	if p.tok == token.EOF && p.any {
		return // all that follows from another
	}
	first, _, _ := strings.Cut(msg, " ")
	switch first {
	case "in", "at", "after":
		msg = "unexpected " + p.tokenText() + " " + msg
	case "expected":
		msg = "unexpected " + p.tokenText() + ", " + msg
	}
	p.errorAt(off, syntaxError+msg)
}

func (p *parser) tokenText() string {
	switch {
	case p.tok == token.IDENT:
		return "name " + p.lit
	case p.tok == token.SEMICOLON:
		return p.lit
	case p.tok.IsLiteral():
		return "literal " + p.lit
	}
	return word(p.tok)
}

// word is what a token is called.
func word(t token.Token) string {
	switch {
	case t == token.COMMA:
		return "comma"
	case t == token.SEMICOLON:
		return "semicolon or newline"
	case t == token.IDENT:
		return "name"
	case t.IsKeyword():
		return "keyword " + t.String()
	}
	return t.String()
}

// starts are the keywords that begin a statement.
var starts = []token.Token{
	token.BREAK, token.CONST, token.CONTINUE, token.DEFER, token.FALLTHROUGH, token.FOR, token.GO, token.GOTO,
	token.IF, token.RETURN, token.SELECT, token.SWITCH, token.TYPE, token.VAR,
}

// advance goes on to one of the tokens, or to the next statement of a function;
// without any, over one token.
func (p *parser) advance(to ...token.Token) {
	if len(to) == 0 {
		if p.tok != token.EOF {
			p.next()
		}
		return
	}
	for p.tok != token.EOF && !slices.Contains(to, p.tok) && (p.funcs == 0 || !slices.Contains(starts, p.tok)) {
		p.next()
	}
}

func (p *parser) got(t token.Token) bool {
	if p.tok != t {
		return false
	}
	p.next()
	return true
}

func (p *parser) want(t token.Token) {
	if !p.got(t) {
		p.syntaxError("expected " + word(t))
		p.advance()
	}
}

func (p *parser) gotAssign() bool {
	if p.tok == token.DEFINE {
		p.syntaxError("expected =")
	} else if p.tok != token.ASSIGN {
		return false
	}
	p.next()
	return true
}

// operatorTokens stand between operands or in front of one; the compiler has the
// star apart.
var operatorTokens = func() []token.Token {
	list := []token.Token{token.NOT, token.TILDE}
	for t := token.ADD; t < token.TILDE; t++ {
		if t.Precedence() > token.LowestPrec && t != token.MUL {
			list = append(list, t)
		}
	}
	return slices.Clip(list)
}()

func (p *parser) assignOp() bool { return token.ADD_ASSIGN <= p.tok && p.tok <= token.AND_NOT_ASSIGN }

// list reads what elem reads, again and again until that returns true, with
// separators between. It returns the offset of the closing token.
func (p *parser) list(context string, sep, end token.Token, elem func() bool) int {
	for done := false; p.tok != token.EOF && p.tok != end && !done; {
		done = elem()
		if !p.got(sep) && p.tok != end {
			p.syntaxError("in " + context + "; possibly missing " + word(sep) + " or " + word(end))
			p.advance(token.RPAREN, token.RBRACK, token.RBRACE)
			if p.tok != end {
				return p.pos
			}
		}
	}
	at := p.pos
	p.want(end)
	return at
}

var declarations = []token.Token{token.IMPORT, token.CONST, token.TYPE, token.VAR, token.FUNC}

func (p *parser) file() {
	bodiless := false // the last declaration is a function without a body
	for p.tok != token.EOF {
		if !slices.Contains(declarations, p.tok) {
			if p.tok == token.LBRACE && bodiless {
				p.syntaxError("unexpected semicolon or newline before {")
			} else {
				p.syntaxError("non-declaration statement outside function body")
			}
			p.advance(declarations...)
			continue
		}
		bodiless = p.declaration()
		if p.tok != token.EOF && !p.got(token.SEMICOLON) {
			p.syntaxError("after top level declaration")
			p.advance(declarations...)
		}
	}
}

// declaration reports whether it is that of a function without a body.
func (p *parser) declaration() (bodiless bool) {
	keyword := p.tok
	p.next()
	switch keyword {
	case token.IMPORT:
		p.group(p.importSpec)
	case token.CONST:
		p.group(p.constSpec)
	case token.TYPE:
		p.group(p.typeSpec)
	case token.VAR:
		p.group(p.varSpec)
	case token.FUNC:
		return !p.funcDecl()
	}
	return false
}

func (p *parser) group(spec func()) {
	if p.tok != token.LPAREN {
		spec()
		return
	}
	p.next()
	p.list("grouped declaration", token.SEMICOLON, token.RPAREN, func() bool {
		spec()
		return false
	})
}

func (p *parser) importSpec() {
	if p.tok == token.IDENT || p.tok == token.PERIOD {
		p.next()
	}
	path, isText, bad := p.pos, p.tok == token.STRING, p.bad
	if !p.literalOrNone() {
		p.syntaxError("missing import path")
		p.advance(token.SEMICOLON, token.RPAREN)
		return
	}
	if !isText && !bad {
		p.syntaxErrorAt(path, "import path must be a string")
	}
}

func (p *parser) constSpec() {
	p.names()
	if p.tok != token.EOF && p.tok != token.SEMICOLON && p.tok != token.RPAREN {
		p.typeOrNil()
		if p.gotAssign() {
			p.exprList()
		}
	}
}

func (p *parser) varSpec() {
	p.names()
	if p.gotAssign() {
		p.exprList()
		return
	}
	p.typ()
	if p.gotAssign() {
		p.exprList()
	}
}

// name reads a name and returns its text.
func (p *parser) name() *expr {
	x := &expr{kind: isName, pos: p.pos, start: p.pos, end: p.off, name: p.lit}
	if p.tok == token.IDENT {
		p.next()
		return x
	}
	x.name = "_"
	p.syntaxError("expected name")
	p.advance()
	return x
}

func (p *parser) names() {
	p.name()
	for p.got(token.COMMA) {
		p.name()
	}
}

func (p *parser) literalOrNone() bool {
	if !p.tok.IsLiteral() || p.tok == token.IDENT {
		return false
	}
	p.next()
	return true
}

func (p *parser) typeSpec() {
	p.name()
	if p.tok == token.LBRACK {
		if !p.arrayOrParams() {
			p.syntaxError("in type declaration")
			p.advance(token.SEMICOLON, token.RPAREN)
		}
		return
	}
	p.gotAssign()
	if p.typeOrNil() == nil {
		p.syntaxError("in type declaration")
		p.advance(token.SEMICOLON, token.RPAREN)
	}
}

// arrayOrParams reads what follows the name of a type and starts with a bracket:
// an array or slice type, or type parameters and the type. It reports false when
// there is no type.
func (p *parser) arrayOrParams() bool {
	p.next()
	switch p.tok {
	case token.RBRACK:
		p.next()
		p.typ()
		return true
	case token.IDENT:
	default:
		p.arrayType(nil)
		return true
	}
	x := p.name()
	if p.tok != token.LBRACK {
		// P *T or P (T) may be the name and the constraint of a parameter
		p.levels++
		x = p.binaryExpr(p.primary(x, false), 0)
		p.levels--
	}
	if name, constraint := x.param(p.tok == token.COMMA); name != nil && (constraint != nil || p.tok != token.RBRACK) {
		p.params(name, constraint, token.RBRACK, true, false)
		p.gotAssign()
		return p.typeOrNil() != nil
	}
	p.arrayType(x)
	return true
}

// funcDecl reports whether the function has a body.
func (p *parser) funcDecl() bool {
	context := ""
	if p.got(token.LPAREN) {
		context = "method"
		switch len(p.params(nil, nil, token.RPAREN, false, false)) {
		case 0:
			p.errorAt(p.pos, "method has no receiver")
		case 1:
		default:
			p.errorAt(p.pos, "method has multiple receivers")
		}
	}
	switch {
	case p.tok == token.IDENT:
		p.next()
		p.funcType(context)
	case context != "":
		p.syntaxError("expected name")
		p.advance(token.LBRACE, token.SEMICOLON)
	default:
		p.syntaxError("expected name or (")
		p.advance(token.LBRACE, token.SEMICOLON)
	}
	if p.tok == token.LBRACE {
		p.funcBody()
		return true
	}
	return false
}

func (p *parser) funcBody() {
	p.funcs++
	p.block("")
	p.funcs--
}
