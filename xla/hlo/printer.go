package hlo

import (
	"io"
	"slices"
	"strconv"
)

// String returns the module as JAX's Lowered.as_text("hlo") prints it.
func (m *Module) String() string { return m.Text(ShortParsable()) }

// Text returns the module as text.
func (m *Module) Text(o PrintOptions) string { return string(m.AppendText(nil, o)) }

// WriteText writes the module as text to w, in one Write.
func (m *Module) WriteText(w io.Writer, o PrintOptions) error {
	_, err := w.Write(m.AppendText(nil, o))
	return err
}

// AppendText appends the module as text to b.
func (m *Module) AppendText(b []byte, o PrintOptions) []byte {
	p := &printer{b: b, PrintOptions: o}
	p.module(m)
	return p.b
}

// String returns the instruction as one line of its computation.
func (i *Instruction) String() string {
	p := &printer{PrintOptions: ShortParsable()}
	p.instruction(i)
	return string(p.b)
}

// String returns the computation as its module prints it.
func (c *Computation) String() string {
	p := &printer{PrintOptions: ShortParsable()}
	p.computation(c, nil)
	return string(p.b)
}

// printer appends text to one buffer.
type printer struct {
	PrintOptions
	b      []byte
	indent int // of the computation being printed, in spaces
	// names are the canonical names of the computation being printed.
	names map[*Instruction]int64
	// open lists the computations being printed, to end a call cycle.
	open []*Computation
	// class, if set, names called computations.
	class func(*Computation) string
}

func (p *printer) str(s string)    { p.b = append(p.b, s...) }
func (p *printer) byte(c byte)     { p.b = append(p.b, c) }
func (p *printer) int(n int64)     { p.b = strconv.AppendInt(p.b, n, 10) }
func (p *printer) shape(s *Shape)  { p.b = appendShape(p.b, s, true) }
func (p *printer) quoted(s string) { p.b = appendQuoted(p.b, s) }
func (p *printer) spaces(n int)    { p.b = append(p.b, blanks(n)...) }
func (p *printer) list(v []int64)  { p.b = append(appendInts(append(p.b, '{'), v, ","), '}') }

func blanks(n int) string {
	const s = "                                                                "
	for n > len(s) {
		return s + blanks(n-len(s))
	}
	return s[:n]
}

// attr begins an attribute: ", key=".
func (p *printer) attr(key string) {
	p.str(", ")
	p.str(key)
	p.byte('=')
}

func (p *printer) attrInt(key string, n int64)    { p.attr(key); p.int(n) }
func (p *printer) attrStr(key, value string)      { p.attr(key); p.str(value) }
func (p *printer) attrList(key string, v []int64) { p.attr(key); p.list(v) }

func (p *printer) attrIf(key string, on bool) {
	if on {
		p.attrStr(key, "true")
	}
}

func (p *printer) bools(v []bool) {
	p.byte('{')
	for i, x := range v {
		if i > 0 {
			p.byte(',')
		}
		p.b = strconv.AppendBool(p.b, x)
	}
	p.byte('}')
}

func (p *printer) name(s string) {
	if p.Percent {
		p.byte('%')
	}
	p.str(s)
}

func (p *printer) instrName(i *Instruction) {
	if !p.CanonicalNames {
		p.name(i.Name)
		return
	}
	n, ok := p.names[i]
	if !ok {
		if p.names == nil {
			p.names = map[*Instruction]int64{}
		}
		n = int64(len(p.names))
		p.names[i] = n
	}
	if p.Percent {
		p.byte('%')
	}
	p.str("tmp_")
	p.int(n)
}

func (p *printer) module(m *Module) {
	p.header(m)
	if p.Metadata {
		p.stackFrames(&m.StackFrames)
	}
	p.str("\n\n")
	hidden := m.asyncBodies()
	for _, c := range m.PostOrder() {
		if hidden[c] {
			continue
		}
		p.computation(c, m)
		p.str("\n\n")
	}
}

func (p *printer) header(m *Module) {
	p.str("HloModule ")
	p.str(m.Name)
	p.attrIf("is_scheduled", m.IsScheduled)
	if len(m.InputOutputAlias) > 0 {
		p.attr("input_output_alias")
		p.aliases(m.InputOutputAlias)
	}
	if len(m.BufferDonors) > 0 {
		p.attr("buffer_donor")
		p.donors(m.BufferDonors)
	}
	if m.Config != nil {
		p.attrIf("alias_passthrough_params", m.Config.AliasPassthroughParams)
	}
	if m.Entry != nil {
		p.attr("entry_computation_layout")
		p.entryLayout(m.entryLayout())
	}
	if m.Config != nil {
		p.config(m.Config)
	}
	if len(m.FrontendAttributes) > 0 {
		p.attr("frontend_attributes")
		p.frontendAttributes(m.FrontendAttributes)
	}
}

func (m *Module) entryLayout() *ProgramShape {
	if m.Config != nil && m.Config.EntryComputationLayout != nil {
		return m.Config.EntryComputationLayout
	}
	return m.programShape()
}

func (p *printer) entryLayout(s *ProgramShape) {
	p.str("{(")
	for i := range s.Parameters {
		p.b = appendListComma(p.b, i)
		p.shape(&s.Parameters[i])
	}
	p.str(")->")
	p.shape(&s.Result)
	p.byte('}')
}

func (p *printer) config(c *Config) {
	flags := func(key string, v []bool) {
		if v != nil && (len(v) != 1 || v[0]) { // a single false is XLA's default
			p.attr(key)
			p.bools(v)
		}
	}
	flags("allow_spmd_sharding_propagation_to_parameters", c.AllowSPMDToParameters)
	flags("allow_spmd_sharding_propagation_to_output", c.AllowSPMDToOutput)
	if c.ReplicaCount > 1 {
		p.attrInt("replica_count", c.ReplicaCount)
	}
	if c.NumPartitions > 1 {
		p.attrInt("num_partitions", c.NumPartitions)
	}
}

func (p *printer) aliases(in []AliasEntry) {
	entries := slices.Clone(in)
	slices.SortStableFunc(entries, func(a, b AliasEntry) int { return slices.Compare(a.OutputIndex, b.OutputIndex) })
	p.str("{ ")
	for i, e := range entries {
		if i > 0 {
			p.str(", ")
		}
		p.list(e.OutputIndex)
		p.str(": (")
		p.int(e.ParameterNumber)
		p.str(", ")
		p.list(e.ParameterIndex)
		switch e.Kind {
		case MayAlias:
			p.str(", may-alias)")
		case MustAlias:
			p.str(", must-alias)")
		default:
			p.str(", undefined-alias)")
		}
	}
	p.str(" }")
}

func (p *printer) donors(in []BufferDonor) {
	entries := slices.Clone(in)
	slices.SortStableFunc(entries, func(a, b BufferDonor) int {
		if a.ParameterNumber != b.ParameterNumber {
			return int(a.ParameterNumber - b.ParameterNumber)
		}
		return slices.Compare(a.ParameterIndex, b.ParameterIndex)
	})
	p.str("{ ")
	for i, e := range entries {
		if i > 0 {
			p.str(", ")
		}
		p.byte('(')
		p.int(e.ParameterNumber)
		p.str(", ")
		p.list(e.ParameterIndex)
		p.byte(')')
	}
	p.str(" }")
}

// frontendAttributes prints {k="v",...} in key order. A value that is itself in
// braces stands as it is.
func (p *printer) frontendAttributes(m map[string]string) {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	p.byte('{')
	for i, k := range keys {
		if i > 0 {
			p.byte(',')
		}
		p.str(k)
		p.byte('=')
		if v := m[k]; len(v) >= 2 && v[0] == '{' && v[len(v)-1] == '}' {
			p.str(v)
		} else {
			p.quoted(v)
		}
	}
	p.byte('}')
}

func (p *printer) stackFrames(x *StackFrameIndex) {
	if len(x.FileNames) == 0 && len(x.Frames) == 0 {
		return
	}
	names := func(title string, list []string) {
		p.str(title)
		for i, s := range list {
			p.int(int64(i + 1))
			p.byte(' ')
			p.quoted(s)
			p.byte('\n')
		}
	}
	field := func(key string, n int32) {
		p.str(key)
		p.int(int64(n))
	}
	names("\n\nFileNames\n", x.FileNames)
	names("\nFunctionNames\n", x.FunctionNames)
	p.str("\nFileLocations\n")
	for i, l := range x.Locations {
		p.int(int64(i + 1))
		field(" {file_name_id=", l.FileNameID)
		field(" function_name_id=", l.FunctionNameID)
		field(" line=", l.Line)
		field(" end_line=", l.EndLine)
		field(" column=", l.Column)
		field(" end_column=", l.EndColumn)
		p.str("}\n")
	}
	p.str("\nStackFrames\n")
	for i, f := range x.Frames {
		p.int(int64(i + 1))
		field(" {file_location_id=", f.LocationID)
		// XLA prints the stored parent plus one.
		field(" parent_frame_id=", f.ParentFrameID+1)
		p.str("}\n")
	}
}

func (p *printer) computation(c *Computation, m *Module) {
	if m != nil && c == m.Entry {
		p.str("ENTRY ")
	}
	p.name(c.Name)
	p.byte(' ')
	if p.ProgramShapes {
		p.programShape(c)
	}
	p.body(c, m)
}

func (p *printer) programShape(c *Computation) {
	p.byte('(')
	for i, param := range c.Parameters() {
		if param == nil {
			continue
		}
		if i > 0 {
			p.str(", ")
		}
		p.str(param.Name)
		p.str(": ")
		p.b = appendShape(p.b, &param.Shape, false)
	}
	p.str(") -> ")
	if c.Root != nil {
		p.b = appendShape(p.b, &c.Root.Shape, false)
	}
	p.byte(' ')
}

// body prints the braces of c and what is between them.
func (p *printer) body(c *Computation, m *Module) {
	names := p.names
	p.names = nil
	p.open = append(p.open, c)
	p.str("{\n")
	for _, i := range m.printOrder(c) {
		p.spaces(p.indent + 2)
		if i == c.Root {
			p.str("ROOT ")
		}
		p.instruction(i)
		p.byte('\n')
	}
	p.spaces(p.indent)
	p.byte('}')
	if c.ExecutionThread != "" && c.ExecutionThread != mainThread {
		p.attr("execution_thread")
		p.quoted(c.ExecutionThread)
	}
	p.open = p.open[:len(p.open)-1]
	p.names = names
}

const mainThread = "main"
