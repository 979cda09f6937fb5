// Package resident gives back memory that a process touched while it started
// and may not need again.
//
// A program of some size, and a plugin of hundreds of megabytes, are read page
// by page while they are linked and initialised. Those pages stay mapped, and
// count as the process's memory, though they are only copies of the file. Once
// unmapped they come back from the page cache when they are used.
package resident

import (
	"bufio"
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// Trim collects garbage, returns free memory to the system and unmaps the pages
// of files that have not been written to. It costs some milliseconds, and the
// next use of some pages a microsecond.
func Trim() {
	debug.FreeOSMemory()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range clean(maps) {
		// The pages come back a few at a time: where the page cache is made of huge
		// pages, one byte of the program would bring two megabytes of it.
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, m.from, m.to-m.from, syscall.MADV_NOHUGEPAGE)
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, m.from, m.to-m.from, syscall.MADV_DONTNEED)
	}
}

// mapping is a range of addresses.
type mapping struct{ from, to uintptr }

// clean finds the mappings of files that can be read again from the file: those
// that nobody may write to and that hold no page of their own. (What the linker
// has relocated, and then made read-only, is such a page.)
func clean(smaps []byte) (list []mapping) {
	var m mapping
	file, own, resident := false, false, false
	end := func() {
		if file && !own && resident {
			list = append(list, m)
		}
		file, own, resident = false, true, false
	}
	for s := bufio.NewScanner(bytes.NewReader(smaps)); s.Scan(); {
		words := strings.Fields(s.Text())
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "Rss:":
			resident = words[1] != "0"
		case "Private_Dirty:", "Shared_Dirty:", "Anonymous:", "Swap:", "Locked:":
			own = own || words[1] != "0"
		}
		from, to, ok := strings.Cut(words[0], "-")
		if !ok || len(words) < 5 {
			continue
		}
		end()
		a, err1 := strconv.ParseUint(from, 16, 64)
		b, err2 := strconv.ParseUint(to, 16, 64)
		m = mapping{uintptr(a), uintptr(b)}
		file = err1 == nil && err2 == nil && len(words) > 5 && strings.HasPrefix(words[5], "/") &&
			strings.HasPrefix(words[1], "r-") && strings.HasSuffix(words[1], "p")
		own = false
	}
	end()
	return list
}
