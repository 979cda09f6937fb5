package interp

import (
	"strings"
	"unicode/utf8"
)

// hloPlace is what may stand at a place of HLO text.
type hloPlace int

const (
	hloNothing hloPlace = iota
	hloTop              // between computations
	hloStart            // where an instruction begins
	hloType             // an element type
	hloOpcode
	hloOperand
	hloAttr  // the name of an attribute
	hloValue // its value
)

// hloText is HLO text up to a place, read without minding what is wrong or not
// finished in it.
type hloText struct {
	src     string
	tokens  []hloToken
	open    []hloOpen
	at      hloPlace
	attr    string // whose value is wanted
	now     hloInstruction
	defined []hloInstruction // the instructions above, of the same computation
	names   []hloName        // the computations that begin above
	header  bool             // a computation's name and parameters
	module  bool             // the line of HloModule
}

// hloToken is a word, a text in quotes or a single other character.
type hloToken struct {
	text       string
	start, end int
}

// word reports a name, a number or a keyword.
func (t hloToken) word() bool { return t.text != "" && isHLOWord(t.text[0]) }

// hloOpen is a bracket that is open: what may stand in it, and behind it.
type hloOpen struct {
	bracket       byte
	body          bool // of a computation
	inside, after hloPlace
}

// hloInstruction is an instruction as far as it stands there.
type hloInstruction struct {
	name, opcode string
	start, end   int // of its shape, opcode and operands
	attrs        []string
	root         bool
}

// hloName is the name of a computation, with the line that begins it.
type hloName struct {
	name       string
	start, end int
	entry      bool
}

// isHLOWord reports the characters of names, opcodes and numbers.
func isHLOWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-' || c == '%' || c >= utf8.RuneSelf
}

// hloWordStart is where the word begins that ends at a place.
func hloWordStart(text string, at int) int {
	for at > 0 && isHLOWord(text[at-1]) {
		at--
	}
	return at
}

// readHLO reads HLO text; ok is false where it ends within a text in quotes or a
// comment, which is left out.
func readHLO(src string) (h *hloText, ok bool) {
	h = &hloText{src: src, at: hloTop}
	ok = h.scan()
	for i := range h.tokens {
		h.take(i)
	}
	return h, ok
}

// scan divides the text into tokens.
func (h *hloText) scan() (whole bool) {
	s := h.src
	for i := 0; i < len(s); {
		start := i
		switch c := s[i]; {
		case c <= ' ':
			i++
			continue
		case strings.HasPrefix(s[i:], "/*"):
			n := strings.Index(s[i+2:], "*/")
			if n < 0 {
				return false
			}
			i += n + 4
			continue
		case strings.HasPrefix(s[i:], "//"):
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return false
			}
			i += n
			continue
		case c == '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			if i >= len(s) {
				return false
			}
			i++
		case strings.HasPrefix(s[i:], "->"):
			i += 2
		case isHLOWord(c):
			for i < len(s) && isHLOWord(s[i]) && !strings.HasPrefix(s[i:], "->") {
				i++
			}
		default:
			i++
		}
		h.tokens = append(h.tokens, hloToken{s[start:i], start, i})
	}
	return true
}

// token is the token at a distance, empty beyond the ends.
func (h *hloText) token(i int) hloToken {
	if i < 0 || i >= len(h.tokens) {
		return hloToken{}
	}
	return h.tokens[i]
}

// body reports that the place is in a computation and in no other bracket.
func (h *hloText) body() bool { n := len(h.open); return n > 0 && h.open[n-1].body }

// firstOfLine reports that only blanks precede a place on its line.
func (h *hloText) firstOfLine(at int) bool {
	return strings.TrimSpace(h.src[strings.LastIndexByte(h.src[:at], '\n')+1:at]) == ""
}

// begins reports the token that an instruction begins with: its name or ROOT.
func (h *hloText) begins(i int) bool {
	t := h.tokens[i]
	return t.text == "ROOT" || t.word() && h.token(i+1).text == "=" && (h.at == hloStart || h.token(i-1).text != ",")
}

// take goes on behind one token.
func (h *hloText) take(i int) {
	t := h.tokens[i]
	if (t.text == "ROOT" || t.word() && h.token(i+1).text == "=") && h.firstOfLine(t.start) { // what is open above was not finished
		for n := len(h.open); n > 0 && (h.open[n-1].bracket == '(' || h.open[n-1].bracket == '['); n-- {
			h.open, h.at = h.open[:n-1], hloStart
		}
	}
	switch {
	case t.text == "(" || t.text == "[" || t.text == "{":
		h.push(t, h.token(i-1))
	case t.text == ")" || t.text == "]" || t.text == "}":
		h.pop(t)
	case len(h.open) == 0:
		h.takeTop(i)
	case h.body():
		h.takeInstruction(i)
	default:
		h.takeInner(i)
	}
}

// push opens a bracket: what may stand in it depends on what was expected.
func (h *hloText) push(t, before hloToken) {
	o := hloOpen{bracket: t.text[0], after: h.at}
	top := len(h.open) == 0
	switch {
	case t.text == "{" && top && h.header && (h.at != hloOpcode || before.end != t.start): // else the layout of the result
		o.body, o.inside, o.after = true, hloStart, hloTop
		h.header, h.defined, h.now = false, nil, hloInstruction{}
		h.names[len(h.names)-1].end = t.start
	case t.text == "(" && h.at == hloType: // a tuple
		o.inside, o.after = hloType, hloOpcode
	case t.text == "(" && h.body() && h.now.opcode != "" && h.now.end == 0:
		o.inside = hloOperand
	case t.text == "{" && h.at == hloValue:
		o.inside, o.after = hloValue, hloNothing
	}
	h.at, h.open = o.inside, append(h.open, o)
}

// pop closes a bracket.
func (h *hloText) pop(t hloToken) {
	for n := len(h.open); t.text == "}" && n > 0 && h.open[n-1].bracket != '{'; n-- { // what is open inside is not finished
		h.open = h.open[:n-1]
	}
	n := len(h.open)
	if n == 0 {
		return
	}
	o := h.open[n-1]
	h.open, h.at = h.open[:n-1], o.after
	switch {
	case o.body:
		h.defined, h.now = nil, hloInstruction{}
	case o.inside == hloOperand:
		h.now.end = t.end
	}
}

// takeTop is behind a token between computations or in their headers.
func (h *hloText) takeTop(i int) {
	t := h.tokens[i]
	switch {
	case t.text == "HloModule":
		h.module, h.at = true, hloNothing
	case !h.header && (t.text == "ENTRY" || h.beginsComputation(i)):
		name := hloName{name: t.text, start: t.start, end: t.end, entry: t.text == "ENTRY"}
		if name.entry {
			name.name = h.token(i + 1).text
		}
		name.name = strings.TrimPrefix(name.name, "%")
		h.names, h.header, h.module, h.at = append(h.names, name), true, false, hloNothing
	case h.header && t.text == "->":
		h.at = hloType
	case h.header && h.at == hloType:
		h.at = hloOpcode // the result has its type
	case h.module:
		h.takeAttribute(t)
	}
}

// beginsComputation reports a name with the parameters or the body of a computation
// behind it.
func (h *hloText) beginsComputation(i int) bool {
	t, next := h.tokens[i], h.token(i+1).text
	return t.word() && (next == "{" || next == "(") && h.at != hloValue && (t.text[0] < '0' || t.text[0] > '9')
}

// takeInstruction is behind a token of an instruction that is in no bracket.
func (h *hloText) takeInstruction(i int) {
	t := h.tokens[i]
	switch {
	case h.begins(i):
		h.finish()
		h.at, h.now = hloNothing, hloInstruction{name: t.text, root: h.token(i-1).text == "ROOT"}
	case h.now.opcode != "":
		h.takeAttribute(t)
	case t.text == "=" && h.now.name != "":
		h.at, h.now.start = hloType, t.end
	case t.word() && h.at == hloType:
		h.at = hloOpcode
	case t.word() && h.at == hloOpcode:
		h.now.opcode, h.at = t.text, hloNothing
	default:
		h.at = hloNothing
	}
}

// takeAttribute is behind a token of ", key=value".
func (h *hloText) takeAttribute(t hloToken) {
	switch {
	case t.text == ",":
		h.at, h.attr = hloAttr, ""
	case t.word() && h.at == hloAttr:
		h.attr, h.at = t.text, hloNothing
		h.now.attrs = append(h.now.attrs, t.text)
	case t.text == "=" && h.attr != "":
		h.at = hloValue
	default:
		h.at = hloNothing
	}
}

// finish keeps the instruction that another follows.
func (h *hloText) finish() {
	if h.now.opcode != "" && h.now.end > 0 {
		h.defined = append(h.defined, h.now)
	}
}

// takeInner is behind a token within brackets that are no body.
func (h *hloText) takeInner(i int) {
	t, o := h.tokens[i], h.open[len(h.open)-1]
	switch {
	case h.header && t.text == ":" && o.bracket == '(':
		h.at = hloType
	case t.text == "=": // a value of a key
		h.at = hloNothing
	case t.text == ",", h.token(i-1).text == "=":
		h.at = o.inside
	case h.at == hloType:
		h.at = hloNothing
	}
}

// end tells what may stand at the end of the text.
func (h *hloText) end() hloPlace {
	first := h.firstOfLine(len(h.src))
	switch {
	case len(h.open) == 0 && h.header:
		if h.at == hloOpcode {
			return hloNothing
		}
	case len(h.open) == 0 && first && h.at != hloAttr && h.at != hloValue:
		return hloTop
	case h.body() && first && h.at == hloNothing:
		return hloStart
	}
	return h.at
}
