package worker

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// Death says why a worker is gone. It is an error: that of every request that
// the worker did not answer.
type Death struct {
	// Interrupted is true when the kernel killed the worker because a cell did
	// not stop.
	Interrupted bool
	// Asked is true when a cell asked for a fresh worker.
	Asked bool
	// Reason is one line for the user.
	Reason string
	// Place is where the cells were, "" when that is not known.
	Place string
	// Lines are the last lines the process wrote to its native stderr.
	Lines []string
}

// stackOverflow begins the line by which the runtime reports one.
const stackOverflow = "runtime: goroutine stack exceeds"

// deathLines is how many of the last native lines are shown.
const deathLines = 12

func (d *Death) Error() string { return d.Reason }

// newDeath names the cause. The exit status is not enough: Go turns a fatal
// signal in native code into exit status 2, so the line of descriptor 2 that
// names the cause comes first, and the status only where there is none.
func newDeath(state *os.ProcessState, killed, cause, tail string) *Death {
	d := &Death{}
	switch {
	case killed != "":
		d.Reason = killed
		return d
	case cause != "":
		d.Reason = explain(cause)
		if !runtimeAlone(cause) {
			d.Lines = linesFrom(tail, cause)
		}
	default:
		d.Reason = exitReason(state)
		d.Lines = lastLines(tail)
	}
	return d
}

// runtimeAlone reports a cause whose trace shows the runtime and no more.
func runtimeAlone(cause string) bool {
	return strings.HasPrefix(cause, stackOverflow) || isOutOfMemory(cause)
}

func isOutOfMemory(cause string) bool {
	return strings.HasPrefix(cause, "fatal error: runtime: out of memory") || strings.HasPrefix(cause, "fatal error: out of memory") ||
		strings.HasPrefix(cause, "fatal error: runtime: cannot allocate memory")
}

// explain puts a cause as the runtime words it into words for the user.
func explain(cause string) string {
	switch {
	case strings.HasPrefix(cause, stackOverflow):
		return "stack overflow, probably endless recursion (" + strings.TrimPrefix(cause, "runtime: ") + ")"
	case isOutOfMemory(cause):
		return "out of memory (" + strings.TrimPrefix(cause, "fatal error: ") + ")"
	case strings.HasPrefix(cause, "SIG"):
		return "fatal signal " + cause
	case strings.HasPrefix(cause, "F"):
		if isDigits([]byte(cause[1:min(5, len(cause))])) {
			return "a native check failed: " + cause
		}
	}
	return cause
}

// exitReason describes an exit that left no word.
func exitReason(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	switch {
	case !ok:
		return "the worker process ended: " + state.String()
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return "the worker process was killed (signal 9), by the system when memory ran out or by a user"
	case status.Signaled():
		return fmt.Sprintf("the worker process was ended by signal %d (%v)", int(status.Signal()), status.Signal())
	default:
		return fmt.Sprintf("the worker process ended with exit status %d", status.ExitStatus())
	}
}

// linesFrom returns the lines that follow the cause, which is in the reason.
func linesFrom(tail, cause string) []string {
	if i := strings.LastIndex(tail, cause); i >= 0 {
		tail = tail[i+len(cause):]
	}
	lines := splitLines(tail)
	return lines[:min(deathLines, len(lines))]
}

func lastLines(tail string) []string {
	lines := splitLines(tail)
	return lines[max(0, len(lines)-deathLines):]
}

func splitLines(s string) []string {
	s = strings.Trim(strings.ToValidUTF8(s, "\ufffd"), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
