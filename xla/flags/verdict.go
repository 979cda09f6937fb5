package flags

import (
	"regexp"
	"strings"
)

// Error is a value of XLA_FLAGS that XLA refuses by ending the process.
type Error struct {
	// Message is XLA's own reason.
	Message string
}

// Error gives XLA's words.
func (e *Error) Error() string { return e.Message }

// logLine matches a line of absl's log: severity, date, time, thread, place.
var logLine = regexp.MustCompile(`^([EF])\d{4} [\d:.]+\s+\d+ ([^\]]*)\] (.*)$`)

// Verdict reads what a process with bad XLA_FLAGS wrote before it ended, ""
// meaning that it did not end. The reason is the last F line, except that for a
// bad value it is the E line before it: the F line only says "Flag parsing
// failed" and is followed by XLA's list of flags
// (xla/parse_flags_from_env.cc, June 2026).
func Verdict(output string) error {
	if output == "" {
		return nil
	}
	var reason, before string
	for line := range strings.Lines(output) {
		m := logLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case m == nil:
		case m[1] == "E":
			before = m[3]
		default:
			reason = m[3]
			if strings.Contains(reason, "Flag parsing failed") && before != "" {
				reason = before
			}
		}
	}
	if reason == "" {
		reason = strings.TrimSpace(output)
		if reason == "" {
			reason = "XLA ended the process without a word"
		}
		if len(reason) > 2000 {
			reason = reason[len(reason)-2000:]
		}
	}
	return &Error{Message: reason}
}
