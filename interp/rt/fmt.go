package rt

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The functions of package fmt that cells get. Boxes print themselves; only
// %T and %p, which fmt handles before it asks a value, need a hand.

// format replaces verbs and arguments so that fmt itself prints %T and %p of
// boxed values.
func (s *Session) format(format string, args []any) (string, []any) {
	if !anyBoxed(args) {
		return format, args
	}
	var out strings.Builder
	out.Grow(len(format))
	args = append([]any{}, args...)
	next, numbered := 0, false
	byNumber := strings.Contains(format, "[")
	for i := 0; i < len(format); {
		if format[i] != '%' {
			out.WriteByte(format[i])
			i++
			continue
		}
		j := i + 1
		for j < len(format) && strings.IndexByte("+-# 0.[]*", format[j]) >= 0 || j < len(format) && format[j] >= '0' && format[j] <= '9' {
			switch format[j] {
			case '*':
				next++
			case '[':
				if k := strings.IndexByte(format[j:], ']'); k > 0 {
					if n, err := strconv.Atoi(format[j+1 : j+k]); err == nil {
						next, numbered = n-1, true
					}
				}
			}
			j++
		}
		if j >= len(format) {
			out.WriteString(format[i:])
			break
		}
		verb, size := utf8.DecodeRuneInString(format[j:])
		spec := format[i:j]
		i = j + size
		if verb == '%' {
			out.WriteString(spec + "%")
			continue
		}
		if next < len(args) && byNumber {
			// The argument may serve other verbs too: it stays where it is.
			spec = indexRE.ReplaceAllString(spec, "")
			n := next
			if _, boxed := unbox(args[n]); boxed && (verb == 'T' || verb == 'p') {
				args = append(args, args[n])
				n = len(args) - 1
			}
			verb = s.replace(args, n, verb)
			spec += "[" + strconv.Itoa(n+1) + "]"
		} else if next < len(args) {
			verb = s.replace(args, next, verb)
		}
		next++
		out.WriteString(spec)
		out.WriteRune(verb)
	}
	for i := next; i < len(args) && !numbered; i++ { // fmt names their types
		if b, ok := unbox(args[i]); ok {
			args[i] = s.asFacade(b).Interface()
		}
	}
	return out.String(), args
}

var indexRE = regexp.MustCompile(`\[\d+\]$`)

// replace changes argument n of a %T or %p verb.
func (s *Session) replace(args []any, n int, verb rune) rune {
	b, ok := unbox(args[n])
	if !ok {
		return verb
	}
	switch verb {
	case 'T':
		args[n] = TypeString(b.T.T)
		return 's'
	case 'p':
		args[n] = b.V
	}
	return verb
}

func anyBoxed(args []any) bool {
	for _, a := range args {
		if _, ok := unbox(a); ok {
			return true
		}
	}
	return false
}

func (s *Session) plain(args []any) []any {
	for i, a := range args {
		args[i] = s.A(a)
	}
	return args
}

func (s *Session) fmtSymbols() map[string]any {
	return map[string]any{
		"Print":   func(a ...any) (int, error) { return s.out(fmt.Sprint(s.plain(a)...)) },
		"Println": func(a ...any) (int, error) { return s.out(fmt.Sprintln(s.plain(a)...)) },
		"Printf": func(f string, a ...any) (int, error) {
			f, a = s.format(f, s.plain(a))
			return s.out(fmt.Sprintf(f, a...))
		},
		"Sprint":   func(a ...any) string { return fmt.Sprint(s.plain(a)...) },
		"Sprintln": func(a ...any) string { return fmt.Sprintln(s.plain(a)...) },
		"Sprintf": func(f string, a ...any) string {
			f, a = s.format(f, s.plain(a))
			return fmt.Sprintf(f, a...)
		},
		"Fprint":   func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(w, s.plain(a)...) },
		"Fprintln": func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(w, s.plain(a)...) },
		"Fprintf": func(w io.Writer, f string, a ...any) (int, error) {
			f, a = s.format(f, s.plain(a))
			return fmt.Fprintf(w, f, a...)
		},
		"Errorf": func(f string, a ...any) error {
			a = s.plain(a)
			for i, x := range a {
				if b, ok := x.(errBox); ok { // it may be wrapped
					a[i] = s.E(b)
				}
			}
			f, a = s.format(f, a)
			return fmt.Errorf(f, a...)
		},
		"Append":   func(b []byte, a ...any) []byte { return fmt.Append(b, s.plain(a)...) },
		"Appendln": func(b []byte, a ...any) []byte { return fmt.Appendln(b, s.plain(a)...) },
		"Appendf": func(b []byte, f string, a ...any) []byte {
			f, a = s.format(f, s.plain(a))
			return fmt.Appendf(b, f, a...)
		},
	}
}

func (s *Session) out(text string) (int, error) {
	s.stream("stdout", text)
	return len(text), nil
}
