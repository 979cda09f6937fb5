package flags

import (
	"regexp"
	"strings"
)

// The texts of XLA's errors on options and flags (xla/pjrt/pjrt_executable.cc,
// xla/tsl/util/command_line_flags.cc, xla/parse_flags_from_env.cc, June 2026).
var (
	noOption   = regexp.MustCompile(`No such compile option: '(.*)'$`)
	badOption  = regexp.MustCompile(`While setting option (\w+), '(?s:.*)' is not a valid \w+ value\.`)
	noFlag     = regexp.MustCompile(`^Unknown flags? in XLA_FLAGS: (.*)`)
	badFlag    = regexp.MustCompile(`Couldn't interpret value .* for flag (\w+)\.|Illegal value for --(\w+) `)
	notAFile   = regexp.MustCompile(`We assumed "(?s:(.*))" was a file name`)
	spelledOut = strings.NewReplacer("-", "_", " ", "", "\t", "")
)

// Advice says what may help against XLA's error on an option or a flag, "" when
// nothing is known. XLA's own words stay as they are. table may be a plugin's
// Schema.
func Advice(table []Flag, message string) string {
	if m := noOption.FindStringSubmatch(message); m != nil {
		return didYouMean(table, m[1], func(f Flag) bool { return f.Option }, "`gopherlo flags REGEX` lists the options")
	}
	if m := noFlag.FindStringSubmatch(message); m != nil && strings.TrimSpace(m[1]) != "" {
		name, _, valued := strings.Cut(strings.Fields(m[1])[0], "=")
		for _, f := range table {
			switch {
			case strings.TrimLeft(name, "-") != f.Name:
			case !strings.HasPrefix(name, "--"):
				return "flags begin with two dashes: --" + f.Name
			case !valued: // only a bool can stand alone
				return takes(table, f.Name, false) + ": --" + f.Name + "=…"
			}
		}
		return didYouMean(table, name, func(Flag) bool { return true }, "`gopherlo flags REGEX` lists the flags")
	}
	if m := badOption.FindStringSubmatch(message); m != nil {
		return takes(table, m[1], true)
	}
	if m := badFlag.FindStringSubmatch(message); m != nil {
		return takes(table, m[1]+m[2], false)
	}
	if m := notAFile.FindStringSubmatch(message); m != nil {
		return "flags in XLA_FLAGS begin with --, such as --xla_dump_to=/tmp/dump"
	}
	return ""
}

func didYouMean(table []Flag, name string, fits func(Flag) bool, otherwise string) string {
	var known []Flag
	for _, f := range table {
		if fits(f) {
			known = append(known, f)
		}
	}
	plain := strings.ToLower(spelledOut.Replace(strings.TrimLeft(name, "- ")))
	plain, _, _ = strings.Cut(plain, "=")
	if near := Nearest(known, plain); near != "" {
		return "did you mean " + near + "?"
	}
	// A name without its prefix is a common slip.
	for _, f := range known {
		if plain != "" && strings.TrimPrefix(f.Name, "xla_") == plain {
			return "did you mean " + f.Name + "?"
		}
	}
	return otherwise
}

// takes says which values a flag takes: as an option XLA is stricter than in
// XLA_FLAGS.
func takes(table []Flag, name string, option bool) string {
	for _, f := range table {
		if f.Name != name {
			continue
		}
		switch {
		case f.Repeated && len(f.Enum) > 0:
			return name + " takes names with commas between them: " + strings.Join(f.Enum, ", ")
		case f.Repeated:
			return name + " takes names with commas between them, in one string"
		case len(f.Enum) > 0:
			return name + " takes one of " + strings.Join(f.Enum, ", ")
		}
		return name + " takes " + kindOfValue(f.Type, option)
	}
	return ""
}

func kindOfValue(typ string, option bool) string {
	switch typ {
	case "bool":
		if option {
			return `true or false (as a string "True" or "False")`
		}
		return "true or false"
	case "int32":
		return "a whole number of 32 bits"
	case "int64":
		return "a whole number"
	case "float", "double":
		if option {
			return "a float, such as 0.5 or 1.0 (not the integer 1)"
		}
		return "a number"
	case "string":
		return "a string"
	}
	return "a " + typ
}
