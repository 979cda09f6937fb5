package worker

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// memoryTick is how often the worker's memory is looked at.
const memoryTick = 200 * time.Millisecond

// watchMemory kills a worker whose resident memory passes the limit. The size
// of the address space says nothing: Go and XLA both reserve far more. It runs
// while the kernel is idle too, so it does next to nothing: the memory of a
// program that sleeps is the code that it wakes up for.
func (s *Supervisor) watchMemory(p *process) {
	fd, err := syscall.Open("/proc/"+strconv.Itoa(p.pid)+"/statm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		s.opts.Log.Warn("memory is not watched", "err", err)
		return
	}
	defer func() { _ = syscall.Close(fd) }()
	t := time.NewTicker(memoryTick)
	defer t.Stop()
	var buf [128]byte
	page := int64(os.Getpagesize())
	for {
		select {
		case <-p.dead:
			return
		case <-t.C:
			n, _ := syscall.Pread(fd, buf[:], 0)
			if used := residentPages(buf[:max(n, 0)]) * page; used > s.opts.MemoryLimit {
				p.kill(fmt.Sprintf("out of memory: the worker used %d MB, its limit is %d MB", used>>20, s.opts.MemoryLimit>>20))
				return
			}
		}
	}
}

// residentPages is the second number of a statm file, 0 if there is none.
func residentPages(statm []byte) (pages int64) {
	field := 0
	for _, c := range statm {
		switch {
		case c == ' ':
			field++
		case field == 1 && '0' <= c && c <= '9':
			pages = 10*pages + int64(c-'0')
		}
	}
	return pages
}
