package hlo

import "slices"

// CompactStackFrames drops the frames that no instruction refers to and
// numbers the others anew, by first use: computations in their order,
// instructions by id, parents first; as XLA does when it reads a proto.
func (m *Module) CompactStackFrames() {
	old := m.StackFrames
	if len(old.Frames) == 0 && len(old.FileNames) == 0 {
		return
	}
	c := compactor{old: &old, frames: make([]int32, len(old.Frames)+1), mark: make([]bool, len(old.Frames)+1)}
	for _, comp := range m.Computations {
		list := append([]*Instruction(nil), comp.Instructions...)
		sortByID(list)
		for _, i := range list {
			if i.Metadata.StackFrameID != 0 {
				i.Metadata.StackFrameID = c.frame(i.Metadata.StackFrameID)
			}
		}
	}
	m.StackFrames = c.new
}

type compactor struct {
	old       *StackFrameIndex
	new       StackFrameIndex
	frames    []int32 // new id of each old frame
	mark      []bool
	files     map[string]int32
	functions map[string]int32
	locations map[FileLocation]int32
	known     map[StackFrame]int32
}

func intern[T comparable](m *map[T]int32, list *[]T, v T) int32 {
	if id := (*m)[v]; id != 0 {
		return id
	}
	if *m == nil {
		*m = map[T]int32{}
	}
	*list = append(*list, v)
	id := int32(len(*list))
	(*m)[v] = id
	return id
}

// frame gives the new id of an old frame, 0 for one that does not exist.
func (c *compactor) frame(id int32) int32 {
	var chain []int32 // id and its ancestors that have no new id yet
	for id > 0 && int(id) < len(c.frames) && !c.mark[id] {
		c.mark[id] = true
		chain = append(chain, id)
		id = c.old.Frames[id-1].ParentFrameID
	}
	parent := int32(0)
	if id > 0 && int(id) < len(c.frames) {
		parent = c.frames[id]
	}
	for _, id := range slices.Backward(chain) {
		f := c.old.Frames[id-1]
		parent = intern(&c.known, &c.new.Frames, StackFrame{c.location(f.LocationID), parent})
		c.frames[id] = parent
	}
	return parent
}

func (c *compactor) location(id int32) int32 {
	if id <= 0 || int(id) > len(c.old.Locations) {
		return 0
	}
	l := c.old.Locations[id-1]
	l.FileNameID = internName(&c.files, &c.new.FileNames, c.old.FileNames, l.FileNameID)
	l.FunctionNameID = internName(&c.functions, &c.new.FunctionNames, c.old.FunctionNames, l.FunctionNameID)
	return intern(&c.locations, &c.new.Locations, l)
}

func internName(m *map[string]int32, list *[]string, old []string, id int32) int32 {
	if id <= 0 || int(id) > len(old) {
		return 0
	}
	return intern(m, list, old[id-1])
}
