// Package descendants finds and signals the processes that a process has started,
// and those that these have started. A shell that is killed leaves what it runs
// behind: an interrupt has to end both.
package descendants

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Signal sends a signal to a child of this process and to its descendants, which
// it returns. Where there is no /proc it reaches the child alone.
func Signal(pid int, sig syscall.Signal) (all []int) {
	all = of(pid)
	for _, p := range all {
		_ = syscall.Kill(p, sig)
	}
	return all
}

// rounds bounds how often Kill looks for processes that were started meanwhile.
const rounds = 8

// Kill ends a child of this process and its descendants. They are stopped first:
// one whose parent is gone is nobody's descendant any more.
func Kill(pid int) {
	known := 0
	for range rounds {
		all := of(pid)
		if len(all) == known {
			break
		}
		known = len(all)
		for _, p := range all {
			_ = syscall.Kill(p, syscall.SIGSTOP)
		}
	}
	Signal(pid, syscall.SIGKILL)
}

// of lists a process and its descendants, parents first.
func of(pid int) []int {
	children := map[int][]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range files {
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			continue
		}
		if text, err := os.ReadFile(name); err == nil {
			p := parent(text)
			children[p] = append(children[p], child)
		}
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// parent reads the parent's number in a stat file: the second field after the
// name, which stands in parentheses and may hold any character. A process that
// has ended has none.
func parent(stat []byte) int {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 || string(fields[0]) == "Z" {
		return 0
	}
	n, _ := strconv.Atoi(string(fields[1]))
	return n
}
