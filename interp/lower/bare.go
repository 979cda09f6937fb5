package lower

import (
	"strconv"
	"strings"
)

// list joins the elements of a composite literal. They lose their outer
// parentheses: yaegi's guess at the type of a parenthesised element takes the
// dereference of a pointer for a type.
func list(parts []string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = bare(p)
	}
	return strings.Join(out, ", ")
}

// items joins the elements of a slice.
func items(parts []string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = item(i, p)
	}
	return list(out)
}

// item is an element of an array or a slice. yaegi guesses the types of elements
// without a key, and fails where a part of one is the element of a compiled
// type, or of what a pointer points to, which it takes for a pointer's type.
func item(i int, part string) string {
	part = bare(part)
	if strings.Contains(part, "(*") && (strings.Contains(part, ").") || strings.Contains(part, ")[")) {
		return strconv.Itoa(i) + ": " + part
	}
	if !strings.Contains(part, "]") {
		return part
	}
	if strings.ContainsRune("*&-!^", rune(part[0])) || strings.Contains(part, "].") || strings.Contains(part, "][") || strings.Contains(part, "])") {
		return strconv.Itoa(i) + ": " + part
	}
	return part
}

// bare takes off the parentheses around all of a text.
func bare(s string) string {
	for len(s) > 1 && s[0] == '(' && closing(s) == len(s)-1 {
		s = s[1 : len(s)-1]
	}
	return s
}

// closing finds the end of the parenthesis that s begins with; -1 where the
// text has quotes before it, in which a parenthesis means nothing.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '"', '\'', '`':
			return -1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
