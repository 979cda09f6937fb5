package worker

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"gopherlo/kernel/language"
)

// marks is a page of memory that a worker shares with the kernel, so that where its
// cells were is known after a death that let nothing more be said: Go's own fatal
// errors end a process without running any of its code.
type marks struct {
	file *os.File // nil once the worker has been started
	page []byte
}

// memfdCreate is the number of the system call, 0 where it is not known.
var memfdCreate = map[string]uintptr{"amd64": 319, "arm64": 279}[runtime.GOARCH]

// newMarks makes the page; without one, places are not known.
func newMarks() *marks {
	if memfdCreate == 0 {
		return nil
	}
	name := []byte("gopherlo-marks\x00")
	const closeOnExec = 1 // MFD_CLOEXEC
	fd, _, errno := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(&name[0])), closeOnExec, 0)
	if errno != 0 {
		return nil
	}
	m := &marks{file: os.NewFile(fd, "marks")}
	if err := syscall.Ftruncate(int(fd), int64(os.Getpagesize())); err != nil {
		_ = m.file.Close()
		return nil
	}
	if m.page = mapMarks(int(fd)); m.page == nil {
		_ = m.file.Close()
		return nil
	}
	return m
}

func mapMarks(fd int) []byte {
	page, err := syscall.Mmap(fd, 0, os.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	return page
}

// inheritedMarks maps the page of a worker, nil without one.
func inheritedMarks() *language.Marks {
	var st syscall.Stat_t
	if err := syscall.Fstat(marksFD, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Size != int64(os.Getpagesize()) {
		return nil
	}
	defer func() { _ = syscall.Close(marksFD) }()
	page := mapMarks(marksFD)
	if page == nil {
		return nil
	}
	return (*language.Marks)(unsafe.Pointer(&page[0]))
}

// started lets go of the file, which the worker has now.
func (m *marks) started() {
	if m != nil {
		_ = m.file.Close()
		m.file = nil
	}
}

// last is where the cells of a dead worker were, of which so many ran; "" when that
// is not known. It lets go of the page.
func (m *marks) last(running int) string {
	if m == nil || m.page == nil {
		return ""
	}
	found := *(*language.Marks)(unsafe.Pointer(&m.page[0]))
	_ = syscall.Munmap(m.page)
	m.page = nil
	return placeOf(found, running)
}

// placeOf words marks. Of several cells that ran, the statement may be of another
// than the one that died; when none ran, a goroutine that one had left made the
// marks.
func placeOf(m language.Marks, running int) string {
	switch {
	case m.Line <= 0:
		return ""
	case running != 1 || m.Statement <= 0:
		return "last seen at " + place(m.Line)
	case m.Line == m.Statement:
		return place(m.Statement)
	case m.Line/language.MarkBase == m.Statement/language.MarkBase:
		return fmt.Sprintf("%s; last seen at line %d", place(m.Statement), m.Line%language.MarkBase)
	}
	return place(m.Statement) + "; last seen at " + place(m.Line)
}

func place(mark int) string {
	cell, line := mark/language.MarkBase, mark%language.MarkBase
	if cell >= language.MarkCells {
		return fmt.Sprintf("line %d of a package", line)
	}
	return fmt.Sprintf("cell %d, line %d", cell, line)
}
