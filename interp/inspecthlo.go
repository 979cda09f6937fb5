package interp

import (
	"strings"

	"gopherlo/xla/hlo"
)

// describeModule describes a word of the module that a cell holds below %%hlo or
// %%stablehlo.
func describeModule(code string, at int) description {
	from := bodyStart(code)
	if !stableHLOCell(code) {
		return describeHLO(code, from, at)
	}
	word := stableWordRE.FindString(code[from:at])
	end := at
	for end < len(code) && (isHLOWord(code[end]) || code[end] == '#' || code[end] == '$') {
		end++
	}
	word += code[at:end]
	if is := stableSignature(word); is != "" {
		operands, doc, _ := strings.Cut(strings.TrimPrefix(is, "("), ") ")
		return description{head: word + " " + operands, doc: doc, plain: true}
	}
	return description{}
}

// describeHLO describes a word of HLO text that begins at from.
func describeHLO(code string, from, at int) description {
	start, end := max(hloWordStart(code, at), from), at
	for end < len(code) && isHLOWord(code[end]) {
		end++
	}
	h, ok := readHLO(code[from:start])
	if !ok {
		return description{}
	}
	word := code[start:end]
	place := h.end()
	if word == "" {
		if place == hloOperand || place == hloAttr {
			return describeOpcode(hlo.Opcode(h.now.opcode))
		}
		return description{}
	}
	switch place {
	case hloOpcode:
		return describeOpcode(hlo.Opcode(word))
	case hloAttr:
		return h.describeAttr(word)
	case hloType:
		if t, ok := hlo.PrimitiveTypeByName(word); ok {
			return description{head: word, doc: elementType(t), plain: true}
		}
	case hloStart, hloTop:
		switch word {
		case "ROOT":
			return description{head: word, doc: "The instruction whose value is the computation's.", plain: true}
		case "ENTRY":
			return description{head: word, doc: "The computation that is run.", plain: true}
		}
	}
	if place == hloNothing || place == hloStart { // perhaps the instruction itself
		if d := describeInstruction(code[from:], start-from, word); d.head != "" {
			return d
		}
	}
	return h.describeName(code[from:], strings.TrimPrefix(word, "%"))
}

// describeOpcode describes an operation: operands, what it does, attributes.
func describeOpcode(op hlo.Opcode) description {
	if !op.Known() {
		return description{}
	}
	d := hloDocs()[string(op)]
	doc := d.doc
	names := op.Attributes()
	if own := names[:len(names)-len(hlo.Opcode("").Attributes())]; len(own) > 0 {
		doc += "\n\nAttributes: " + strings.Join(own, ", ")
		if need := op.Needed(); need != "" {
			doc += "; it needs " + need
		}
	}
	return description{head: string(op) + "(" + d.operands + ")", doc: doc, plain: true}
}

// describeAttr describes an attribute and the words that it takes.
func (h *hloText) describeAttr(name string) description {
	doc := hloAttrDocs[name]
	words := hlo.Opcode(h.now.opcode).AttributeWords(name)
	if doc == "" && words == nil {
		return description{}
	}
	head := name + "="
	if len(words) > 0 && len(words) < 8 {
		head += strings.Join(words, "|")
	} else if len(words) > 0 {
		doc += ": " + strings.Join(words, ", ")
	}
	return description{head: head, doc: doc, plain: true}
}

// describeName describes an instruction of the computation above the place, or a
// computation of the text.
func (h *hloText) describeName(all, name string) description {
	for _, i := range h.defined {
		if strings.TrimPrefix(i.name, "%") == name {
			return aboutInstruction(i, h.src)
		}
	}
	whole, _ := readHLO(all)
	for _, n := range whole.names {
		if n.name == name {
			return description{head: n.header(all), doc: "a computation of the module", plain: true}
		}
	}
	return description{}
}

// describeInstruction describes the instruction whose name stands at a place.
func describeInstruction(all string, start int, name string) description {
	end := len(all)
	if n := strings.IndexByte(all[start:], '\n'); n >= 0 {
		end = start + n
	}
	if whole, _ := readHLO(all[:end]); whole.now.name == name && whole.now.end > 0 {
		return aboutInstruction(whole.now, all)
	}
	return description{}
}

// aboutInstruction describes an instruction by its text and its operation.
func aboutInstruction(i hloInstruction, src string) description {
	return description{head: i.name + " = " + i.text(src), doc: hloDocs()[i.opcode].doc, plain: true}
}
