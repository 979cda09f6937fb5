package interp

import (
	"fmt"
	"html"
	"strconv"
	"sync"
	"time"

	"gopherlo/display"
	"gopherlo/internal/cellid"
	"gopherlo/jaxlike/stages"
)

// compilePatience is how long a cell compiles before it says so. Most programs
// compile in less, and a cell with nothing but its value reads best.
const compilePatience = time.Second

// compiling shows what XLA works on for the cells that wait for it: the
// function and the seconds while it lasts, the time it took afterwards.
type compiling struct {
	patience time.Duration

	mu    sync.Mutex
	cells map[int64]*compileLog
}

// compileLog is what one cell has compiled.
type compileLog struct {
	running  []string // names of the programs that are being compiled
	since    time.Time
	programs int
	spent    time.Duration
	longest  string
	most     time.Duration
	shown    *display.Handle
	stop     chan struct{} // ends the goroutine that shows it
}

// compilations are those of the process: there is one compiler.
var compilations = compiling{patience: compilePatience, cells: map[int64]*compileLog{}}

var watchCompilations = sync.OnceFunc(func() { stages.Observer = compilations.start })

// start notes that a program is being compiled; it returns what notes the end.
func (p *compiling) start(name string) (done func()) {
	cell, _ := cellid.Current()
	p.mu.Lock()
	defer p.mu.Unlock()
	log := p.cells[cell]
	if log == nil {
		log = &compileLog{}
		p.cells[cell] = log
	}
	log.running = append(log.running, name)
	if len(log.running) == 1 {
		log.since, log.stop = time.Now(), make(chan struct{})
		go p.show(log, max(p.patience-log.spent, 0), log.stop) // it inherits the cell
	}
	start := time.Now()
	return func() { p.done(log, name, time.Since(start)) }
}

func (p *compiling) done(log *compileLog, name string, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, n := range log.running {
		if n == name {
			log.running = append(log.running[:i], log.running[i+1:]...)
			break
		}
	}
	log.programs++
	if took > log.most {
		log.longest, log.most = name, took
	}
	if len(log.running) > 0 {
		return
	}
	log.spent += time.Since(log.since)
	close(log.stop)
	if log.shown != nil {
		log.shown.Update(log.text())
	}
}

// show waits and then tells the front end once a second, until stop is closed.
func (p *compiling) show(log *compileLog, wait time.Duration, stop chan struct{}) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		p.mu.Lock()
		if len(log.running) > 0 && log.stop == stop {
			if log.shown == nil {
				log.shown = display.ShowNote(log.text())
			} else {
				log.shown.Update(log.text())
			}
		}
		p.mu.Unlock()
		timer.Reset(time.Second)
	}
}

// forget drops what finished cells have compiled.
func (p *compiling) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for cell, log := range p.cells {
		if len(log.running) == 0 {
			delete(p.cells, cell)
		}
	}
}

// text is the log as it is shown now.
func (l *compileLog) text() display.Value {
	programs := func(n int) string {
		if n == 1 {
			return "1 program"
		}
		return strconv.Itoa(n) + " programs"
	}
	spent := l.spent
	if n := len(l.running); n > 0 {
		spent += time.Since(l.since)
		head, tail := "compiling ", fmt.Sprintf(": %.0f s", spent.Seconds())
		if l.programs > 0 {
			tail += ", after " + programs(l.programs)
		}
		return note(head, l.running[n-1], tail, " <progress></progress>")
	}
	if l.programs == 1 {
		return note("compiled ", l.longest, fmt.Sprintf(" in %.1f s", spent.Seconds()), "")
	}
	head := fmt.Sprintf("compiled %s in %.1f s (", programs(l.programs), spent.Seconds())
	return note(head, l.longest, fmt.Sprintf(": %.1f s)", l.most.Seconds()), "")
}

// note is a line about a program, smaller and paler than what the cell gives.
func note(head, program, tail, more string) display.Value {
	return display.Both(head+program+tail,
		`<span style="font-size:85%;opacity:.65">`+head+"<code>"+html.EscapeString(program)+"</code>"+tail+more+"</span>")
}
