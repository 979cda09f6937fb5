package install

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
)

// Level grades a check of the doctor.
type Level int

// The levels, from good to bad. A Warning leaves the kernel usable.
const (
	OK Level = iota
	Warning
	Failure
)

// String is the word that the report shows.
func (l Level) String() string {
	switch l {
	case OK:
		return "ok"
	case Warning:
		return "warn"
	default:
		return "FAIL"
	}
}

// Check is one finding of the doctor: what was looked at, what was found, and,
// unless all is well, what to do about it.
type Check struct {
	Name  string
	Level Level
	Found string
	Fix   string
}

// Doctor checks the platform, Jupyter's view of the kernel and whatever else
// the given functions look at, prints one line per check as soon as it is
// known, and reports whether no check failed.
func Doctor(w io.Writer, more ...func() []Check) bool {
	healthy := true
	sections := append([]func() []Check{platformChecks, limitChecks, jupyterChecks, kernelspecChecks}, more...)
	for _, section := range sections {
		for _, check := range section() {
			fmt.Fprintf(w, "%-4s  %-12s %s\n", check.Level, check.Name, check.Found)
			if check.Level != OK && check.Fix != "" {
				fmt.Fprintf(w, "      %-12s %s\n", "", check.Fix)
			}
			if check.Level == Failure {
				healthy = false
			}
		}
	}
	return healthy
}

// platformChecks tells whether compiled programs can run here at all.
func platformChecks() []Check {
	platform := Check{Name: "platform", Found: runtime.GOOS + "/" + runtime.GOARCH}
	switch platform.Found {
	case "linux/amd64":
	case "linux/arm64":
		platform.Level = Warning
		platform.Fix = "one plugin wheel exists for this platform; its self-test decides"
	default:
		platform.Level = Warning
		platform.Fix = "no CPU plugin is published for this platform: tracing and texts work, compile and execute do not"
	}
	checks := []Check{platform}
	if runtime.GOOS == "linux" {
		checks = append(checks, glibcCheck())
	}
	return checks
}

// minGlibc is what the default plugin's wheel tag (manylinux_2_27) asks for.
var minGlibc = [2]int{2, 27}

func glibcCheck() Check {
	check := Check{Name: "glibc"}
	out, err := exec.Command("getconf", "GNU_LIBC_VERSION").Output()
	if err != nil {
		check.Level = Warning
		check.Found = "not found (getconf GNU_LIBC_VERSION failed)"
		check.Fix = "plugins need glibc; musl systems such as Alpine cannot load them"
		return check
	}
	check.Found = strings.TrimPrefix(strings.TrimSpace(string(out)), "glibc ")
	var have [2]int
	if _, err := fmt.Sscanf(check.Found, "%d.%d", &have[0], &have[1]); err != nil {
		return check
	}
	if have[0] < minGlibc[0] || have[0] == minGlibc[0] && have[1] < minGlibc[1] {
		check.Level = Failure
		check.Fix = fmt.Sprintf("the CPU plugin needs glibc %d.%d or newer", minGlibc[0], minGlibc[1])
	}
	return check
}
