package resident

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Memory is how many bytes the process can have at most: the machine's memory, or
// what its control groups leave of it; 0 when unknown.
func Memory() int64 {
	least := int64(math.MaxInt64)
	for _, n := range append(groupLimits("/sys/fs/cgroup", read("/proc/self/cgroup")), machineMemory(read("/proc/meminfo"))) {
		if n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

func read(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(b)
}

// machineMemory is MemTotal of /proc/meminfo.
func machineMemory(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			kB, _ := strconv.ParseInt(f[1], 10, 64)
			return kB << 10
		}
	}
	return 0
}

// groupLimits are the limits of the control groups (version 2, or the memory
// controller of version 1) that /proc/self/cgroup names, and of those around them.
func groupLimits(root, groups string) (limits []int64) {
	for line := range strings.Lines(groups) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		base, file := root, "memory.max"
		if f[1] == "memory" {
			base, file = filepath.Join(root, "memory"), "memory.limit_in_bytes"
		} else if f[0] != "0" {
			continue
		}
		for dir := filepath.Clean("/" + f[2]); ; dir = filepath.Dir(dir) {
			// "max", and version 1's number for no limit, are no smaller than the machine.
			if n, err := strconv.ParseInt(strings.TrimSpace(read(filepath.Join(base, dir, file))), 10, 64); err == nil {
				limits = append(limits, n)
			}
			if dir == "/" {
				break
			}
		}
	}
	return limits
}
