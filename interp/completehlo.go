package interp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// moduleWords completes the module that a cell holds below %%hlo or %%stablehlo.
func moduleWords(code string, at int) (start int, list []candidate) {
	from := bodyStart(code)
	if stableHLOCell(code) {
		return stableWords(code, from, at)
	}
	return hloWords(code, from, at)
}

// bodyStart is where the text below a cell's magic begins.
func bodyStart(code string) int {
	lead := len(code) - len(strings.TrimLeft(code, " \t\r\n"))
	if n := strings.IndexByte(code[lead:], '\n'); n >= 0 {
		return lead + n + 1
	}
	return len(code)
}

func stableHLOCell(code string) bool {
	return strings.HasPrefix(strings.TrimLeft(code, " \t\r\n"), "%%stablehlo")
}

// looksHLO tells HLO text from other texts.
func looksHLO(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return strings.HasPrefix(text, "HloModule") || strings.HasPrefix(text, "ENTRY")
}

// hloWords lists what a word of HLO text may become: the text begins at from, and
// ends where code does.
func hloWords(code string, from, at int) (start int, list []candidate) {
	start = max(hloWordStart(code, at), from)
	h, ok := readHLO(code[from:start])
	if !ok {
		return at, nil
	}
	typed := code[start:at]
	switch h.end() {
	case hloTop:
		if len(h.tokens) == 0 {
			list = append(list, candidate{name: "HloModule", kind: "keyword", signature: "HloModule NAME"})
		} else if !slices.ContainsFunc(h.names, func(n hloName) bool { return n.entry }) {
			list = append(list, candidate{name: "ENTRY", kind: "keyword", signature: "the computation that is run"})
		}
	case hloStart:
		if !slices.ContainsFunc(h.defined, func(i hloInstruction) bool { return i.root }) {
			list = append(list, candidate{name: "ROOT", kind: "keyword", signature: "the instruction whose value is the computation's"})
		}
	case hloType:
		list = elementTypes()
	case hloOpcode:
		list = opcodeNames()
	case hloOperand:
		list = h.operands(typed)
	case hloAttr:
		list = h.attributes()
	case hloValue:
		list = h.values(code[from:], typed)
	}
	return start, list
}

func opcodeNames() (list []candidate) {
	for _, op := range hlo.Opcodes() {
		list = append(list, candidate{name: string(op), kind: "function", signature: opcodeSignature(op)})
	}
	return list
}

func elementTypes() (list []candidate) {
	for _, t := range hlo.PrimitiveTypes() {
		if t == hlo.Tuple {
			continue
		}
		c := candidate{name: t.String(), kind: "class", signature: elementType(t), rank: local}
		if t < hlo.Tuple || t == hlo.BF16 { // the others are seldom wanted
			c.rank = fitting
		}
		list = append(list, c)
	}
	return list
}

// elementType says what an element type is.
func elementType(t hlo.PrimitiveType) string {
	name := t.String()
	switch {
	case t == hlo.PRED:
		return "true or false"
	case t == hlo.BF16:
		return "16-bit floating point with the exponent of f32"
	case !t.IsArray():
		return ""
	}
	kinds := map[byte]string{'s': "signed integer", 'u': "unsigned integer", 'f': "floating point", 'c': "complex"}
	return fmt.Sprintf("%d-bit %s", t.Bits(), kinds[name[0]])
}

// opcodeSignature is what an operation takes and does.
func opcodeSignature(op hlo.Opcode) string {
	d, ok := hloDocs()[string(op)]
	if !ok {
		return ""
	}
	return "(" + d.operands + ") " + d.doc
}

// operands lists the instructions that an instruction may take.
func (h *hloText) operands(typed string) (list []candidate) {
	switch h.now.opcode {
	case string(hlo.OpConstant), string(hlo.OpIota):
		return nil
	case string(hlo.OpParameter):
		n := 0
		for _, i := range h.defined {
			if i.opcode == string(hlo.OpParameter) {
				n++
			}
		}
		return []candidate{{name: fmt.Sprint(n), kind: "value", signature: "the next parameter"}}
	}
	for _, i := range h.defined {
		list = append(list, candidate{name: hloNameAs(i.name, typed), kind: "instance", signature: i.text(h.src)})
	}
	return list
}

// text is an instruction without its name and attributes, on one line.
func (i hloInstruction) text(src string) string {
	return strings.Join(strings.Fields(src[i.start:i.end]), " ")
}

// hloNameAs writes a name with the sign before it that has been typed, or stands
// there.
func hloNameAs(name, typed string) string {
	switch bare := strings.TrimPrefix(name, "%"); {
	case typed == "":
		return name
	case typed[0] == '%':
		return "%" + bare
	default:
		return bare
	}
}

// attributes lists the attributes that the instruction, or the module, lacks.
func (h *hloText) attributes() (list []candidate) {
	names := hlo.ModuleAttributes()
	op := hlo.Opcode(h.now.opcode)
	own := len(names)
	if op != "" {
		names = op.Attributes()
		own = len(names) - len(hlo.Opcode("").Attributes())
	}
	for i, name := range names {
		if slices.Contains(h.now.attrs, name) {
			continue
		}
		c := candidate{name: name, kind: "property", signature: hloAttrDocs[name], rank: local}
		if i < own {
			c.rank = fitting
		}
		list = append(list, c)
	}
	return list
}

// values lists what the value of an attribute may be; all is the whole text.
func (h *hloText) values(all, typed string) (list []candidate) {
	op := hlo.Opcode(h.now.opcode)
	for _, w := range op.AttributeWords(h.attr) {
		list = append(list, candidate{name: w, kind: "value"})
	}
	switch {
	case hlo.CallsComputations(h.attr):
		whole, _ := readHLO(all)
		for _, n := range whole.names {
			own := len(h.names) > 0 && n.start == h.names[len(h.names)-1].start
			if !n.entry && !own {
				list = append(list, candidate{name: hloNameAs(n.written(all), typed), kind: "function", signature: n.header(all)})
			}
		}
	case h.attr == "control-predecessors":
		for _, i := range h.defined {
			list = append(list, candidate{name: hloNameAs(i.name, typed), kind: "instance", signature: i.text(h.src)})
		}
	case h.attr == "frontend_attributes" && len(h.open) > 1:
		return attrNames
	case h.attr == "outfeed_shape" || h.attr == "literal" || h.attr == "operand_layout_constraints":
		return elementTypes()
	case h.attr == "window" && len(h.open) > 1:
		return wordsOf("property", "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal")
	case h.attr == "metadata" && len(h.open) > 1:
		return wordsOf("property", "op_type", "op_name", "source_file", "source_line", "source_end_line", "source_column", "source_end_column", "stack_frame_id")
	}
	return list
}

func wordsOf(kind string, words ...string) (list []candidate) {
	for _, w := range words {
		list = append(list, candidate{name: w, kind: kind})
	}
	return list
}

// written is the name with its sign, if it has one.
func (n hloName) written(src string) string {
	if strings.HasPrefix(src[n.start:], "%") {
		return "%" + n.name
	}
	return n.name
}

// header is the line that begins a computation.
func (n hloName) header(src string) string {
	return strings.Join(strings.Fields(src[n.start:n.end]), " ")
}

var (
	stableTypeRE  = regexp.MustCompile(`tensor<(?:[0-9?]+x)*([a-zA-Z0-9]*)$`)
	stableValueRE = regexp.MustCompile(`%[\w$.-]+(?:#\d+)?`)
	stableFuncRE  = regexp.MustCompile(`func\.func\s+(?:public\s+|private\s+)?(@[\w$.-]+)([^\n{]*)`)
	stableWordRE  = regexp.MustCompile(`[\w$.%@#-]*$`)
	stableOpRE    = regexp.MustCompile(`(?:^|[={\n])[ \t]*$`)
)

// stableWords lists what a word of StableHLO text may become.
func stableWords(code string, from, at int) (start int, list []candidate) {
	above := code[from:at]
	if m := stableTypeRE.FindStringSubmatch(above); m != nil {
		for _, name := range []string{"f32", "i32", "i1", "bf16", "f16", "f64", "i8", "i16", "i64", "ui8", "ui16", "ui32", "ui64", "complex<f32>", "complex<f64>"} {
			list = append(list, candidate{name: name, kind: "class"})
		}
		return at - len(m[1]), list
	}
	word := stableWordRE.FindString(above)
	start = at - len(word)
	before := code[from:start]
	switch {
	case strings.HasPrefix(word, "@"):
		for _, m := range stableFuncRE.FindAllStringSubmatch(code[from:], -1) {
			list = append(list, candidate{name: m[1], kind: "function", signature: strings.TrimSpace(m[2])})
		}
	case stableOpRE.MatchString(before) && !strings.HasPrefix(word, "%"):
		for _, op := range append(stablehlo.Operations(), "func.func", "call", "return") {
			list = append(list, candidate{name: op, kind: "function", signature: stableSignature(op)})
		}
	default:
		scope := before[max(strings.LastIndex(before, "func.func"), 0):]
		for _, v := range stableValueRE.FindAllString(scope, -1) {
			list = append(list, candidate{name: v, kind: "instance"})
		}
	}
	return start, list
}

// stableSignature is the documentation of the operation of HLO that one of
// StableHLO becomes.
func stableSignature(op string) string {
	name, ok := strings.CutPrefix(op, "stablehlo.")
	if !ok {
		return ""
	}
	name = strings.ReplaceAll(name, "_", "-")
	if other := stableNames[name]; other != "" {
		name = other
	}
	return opcodeSignature(hlo.Opcode(name))
}

// stableNames are the operations that HLO has under other names.
var stableNames = map[string]string{
	"broadcast-in-dim": "broadcast", "dot-general": "dot", "optimization-barrier": "opt-barrier", "case": "conditional", "if": "conditional",
}
