package worker

import (
	"os"
	"os/signal"
	"syscall"
	"unsafe"
)

// ReapOrphans collects the processes that are handed to this one because their
// parents have ended, as it falls to process 1 of a container. The worker
// itself is left to its supervisor. It does nothing in any other process.
func (s *Supervisor) ReapOrphans() {
	if os.Getpid() != 1 {
		return
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	go func() {
		for range ended {
			for pid := endedChild(); pid > 0 && pid != s.PID(); pid = endedChild() {
				_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			}
		}
	}()
}

// endedChild returns the number of a child that has ended and has not been
// collected, 0 when there is none.
func endedChild() int {
	const (
		anyChild = 0
		how      = 0x4 | 0x1 | 0x1000000 // WEXITED | WNOHANG | WNOWAIT
	)
	var info [128]byte // siginfo_t; on 64-bit machines the process number is at byte 16
	_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, anyChild, 0, uintptr(unsafe.Pointer(&info)), how, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(*(*int32)(unsafe.Pointer(&info[16])))
}
