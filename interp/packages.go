package interp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/kernel/language"
)

// workingDir is the folder of the notebook: where packages from source are looked
// for.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// ready puts packages from source in place that a cell imports, in the order in which
// they depend on each other, and runs their init functions; in.names is held, but not
// while those run.
func (r *cellRun) ready(pkgs []*check.Package, load *loading) *language.Error {
	for _, p := range pkgs {
		for p.Making != nil { // by a cell beside this one
			if !r.await(p.Making) {
				return interruptedError()
			}
		}
		if p.Ready {
			continue
		}
		if load.step("") != nil {
			return interruptedError()
		}
		p.Making = make(chan struct{})
		wrong := r.readyPackage(p)
		close(p.Making)
		p.Making = nil
		if wrong != nil {
			p.Forget()
			return wrong
		}
		p.Ready = true
		if p.Note != "" {
			r.host.Stream("stderr", "note: "+p.Note+"\n")
		}
	}
	return nil
}

// await lets go of in.names until something has been done, or the cell is interrupted.
func (r *cellRun) await(done chan struct{}) bool {
	r.in.names.Unlock()
	defer r.in.names.Lock()
	select {
	case <-done:
		return true
	case <-r.ctx.Done():
		return false
	}
}

func (r *cellRun) readyPackage(p *check.Package) (wrong *language.Error) {
	in := r.in
	res := p.Result()
	prog, err := lower.Package(in.env, in.fset, p, res)
	if err != nil {
		return in.lowerError(nil, err)
	}
	d, wrong := r.place(prog, res)
	if wrong != nil {
		return wrong
	}
	in.names.Unlock()
	defer in.names.Lock()
	wrong = in.run(r.ctx, d, r.req)
	in.leave(d)
	if wrong != nil {
		wrong.Traceback = append(wrong.Traceback, fmt.Sprintf("while package %s was initialized", p.Path))
	}
	return wrong
}

// looking bounds how long packages are loaded for completion and inspection, which
// hold in.names: what is not there by then, the cell that imports it will load.
func looking(s *check.Session) (end func()) {
	since := time.Now()
	s.Loading = func(string) error {
		if time.Since(since) > longLooking {
			return errNotLoaded
		}
		return nil
	}
	return func() { s.Loading = nil }
}

const longLooking = 200 * time.Millisecond

var errNotLoaded = errors.New("not loaded yet")

// loading watches packages from source being loaded for a cell.
type loading struct {
	ctx     context.Context
	host    language.Host
	stopped bool // by an interrupt

	mu    sync.Mutex
	path  string // what is being loaded
	told  string
	slow  bool // it takes long
	ended bool
	timer *time.Timer
}

// longLoading is after how long the user is told what is being loaded.
const longLoading = time.Second

// check checks a cell, for which packages may be loaded.
func (l *loading) check(s *check.Session, c *cell.Cell) (*check.Result, []check.Diagnostic) {
	s.Loading = l.step
	defer func() { s.Loading = nil }()
	return s.Check(c)
}

// step is called before each package; the cell imports path, "" for what it was.
func (l *loading) step(path string) error {
	if err := l.ctx.Err(); err != nil {
		l.stopped = true
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.path = cmp.Or(path, l.path)
	if l.timer == nil {
		l.timer = time.AfterFunc(longLoading, l.late)
	}
	if l.slow {
		l.tell()
	}
	return nil
}

func (l *loading) late() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.slow = true
		l.tell()
	}
}

func (l *loading) tell() {
	if l.told != l.path && l.path != "" {
		l.told = l.path
		l.host.Stream("stderr", "loading "+l.path+" ...\n")
	}
}

func (l *loading) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	if l.timer != nil {
		l.timer.Stop()
	}
}
