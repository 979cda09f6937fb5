package hlo

import (
	"encoding/json"
	"slices"
	"strings"
)

// sortJSON returns the JSON object s with the members of every object in key
// order and without blanks; s itself if it is not JSON. Numbers and strings
// keep their spelling.
func sortJSON(s string) string {
	if !json.Valid([]byte(s)) {
		return s
	}
	p := jsonSorter{s: s}
	return p.value()
}

// jsonSorter reads a text that is known to be valid JSON.
type jsonSorter struct {
	s  string
	at int
}

func (p *jsonSorter) next() byte {
	for strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
	return p.s[p.at]
}

func (p *jsonSorter) value() string {
	switch p.next() {
	case '{':
		return p.object()
	case '[':
		var parts []string
		for p.at++; p.next() != ']'; {
			if p.s[p.at] == ',' {
				p.at++
				continue
			}
			parts = append(parts, p.value())
		}
		p.at++
		return "[" + strings.Join(parts, ",") + "]"
	case '"':
		return p.str()
	}
	start := p.at
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n,]}", p.s[p.at]) < 0 {
		p.at++
	}
	return p.s[start:p.at]
}

func (p *jsonSorter) object() string {
	type member struct{ key, value string }
	var members []member
	for p.at++; p.next() != '}'; {
		if p.s[p.at] == ',' {
			p.at++
			continue
		}
		key := p.str()
		p.next()
		p.at++ // the colon
		members = append(members, member{key, p.value()})
	}
	p.at++
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(m.key)
		b.WriteByte(':')
		b.WriteString(m.value)
	}
	b.WriteByte('}')
	return b.String()
}

func (p *jsonSorter) str() string {
	start := p.at
	for p.at++; p.s[p.at] != '"'; p.at++ {
		if p.s[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
	return p.s[start:p.at]
}
