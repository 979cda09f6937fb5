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
	f := &verbWriter{s: s, format: format, args: append([]any{}, args...), byNumber: strings.Contains(format, "[")}
	f.out.Grow(len(format))
	for i := 0; i < len(format); {
		if format[i] != '%' {
			f.out.WriteByte(format[i])
			i++
			continue
		}
		j := f.flags(i + 1)
		if j >= len(format) {
			f.out.WriteString(format[i:])
			break
		}
		verb, size := utf8.DecodeRuneInString(format[j:])
		f.verb(format[i:j], verb)
		i = j + size
	}
	for i := f.next; i < len(f.args) && !f.numbered; i++ { // fmt names their types
		if b, ok := unbox(f.args[i]); ok {
			f.args[i] = s.asFacade(b).Interface()
		}
	}
	return f.out.String(), f.args
}

// verbWriter writes a format whose verbs are being replaced.
type verbWriter struct {
	s        *Session
	format   string
	args     []any
	next     int  // the argument of the next verb
	numbered bool // a verb has named its argument, %[2]d
	byNumber bool // some verb may
	out      strings.Builder
}

// flags gives the end of the flags, width and precision that begin at i.
func (f *verbWriter) flags(i int) int {
	for ; i < len(f.format); i++ {
		c := f.format[i]
		if strings.IndexByte("+-# .[]*", c) < 0 && (c < '0' || c > '9') {
			break
		}
		switch c {
		case '*':
			f.next++
		case '[':
			if k := strings.IndexByte(f.format[i:], ']'); k > 0 {
				if n, err := strconv.Atoi(f.format[i+1 : i+k]); err == nil {
					f.next, f.numbered = n-1, true
				}
			}
		}
	}
	return i
}

// verb writes a verb, of which spec is the part before its letter.
func (f *verbWriter) verb(spec string, verb rune) {
	if verb == '%' {
		f.out.WriteString(spec + "%")
		return
	}
	if f.next < len(f.args) && f.byNumber {
		// The argument may serve other verbs too: it stays where it is.
		spec = indexRE.ReplaceAllString(spec, "")
		n := f.next
		if anyBoxed(f.args[n:n+1]) && (verb == 'T' || verb == 'p' || verb == 'w') {
			f.args = append(f.args, f.args[n])
			n = len(f.args) - 1
		}
		verb = f.s.replace(f.args, n, verb)
		spec += "[" + strconv.Itoa(n+1) + "]"
	} else if f.next < len(f.args) {
		verb = f.s.replace(f.args, f.next, verb)
	}
	f.next++
	f.out.WriteString(spec)
	f.out.WriteRune(verb)
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
	case 'w':
		args[n] = s.asFacade(b).Interface() // fmt names its type where it cannot be wrapped
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
		args[i] = s.deep(s.A(a))
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
			f, a = s.format(f, s.plain(a))
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

// out prints to the cell, or to the file that a cell has put in the place of
// os.Stdout, as programs do that look at what is printed.
func (s *Session) out(text string) (int, error) {
	if f := s.printsTo(); f != nil {
		return waitOn(s, f, func() (int, error) { return f.WriteString(text) })
	}
	s.stream("stdout", text)
	return len(text), nil
}
