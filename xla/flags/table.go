package flags

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Flag is one row of the flag table.
type Flag struct {
	Name string `json:"name"`
	// Type is bool, int32, int64, float, string, enum or message.
	Type     string   `json:"type"`
	Enum     []string `json:"enum,omitempty"`
	Repeated bool     `json:"repeated,omitempty"`
	// Default is as XLA's usage text prints it, "" where it is not known.
	Default     string `json:"default,omitempty"`
	Description string `json:"description,omitempty"`
	// Option and XLAFlags say where the flag works: in compiler_options, in
	// the variable XLA_FLAGS.
	Option   bool `json:"option"`
	XLAFlags bool `json:"xla_flags"`
}

// Where says it in words: "option", "XLA_FLAGS" or "both".
func (f Flag) Where() string {
	switch {
	case f.Option && f.XLAFlags:
		return "both"
	case f.Option:
		return "option"
	case f.XLAFlags:
		return "XLA_FLAGS"
	}
	return ""
}

// String is the flag on one line: name, type, default, and where it works if not
// everywhere.
func (f Flag) String() string {
	typ := f.Type
	if len(f.Enum) > 0 {
		typ = strings.Join(f.Enum, "|")
	}
	if f.Repeated {
		typ = "list of " + typ
	}
	s := f.Name + "  " + typ
	if f.Default != "" {
		s += "  = " + f.Default
	}
	if where := f.Where(); where != "both" && where != "" {
		s += "  (" + where + " only)"
	}
	return s
}

// Text lists flags, each with its description on a line of its own.
func Text(rows []Flag) string {
	var b strings.Builder
	for _, f := range rows {
		b.WriteString(f.String() + "\n")
		if f.Description != "" {
			b.WriteString("    " + f.Description + "\n")
		}
	}
	return b.String()
}

// ProbeValue is a value of XLA_FLAGS that makes XLA print its usage text.
const ProbeValue = "--xla_cpu_enable_fast_math=gopherlo"

// usageLine is "\t--name=default \ttype\ttext" of tsl::Flags::Usage.
var usageLine = regexp.MustCompile(`^\t--(\w+)=(.*?) *\t(\w+)\t(.*)$`)

// Usage reads the usage text that XLA prints. It is cut at 15 kB, in the
// middle of a line, so a last line without an end is left out.
func Usage(text string) []Flag {
	var out []Flag
	for line := range strings.Lines(text) {
		body, whole := strings.CutSuffix(line, "\n")
		m := usageLine.FindStringSubmatch(body)
		if m == nil || !whole {
			continue
		}
		out = append(out, Flag{Name: m[1], Default: m[2], Type: m[3], Description: strings.TrimSpace(m[4]), XLAFlags: true})
	}
	return out
}

// Table joins the schema, the usage text and our own descriptions, sorted by
// name. inFlags says which schema fields XLA_FLAGS takes as well; nil: those of
// the usage text.
func Table(schema, usage []Flag, inFlags map[string]bool) []Flag {
	rows := map[string]*Flag{}
	for _, f := range schema {
		rows[f.Name] = &f
	}
	for _, u := range usage {
		row := rows[u.Name]
		if row == nil {
			u.Option = false
			rows[u.Name] = &u
			continue
		}
		row.Default, row.Description, row.XLAFlags = u.Default, u.Description, true
	}
	out := make([]Flag, 0, len(rows))
	for name, row := range rows {
		if inFlags[name] {
			row.XLAFlags = true
		}
		if row.Description == "" {
			row.Description = descriptions[name]
		}
		out = append(out, *row)
	}
	slices.SortFunc(out, func(a, b Flag) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// ProbeAll is a value of XLA_FLAGS that names the given flags, with a value of
// their type, and one that no XLA knows; XLA answers with the list of all
// unknown ones.
func ProbeAll(fields []Flag) string {
	args := []string{unknownFlag}
	for _, f := range fields {
		value := ""
		switch {
		case f.Type == "enum" && len(f.Enum) > 0 && !f.Repeated:
			value = f.Enum[0]
		case f.Type == "bool":
			value = "false"
		case f.Type == "int32", f.Type == "int64", f.Type == "float", f.Type == "double":
			value = "0"
		}
		args = append(args, "--"+f.Name+"="+value)
	}
	return strings.Join(args, " ")
}

const unknownFlag = "--gopherlo_no_such_flag=1"

// refused matches the reason why a value of a known flag was not taken.
var refused = regexp.MustCompile(`(?:for flag |Illegal value for --|for --)(\w+)`)

// ReadProbe reads XLA's answer to ProbeAll: the unknown flags, or the one flag
// that is known but did not take its value.
func ReadProbe(message string) (unknown map[string]bool, known string) {
	if _, list, ok := strings.Cut(message, "in XLA_FLAGS: "); ok && strings.HasPrefix(message, "Unknown flag") {
		unknown = map[string]bool{}
		for arg := range strings.FieldsSeq(list) {
			name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
			unknown[name] = true
		}
		return unknown, ""
	}
	if m := refused.FindStringSubmatch(message); m != nil {
		return nil, m[1]
	}
	return nil, ""
}

// Match picks the flags whose name matches the pattern.
func Match(table []Flag, pattern *regexp.Regexp) []Flag {
	var out []Flag
	for _, f := range table {
		if pattern == nil || pattern.MatchString(f.Name) {
			out = append(out, f)
		}
	}
	return out
}

// Nearest gives the known name closest to a wrong one, "" when none is close:
// for the advice under XLA's own error.
func Nearest(table []Flag, name string) string {
	name = strings.TrimLeft(name, "-")
	best, bestDistance := "", max(2, len(name)/5)+1
	for _, f := range table {
		if d := distance(name, f.Name, bestDistance); d < bestDistance {
			best, bestDistance = f.Name, d
		}
	}
	return best
}

// distance is Levenshtein's, given up from most on.
func distance(a, b string, most int) int {
	if d := len(a) - len(b); d >= most || -d >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, diag+1)
			least = min(least, row[j+1])
		}
		if least >= most {
			return most
		}
	}
	return row[len(b)]
}
