package gosyntax

import "go/token"

// param is a parameter: a name, a type, or both.
type param struct{ name, typ *expr }

// params reads parameters behind the opening bracket, of which the name and the
// type of the first may have been read. In the result all have names or none.
func (p *parser) params(name, typ *expr, end token.Token, needNames, dots bool) []param {
	if name != nil && typ != nil && p.tok == end {
		p.next()
		return []param{{name, typ}}
	}
	var list []param
	shut := p.list("parameter list", token.COMMA, end, func() bool {
		next := param{name, typ}
		if typ == nil {
			next = p.param(name, end)
		}
		name, typ = nil, nil
		if next != (param{}) {
			list = append(list, next)
		}
		return false
	})
	p.shareTypes(list, shut, needNames)
	told := false
	for i := range list {
		t := list[i].typ
		if t == nil || t.kind != isDots || dots && i == len(list)-1 {
			continue
		}
		switch {
		case told:
		case dots:
			p.errorAt(t.pos, "can only use ... with final parameter")
		default:
			p.errorAt(t.pos, "invalid use of ...")
		}
		told = true
		list[i].typ = t.x
	}
	return list
}

// shareTypes gives the parameters that are only names the types behind them, or
// makes types of all; shut is the offset of the closing bracket.
func (p *parser) shareTypes(list []param, shut int, needNames bool) {
	named, typed := 0, 0
	for _, a := range list {
		if a.typ != nil {
			typed++
			if a.name != nil {
				named++
			}
		}
	}
	switch {
	case named == len(list):
		return
	case named == 0 && !needNames:
		for i, a := range list {
			if a.name != nil {
				list[i] = param{typ: a.name}
			}
		}
		return
	}
	at := -1
	var typ *expr
	for i := len(list) - 1; i >= 0; i-- {
		a := &list[i]
		switch {
		case a.typ != nil:
			typ = a.typ
			if a.name == nil {
				if at = typ.start; typ.kind == isFuncType {
					at = typ.pos // the compiler does not count its keyword
				}
				a.name = &expr{kind: isName, name: "_", pos: at, start: at, end: at}
			}
		case typ != nil:
			a.typ = typ
		default:
			at = a.name.pos
			a.typ = &expr{pos: at, start: at, end: at}
		}
	}
	if at >= 0 {
		p.unshared(at, shut, needNames, named == typed, len(list) == 1)
	}
}

// unshared tells that some parameters have no name or no type.
func (p *parser) unshared(at, shut int, needNames, noType, only bool) {
	switch {
	case noType && needNames:
		p.syntaxErrorAt(shut, "missing type constraint")
	case noType:
		p.syntaxErrorAt(shut, "missing parameter type")
	case needNames && only:
		p.syntaxErrorAt(at, "missing type parameter name or invalid array length")
	case needNames:
		p.syntaxErrorAt(at, "missing type parameter name")
	default:
		p.syntaxErrorAt(at, "missing parameter name")
	}
}

// param reads one parameter, or tells that there is none.
func (p *parser) param(name *expr, end token.Token) param {
	sets := end == token.RBRACK // type parameters may have ~ and |
	if name == nil && sets && p.tok == token.TILDE {
		return param{typ: p.union(nil)}
	}
	if p.tok == token.IDENT || name != nil {
		if name == nil {
			name = p.name()
		}
		switch {
		case p.tok == token.LBRACK:
			return p.bracketParam(name, sets)
		case p.tok == token.PERIOD:
			t := p.qualified(name)
			if sets && p.tok == token.OR {
				t = p.union(t)
			}
			return param{typ: t}
		case sets && p.tok == token.OR:
			return param{typ: p.union(name)}
		}
	}
	if at := p.pos; p.got(token.ELLIPSIS) {
		t := p.typeOrNil()
		if t == nil {
			p.syntaxError("... is missing type")
			return param{name, &expr{pos: at, start: at, end: at}}
		}
		return param{name, &expr{kind: isDots, pos: at, start: at, end: t.end, x: t}}
	}
	if sets && p.tok == token.TILDE {
		return param{name, p.union(nil)}
	}
	t := p.typeOrNil()
	if sets && p.tok == token.OR && t != nil {
		t = p.union(t)
	}
	if name != nil || t != nil {
		return param{name, t}
	}
	p.syntaxError("expected " + word(end))
	p.advance(token.COMMA, end)
	return param{}
}

// bracketParam reads a parameter whose name has a bracket behind it: it has an
// array or slice type, or is the type with its arguments.
func (p *parser) bracketParam(name *expr, sets bool) param {
	t := p.arrayOrArgs()
	a := param{name, t}
	if t.kind == isIndex {
		t.x, t.start = name, name.start
		a.name = nil
	}
	if sets && p.tok == token.OR {
		a.typ = p.union(a.typ)
	}
	return a
}
