package worker

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math/bits"
	"slices"
	"unicode/utf8"

	"gopherlo/kernel/language"
)

// This file makes the JSON of bundles. encoding/json gives the same text (a test
// compares them), but looks at each byte of a text by itself, copies what it
// gathers as it grows, and reads values that are JSON already once more: for a
// display of megabytes that is most of its way to the front end.

// appendContent appends a content made of a bundle and of two more fields that
// are small; keys are in the order given.
func appendContent(b []byte, data language.Bundle, rest ...field) []byte {
	b = append(b, `{"data":`...)
	b = appendBundle(b, data)
	for _, f := range rest {
		b = append(b, ',')
		b = appendString(b, f.name)
		b = append(b, ':')
		b = append(b, f.value...)
	}
	return append(b, '}')
}

// field is a key with its JSON.
type field struct {
	name  string
	value []byte
}

// appendBundle appends a bundle as [encodeBundle] makes them: its values are
// texts or JSON.
func appendBundle(b []byte, data language.Bundle) []byte {
	b = append(b, '{')
	for i, mime := range slices.Sorted(maps.Keys(data)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, mime)
		b = append(b, ':')
		switch v := data[mime].(type) {
		case string:
			b = appendString(b, v)
		case json.RawMessage:
			b = append(b, v...)
		}
	}
	return append(b, '}')
}

// sizeOfBundle is about the length of the bundle's JSON: texts of any size have
// a few percent of characters that are escaped.
func sizeOfBundle(data language.Bundle) (n int) {
	for mime, v := range data {
		n += len(mime) + 8
		switch v := v.(type) {
		case string:
			n += len(v) + len(v)/16
		case json.RawMessage:
			n += len(v)
		}
	}
	return n
}

const hexDigits = "0123456789abcdef"

// appendString appends a text as a JSON string.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for len(s) > 0 {
		n := plain(s)
		b = append(b, s[:n]...)
		if s = s[n:]; s == "" {
			break
		}
		c := s[0]
		if c >= utf8.RuneSelf {
			n = wide(s)
			if n > 0 {
				b = append(b, s[:n]...)
				s = s[n:]
				continue
			}
			r, size := utf8.DecodeRuneInString(s)
			b = appendUnicode(b, r) // not UTF-8, or one of two that JavaScript takes for line ends
			s = s[size:]
			continue
		}
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		default:
			b = appendUnicode(b, rune(c))
		}
		s = s[1:]
	}
	return append(b, '"')
}

func appendUnicode(b []byte, r rune) []byte {
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// plain is the number of leading bytes that stand for themselves in JSON and are
// ASCII. It looks at eight bytes at a time.
func plain(s string) (n int) {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for ; len(s)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64([]byte(s[n : n+8]))
		quote, slash := x^'"'*ones, x^'\\'*ones
		// The high bit of each byte that is below a space, '"', '\\' or not ASCII. A
		// byte above one that is may be marked wrongly; the lowest never is.
		special := ((x-' '*ones)&^x | (quote-ones)&^quote | (slash-ones)&^slash | x) & highs
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
	for ; n < len(s); n++ {
		if c := s[n]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return n
}

// wide is the number of leading bytes that are characters beyond ASCII and stand
// for themselves.
func wide(s string) (n int) {
	for n < len(s) && s[n] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[n:])
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			break
		}
		n += size
	}
	return n
}
