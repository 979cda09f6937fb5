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

type rootState struct {
	next int64
	used map[int64]bool
}

func newUniquer() *uniquer {
	return &uniquer{roots: make(map[string]*rootState), safe: make(map[string]string)}
}

// get gives a name that is not taken yet.
func (u *uniquer) get(name string) string {
	root, num, suffixed := u.split(name)
	s := u.roots[root]
	if s == nil {
		s = &rootState{used: make(map[int64]bool)}
		u.roots[root] = s
	}
	if s.used[num] {
		for s.used[s.next] {
			s.next++
		}
		num = s.next
		s.next++
	}
	s.used[num] = true
	if num != 0 {
		return root + "." + strconv.FormatInt(num, 10)
	}
	if suffixed {
		return root + ".0"
	}
	return root
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
