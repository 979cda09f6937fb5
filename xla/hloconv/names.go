package hloconv

import (
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
)

// uniquer gives instruction names as XLA's NameUniquer does: one table for the
// module, by the name's root, with the numbers taken so far.
type uniquer struct {
	roots map[string]*rootState
	safe  map[string]string // sanitised names, by name
}

// rootState is a root with the numbers taken so far: small ones as flags, since
// they are many.
type rootState struct {
	root string
	next int64
	few  []bool
	more map[int64]bool
}

const maxFew = 1 << 20

func newUniquer() *uniquer {
	return &uniquer{roots: make(map[string]*rootState), safe: make(map[string]string)}
}

// get gives a name that is not taken yet, and what knows further names of its root.
func (u *uniquer) get(name string) (string, *rootState) {
	root, num, suffixed := u.split(name)
	s := u.roots[root]
	if s == nil {
		s = &rootState{root: root}
		u.roots[root] = s
	}
	if s.taken(num) {
		return s.fresh(), s
	}
	s.take(num)
	return s.name(num, suffixed), s
}

// fresh gives the next name that is not taken: what get gives for a name that is.
func (s *rootState) fresh() string {
	for s.taken(s.next) {
		s.next++
	}
	num := s.next
	s.next++
	s.take(num)
	return s.name(num, false)
}

func (s *rootState) name(num int64, suffixed bool) string {
	switch {
	case num != 0:
		var space [64]byte
		return string(strconv.AppendInt(append(append(space[:0], s.root...), '.'), num, 10))
	case suffixed:
		return s.root + ".0"
	}
	return s.root
}

func (s *rootState) taken(num int64) bool {
	if num >= 0 && num < maxFew {
		return num < int64(len(s.few)) && s.few[num]
	}
	return s.more[num]
}

func (s *rootState) take(num int64) {
	if num < 0 || num >= maxFew {
		if s.more == nil {
			s.more = make(map[int64]bool)
		}
		s.more[num] = true
		return
	}
	if n := int(num) + 1 - len(s.few); n > 0 {
		s.few = append(s.few, make([]bool, n)...)
	}
	s.few[num] = true
}

// split sanitises a name and cuts a number after its last dot.
func (u *uniquer) split(name string) (root string, num int64, suffixed bool) {
	root, ok := u.safe[name]
	if !ok {
		root = sanitize(name)
		u.safe[name] = root
	}
	i := strings.LastIndexByte(root, '.')
	if i <= 0 || i == len(root)-1 {
		return root, 0, false
	}
	n, err := strconv.ParseInt(root[i+1:], 10, 64)
	if err != nil {
		return root, 0, false
	}
	return root[:i], n, true
}

// sanitize makes a legal HLO name (NameUniquer::GetSanitizedName).
func sanitize(name string) string {
	if name == "" {
		name = "name"
	}
	b := []byte(name)
	if !isLetter(b[0]) && b[0] != '_' {
		b[0] = '_'
	}
	for i, c := range b[1:] {
		if !isLetter(c) && !(c >= '0' && c <= '9') && c != '_' && c != '.' && c != '-' {
			b[i+1] = '_'
		}
	}
	s := string(b)
	if t, ok := hlo.PrimitiveTypeByName(strings.ToLower(s)); ok && t != hlo.Tuple && t != hlo.BufferType {
		s += "_"
	}
	if strings.HasPrefix(s, "__") && !strings.HasPrefix(s, "__xla_") {
		s = "a" + s[1:]
	}
	return s
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// baseName is the part of an op_name after the last slash, without dots.
func baseName(s string) string {
	return strings.ReplaceAll(s[strings.LastIndexByte(s, '/')+1:], ".", "_")
}

// lastPart is the part of a parameter's name after the last slash that does not
// end it.
func lastPart(s string) string {
	s = strings.TrimRight(s, "/")
	return s[strings.LastIndexByte(s, '/')+1:]
}
