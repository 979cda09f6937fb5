package hlo

import (
	"slices"
	"strings"
)

// instruction reads "[ROOT] name = shape opcode(operands), attributes".
func (p *parser) instruction(c *Computation) {
	p.skip()
	start := p.at
	root := false
	name := p.name("an instruction")
	if name == "ROOT" && p.peek() != '=' {
		root = true
		p.skip()
		start = p.at
		name = p.name("an instruction")
	}
	i := &Instruction{Name: name}
	if p.names[i.Name] != nil {
		p.fail(start, "instruction %s is defined twice", i.Name)
	}
	p.expect("=")
	i.Shape = p.shape()
	s := &instrState{p: p, i: i, target: i}
	p.opcode(s)
	p.operands(s)
	for p.accept(",") {
		s.attr()
	}
	s.finish()
	p.names[i.Name] = i
	c.Instructions = append(c.Instructions, i)
	if root {
		if c.Root != nil {
			p.fail(start, "%s and %s are both ROOT", c.Root.Name, i.Name)
		}
		c.Root = i
	}
}

// instrState is an instruction while its attributes are read.
type instrState struct {
	p *parser
	i *Instruction
	// target takes the attributes of the opcode: i, or the instruction that an
	// async one stands for.
	target *Instruction
	seen   []string
	called map[string][]*Computation
	at     int // of the opcode
}

var asyncSuffixes = []struct {
	suffix string
	op     Opcode
}{{"-start", OpAsyncStart}, {"-update", OpAsyncUpdate}, {"-done", OpAsyncDone}}

func (p *parser) opcode(s *instrState) {
	p.skip()
	s.at = p.at
	s.i.Opcode = Opcode(p.word("an opcode"))
	if s.i.Opcode.Known() {
		return
	}
	for _, a := range asyncSuffixes {
		base, ok := strings.CutSuffix(string(s.i.Opcode), a.suffix)
		if ok && Opcode(base).Known() {
			s.i.Opcode = a.op
			s.target = &Instruction{Name: base, Opcode: Opcode(base)}
			return
		}
	}
	p.fail(s.at, "unknown opcode %q%s", s.i.Opcode, didYouMean(string(s.i.Opcode)))
}

// didYouMean offers the known opcode that is nearest to s, if one is near.
func didYouMean(s string) string {
	best, at := "", 3
	for op := range knownOpcodes {
		if d := distance(s, string(op), 3); d < at || d == at && d < 3 && string(op) < best {
			best, at = string(op), d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is the edit distance of a and b, or limit if it is not below it.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return min(limit, row[len(b)])
}

func (p *parser) operands(s *instrState) {
	p.expect("(")
	switch s.i.Opcode {
	case OpConstant:
		s.i.Literal = p.literal(&s.i.Shape)
		p.expect(")")
		return
	case OpParameter:
		s.i.ParameterNumber = p.int()
		p.expect(")")
		return
	}
	p.until(")", func() {
		if p.shapeAhead() {
			p.shape()
		}
		p.skip()
		start := p.at
		name := p.name("an operand")
		o := p.names[name]
		if o == nil {
			p.fail(start, "there is no instruction %q before this one", name)
		}
		s.i.Operands = append(s.i.Operands, o)
	})
}

// shapeAhead tells "f32[2] x" from "x".
func (p *scanner) shapeAhead() bool {
	if p.peek() == '(' {
		return true
	}
	w := p.ahead()
	return p.at+len(w) < len(p.s) && p.s[p.at+len(w)] == '['
}

// attr reads one "key=value".
func (s *instrState) attr() {
	p := s.p
	p.skip()
	start := p.at
	key := p.word("an attribute")
	if slices.Contains(s.seen, key) {
		p.fail(start, "attribute %q stands twice", key)
	}
	s.seen = append(s.seen, key)
	p.expect("=")
	if f := commonAttrs[key]; f != nil {
		f(s)
		return
	}
	if slices.Contains(calleeKeys, key) {
		s.callees(key)
		return
	}
	f := attrParsers[key]
	if f == nil || !slices.Contains(attrKeys[s.target.Opcode], key) {
		msg := "%s has no attribute %q"
		if keys := attrKeys[s.target.Opcode]; len(keys) > 0 {
			msg += "; it has " + strings.Join(keys, ", ")
		}
		p.fail(start, msg, s.target.Opcode, key)
	}
	f(s)
}

// calleeKeys are the attributes that name called computations.
var calleeKeys = []string{
	"to_apply", "calls", "condition", "body", "select", "scatter",
	"true_computation", "false_computation", "branch_computations", "called_computations",
}

func (s *instrState) callees(key string) {
	if s.called == nil {
		s.called = map[string][]*Computation{}
	}
	p := s.p
	if p.listAhead() {
		p.expect("{")
		p.until("}", func() { s.called[key] = append(s.called[key], p.callee()) })
		return
	}
	s.called[key] = []*Computation{p.callee()}
}

// listAhead tells {a, b} and { {...}, {...} } from the body of one computation.
func (p *scanner) listAhead() bool {
	at := p.at
	defer func() { p.at = at }()
	if !p.accept("{") {
		return false
	}
	if c := p.peek(); c == '{' || c == '}' {
		return true
	}
	p.accept("%")
	w := p.ahead()
	if w == "" {
		return false
	}
	p.at += len(w)
	c := p.peek()
	return c == ',' || c == '}'
}

// needed are the attributes without which XLA's parser refuses an instruction.
var needed = map[Opcode]string{
	OpBroadcast: "dimensions", OpConcatenate: "dimensions", OpTranspose: "dimensions", OpReverse: "dimensions",
	OpReduce: "dimensions", OpSort: "dimensions", OpCompare: "direction", OpGetTupleElement: "index",
	OpSlice: "slice", OpDynamicSlice: "dynamic_slice_sizes", OpPad: "padding", OpFusion: "kind",
	OpCustomCall: "custom_call_target", OpConvolution: "dim_labels", OpRng: "distribution",
	OpRngBitGenerator: "algorithm", OpFFT: "fft_type", OpTopK: "k",
}

// finish puts the called computations in order and fills in what XLA infers.
func (s *instrState) finish() {
	i := s.i
	wraps := s.target == i || i.Opcode == OpAsyncStart // its updates name no attributes
	if key := needed[s.target.Opcode]; wraps && key != "" && !slices.Contains(s.seen, key) {
		s.p.fail(s.at, "%s needs the attribute %q", s.target.Opcode, key)
	}
	get := func(key string) []*Computation { return s.called[key] }
	switch {
	case i.Opcode == OpWhile:
		i.Called = append(get("body"), get("condition")...)
	case i.Opcode == OpSelectAndScatter:
		i.Called = append(get("select"), get("scatter")...)
	case i.Opcode == OpConditional && get("branch_computations") == nil:
		i.Called = append(get("true_computation"), get("false_computation")...)
	default:
		for _, key := range calleeKeys {
			i.Called = append(i.Called, get(key)...)
		}
	}
	if s.target != i {
		s.async()
		return
	}
	setDefaults(i, s.seen)
}

// async gives an async-start that stood as its only instruction a computation.
func (s *instrState) async() {
	i, w := s.i, s.target
	if i.Opcode != OpAsyncStart {
		return
	}
	thread := i.AsyncExecutionThread
	if len(i.Called) > 0 && s.called["calls"] != nil {
		return // canonical text shows the body too
	}
	if !i.Shape.IsTuple() || len(i.Shape.Tuple) < 2 || len(i.Shape.Tuple[0].Tuple) != len(i.Operands) {
		s.p.fail(s.at, "%s-start must give a tuple of its operands' shapes, its result and its state", w.Opcode)
	}
	w.Called, i.Called = i.Called, nil
	w.Shape = i.Shape.Tuple[1]
	c := &Computation{Name: "async_wrapped", ExecutionThread: thread, Root: w}
	for k, o := range i.Operands {
		name := "async_param"
		if k > 0 {
			name += "." + itoa(int64(k))
		}
		param := &Instruction{Name: name, Opcode: OpParameter, Shape: o.Shape, ParameterNumber: int64(k)}
		c.Instructions = append(c.Instructions, param)
		w.Operands = append(w.Operands, param)
	}
	c.Instructions = append(c.Instructions, w)
	setDefaults(w, s.seen)
	i.Called = []*Computation{c}
	s.p.inline = append(s.p.inline, c)
}

// setDefaults fills in the fields that text leaves out because XLA infers them;
// seen are the attributes that stood there.
func setDefaults(i *Instruction, seen []string) {
	switch i.Opcode {
	case OpCompare:
		if i.ComparisonType == "" && i.ComparisonOrder == "" && len(i.Operands) > 0 {
			i.ComparisonOrder = "TOTAL"
			if inexact(i.Operands[0].Shape.ElementType) {
				i.ComparisonOrder = "PARTIAL"
			}
		}
	case OpConvolution, OpCustomCall:
		i.FeatureGroupCount = max(i.FeatureGroupCount, 1)
		i.BatchGroupCount = max(i.BatchGroupCount, 1)
		defaultPrecision(i)
		if i.Opcode == OpCustomCall && i.CustomCallAPIVersion == 0 {
			i.CustomCallAPIVersion = APIVersionOriginal
		}
	case OpDot, OpRaggedDot, OpScaledDot:
		defaultPrecision(i)
	case OpTopK:
		if !slices.Contains(seen, "is_stable") {
			i.IsStable = true
		}
	case OpCholesky:
		if i.Cholesky == nil {
			i.Cholesky = &CholeskyOptions{}
		}
	case OpTriangularSolve:
		if i.TriangularSolve == nil {
			i.TriangularSolve = &TriangularSolveOptions{}
		}
		if i.TriangularSolve.TransposeA == 0 {
			i.TriangularSolve.TransposeA = NoTranspose
		}
	}
}

func defaultPrecision(i *Instruction) {
	if i.Precision == nil {
		i.Precision = &PrecisionConfig{}
	}
	if i.Precision.Operands == nil && len(i.Operands) > 0 {
		n := len(i.Operands)
		if i.Opcode != OpCustomCall {
			n = min(n, 2)
		}
		i.Precision.Operands = make([]Precision, n)
	}
}
