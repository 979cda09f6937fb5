package hlo

import (
	"strconv"
	"strings"
)

// Parse reads a module from HLO text in any of the forms that [Module.Text]
// and XLA print, and in the looser form that people write: layouts, index
// comments, percent signs, operand shapes and program shapes may be missing.
// The error is a *[ParseError]. Ids follow the order of the text.
func Parse(text string) (m *Module, err error) {
	defer recoverParse(&err)
	p := &parser{
		scanner: scanner{s: text},
		comps:   map[string]*Computation{},
		forward: map[string]forwardRef{},
		m:       &Module{},
	}
	p.module()
	p.finish()
	return p.m, nil
}

// parser reads a whole module.
type parser struct {
	scanner
	m     *Module
	comps map[string]*Computation
	// forward has the computations that were named before they were defined.
	forward map[string]forwardRef
	// inline has the computations that stood in place of their name.
	inline []*Computation
	// names are the instructions of the computation being read.
	names map[string]*Instruction
	// level counts computations that are open: 1 at the top.
	level   int
	pending []pendingControl
	canon   canonicalizer
}

type forwardRef struct {
	c  *Computation
	at int
}

// pendingControl is a control predecessor whose name was not known yet.
type pendingControl struct {
	i    *Instruction
	name string
	at   int
}

func (p *parser) module() {
	p.expect("HloModule")
	p.m.Name = p.name("the module's name")
	for p.accept(",") {
		p.headerAttr()
	}
	p.stackFrames()
	for p.peek() != 0 {
		p.topComputation()
	}
}

func (p *parser) headerAttr() {
	p.skip()
	start := p.at
	m := p.m
	key := p.word("a module attribute")
	p.expect("=")
	switch key {
	case "is_scheduled":
		m.IsScheduled = p.bool()
	case "input_output_alias":
		p.expect("{")
		p.until("}", func() { m.InputOutputAlias = append(m.InputOutputAlias, p.alias()) })
	case "buffer_donor":
		p.expect("{")
		p.until("}", func() {
			p.expect("(")
			d := BufferDonor{ParameterNumber: p.int()}
			p.expect(",")
			d.ParameterIndex = p.ints("{", "}")
			p.expect(")")
			m.BufferDonors = append(m.BufferDonors, d)
		})
	case "entry_computation_layout":
		m.HostProgramShape = p.entryLayout()
	case "frontend_attributes":
		m.FrontendAttributes = p.frontendAttributes()
	case "alias_passthrough_params":
		p.config().AliasPassthroughParams = p.bool()
	case "allow_spmd_sharding_propagation_to_parameters":
		p.config().AllowSPMDToParameters = p.bools()
	case "allow_spmd_sharding_propagation_to_output":
		p.config().AllowSPMDToOutput = p.bools()
	case "replica_count":
		p.config().ReplicaCount = p.int()
	case "num_partitions":
		p.config().NumPartitions = p.int()
	default:
		p.fail(start, "unknown module attribute %q", key)
	}
}

func (p *parser) config() *Config {
	if p.m.Config == nil {
		p.m.Config = &Config{}
	}
	return p.m.Config
}

func (p *scanner) bools() []bool {
	list := []bool{}
	p.expect("{")
	p.until("}", func() { list = append(list, p.bool()) })
	return list
}

func (p *scanner) alias() AliasEntry {
	a := AliasEntry{OutputIndex: p.ints("{", "}"), Kind: MayAlias}
	p.expect(":")
	p.expect("(")
	a.ParameterNumber = p.int()
	p.expect(",")
	a.ParameterIndex = p.ints("{", "}")
	if p.accept(",") {
		p.skip()
		start := p.at
		switch p.word("an alias kind") {
		case "may-alias":
		case "must-alias":
			a.Kind = MustAlias
		case "undefined-alias":
			a.Kind = UndefinedAlias
		default:
			p.fail(start, "unknown alias kind; use may-alias or must-alias")
		}
	}
	p.expect(")")
	return a
}

func (p *scanner) entryLayout() *ProgramShape {
	s := &ProgramShape{}
	p.expect("{")
	p.expect("(")
	p.until(")", func() {
		s.ParameterNames = append(s.ParameterNames, "p"+itoa(int64(len(s.Parameters))))
		s.Parameters = append(s.Parameters, p.shape())
	})
	p.expect("->")
	s.Result = p.shape()
	p.expect("}")
	return s
}

func (p *scanner) frontendAttributes() map[string]string {
	m := map[string]string{}
	p.expect("{")
	p.until("}", func() {
		p.skip()
		start := p.at
		key := p.key()
		if _, twice := m[key]; twice {
			p.fail(start, "attribute %q stands twice", key)
		}
		p.expect("=")
		if p.peek() == '{' {
			m[key] = p.braces()
		} else {
			m[key] = p.text()
		}
	})
	return m
}

// key reads the key of a frontend attribute: anything up to "=".
func (p *scanner) key() string {
	p.skip()
	start := p.at
	for p.at < len(p.s) && p.s[p.at] != '=' && p.s[p.at] != '}' && p.s[p.at] != '\n' && p.s[p.at] != '"' {
		p.at++
	}
	if p.at == start {
		p.fail(start, "expected a key, found %s", p.found())
	}
	return p.s[start:p.at]
}

// tables are the headings of the stack frame tables, in their order.
var tables = []string{"FileNames", "FunctionNames", "FileLocations", "StackFrames"}

func (p *parser) stackFrames() {
	x := &p.m.StackFrames
	for _, title := range tables {
		at := p.at
		if p.ahead() != title {
			continue
		}
		p.word(title)
		if c := p.peek(); c == '{' || c == '(' { // a computation of that name
			p.at = at
			return
		}
		for n := int64(1); p.peek() >= '0' && p.peek() <= '9'; n++ {
			start := p.at
			if p.int() != n {
				p.fail(start, "expected entry %d of %s", n, title)
			}
			switch title {
			case "FileNames":
				x.FileNames = append(x.FileNames, p.text())
			case "FunctionNames":
				x.FunctionNames = append(x.FunctionNames, p.text())
			case "FileLocations":
				x.Locations = append(x.Locations, p.location())
			default:
				x.Frames = append(x.Frames, p.frame())
			}
		}
	}
}

// fields reads {key=value key=value} with integer values.
func (p *scanner) fields(set map[string]*int32) {
	p.expect("{")
	for !p.accept("}") {
		p.accept(",")
		p.skip()
		start := p.at
		key := p.word("a field")
		p.expect("=")
		v := p.int32()
		if set[key] == nil {
			p.fail(start, "unknown field %q", key)
		}
		*set[key] = v
	}
}

func (p *scanner) location() (l FileLocation) {
	p.fields(map[string]*int32{
		"file_name_id": &l.FileNameID, "function_name_id": &l.FunctionNameID,
		"line": &l.Line, "end_line": &l.EndLine, "column": &l.Column, "end_column": &l.EndColumn,
	})
	return l
}

func (p *scanner) frame() (f StackFrame) {
	f.ParentFrameID = 1 // the text holds the parent plus one
	p.fields(map[string]*int32{"file_location_id": &f.LocationID, "parent_frame_id": &f.ParentFrameID})
	f.ParentFrameID--
	return f
}

func (p *parser) topComputation() {
	p.skip()
	start := p.at
	entry := false
	if p.ahead() == "ENTRY" {
		p.word("ENTRY")
		entry = true
	}
	nameAt := p.at
	name := p.name("a computation")
	if p.comps[name] != nil {
		p.fail(nameAt, "computation %s is defined twice", name)
	}
	c := &Computation{Name: name}
	if f, ok := p.forward[name]; ok {
		c = f.c
		delete(p.forward, name)
	}
	p.comps[name] = c
	if p.peek() == '(' {
		p.programShape()
	}
	p.body(c)
	p.m.Computations = append(p.m.Computations, c)
	p.canon.define(c)
	if entry {
		if p.m.Entry != nil {
			p.fail(start, "there are two ENTRY computations, %s and %s", p.m.Entry.Name, name)
		}
		p.m.Entry = c
	}
}

// programShape passes "(x.1: f32[]) -> f32[]"; the instructions say the same.
func (p *scanner) programShape() {
	p.expect("(")
	p.until(")", func() {
		p.name("a parameter")
		p.expect(":")
		p.shape()
	})
	p.expect("->")
	p.shape()
}

// body reads { instructions } and what may follow the brace.
func (p *parser) body(c *Computation) {
	p.enter()
	defer p.leave()
	outer, outerPending := p.names, p.pending
	p.names, p.pending = map[string]*Instruction{}, nil
	p.level++
	p.skip()
	start := p.at
	p.expect("{")
	for !p.accept("}") {
		p.instruction(c)
		p.accept(";")
	}
	if len(c.Instructions) == 0 {
		p.fail(start, "the computation has no instructions")
	}
	if c.Root == nil {
		c.Root = c.Instructions[len(c.Instructions)-1]
	}
	for _, w := range p.pending {
		o := p.names[w.name]
		if o == nil {
			p.fail(w.at, "there is no instruction %q in this computation", w.name)
		}
		w.i.ControlPredecessors = append(w.i.ControlPredecessors, o)
	}
	p.level--
	p.names, p.pending = outer, outerPending
	at := p.at
	if p.accept(",") && p.ahead() == "execution_thread" {
		p.word("execution_thread")
		p.expect("=")
		c.ExecutionThread = p.text()
	} else {
		p.at = at
	}
}

// callee reads the name of a computation, or its body in place.
func (p *parser) callee() *Computation {
	if p.peek() != '{' {
		at := p.at
		name := p.name("a computation")
		if c := p.comps[name]; c != nil {
			return c
		}
		if f, ok := p.forward[name]; ok {
			return f.c
		}
		c := &Computation{Name: name}
		p.forward[name] = forwardRef{c, at}
		return c
	}
	c := &Computation{}
	p.body(c)
	if known := p.canon.find(c, p.level == 1); known != nil {
		return known
	}
	p.inline = append(p.inline, c)
	return c
}

// finish resolves what the text left open and numbers the module.
func (p *parser) finish() {
	for name, f := range p.forward {
		p.fail(f.at, "there is no computation %q", name)
	}
	m := p.m
	if m.Entry == nil {
		if len(m.Computations) != 1 {
			p.fail(len(p.s), "no computation is marked ENTRY")
		}
		m.Entry = m.Computations[0]
	}
	for _, c := range p.inline {
		c.Name = p.unique(c.Name)
		p.comps[c.Name] = c
	}
	m.Computations = append(p.inline, m.Computations...)
	for _, c := range m.Computations {
		for _, i := range c.Instructions {
			if i.Opcode == OpFusion {
				for _, f := range i.Called {
					f.IsFusion = true
				}
			}
		}
	}
	m.listed = true
	m.uniqueNames()
	m.AssignIDs()
	if m.IsScheduled {
		m.Schedule = map[*Computation][]*Instruction{}
		for _, c := range m.Computations {
			if !c.IsFusion {
				m.Schedule[c] = c.Instructions
			}
		}
	}
}

// unique gives a computation that had no name in the text one.
func (p *parser) unique(base string) string {
	if base == "" {
		base = "_" // as XLA names it
	}
	name := base
	for n := int64(1); p.comps[name] != nil; n++ {
		name = base + "." + itoa(n)
	}
	return name
}

// uniqueNames renames instructions that have the name of an earlier one: names
// in a text need be different within a computation only.
func (m *Module) uniqueNames() {
	taken := map[string]bool{}
	next := map[string]int64{}
	for _, c := range m.Computations {
		for _, i := range c.Instructions {
			if !taken[i.Name] {
				taken[i.Name] = true
				continue
			}
			root := i.Name
			if k := strings.LastIndexByte(root, '.'); k > 0 {
				if _, err := strconv.ParseUint(root[k+1:], 10, 63); err == nil {
					root = root[:k]
				}
			}
			for taken[i.Name] {
				next[root]++
				i.Name = root + "." + itoa(next[root])
			}
			taken[i.Name] = true
		}
	}
}
