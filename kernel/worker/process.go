package worker

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"gopherlo/internal/atonce"
)

// pipeSize is the capacity asked for the message pipe; a flood of output then
// needs fewer switches between the two processes.
const pipeSize = 1 << 20

// deathSignal is sent to a worker when the kernel dies, beside the end of its
// request pipe. It is one that can be caught: SIGKILL would end the worker
// before it has killed its group, and leave the children of its cells.
const deathSignal = syscall.SIGTERM

// process is one worker process: from its start to the report of its death.
type process struct {
	cmd    *exec.Cmd
	pid    int
	in     *sender  // requests
	inFile *os.File // closed to ask the worker to go
	out    *os.File // messages
	native *native  // descriptors 1 and 2
	marks  *marks   // where its cells are, nil when that is not known
	born   time.Time

	ready chan struct{} // closed by the ready frame
	drawn chan struct{} // closed when the message pipe has been read to its end
	dead  chan struct{} // closed when the process is gone and death is set
	death *Death

	mu     sync.Mutex
	useful bool                    // a cell has ended
	calls  map[int64]chan *message // who waits for which done or answer frame
	killed string                  // why the kernel killed it, if it did
	worked bool                    // it has run a cell
	// retires tells that a cell has asked for a fresh worker.
	retires bool
}

// itself is this program as it runs, whatever has become of its file; where there
// is no /proc, the file.
func itself() string {
	const running = "/proc/self/exe"
	if _, err := os.Stat(running); err == nil {
		return running
	}
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path
		}
	}
	return running
}

// forks runs every fork on one thread that never ends: the death signal that
// the workers ask for is sent when the thread that forked them dies.
var forks = sync.OnceValue(func() chan<- func() {
	c := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range c {
			f()
		}
	}()
	return c
})

// start runs the worker program with its pipes.
func start(command, env []string, dir string) (*process, error) {
	pipes, err := makePipes()
	if err != nil {
		return nil, fmt.Errorf("worker pipes: %w", err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Dir = env, dir
	cmd.Stdout, cmd.Stderr = pipes[1].w, pipes[2].w
	cmd.ExtraFiles = []*os.File{pipes[0].r, pipes[3].w}
	marks := newMarks()
	if marks != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, marks.file)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: deathSignal}
	failed := make(chan error)
	forks() <- func() { failed <- cmd.Start() }
	err = <-failed
	marks.started()
	for _, f := range []*os.File{pipes[0].r, pipes[1].w, pipes[2].w, pipes[3].w} {
		_ = f.Close()
	}
	if err != nil {
		_ = marks.last(0)
		for _, f := range []*os.File{pipes[0].w, pipes[1].r, pipes[2].r, pipes[3].r} {
			_ = f.Close()
		}
		return nil, fmt.Errorf("start worker: %w", err)
	}
	return &process{
		cmd: cmd, pid: cmd.Process.Pid, born: time.Now(),
		in: newSender(atonce.Pipe(pipes[0].w)), inFile: pipes[0].w, out: pipes[3].r,
		native: newNative(pipes[1].r, pipes[2].r), marks: marks,
		ready: make(chan struct{}), drawn: make(chan struct{}), dead: make(chan struct{}),
		calls: map[int64]chan *message{},
	}, nil
}

type pipe struct{ r, w *os.File }

// makePipes opens the four pipes: requests, stdout, stderr, messages.
func makePipes() (pipes [4]pipe, err error) {
	for i := range pipes {
		pipes[i].r, pipes[i].w, err = os.Pipe()
		if err != nil {
			for _, p := range pipes[:i] {
				_, _ = p.r.Close(), p.w.Close()
			}
			return pipes, err
		}
	}
	raw, err := pipes[3].r.SyscallConn()
	if err == nil {
		_ = raw.Control(func(fd uintptr) {
			// Above the user's limit it fails and the pipe stays as it is.
			_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETPIPE_SZ, pipeSize)
		})
	}
	return pipes, nil
}

// call registers a waiter for the done or answer frame of the given number.
func (p *process) call(id int64) <-chan *message {
	c := make(chan *message, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[id] = c
	return c
}

// answered hands a frame to its waiter; one that has none is dropped.
func (p *process) answered(m *message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.useful = p.useful || m.kind == KindDone
	if c, ok := p.calls[m.cell]; ok {
		delete(p.calls, m.cell)
		c <- m
	}
}

// forget takes a waiter back.
func (p *process) forget(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.calls, id)
}

// kill ends the worker and all that its cells started. The first reason given
// is the one that is reported.
func (p *process) kill(reason string) {
	p.mu.Lock()
	if p.killed == "" {
		p.killed = reason
	}
	p.mu.Unlock()
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
}

// deafTime is how long a worker whose pipe has ended may take to end itself.
const deafTime = 2 * time.Second

// endDeaf waits for the end of a worker one of whose pipes is closed. One that
// goes on has closed it itself, as a cell can, and would never be heard of again.
func (p *process) endDeaf() {
	if !waitFor(p.dead, deafTime) {
		p.kill("a cell closed the pipe between the worker and the kernel")
		<-p.dead
	}
}

// wait blocks until the process has ended, ends what is left of its group and
// collects it. While the process is not yet collected its number cannot be
// given to another, so the group that is killed is its own.
func (p *process) wait() {
	awaitExit(p.pid)
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	_ = p.cmd.Wait()
}

// awaitExit waits for a child to end without collecting it.
func awaitExit(pid int) {
	const (
		byPid   = 1         // P_PID
		exited  = 0x4       // WEXITED
		noWait  = 0x1000000 // WNOWAIT
		noError = syscall.Errno(0)
	)
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(pid), 0, exited|noWait, 0, 0)
		if errno == noError || errno != syscall.EINTR {
			return
		}
	}
}
