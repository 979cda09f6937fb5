package metadata

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/xla/hlo"
)

// SurvivalOptions say how much [Survival] finds out.
type SurvivalOptions struct {
	// Passes asks for the way of each tag through XLA's passes.
	Passes bool
}

// SurvivalReport tells what became of the tagged operations of a program.
type SurvivalReport struct {
	Ops    []TaggedOp
	passes bool
}

// TaggedOp is an operation of the lowered module that has attributes.
type TaggedOp struct {
	Name, Computation string
	Opcode            hlo.Opcode
	OpName            string // from the metadata: "jit(f)/sin"
	Attributes        map[string]string
	// Carriers are the operations of the optimised program that have its
	// attributes now; none means that they were dropped.
	Carriers []Carrier
	// Steps is the way there, when it was asked for: the first is the lowered
	// module, then one for each pass that moved the attributes.
	Steps []Step
}

// Carrier is an operation of the optimised program.
type Carrier struct {
	Name, Computation string
	Opcode            hlo.Opcode
	OpName            string
	// Root tells whether it gives its computation's result; a fusion carries
	// the attributes of its root.
	Root bool
}

// Step is a pass after which other operations had the attributes.
type Step struct {
	Pipeline, Pass string
	Ops            []string // "computation/name"; none: the pass dropped them
}

// Dropped tells whether no operation has the attributes any more.
func (o TaggedOp) Dropped() bool { return len(o.Carriers) == 0 }

// DroppedAfter is the pass that dropped the attributes, empty when they are
// there or passes were not followed.
func (o TaggedOp) DroppedAfter() string {
	if n := len(o.Steps); n > 0 && len(o.Steps[n-1].Ops) == 0 {
		return o.Steps[n-1].Pass
	}
	return ""
}

// markKey is the attribute by which operations are followed. XLA hands the
// attributes of an operation on as a whole and decides nothing by this one.
const markKey = "gopherlo_mark"

// Survival compiles the program of compiled once more with a mark on each
// tagged operation, and finds out who has the marks in the end.
func Survival(compiled jaxlike.Compiled, opts ...SurvivalOptions) *SurvivalReport {
	r := &SurvivalReport{}
	m := compiled.Lowered().HLO()
	for _, c := range m.Computations {
		for _, i := range c.Instructions {
			if len(i.FrontendAttributes) == 0 {
				continue
			}
			r.Ops = append(r.Ops, TaggedOp{
				Name: i.Name, Computation: c.Name, Opcode: i.Opcode, OpName: i.Metadata.OpName,
				Attributes: maps.Clone(i.FrontendAttributes),
			})
			i.SetAttr(markKey, strconv.Itoa(len(r.Ops)-1))
		}
	}
	if len(r.Ops) == 0 {
		return r
	}
	var more map[string]any
	dir := ""
	for _, o := range opts {
		r.passes = r.passes || o.Passes
	}
	if r.passes {
		var err error
		if dir, err = os.MkdirTemp("", "gopherlo-passes-"); err != nil {
			core.Raise("OSError", "%s", err)
		}
		defer os.RemoveAll(dir)
		more = map[string]any{"xla_dump_to": dir, "xla_dump_hlo_pass_re": ".*", "xla_dump_hlo_as_text": true}
	}
	r.carriers(compiled.Recompile(m, more))
	if r.passes {
		r.follow(dir)
	}
	return r
}

func (r *SurvivalReport) carriers(opt *hlo.Module) {
	for _, c := range opt.Computations {
		for _, i := range c.Instructions {
			n, err := strconv.Atoi(i.FrontendAttributes[markKey])
			if err != nil || n >= len(r.Ops) {
				continue
			}
			r.Ops[n].Carriers = append(r.Ops[n].Carriers, Carrier{
				Name: i.Name, Computation: c.Name, Opcode: i.Opcode, OpName: i.Metadata.OpName, Root: c.Root == i,
			})
		}
	}
}

var (
	// dumpName is a file that XLA writes after a pass, such as
	// module_0001.jit_f.0004.HLO_passes.after_cse.before_dce.txt.
	dumpName = regexp.MustCompile(`\.(\d{4,})\.([^.]+)\.after_(.+?)(?:\.before_.+)?\.txt$`)
	// dumpHead begins a computation in such a file, dumpLine is an instruction.
	dumpHead = regexp.MustCompile(`^(?:ENTRY )?%?([^\s(]+) .*\{$`)
	dumpLine = regexp.MustCompile(`^\s+(?:ROOT )?%?([^\s=]+) = `)
	dumpMark = regexp.MustCompile(markKey + `="(\d+)"`)
)

// follow reads the dumps of all passes in their order.
func (r *SurvivalReport) follow(dir string) {
	for i, o := range r.Ops {
		r.Ops[i].Steps = []Step{{Pass: "lowered", Ops: []string{o.Computation + "/" + o.Name}}}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		core.Raise("OSError", "%s", err)
	}
	type dump struct {
		number         int
		file           string
		pipeline, pass string
	}
	var dumps []dump
	for _, e := range entries {
		if m := dumpName.FindStringSubmatch(e.Name()); m != nil {
			n, _ := strconv.Atoi(m[1]) // digits, by the pattern
			dumps = append(dumps, dump{n, e.Name(), m[2], m[3]})
		}
	}
	slices.SortFunc(dumps, func(a, b dump) int { return a.number - b.number })
	for _, d := range dumps {
		text, err := os.ReadFile(filepath.Join(dir, d.file))
		if err != nil {
			core.Raise("OSError", "%s", err)
		}
		marks := marksIn(string(text))
		for i := range r.Ops {
			steps := r.Ops[i].Steps
			if ops := marks[i]; !slices.Equal(ops, steps[len(steps)-1].Ops) {
				r.Ops[i].Steps = append(steps, Step{d.pipeline, d.pass, ops})
			}
		}
	}
}

// marksIn lists the operations that carry each mark in a module's text.
func marksIn(text string) map[int][]string {
	out := map[int][]string{}
	computation := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := dumpHead.FindStringSubmatch(line); m != nil {
			computation = m[1]
			continue
		}
		mark := dumpMark.FindStringSubmatch(line)
		name := dumpLine.FindStringSubmatch(line)
		if mark == nil || name == nil {
			continue
		}
		n, _ := strconv.Atoi(mark[1]) // digits, by the pattern
		out[n] = append(out[n], computation+"/"+name[1])
	}
	return out
}

// String is a line per tagged operation and, when passes were followed, one per
// step.
func (r *SurvivalReport) String() string {
	if len(r.Ops) == 0 {
		return "no operation of the lowered module has attributes"
	}
	var b strings.Builder
	for _, o := range r.Ops {
		fmt.Fprintf(&b, "%s %s {%s}", o.Opcode, o.Name, attributesText(o.Attributes))
		switch {
		case !o.Dropped():
			names := make([]string, len(o.Carriers))
			for i, c := range o.Carriers {
				names[i] = fmt.Sprintf("%s %s in %s", c.Opcode, c.Name, c.Computation)
			}
			b.WriteString(": on " + strings.Join(names, ", "))
		case o.DroppedAfter() != "":
			b.WriteString(": dropped after " + o.DroppedAfter())
		default:
			b.WriteString(": dropped")
		}
		b.WriteByte('\n')
		for _, s := range o.Steps[min(1, len(o.Steps)):] {
			where := "none"
			if len(s.Ops) > 0 {
				where = strings.Join(s.Ops, ", ")
			}
			fmt.Fprintf(&b, "    after %s (%s): %s\n", s.Pass, s.Pipeline, where)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func attributesText(m map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, k+"="+strconv.Quote(m[k]))
	}
	return strings.Join(parts, ", ")
}
