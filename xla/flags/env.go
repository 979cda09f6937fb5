package flags

import (
	"os"
	"strconv"
	"strings"
)

// Setting is one flag of a value of XLA_FLAGS.
type Setting struct{ Name, Value string }

// Typed is the value as an option of the flag's type would have it; row may be
// nil.
func (s Setting) Typed(row *Flag) any {
	if row == nil || row.Repeated {
		return s.Value
	}
	switch row.Type {
	case "bool":
		if b, err := strconv.ParseBool(s.Value); err == nil {
			return b
		}
	case "int32", "int64":
		if n, err := strconv.ParseInt(s.Value, 10, 64); err == nil {
			return n
		}
	case "float", "double":
		if f, err := strconv.ParseFloat(s.Value, 64); err == nil {
			return f
		}
	}
	return s.Value
}

const blanks = " \t\r\n"

// ParseEnv takes a value of XLA_FLAGS apart as XLA does
// (xla/parse_flags_from_env.cc, June 2026): blanks stand between the flags,
// quotes around a value, a flag without a value is true, and a text that does
// not start with a dash names a file with the flags. A flag that is given
// twice has its last value, at its last place. Texts that XLA would refuse
// give what can be read of them.
func ParseEnv(value string) []Setting {
	text := strings.TrimLeft(value, blanks)
	if text != "" && text[0] != '-' {
		data, err := os.ReadFile(value)
		if err != nil {
			return nil
		}
		text = strings.TrimLeft(string(data), blanks)
	}
	var out []Setting
	for text != "" && text[0] == '-' {
		var s Setting
		s, text = cutSetting(text)
		for i, old := range out {
			if old.Name == s.Name {
				out = append(out[:i], out[i+1:]...)
				break
			}
		}
		out = append(out, s)
		text = strings.TrimLeft(text, blanks)
	}
	return out
}

// cutSetting reads the flag that text starts with.
func cutSetting(text string) (s Setting, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if end < 0 {
		end = len(text)
	}
	if end+1 < len(text) && text[end] == '=' && (text[end+1] == '"' || text[end+1] == '\'') {
		s.Name = strings.TrimPrefix(text[:end], "--")
		s.Value, rest = unquote(text[end+1:])
		return s, rest
	}
	word := text[end:]
	if n := strings.IndexAny(word, blanks); n >= 0 {
		word, rest = word[:n], word[n:]
	}
	name, val, has := strings.Cut(text[:end]+word, "=")
	if !has {
		val = "true"
	}
	return Setting{strings.TrimPrefix(name, "--"), val}, rest
}

// unquote reads up to the closing quote; without one the rest is the value.
// Between double quotes a backslash keeps the next character.
func unquote(text string) (value, rest string) {
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return b.String(), text[i+1:]
		case c == '\\' && quote == '"' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
