package hloconv

import (
	"strings"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// frameIndex collects the stack frames that instructions refer to
// (xla/hlo/translate/mhlo_to_hlo/stack_frame_index_builder.cc).
type frameIndex struct {
	out       hlo.StackFrameIndex
	files     map[string]int32
	funcs     map[string]int32
	locations map[locationKey]int32
	frames    map[hlo.StackFrame]int32
	stacks    map[*stablehlo.Frame]int32
}

// locationKey leaves out the end of the range, as XLA does.
type locationKey struct {
	file, fn  int32
	line, col int
}

func newFrameIndex() *frameIndex {
	return &frameIndex{
		files: make(map[string]int32), funcs: make(map[string]int32),
		locations: make(map[locationKey]int32), frames: make(map[hlo.StackFrame]int32),
		stacks: make(map[*stablehlo.Frame]int32),
	}
}

func intern(ids map[string]int32, list *[]string, s string) int32 {
	id, ok := ids[s]
	if !ok {
		*list = append(*list, s)
		id = int32(len(*list))
		ids[s] = id
	}
	return id
}

// add gives the id of a stack's innermost frame, adding the outermost first.
func (x *frameIndex) add(f *stablehlo.Frame) int32 {
	if f == nil {
		return 0
	}
	if id, ok := x.stacks[f]; ok {
		return id
	}
	var stack []*stablehlo.Frame
	for g := f; g != nil; g = g.Caller {
		stack = append(stack, g)
	}
	id := int32(0)
	for i := len(stack) - 1; i >= 0; i-- {
		id = x.frame(stack[i], id)
	}
	x.stacks[f] = id
	return id
}

func (x *frameIndex) frame(f *stablehlo.Frame, parent int32) int32 {
	k := locationKey{intern(x.files, &x.out.FileNames, f.File), intern(x.funcs, &x.out.FunctionNames, f.Func), f.Line, f.Col}
	loc, ok := x.locations[k]
	if !ok {
		x.out.Locations = append(x.out.Locations, hlo.FileLocation{
			FileNameID: k.file, FunctionNameID: k.fn,
			Line: int32(f.Line), EndLine: int32(f.EndLine), Column: int32(f.Col), EndColumn: int32(f.EndCol),
		})
		loc = int32(len(x.out.Locations))
		x.locations[k] = loc
	}
	key := hlo.StackFrame{LocationID: loc, ParentFrameID: parent}
	id, ok := x.frames[key]
	if !ok {
		x.out.Frames = append(x.out.Frames, key)
		id = int32(len(x.out.Frames))
		x.frames[key] = id
	}
	return id
}

// opName is the op_name of a location: the names of the fused locations joined
// by semicolons, each up to an @; names that end in a colon are op types.
func opName(l *stablehlo.Loc) string {
	switch {
	case l == nil:
		return ""
	case l.Fused != nil:
		var names []string
		for _, f := range l.Fused {
			if n := opName(f); n != "" {
				names = append(names, n)
			}
		}
		return strings.Join(names, ";")
	}
	n := l.Name
	if n == "" && l.Frame != nil {
		n = l.Frame.Func
	}
	n, _, _ = strings.Cut(n, "@")
	if strings.HasSuffix(n, ":") {
		return ""
	}
	return n
}

// stackOf is the stack of a location; of fused ones, the first that has any.
func stackOf(l *stablehlo.Loc) *stablehlo.Frame {
	if l == nil {
		return nil
	}
	for _, f := range l.Fused {
		if s := stackOf(f); s != nil {
			return s
		}
	}
	return l.Frame
}

// renumber gives the frames that instructions refer to in the order of the
// computations and drops the others, as XLA does when it makes a module.
func (x *frameIndex) renumber(comps []*hlo.Computation) hlo.StackFrameIndex {
	y := newFrameIndex()
	ids := make(map[int32]int32)
	for _, c := range comps {
		for _, in := range c.Instructions {
			if id := in.Metadata.StackFrameID; id != 0 {
				in.Metadata.StackFrameID = y.copyFrame(x, id, ids)
			}
		}
	}
	return y.out
}

// copyFrame copies a frame of x and those above it.
func (x *frameIndex) copyFrame(from *frameIndex, id int32, ids map[int32]int32) int32 {
	if id == 0 {
		return 0
	}
	if n, ok := ids[id]; ok {
		return n
	}
	f := from.out.Frames[id-1]
	parent := x.copyFrame(from, f.ParentFrameID, ids)
	l := from.out.Locations[f.LocationID-1]
	n := x.frame(&stablehlo.Frame{
		File: from.out.FileNames[l.FileNameID-1], Func: from.out.FunctionNames[l.FunctionNameID-1],
		Line: int(l.Line), Col: int(l.Column), EndLine: int(l.EndLine), EndCol: int(l.EndColumn),
	}, parent)
	ids[id] = n
	return n
}

// metadata makes the metadata of an instruction at a location.
func (x *frameIndex) metadata(l *stablehlo.Loc) hlo.OpMetadata {
	m := hlo.OpMetadata{OpName: opName(l)}
	if l != nil {
		m.OpType = l.Type
	}
	if f := stackOf(l); f != nil {
		if f.Func == "" && f.Caller == nil {
			m.SourceFile, m.SourceLine, m.SourceEndLine = f.File, int32(f.Line), int32(f.EndLine)
			m.SourceColumn, m.SourceEndColumn = int32(f.Col), int32(f.EndCol)
		} else {
			m.StackFrameID = x.add(f)
		}
	}
	return m
}
