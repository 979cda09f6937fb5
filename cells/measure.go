package cells

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Timing is how %timeit measures. Zero values are chosen for it.
type Timing struct {
	// Loops is how often a run does what is timed, Runs how many runs there are.
	Loops, Runs int
}

const (
	standardRuns = 7
	maxLoops     = 1e9
	maxRuns      = 1000
)

// ParseTiming reads the options -n LOOPS and -r RUNS in front of what is timed,
// "-n100" too.
func ParseTiming(args string) (t Timing, rest string, err error) {
	rest = strings.TrimSpace(args)
	for len(rest) > 1 && rest[0] == '-' && (rest[1] == 'n' || rest[1] == 'r') {
		option := rest[:2]
		word, after, _ := strings.Cut(strings.TrimLeft(rest[2:], " \t"), " ")
		if i := strings.IndexByte(word, '\n'); i >= 0 {
			word, after = word[:i], word[i:]+" "+after
		}
		n, err := strconv.Atoi(word)
		switch {
		case option == "-n" && err == nil && n > 0 && n <= maxLoops:
			t.Loops = n
		case option == "-r" && err == nil && n > 0 && n <= maxRuns:
			t.Runs = n
		default:
			return t, rest, fmt.Errorf("%s takes a number from 1, not %q", option, word)
		}
		rest = strings.TrimLeft(after, " \t")
	}
	return t, rest, nil
}

// Measure times loops as IPython does: of a growing number of rounds, until one
// takes a fifth of a second, then that number seven times.
func Measure(loop func(n int) (time.Duration, error)) (string, error) {
	return Timing{}.Measure(loop)
}

// Measure times loops.
func (t Timing) Measure(loop func(n int) (time.Duration, error)) (string, error) {
	first, err := loop(1)
	if err != nil {
		return "", err
	}
	n, took := max(t.Loops, 1), first
	for t.Loops == 0 && took < 200*time.Millisecond && n < 1e7 {
		if n > 1 || took < 20*time.Millisecond {
			n *= 10
		} else {
			n *= 2
		}
		if took, err = loop(n); err != nil {
			return "", err
		}
	}
	runs := t.Runs
	if runs == 0 {
		runs = standardRuns
	}
	times := make([]float64, runs)
	for i := range times {
		if took, err = loop(n); err != nil {
			return "", err
		}
		times[i] = float64(took) / float64(n)
	}
	mean, dev := stats(times)
	text := fmt.Sprintf("%s ± %s per loop (mean ± std. dev. of %s, %s each)\n",
		Duration(time.Duration(mean)), Duration(time.Duration(dev)), counted(runs, "run"), counted(n, "loop"))
	if best := slices.Min(times); best > 0 && slices.Max(times) > 4*best {
		text += fmt.Sprintf("The slowest run took %.1f times as long as the fastest: something else ran beside, or the first keeps what later ones use.\n", slices.Max(times)/best)
	}
	if float64(first) > 5*mean && first > time.Millisecond {
		text += "The first run took " + Duration(first) + ": it may have compiled.\n"
	}
	return text, nil
}

// counted is a number, in groups of three digits, with its noun.
func counted(n int, noun string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n == 1 {
		return digits + " " + noun
	}
	return digits + " " + noun + "s"
}

func stats(xs []float64) (mean, dev float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		dev += (x - mean) * (x - mean) / float64(len(xs))
	}
	return mean, math.Sqrt(dev)
}

// Duration writes a time with three digits.
func Duration(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%.3g ns", float64(d.Nanoseconds()))
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(d.Nanoseconds())/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d.Nanoseconds())/1e6)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}
