package hlo

import "slices"

// maxText ends the unfolding of called computations in the canonical form,
// which can double with every level of calls.
const maxText = 1 << 28

// instruction prints "name = shape opcode(operands), attributes".
func (p *printer) instruction(i *Instruction) {
	p.instrName(i)
	p.str(" = ")
	p.shape(&i.Shape)
	p.byte(' ')
	op, wrapped := i.asyncOpcode()
	p.str(string(op))
	p.byte('(')
	p.operands(i)
	p.byte(')')
	p.extraAttrs(i, wrapped)
	p.commonAttrs(i)
}

func (p *printer) operands(i *Instruction) {
	switch {
	case i.Opcode == OpConstant && i.Literal != nil:
		l := i.Literal
		if p.LargeConstants || l.Shape.ElementType != Tuple && l.Shape.NumElements() <= 10 {
			p.b = l.AppendText(p.b)
		} else {
			p.str("{...}")
		}
		return
	case i.Opcode == OpParameter:
		p.int(i.ParameterNumber)
		return
	}
	for k, o := range i.Operands {
		if p.OperandIndexComments {
			p.b = appendListComma(p.b, k)
		} else if k > 0 {
			p.str(", ")
		}
		if p.OperandShapes {
			p.shape(&o.Shape)
			p.byte(' ')
		}
		p.instrName(o)
	}
}

// commonAttrs prints the attributes that any instruction may have.
func (p *printer) commonAttrs(i *Instruction) {
	if i.Sharding != nil {
		p.attr("sharding")
		p.sharding(i.Sharding)
	}
	if len(i.FrontendAttributes) > 0 {
		p.attr("frontend_attributes")
		p.frontendAttributes(i.FrontendAttributes)
	}
	if p.ControlPredecessors && len(i.ControlPredecessors) > 0 {
		p.attr("control-predecessors")
		p.byte('{')
		for k, c := range i.ControlPredecessors {
			if k > 0 {
				p.str(", ")
			}
			p.instrName(c)
		}
		p.byte('}')
	}
	if a := i.ResultAccuracy; a != nil {
		p.resultAccuracy(a)
	}
	if i.OriginalValue != nil {
		p.attr("origin")
		p.originalValue(i.OriginalValue, &i.Shape)
	}
	if p.Metadata {
		start := len(p.b)
		p.attr("metadata")
		p.byte('{')
		if p.metadata(&i.Metadata) {
			p.byte('}')
		} else {
			p.b = p.b[:start]
		}
	}
	if p.BackendConfig && i.BackendConfig != "" {
		p.attr("backend_config")
		p.backendConfig(i.BackendConfig)
	}
}

func (p *printer) backendConfig(s string) {
	switch {
	case s[0] != '{':
		p.quoted(s)
	case p.SortBackendConfig:
		p.str(sortJSON(s))
	default:
		p.str(s)
	}
}

// metadata prints the set fields of m and reports whether there was one.
func (p *printer) metadata(m *OpMetadata) bool {
	start := len(p.b)
	key := func(k string) {
		if len(p.b) > start {
			p.byte(' ')
		}
		p.str(k)
		p.byte('=')
	}
	str := func(k, v string) {
		if v != "" {
			key(k)
			p.quoted(v)
		}
	}
	num := func(k string, n int64) {
		if n != 0 {
			key(k)
			p.int(n)
		}
	}
	str("op_type", m.OpType)
	str("op_name", m.OpName)
	str("source_file", m.SourceFile)
	num("source_line", int64(m.SourceLine))
	num("source_end_line", int64(m.SourceEndLine))
	num("source_column", int64(m.SourceColumn))
	num("source_end_column", int64(m.SourceEndColumn))
	num("stack_frame_id", int64(m.StackFrameID))
	num("size_of_generated_code_in_bytes", m.GeneratedCodeSize)
	num("size_of_memory_working_set_in_bytes", m.WorkingSetSize)
	if len(m.profileInfo) > 0 {
		key("profile_info")
		p.str("{...}")
	}
	str("deduplicated_name", m.DeduplicatedName)
	str("scheduling_name", m.SchedulingName)
	return len(p.b) > start
}

func (p *printer) resultAccuracy(a *ResultAccuracy) {
	switch {
	case a.Tolerance != nil:
		p.attr("result_accuracy")
		p.str("{tolerance={atol=")
		p.b = appendG(p.b, a.Tolerance.Atol, 6)
		p.str(",rtol=")
		p.b = appendG(p.b, a.Tolerance.Rtol, 6)
		p.str(",ulps=")
		p.int(a.Tolerance.ULPs)
		p.str("}}")
	case a.Mode == 1:
		p.attrStr("result_accuracy", "{mode=highest}")
	}
}

func (p *printer) originalValue(v *OriginalValue, s *Shape) {
	if v.SyntheticCall {
		p.str("{[synthetic_call]}")
		return
	}
	p.byte('{')
	leaf := 0
	p.originalLeaves(v, s, &leaf)
	p.byte('}')
}

// originalLeaves prints the leaves of s in order; v lists them in the same order.
func (p *printer) originalLeaves(v *OriginalValue, s *Shape, leaf *int) {
	if s.ElementType == Tuple {
		p.byte('(')
		for i := range s.Tuple {
			if i > 0 {
				p.str(", ")
			}
			p.originalLeaves(v, &s.Tuple[i], leaf)
		}
		p.byte(')')
		return
	}
	p.byte('{')
	if *leaf < len(v.Elements) {
		if e := v.Elements[*leaf]; e.Known {
			p.quoted(e.Name)
			if len(e.OriginalIndex) > 0 {
				p.byte(' ')
				p.list(e.OriginalIndex)
			}
		}
	}
	*leaf++
	p.byte('}')
}

// called prints the computations that i calls, under the keys of its opcode.
func (p *printer) called(i *Instruction) {
	cc := i.Called
	one := func(key string, c *Computation) {
		p.attr(key)
		p.callee(c)
	}
	many := func(key string) {
		p.attr(key)
		p.byte('{')
		for k, c := range cc {
			switch {
			case k == 0:
			case p.FullBodies:
				p.byte(',')
			default:
				p.str(", ")
			}
			p.callee(c)
		}
		if p.FullBodies {
			p.byte('\n') // XLA does not indent this brace
		}
		p.byte('}')
	}
	switch {
	case i.Opcode == OpWhile && len(cc) == 2:
		one("condition", cc[1])
		one("body", cc[0])
	case i.Opcode == OpSelectAndScatter && len(cc) == 2:
		one("select", cc[0])
		one("scatter", cc[1])
	case i.Opcode == OpConditional:
		if len(i.Operands) > 0 && i.Operands[0].Shape.ElementType == PRED && len(cc) == 2 {
			one("true_computation", cc[0])
			one("false_computation", cc[1])
		} else if len(cc) > 0 {
			many("branch_computations")
		}
	case len(cc) == 0:
	case i.Opcode == OpReduceScatter && p.FullBodies: // XLA has two lists of these opcodes
		one("calls", cc[0])
	case appliesOne[i.Opcode]:
		one("to_apply", cc[0])
	case i.Opcode == OpCustomCall:
		many("called_computations")
	case len(cc) == 1:
		one("calls", cc[0])
	default:
		many("calls")
	}
}

// appliesOne has the opcodes whose called computation stands under to_apply.
var appliesOne = map[Opcode]bool{
	OpCall: true, OpMap: true, OpReduceWindow: true, OpReduce: true, OpAllReduce: true,
	OpReduceScatter: true, OpAllReduceStart: true, OpScatter: true, OpSort: true, OpScan: true, OpCollectiveReduce: true,
}

// callee prints a called computation: its name, or its body on new lines.
func (p *printer) callee(c *Computation) {
	if p.class != nil {
		p.str(p.class(c))
		return
	}
	if !p.FullBodies || len(p.b) > maxText {
		p.name(c.Name)
		return
	}
	if slices.Contains(p.open, c) {
		p.name(c.Name)
		return
	}
	p.byte('\n')
	p.indent += 2
	p.spaces(p.indent)
	p.body(c, nil) // XLA shows bodies in place in post order, also scheduled ones
	p.indent -= 2
}
