package hlo

import "strconv"

// String returns s as HLO text, layouts included: "f32[2,3]{1,0}".
func (s Shape) String() string { return string(appendShape(nil, &s, true)) }

func appendShape(b []byte, s *Shape, layouts bool) []byte {
	switch s.ElementType {
	case Tuple:
		b = append(b, '(')
		for i := range s.Tuple {
			b = appendListComma(b, i)
			b = appendShape(b, &s.Tuple[i], layouts)
		}
		return append(b, ')')
	case Token:
		return append(b, "token[]"...)
	}
	b = append(b, s.ElementType.String()...)
	b = append(b, '[')
	for i, d := range s.Dimensions {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case d == UnboundedSize:
			b = append(b, '?')
			continue
		case s.IsDynamic(i):
			b = append(b, "<="...)
		}
		b = strconv.AppendInt(b, d, 10)
	}
	b = append(b, ']')
	if layouts && s.Layout != nil {
		if len(s.Dimensions) > 0 || s.Layout.hasExtras() {
			b = appendLayout(b, s.Layout)
		}
	}
	return b
}

// appendListComma separates list elements, with an index comment at every fifth.
func appendListComma(b []byte, i int) []byte {
	if i == 0 {
		return b
	}
	b = append(b, ", "...)
	if i%5 == 0 {
		b = append(b, "/*index="...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, "*/"...)
	}
	return b
}

func (l *Layout) hasExtras() bool {
	return len(l.Tiles) > 0 || l.TailPaddingAlign > 1 || l.ElementSizeInBits != 0 || l.MemorySpace != 0 ||
		l.IndexType != 0 || l.PointerType != 0 || len(l.SplitConfigs) > 0 || l.PhysicalShape != nil || l.DynamicPrefixBytes > 0
}

func appendInts[T int64 | int32](b []byte, v []T, sep string) []byte {
	for i, d := range v {
		if i > 0 {
			b = append(b, sep...)
		}
		b = strconv.AppendInt(b, int64(d), 10)
	}
	return b
}

func appendLayout(b []byte, l *Layout) []byte {
	b = append(b, '{')
	b = appendInts(b, l.MinorToMajor, ",")
	if l.hasExtras() {
		b = append(b, ':')
		b = appendLayoutExtras(b, l)
	}
	return append(b, '}')
}

func appendLayoutExtras(b []byte, l *Layout) []byte {
	if len(l.Tiles) > 0 {
		b = append(b, 'T')
	}
	for _, t := range l.Tiles {
		b = append(b, '(')
		for i, d := range t {
			if i > 0 {
				b = append(b, ',')
			}
			if d == UnboundedSize { // a dimension that is merged with the next one
				b = append(b, '*')
				continue
			}
			b = strconv.AppendInt(b, d, 10)
		}
		b = append(b, ')')
	}
	field := func(open string, n int64) {
		b = append(b, open...)
		b = strconv.AppendInt(b, n, 10)
		b = append(b, ')')
	}
	if l.TailPaddingAlign > 1 {
		field("L(", l.TailPaddingAlign)
	}
	if l.IndexType != 0 {
		b = append(append(append(b, "#("...), l.IndexType.String()...), ')')
	}
	if l.PointerType != 0 {
		b = append(append(append(b, "*("...), l.PointerType.String()...), ')')
	}
	if l.ElementSizeInBits != 0 {
		field("E(", l.ElementSizeInBits)
	}
	if l.MemorySpace != 0 {
		field("S(", l.MemorySpace)
	}
	if len(l.SplitConfigs) > 0 {
		b = append(b, "SC"...)
		for _, c := range l.SplitConfigs {
			b = append(b, '(')
			b = strconv.AppendInt(b, c.Dimension, 10)
			b = append(b, ':')
			b = appendInts(b, c.SplitIndices, ",")
			b = append(b, ')')
		}
	}
	if l.PhysicalShape != nil {
		b = append(appendShape(append(b, "P("...), l.PhysicalShape, true), ')')
	}
	if l.DynamicPrefixBytes > 0 {
		field("M(", l.DynamicPrefixBytes)
	}
	return b
}
