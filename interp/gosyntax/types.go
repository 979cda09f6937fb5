package gosyntax

import "go/token"

func (p *parser) typ() *expr {
	if t := p.typeOrNil(); t != nil {
		return t
	}
	bad := &expr{pos: p.pos, start: p.pos, end: p.pos}
	p.syntaxError("expected type")
	p.advance(token.COMMA, token.COLON, token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE)
	return bad
}

func (p *parser) typeOrNil() *expr {
	p.enter()
	defer p.leave()
	at := p.pos
	switch p.tok {
	case token.MUL:
		p.next()
		t := p.typ()
		return &expr{kind: isUnary, op: token.MUL, pos: at, start: at, end: t.end, x: t}
	case token.ARROW:
		p.next()
		p.want(token.CHAN)
		t := p.chanElem()
		return &expr{kind: isChanType, pos: at, start: at, end: t.end, x: t, dir: token.ARROW}
	case token.FUNC:
		p.next()
		t := p.funcType("function type")
		t.start = at
		return t
	case token.LBRACK:
		p.next()
		if p.got(token.RBRACK) {
			t := p.typ()
			return &expr{kind: isSliceType, pos: at, start: at, end: t.end, x: t}
		}
		t := p.arrayType(nil)
		return &expr{kind: isArrayType, pos: at, start: at, end: t.end, x: t}
	case token.CHAN:
		p.next()
		dir := token.ILLEGAL
		if p.got(token.ARROW) {
			dir = token.CHAN
		}
		t := p.chanElem()
		return &expr{kind: isChanType, pos: at, start: at, end: t.end, x: t, dir: dir}
	case token.MAP:
		p.next()
		p.want(token.LBRACK)
		p.typ()
		p.want(token.RBRACK)
		t := p.typ()
		return &expr{kind: isMapType, pos: at, start: at, end: t.end, x: t}
	case token.STRUCT:
		p.next()
		p.want(token.LBRACE)
		end := p.list("struct type", token.SEMICOLON, token.RBRACE, p.field)
		return &expr{kind: isStructType, pos: at, start: at, end: end + 1}
	case token.INTERFACE:
		p.next()
		p.want(token.LBRACE)
		end := p.list("interface type", token.SEMICOLON, token.RBRACE, p.interfaceElem)
		return &expr{kind: isInterfaceType, pos: at, start: at, end: end + 1}
	case token.IDENT:
		return p.qualified(nil)
	case token.LPAREN:
		p.next()
		t := p.typ()
		p.want(token.RPAREN)
		return t
	}
	return nil
}

// arrayType reads an array type behind its opening bracket, or behind its length;
// it returns the type of the elements.
func (p *parser) arrayType(length *expr) *expr {
	if length == nil && !p.got(token.ELLIPSIS) {
		p.levels++
		p.expr()
		p.levels--
	}
	if p.tok == token.COMMA {
		p.syntaxError("unexpected comma; expected ]")
		p.next()
	}
	p.want(token.RBRACK)
	return p.typ()
}

func (p *parser) chanElem() *expr {
	if t := p.typeOrNil(); t != nil {
		return t
	}
	p.syntaxError("missing channel element type")
	return &expr{pos: p.pos, start: p.pos, end: p.pos}
}

// qualified reads the name of a type, with its package and type arguments; the
// first name may have been read.
func (p *parser) qualified(x *expr) *expr {
	switch {
	case x != nil:
	case p.tok == token.IDENT:
		x = p.name()
	default:
		x = &expr{kind: isName, name: "_", pos: p.pos, start: p.pos, end: p.pos}
		p.syntaxError("expected name")
		p.advance(token.PERIOD, token.SEMICOLON, token.RBRACE)
	}
	if at := p.pos; p.got(token.PERIOD) {
		sel := p.name()
		x = &expr{kind: isSelector, pos: at, start: x.start, end: sel.end, x: x}
	}
	if p.tok == token.LBRACK {
		at := p.pos
		p.next()
		var args *expr
		if p.tok == token.RBRACK {
			p.syntaxError("expected type argument list")
			args = &expr{}
		} else {
			args, _ = p.typeList(true)
		}
		end := p.off
		p.want(token.RBRACK)
		x = &expr{kind: isIndex, pos: at, start: x.start, end: end, x: x, y: args}
	}
	return x
}

// funcType reads parameters and results. Type parameters are a mistake where the
// context has a name.
func (p *parser) funcType(context string) *expr {
	at := p.pos
	if p.got(token.LBRACK) {
		if context != "" {
			p.syntaxErrorAt(at, context+" must have no type parameters")
		}
		if p.tok == token.RBRACK {
			p.syntaxError("empty type parameter list")
			p.next()
		} else {
			p.params(nil, nil, token.RBRACK, true, false)
		}
	}
	p.want(token.LPAREN)
	p.params(nil, nil, token.RPAREN, false, true)
	if p.got(token.LPAREN) {
		p.params(nil, nil, token.RPAREN, false, false)
	} else {
		p.typeOrNil()
	}
	return &expr{kind: isFuncType, pos: at, start: at, end: p.pos}
}

func (p *parser) field() bool {
	switch p.tok {
	case token.IDENT:
		name := p.name()
		if p.tok == token.PERIOD || p.tok.IsLiteral() && p.tok != token.IDENT || p.tok == token.SEMICOLON || p.tok == token.RBRACE {
			p.qualified(name)
			break
		}
		several := false
		for p.got(token.COMMA) {
			p.name()
			several = true
		}
		if !several && p.tok == token.LBRACK {
			p.arrayOrArgs()
		} else {
			p.typ()
		}
	case token.MUL:
		p.next()
		if p.tok == token.LPAREN {
			p.syntaxError("cannot parenthesize embedded type")
			p.next()
			p.qualified(nil)
			p.got(token.RPAREN)
		} else {
			p.qualified(nil)
		}
	case token.LPAREN:
		p.syntaxError("cannot parenthesize embedded type")
		p.next()
		p.got(token.MUL)
		p.qualified(nil)
		p.got(token.RPAREN)
	default:
		p.syntaxError("expected field name or embedded type")
		p.advance(token.SEMICOLON, token.RBRACE)
		return false
	}
	p.literalOrNone() // the tag
	return false
}

// arrayOrArgs reads what follows a name and a bracket: an array or slice type, or
// type arguments, which it reports by an index expression.
func (p *parser) arrayOrArgs() *expr {
	at := p.pos
	p.next()
	if p.got(token.RBRACK) {
		t := p.typ()
		return &expr{kind: isSliceType, pos: at, start: at, end: t.end, x: t}
	}
	n, comma := p.typeList(false)
	end := p.off
	p.want(token.RBRACK)
	if !comma {
		if t := p.typeOrNil(); t != nil {
			return &expr{kind: isArrayType, pos: at, start: at, end: t.end, x: t}
		}
	}
	return &expr{kind: isIndex, pos: at, start: at, end: end, y: n}
}

const method = "interface method"

func (p *parser) interfaceElem() bool {
	var t *expr
	if p.tok == token.IDENT {
		if t = p.methodOrType(); t == nil {
			return false
		}
	}
	p.union(t)
	return false
}

// methodOrType returns nil for a method.
func (p *parser) methodOrType() *expr {
	name := p.name()
	switch p.tok {
	case token.LPAREN:
		p.funcType(method)
		return nil
	case token.LBRACK:
		return p.methodOrInstance(name)
	}
	return p.qualified(name)
}

func (p *parser) methodOrInstance(name *expr) *expr {
	at := p.pos
	p.next()
	if p.tok == token.RBRACK {
		empty := p.pos
		p.next()
		if p.tok == token.LPAREN {
			p.errorAt(empty, "empty type parameter list")
			p.funcType(method)
			return nil
		}
		p.errorAt(empty, "empty type argument list")
		return name
	}
	list := p.params(nil, nil, token.RBRACK, false, false)
	switch {
	case len(list) == 0 && p.tok == token.LPAREN:
		p.funcType(method)
		return nil
	case len(list) == 0:
		return name
	case list[0].name != nil:
		p.funcType(method)
		p.errorAt(at, "interface method must have no type parameters")
		return nil
	}
	return &expr{kind: isIndex, pos: at, start: name.start, end: p.pos, x: name, y: list[0].typ}
}

// union reads a type of an interface or constraint with all behind | ; the first
// may have been read.
func (p *parser) union(t *expr) *expr {
	if t == nil {
		t = p.term()
	}
	for at := p.pos; p.tok == token.OR; at = p.pos {
		p.next()
		y := p.term()
		t = &expr{kind: isBinary, op: token.OR, pos: at, start: t.start, end: y.end, x: t, y: y}
	}
	return t
}

func (p *parser) term() *expr {
	at := p.pos
	if p.got(token.TILDE) {
		t := p.typ()
		return &expr{kind: isUnary, op: token.TILDE, pos: at, start: at, end: t.end, x: t}
	}
	if t := p.typeOrNil(); t != nil {
		return t
	}
	p.syntaxError("expected ~ term or type")
	p.advance(append(operatorTokens, token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE)...)
	return &expr{pos: at, start: at, end: at}
}
