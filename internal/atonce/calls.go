package atonce

import (
	"syscall"
	"unsafe"
)

// call makes a system call on memory without telling the scheduler.
func call(number, fd uintptr, p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	return int(n), errno
}

// Waiting is how many bytes a pipe holds, 0 when that is not known.
func Waiting(fd uintptr) int {
	const fionread = 0x541b
	var left int32
	if _, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, fd, fionread, uintptr(unsafe.Pointer(&left))); errno != 0 {
		return 0
	}
	return int(left)
}

// Getwd is the working folder, "" when it is not known.
func Getwd() string {
	var buf [4096]byte // as long as a path can be
	n, _, errno := syscall.RawSyscall(syscall.SYS_GETCWD, uintptr(unsafe.Pointer(&buf)), uintptr(len(buf)), 0)
	if errno != 0 || n < 2 || buf[0] != '/' { // one that cannot be reached begins otherwise
		return ""
	}
	return string(buf[:n-1])
}

// Lasting tells the scheduler that what follows may last.
func Lasting() { _, _, _ = syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0) }
