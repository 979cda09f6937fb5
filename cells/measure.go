package cells

import (
	"fmt"
	"math"
	"time"
)

// Measure times loops of a growing number of rounds as IPython does: until one
// takes a fifth of a second, then that number five times.
func Measure(loop func(n int) (time.Duration, error)) (string, error) {
	first, err := loop(1)
	if err != nil {
		return "", err
	}
	n, took := 1, first
	for took < 200*time.Millisecond && n < 1e7 {
		if n > 1 || took < 20*time.Millisecond {
			n *= 10
		} else {
			n *= 2
		}
		if took, err = loop(n); err != nil {
			return "", err
		}
	}
	const rounds = 5
	var times [rounds]float64
	for i := range times {
		if took, err = loop(n); err != nil {
			return "", err
		}
		times[i] = float64(took) / float64(n)
	}
	mean, dev := stats(times[:])
	text := fmt.Sprintf("%s ± %s per loop (mean ± std. dev. of %d runs, %d loops each)\n",
		Duration(time.Duration(mean)), Duration(time.Duration(dev)), rounds, n)
	if float64(first) > 5*mean && first > time.Millisecond {
		text += "The first run took " + Duration(first) + ": it may have compiled.\n"
	}
	return text, nil
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
