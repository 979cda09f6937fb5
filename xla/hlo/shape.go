package hlo

import "slices"

// UnboundedSize marks a dimension without a known bound.
const UnboundedSize int64 = -1 << 63

// Shape is the type of a value: an array of ElementType with Dimensions, or a
// tuple of shapes (ElementType == Tuple), or a token.
type Shape struct {
	ElementType PrimitiveType
	Dimensions  []int64
	// Dynamic says which dimensions are bounds rather than sizes; nil when none are.
	Dynamic []bool
	// Tuple holds the element shapes of a tuple.
	Tuple []Shape
	// Layout is nil where it is not known.
	Layout *Layout

	unknown []byte
}

// Layout says how an array lies in memory.
type Layout struct {
	// MinorToMajor lists the dimensions, fastest varying first.
	MinorToMajor       []int64
	Tiles              [][]int64
	ElementSizeInBits  int64
	MemorySpace        int64
	TailPaddingAlign   int64 // 0 and 1 mean none
	IndexType          PrimitiveType
	PointerType        PrimitiveType
	SplitConfigs       []SplitConfig
	DynamicPrefixBytes int64
	PhysicalShape      *Shape

	unknown []byte
}

// SplitConfig says where one dimension of an array is split between memories.
type SplitConfig struct {
	Dimension    int64
	SplitIndices []int64
}

// ProgramShape is the type of a computation.
type ProgramShape struct {
	Parameters     []Shape
	ParameterNames []string
	Result         Shape
}

// ArrayShape returns the shape elem[dims...] without a layout.
func ArrayShape(elem PrimitiveType, dims ...int64) Shape {
	return Shape{ElementType: elem, Dimensions: dims}
}

// TupleShape returns the shape of a tuple of elems.
func TupleShape(elems ...Shape) Shape {
	if elems == nil {
		elems = []Shape{}
	}
	return Shape{ElementType: Tuple, Tuple: elems}
}

// TokenShape returns the shape of a token.
func TokenShape() Shape { return Shape{ElementType: Token} }

// DescendingLayout returns XLA's default layout of an array of the given rank: {rank-1,...,0}.
func DescendingLayout(rank int) *Layout {
	m := make([]int64, rank)
	for i := range m {
		m[i] = int64(rank - 1 - i)
	}
	return &Layout{MinorToMajor: m, TailPaddingAlign: 1}
}

// WithDefaultLayout returns a copy of s in which every array without a layout
// has the descending one.
func (s Shape) WithDefaultLayout() Shape {
	if s.ElementType == Tuple {
		s.Tuple = slices.Clone(s.Tuple)
		for i := range s.Tuple {
			s.Tuple[i] = s.Tuple[i].WithDefaultLayout()
		}
		return s
	}
	if s.Layout == nil && s.ElementType.IsArray() {
		s.Layout = DescendingLayout(len(s.Dimensions))
	}
	return s
}

// WithoutLayout returns a copy of s in which no array has a layout.
func (s Shape) WithoutLayout() Shape {
	s.Layout = nil
	if s.Tuple != nil {
		s.Tuple = slices.Clone(s.Tuple)
		for i := range s.Tuple {
			s.Tuple[i] = s.Tuple[i].WithoutLayout()
		}
	}
	return s
}

// IsTuple reports whether s is a tuple.
func (s Shape) IsTuple() bool { return s.ElementType == Tuple }

// IsScalar reports whether s is an array of rank 0.
func (s Shape) IsScalar() bool { return s.ElementType.IsArray() && len(s.Dimensions) == 0 }

// Rank is the number of dimensions of an array.
func (s Shape) Rank() int { return len(s.Dimensions) }

// NumElements is the number of elements of an array shape, or -1 when a
// dimension is negative or the product does not fit.
func (s Shape) NumElements() int64 {
	n := int64(1)
	zero := false
	for _, d := range s.Dimensions {
		if d < 0 {
			return -1
		}
		if d == 0 {
			zero = true
			continue
		}
		if n > (1<<62)/d {
			n = -1
		}
		if n < 0 {
			continue
		}
		n *= d
	}
	if zero {
		return 0
	}
	return n
}

// IsDynamic reports whether dimension i is a bound.
func (s Shape) IsDynamic(i int) bool { return i < len(s.Dynamic) && s.Dynamic[i] }

// Compatible reports whether s and t have the same element types and dimensions,
// whatever their layouts.
func (s Shape) Compatible(t Shape) bool {
	return s.ElementType == t.ElementType && s.SameDimensions(t) &&
		slices.EqualFunc(s.Tuple, t.Tuple, Shape.Compatible)
}

// SameDimensions reports whether the dimensions of s and t are equal, dynamic marks included.
func (s Shape) SameDimensions(t Shape) bool {
	if !slices.Equal(s.Dimensions, t.Dimensions) {
		return false
	}
	for i := range s.Dimensions {
		if s.IsDynamic(i) != t.IsDynamic(i) {
			return false
		}
	}
	return true
}

// Clone returns a deep copy of s.
func (s Shape) Clone() Shape {
	s.Dimensions = slices.Clone(s.Dimensions)
	s.Dynamic = slices.Clone(s.Dynamic)
	s.Layout = s.Layout.Clone()
	s.Tuple = slices.Clone(s.Tuple)
	for i := range s.Tuple {
		s.Tuple[i] = s.Tuple[i].Clone()
	}
	return s
}

// Clone returns a deep copy of l; nil for nil.
func (l *Layout) Clone() *Layout {
	if l == nil {
		return nil
	}
	c := *l
	c.MinorToMajor = slices.Clone(l.MinorToMajor)
	c.Tiles = slices.Clone(l.Tiles)
	for i := range c.Tiles {
		c.Tiles[i] = slices.Clone(c.Tiles[i])
	}
	c.SplitConfigs = slices.Clone(l.SplitConfigs)
	for i := range c.SplitConfigs {
		c.SplitConfigs[i].SplitIndices = slices.Clone(c.SplitConfigs[i].SplitIndices)
	}
	if l.PhysicalShape != nil {
		p := l.PhysicalShape.Clone()
		c.PhysicalShape = &p
	}
	return &c
}

// IsDescending reports whether l is {rank-1,...,0}; a nil layout counts as descending.
func (l *Layout) IsDescending() bool {
	if l == nil {
		return true
	}
	n := len(l.MinorToMajor)
	for i, d := range l.MinorToMajor {
		if d != int64(n-1-i) {
			return false
		}
	}
	return true
}
