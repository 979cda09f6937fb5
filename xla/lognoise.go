package xla

import (
	"bytes"
	"regexp"
	"sync"
)

// LogFilter tells which lines of XLA's log say nothing new: absl's remark that
// its log is not set up, the copy of an error that is raised anyway, and the
// warning that a cached executable wants the pseudo features prefer-no-gather
// and prefer-no-scatter, which no processor reports. Everything else is shown.
// One filter reads one stream; it is safe for concurrent use.
type LogFilter struct {
	mu sync.Mutex
	// after says that the last log line was dropped as a copy, so that the
	// lines that continue it go too.
	after bool
	trace bool // inside a stack trace of such a copy
}

var (
	abslLine   = regexp.MustCompile(`^[IWEF]\d{4} [\d:.]+\s+\d+ (\S+?):\d+\] (.*)`)
	abslRemark = []byte("WARNING: All log messages before absl::InitializeLog() is called are written to STDERR")
	statusCopy = regexp.MustCompile(`^(?:ExecutePrepareWithOomRetries failed: )?(?:CANCELLED|UNKNOWN|INVALID_ARGUMENT|NOT_FOUND|ALREADY_EXISTS|FAILED_PRECONDITION|OUT_OF_RANGE|UNIMPLEMENTED|INTERNAL): `)
	feature    = regexp.MustCompile(`Target machine feature \+?([\w.-]+) is not\s+supported on the host machine`)
)

// The files of XLA that log a status and return it too (June 2026).
var copyFiles = map[string]bool{"status_macros.cc": true, "common_pjrt_client.cc": true}

// Drop says whether a line, with its newline or without, is not to be shown.
func (f *LogFilter) Drop(line []byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := bytes.TrimRight(line, "\r\n")
	m := abslLine.FindSubmatch(text)
	if m == nil {
		return bytes.Equal(text, abslRemark) || f.continues(text)
	}
	f.after, f.trace = false, false
	if text[0] != 'E' {
		return false
	}
	if copyFiles[string(m[1])] && statusCopy.Match(m[2]) {
		f.after = true
		return true
	}
	if m := feature.FindSubmatch(m[2]); m != nil {
		name := string(m[1])
		return name == "prefer-no-gather" || name == "prefer-no-scatter"
	}
	return false
}

// continues says whether a line goes on with a dropped copy: its stack trace,
// or the further lines of XLA's numbered errors.
func (f *LogFilter) continues(text []byte) bool {
	if !f.after {
		return false
	}
	switch {
	case bytes.Equal(text, []byte("*** Begin stack trace ***")):
		f.trace = true
	case bytes.Equal(text, []byte("*** End stack trace ***")):
		f.trace = false
	case f.trace, len(text) == 0:
	case bytes.HasPrefix(text, []byte("Executable(")):
	case bytes.HasPrefix(text, []byte("See https://openxla.org/xla/errors/")):
		f.after = false
	default:
		f.after = false
		return false
	}
	return true
}
