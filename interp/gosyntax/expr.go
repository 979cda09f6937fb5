package gosyntax

import (
	goparser "go/parser"
	"go/token"
	"go/types"
	"strings"
)

// kind is what an expression or a type looks like.
type kind uint8

const (
	isBad kind = iota
	isName
	isLiteral
	isList
	isParen
	isSelector
	isIndex
	isSlice
	isAssert
	isGuard // x.(type)
	isCall
	isUnary
	isBinary
	isFunc
	isComposite
	isArrayType
	isSliceType
	isStructType
	isMapType
	isFuncType
	isChanType
	isInterfaceType
	isDots
)

// expr is what is remembered of an expression or a type.
type expr struct {
	kind       kind
	pos        int // where the compiler places it: of x + y at the operator
	start, end int
	name       string
	op         token.Token
	x, y       *expr // operands, what is called or selected from, element types
	args       []*expr
	dots       bool
	dir        token.Token // of a channel: ARROW on the left, CHAN on the right, ILLEGAL for both
}

func (x *expr) unparen() *expr {
	for x.kind == isParen {
		x = x.x
	}
	return x
}

// param splits an expression that may be the name of a type parameter and its
// constraint; only if the latter can be nothing but a type, unless force is set.
func (x *expr) param(force bool) (name, constraint *expr) {
	switch x.kind {
	case isName:
		return x, nil
	case isBinary:
		switch x.op {
		case token.MUL:
			if x.x.kind == isName && (force || x.y.typeElem()) {
				return x.x, &expr{kind: isUnary, op: token.MUL, pos: x.pos, start: x.pos, end: x.end, x: x.y}
			}
		case token.OR:
			if name, left := x.x.param(force || x.y.typeElem()); name != nil && left != nil {
				return name, &expr{kind: isBinary, op: token.OR, pos: x.pos, start: left.start, end: x.end, x: left, y: x.y}
			}
		}
	case isCall:
		if x.x.kind == isName && len(x.args) == 1 && !x.dots && (force || x.args[0].typeElem()) {
			return x.x, x.args[0].unparen()
		}
	}
	return nil, x
}

// typeElem reports what can be nothing but a type.
func (x *expr) typeElem() bool {
	switch x.kind {
	case isArrayType, isStructType, isFuncType, isInterfaceType, isSliceType, isMapType, isChanType:
		return true
	case isUnary:
		return x.op == token.TILDE || x.x.typeElem()
	case isBinary:
		return x.x.typeElem() || x.y.typeElem()
	case isParen:
		return x.x.typeElem()
	}
	return false
}

// value reports what cannot be a type.
func (x *expr) value() bool {
	switch x.kind {
	case isLiteral, isComposite, isFunc, isSlice, isAssert, isGuard, isCall, isBinary:
		return true
	case isUnary:
		return x.op != token.MUL
	case isParen:
		return x.x.value()
	case isIndex:
		return x.x.value() || x.y.value()
	}
	return false
}

func (p *parser) expr() *expr { return p.binaryExpr(nil, 0) }

func (p *parser) binaryExpr(x *expr, over int) *expr {
	if x == nil {
		x = p.unaryExpr()
	}
	for p.tok.Precedence() > over {
		op, at := p.tok, p.pos
		p.next()
		y := p.binaryExpr(nil, op.Precedence())
		x = &expr{kind: isBinary, op: op, pos: at, start: x.start, end: y.end, x: x, y: y}
	}
	return x
}

func (p *parser) unaryExpr() *expr {
	p.enter()
	defer p.leave()
	at, op := p.pos, p.tok
	switch op {
	case token.MUL, token.ADD, token.SUB, token.NOT, token.XOR, token.TILDE, token.AND:
		p.next()
		x := p.unaryExpr()
		return &expr{kind: isUnary, op: op, pos: at, start: at, end: x.end, x: x}
	case token.ARROW:
		p.next()
		x := p.unaryExpr()
		if x.kind == isChanType {
			p.receiveType(x)
			x.start = at
			return x
		}
		return &expr{kind: isUnary, op: op, pos: at, start: at, end: x.end, x: x}
	}
	return p.primary(nil, true)
}

// receiveType makes of an arrow in front of a channel type that of a channel to
// receive from; where channels are elements of channels it moves on inwards.
func (p *parser) receiveType(x *expr) {
	dir := token.CHAN
	t := x
	for dir == token.CHAN && t.kind == isChanType {
		if dir = t.dir; dir == token.ARROW {
			p.syntaxError("unexpected <-, expected chan")
		}
		t.dir = token.ARROW
		t = t.x
	}
	if dir == token.CHAN {
		p.syntaxError("unexpected " + p.text(t) + ", expected chan")
	}
}

// text is an expression as messages quote it.
func (p *parser) text(x *expr) string {
	switch {
	case x.kind == isBad || x.start > x.end || x.end > len(p.src):
		return "<bad expr>"
	case x.kind == isGuard:
		return p.text(x.x) + ".(type)"
	case x.kind == isList:
		list := make([]string, len(x.args))
		for i, a := range x.args {
			list[i] = p.text(a)
		}
		return strings.Join(list, ", ")
	}
	text := p.src[x.start:x.end]
	if tree, err := goparser.ParseExpr(text); err == nil {
		return strings.ReplaceAll(types.ExprString(tree), "((ast: <nil>))", "(type)")
	}
	return strings.Join(strings.Fields(text), " ")
}

func (p *parser) operand(keepParens bool) *expr {
	at, end := p.pos, p.off
	switch {
	case p.tok == token.IDENT:
		return p.name()
	case p.tok.IsLiteral():
		p.next()
		return &expr{kind: isLiteral, pos: at, start: at, end: end}
	}
	switch p.tok {
	case token.LPAREN:
		p.next()
		p.levels++
		x := p.expr()
		p.levels--
		end = p.off
		p.want(token.RPAREN)
		if keepParens || p.tok == token.LBRACE {
			x = &expr{kind: isParen, pos: at, start: at, end: end, x: x}
		}
		return x
	case token.FUNC:
		p.next()
		t := p.funcType("function type")
		t.start = at
		if p.tok != token.LBRACE {
			return t
		}
		p.levels++
		p.funcBody()
		p.levels--
		return &expr{kind: isFunc, pos: at, start: at, end: p.before}
	case token.LBRACK, token.CHAN, token.MAP, token.STRUCT, token.INTERFACE:
		return p.typ()
	}
	p.syntaxError("expected expression")
	p.advance(token.RPAREN, token.RBRACK, token.RBRACE)
	return &expr{pos: at, start: at, end: at}
}

// primary reads selectors, indices, calls and values in braces behind an operand.
func (p *parser) primary(x *expr, keepParens bool) *expr {
	if x == nil {
		x = p.operand(keepParens)
	}
	for {
		at := p.pos
		switch p.tok {
		case token.PERIOD:
			x = p.selector(x, at)
		case token.LBRACK:
			x = p.index(x, at)
		case token.LPAREN:
			p.next()
			args, dots, end := p.args()
			x = &expr{kind: isCall, pos: at, start: x.start, end: end, x: x, args: args, dots: dots}
		case token.LBRACE:
			t := x.unparen()
			if !p.literalType(t) {
				return x
			}
			if t != x {
				p.syntaxError("cannot parenthesize type in composite literal")
			}
			end := p.composite()
			x = &expr{kind: isComposite, pos: at, start: x.start, end: end}
		default:
			return x
		}
	}
}

func (p *parser) selector(x *expr, at int) *expr {
	p.next()
	switch p.tok {
	case token.IDENT:
		end := p.off
		p.next()
		return &expr{kind: isSelector, pos: at, start: x.start, end: end, x: x}
	case token.LPAREN:
		p.next()
		k := isAssert
		if p.got(token.TYPE) {
			k = isGuard
		} else {
			p.typ()
		}
		end := p.off
		p.want(token.RPAREN)
		if k == isGuard {
			p.found.Guards = append(p.found.Guards, Guard{x.start, at, end})
		}
		return &expr{kind: k, pos: at, start: x.start, end: end, x: x}
	}
	p.syntaxError("expected name or (")
	p.advance(token.SEMICOLON, token.RPAREN)
	return x
}

func (p *parser) index(x *expr, at int) *expr {
	p.next()
	var i *expr
	if p.tok != token.COLON {
		comma := false
		if p.tok == token.RBRACK {
			p.syntaxError("expected operand")
			i = &expr{pos: p.pos, start: p.pos, end: p.pos}
		} else {
			i, comma = p.typeList(false)
		}
		if comma || p.tok == token.RBRACK {
			end := p.off
			p.want(token.RBRACK)
			return &expr{kind: isIndex, pos: at, start: x.start, end: end, x: x, y: i}
		}
	}
	if !p.got(token.COLON) {
		p.syntaxError("expected comma, : or ]")
		p.advance(token.COMMA, token.COLON, token.RBRACK)
	}
	p.levels++
	second := false
	if p.tok != token.COLON && p.tok != token.RBRACK {
		p.expr()
		second = true
	}
	if colon := p.pos; p.tok == token.COLON {
		if !second {
			p.errorAt(p.pos, "middle index required in 3-index slice")
		}
		p.next()
		third := p.tok != token.RBRACK
		if third {
			p.expr()
		} else {
			p.errorAt(p.pos, "final index required in 3-index slice")
		}
		if !second || !third {
			p.found.Characters = append(p.found.Characters, Span{colon, colon + 1})
		}
	}
	p.levels--
	end := p.off
	p.want(token.RBRACK)
	return &expr{kind: isSlice, pos: at, start: x.start, end: end, x: x}
}

// literalType reports whether a brace behind t starts its elements, not a block.
func (p *parser) literalType(t *expr) bool {
	switch t.kind {
	case isName, isSelector:
		return p.levels >= 0
	case isIndex:
		return p.levels >= 0 && !t.value()
	case isArrayType, isSliceType, isStructType, isMapType:
		return true
	}
	return false
}

// composite returns the offset behind the elements.
func (p *parser) composite() int {
	p.enter()
	defer p.leave()
	p.levels++
	p.want(token.LBRACE)
	end := p.list("composite literal", token.COMMA, token.RBRACE, func() bool {
		p.element()
		if p.got(token.COLON) {
			p.element()
		}
		return false
	})
	p.levels--
	return end + 1
}

func (p *parser) element() {
	if p.tok == token.LBRACE {
		p.composite()
		return
	}
	p.expr()
}

func (p *parser) args() (list []*expr, dots bool, end int) {
	p.levels++
	end = p.list("argument list", token.COMMA, token.RPAREN, func() bool {
		list = append(list, p.expr())
		dots = p.got(token.ELLIPSIS)
		return dots
	})
	p.levels--
	return list, dots, end + 1
}

func (p *parser) exprList() *expr {
	x := p.expr()
	if p.tok != token.COMMA {
		return x
	}
	l := &expr{kind: isList, pos: x.pos, start: x.start, args: []*expr{x}}
	for p.got(token.COMMA) {
		l.args = append(l.args, p.expr())
	}
	l.end = l.args[len(l.args)-1].end
	return l
}

// typeList reads types, the first of which may be any expression unless strict is
// set, and reports a comma.
func (p *parser) typeList(strict bool) (x *expr, comma bool) {
	p.levels++
	defer func() { p.levels-- }()
	if strict {
		x = p.typ()
	} else {
		x = p.expr()
	}
	if !p.got(token.COMMA) {
		return x, false
	}
	t := p.typeOrNil()
	if t == nil {
		return x, true
	}
	l := &expr{kind: isList, pos: x.pos, start: x.start, end: t.end, args: []*expr{x, t}}
	for p.got(token.COMMA) {
		if t = p.typeOrNil(); t == nil {
			break
		}
		l.args = append(l.args, t)
		l.end = t.end
	}
	return l, true
}
