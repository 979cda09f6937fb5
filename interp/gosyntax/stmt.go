package gosyntax

import "go/token"

// stmt is what is remembered of a simple statement.
type stmt struct {
	kind     stmtKind
	pos      int // of the operator
	op       token.Token
	lhs, rhs *expr
}

type stmtKind uint8

const (
	isExpr stmtKind = iota
	isAssign
	isSend
	isRange
)

func (p *parser) simple(lhs *expr, keyword token.Token) stmt {
	if keyword == token.FOR && p.tok == token.RANGE {
		return p.rangeClause(nil)
	}
	if lhs == nil {
		lhs = p.exprList()
	}
	s := stmt{pos: p.pos, op: p.tok, lhs: lhs}
	if p.tok == token.ASSIGN || p.tok == token.DEFINE {
		p.next()
		if keyword == token.FOR && p.tok == token.RANGE {
			return p.rangeClause(lhs)
		}
		s.rhs = p.exprList()
		if s.rhs.kind == isGuard && keyword == token.SWITCH && s.op == token.DEFINE && lhs.kind == isName {
			return stmt{lhs: s.rhs}
		}
		s.kind = isAssign
		return s
	}
	switch {
	case lhs.kind == isList:
		p.syntaxError("expected := or = or comma")
		p.advance(token.SEMICOLON, token.RBRACE)
		return stmt{lhs: lhs.args[0]}
	case p.assignOp():
		p.next()
		s.kind, s.rhs = isAssign, p.expr()
	case p.tok == token.INC || p.tok == token.DEC:
		p.next()
		s.kind = isAssign
	case p.tok == token.ARROW:
		p.next()
		s.kind, s.rhs = isSend, p.expr()
	}
	return s
}

func (p *parser) rangeClause(lhs *expr) stmt {
	s := stmt{kind: isRange, pos: p.pos, lhs: lhs}
	p.next()
	s.rhs = p.expr()
	if lhs != nil && len(lhs.args) > 2 {
		p.found.Ranges = append(p.found.Ranges, Span{lhs.args[1].end, lhs.end})
	}
	return s
}

func (p *parser) block(context string) {
	if !p.got(token.LBRACE) {
		p.syntaxError("expected { after " + context)
		p.advance(token.IDENT, token.RBRACE)
		if p.got(token.RBRACE) {
			return
		}
	}
	p.statements()
	p.want(token.RBRACE)
}

func (p *parser) statements() {
	for p.tok != token.EOF && p.tok != token.RBRACE && p.tok != token.CASE && p.tok != token.DEFAULT {
		if !p.statement() {
			return
		}
		if !p.got(token.SEMICOLON) && p.tok != token.RBRACE {
			p.syntaxError("at end of statement")
			p.advance(token.SEMICOLON, token.RBRACE, token.CASE, token.DEFAULT)
			p.got(token.SEMICOLON)
		}
	}
}

// statement reports false where there is none.
func (p *parser) statement() bool {
	p.enter()
	defer p.leave()
	if p.tok == token.IDENT {
		lhs := p.exprList()
		if lhs.kind == isName && p.tok == token.COLON {
			return p.labeled()
		}
		p.simple(lhs, token.ILLEGAL)
		return true
	}
	if p.tok.IsLiteral() {
		p.simple(nil, token.ILLEGAL)
		return true
	}
	switch p.tok {
	case token.VAR, token.CONST, token.TYPE:
		p.declaration()
	case token.LBRACE:
		p.block("")
	case token.ADD, token.SUB, token.MUL, token.AND, token.XOR, token.NOT, token.FUNC, token.LPAREN, token.LBRACK,
		token.STRUCT, token.MAP, token.CHAN, token.INTERFACE, token.ARROW:
		p.simple(nil, token.ILLEGAL)
	case token.FOR:
		p.header()
		p.block("for clause")
	case token.SWITCH:
		p.header()
		p.clauses("switch", p.exprCase)
	case token.SELECT:
		p.next()
		p.clauses("select", func() { p.simple(nil, token.ILLEGAL) })
	case token.IF:
		p.ifStmt()
	case token.FALLTHROUGH:
		p.next()
	case token.BREAK, token.CONTINUE:
		p.next()
		p.got(token.IDENT)
	case token.GO, token.DEFER:
		p.call()
	case token.GOTO:
		p.next()
		p.name()
	case token.RETURN:
		p.next()
		if p.tok != token.SEMICOLON && p.tok != token.RBRACE {
			p.exprList()
		}
	case token.SEMICOLON:
	default:
		return false
	}
	return true
}

func (p *parser) exprCase() { p.exprList() }

func (p *parser) labeled() bool {
	colon := p.pos
	p.want(token.COLON)
	if p.tok == token.RBRACE || p.statement() {
		return true
	}
	p.syntaxErrorAt(colon, "missing statement after label")
	return false
}

func (p *parser) call() {
	at, keyword := p.pos, p.tok
	p.next()
	x := p.primary(nil, p.tok == token.LPAREN)
	t := x.unparen()
	if t != x {
		p.errorAt(x.pos, "expression in "+keyword.String()+" must not be parenthesized")
		for ; x != t; x = x.x {
			p.found.Parens = append(p.found.Parens, Span{x.start, x.start + 1}, Span{x.end - 1, x.end})
		}
	}
	if t.kind != isCall {
		p.found.Calls = append(p.found.Calls, Call{keyword.String(), at, t.start})
	}
}

func (p *parser) ifStmt() {
	p.enter()
	defer p.leave()
	p.header()
	p.block("if clause")
	if !p.got(token.ELSE) {
		return
	}
	switch p.tok {
	case token.IF:
		p.ifStmt()
	case token.LBRACE:
		p.block("")
	default:
		p.syntaxError("else must be followed by if or statement block")
		p.advance(token.IDENT, token.RBRACE)
	}
}

func (p *parser) clauses(keyword string, head func()) {
	if !p.got(token.LBRACE) {
		p.syntaxError("missing { after " + keyword + " clause")
		p.advance(token.CASE, token.DEFAULT, token.RBRACE)
	}
	for p.tok != token.EOF && p.tok != token.RBRACE {
		switch {
		case p.got(token.CASE):
			head()
		case p.got(token.DEFAULT):
		default:
			p.syntaxError("expected case or default or }")
			p.advance(token.COLON, token.CASE, token.DEFAULT, token.RBRACE)
		}
		p.want(token.COLON)
		p.statements()
	}
	p.want(token.RBRACE)
}

// header reads what stands between if, for or switch and the block.
func (p *parser) header() {
	keyword := p.tok
	p.next()
	if p.tok == token.LBRACE {
		if keyword == token.IF {
			p.syntaxError("missing condition in if statement")
		}
		return
	}
	outer := p.levels
	p.levels = -1
	defer func() { p.levels = outer }()
	var cond *stmt
	if p.tok != token.SEMICOLON {
		if p.got(token.VAR) {
			p.syntaxError("var declaration not allowed in " + keyword.String() + " initializer")
		}
		s := p.simple(nil, keyword)
		if s.kind == isRange {
			return
		}
		cond = &s
	}
	semi, semiText := -1, ""
	if p.tok != token.LBRACE {
		if cond, semi, semiText = nil, p.pos, p.lit; p.tok != token.SEMICOLON {
			semi = -1
			p.want(token.LBRACE)
			if p.tok != token.LBRACE {
				p.advance(token.LBRACE, token.RBRACE)
			}
		} else {
			p.next()
		}
		cond = p.condition(keyword)
	}
	if g := p.found.Guards; keyword == token.SWITCH && cond != nil && cond.lhs.kind == isGuard && len(g) > 0 {
		p.found.Guards = g[:len(g)-1]
	}
	p.checkCondition(keyword, cond, semi, semiText)
}

// condition reads what follows the first semicolon of a header.
func (p *parser) condition(keyword token.Token) *stmt {
	if keyword != token.FOR {
		if p.tok == token.LBRACE {
			return nil
		}
		s := p.simple(nil, keyword)
		return &s
	}
	var cond *stmt
	if p.tok != token.SEMICOLON {
		if p.tok == token.LBRACE {
			p.syntaxError("expected for loop condition")
			return nil
		}
		s := p.simple(nil, token.ILLEGAL)
		cond = &s
	}
	p.want(token.SEMICOLON)
	if p.tok != token.LBRACE {
		if post := p.simple(nil, token.ILLEGAL); post.kind == isAssign && post.op == token.DEFINE {
			p.syntaxErrorAt(post.pos, "cannot declare in post statement of for loop")
		}
	}
	return cond
}

func (p *parser) checkCondition(keyword token.Token, cond *stmt, semi int, semiText string) {
	switch {
	case cond == nil:
		if keyword != token.IF || semi < 0 {
			return
		}
		if semiText != "semicolon" {
			p.syntaxErrorAt(semi, "unexpected "+semiText+", expected { after if clause")
		} else {
			p.syntaxErrorAt(semi, "missing condition in if statement")
		}
	case cond.kind == isExpr:
	case cond.kind == isAssign && cond.op == token.ASSIGN:
		p.syntaxErrorAt(cond.pos, "cannot use assignment "+p.emphasized(cond.lhs)+" = "+p.emphasized(cond.rhs)+" as value")
	default:
		text := p.text(cond.lhs) + cond.op.String()
		if cond.rhs != nil {
			text = p.text(cond.lhs) + " " + cond.op.String() + " " + p.text(cond.rhs)
		}
		p.syntaxErrorAt(cond.pos, "cannot use "+text+" as value")
	}
}

// emphasized is the text of an operand of = that should stand out.
func (p *parser) emphasized(x *expr) string {
	if x.kind == isBinary {
		return "(" + p.text(x) + ")"
	}
	return p.text(x)
}
