package cells

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"

	"gopherlo/display"
	"gopherlo/jaxlike/core"
)

// Cell is one cell of the notebook.
type Cell struct {
	N    int
	Body func()
	// MayFail lets the program go on after an error in the cell, which the
	// notebook has tagged raises-exception.
	MayFail bool
}

// Run runs cells in order. An error is written as the notebook shows it; it
// ends the program with exit code 1 unless the cell may fail.
func Run(cells ...Cell) {
	display.SetOutput(terminal{})
	for _, c := range cells {
		core.NameFunction(c.Body, "<module>") // so programs name a cell's own lines
		if ok := c.run(); !ok && !c.MayFail {
			os.Exit(1)
		}
	}
}

// terminal shows what package display is given, as `gopherlo run` does: the text,
// without the later states of a place.
type terminal struct{}

// Display implements [display.Output].
func (terminal) Display(data display.Bundle, _, _ map[string]any, update bool) {
	if text, ok := data["text/plain"].(string); ok && !update {
		fmt.Println(text)
	}
}

// run runs the cell on a goroutine of its own, so that nothing of main is below
// it in stacks.
func (c *Cell) run() (ok bool) {
	done := make(chan bool)
	running = c.N
	go func() {
		ended := true // runtime.Goexit ends the cell
		defer func() { done <- ended }()
		defer func() {
			if r := recover(); r != nil {
				ended = false
				lines := []string{errorText(r)}
				if _, said := r.(raised); !said {
					lines = append(lines, c.frames()...)
				}
				if a, ok := r.(interface{ JaxAdvice() string }); ok && a.JaxAdvice() != "" {
					lines = append(lines, a.JaxAdvice())
				}
				fmt.Fprintln(os.Stderr, strings.Join(lines, "\n"))
			}
		}()
		c.Body()
	}()
	return <-done
}

// Raise ends the cell with an error that the notebook shows for what is no Go:
// a cell that does not compile, an unknown magic.
func Raise(name, text string) { panic(raised{name, text}) }

type raised struct{ name, text string }

func (r raised) Error() string   { return r.text }
func (r raised) JaxName() string { return r.name }

// errorText words what a cell has panicked with.
func errorText(r any) string {
	switch r := r.(type) {
	case interface {
		error
		JaxName() string
	}:
		return r.JaxName() + ": " + r.Error()
	case error:
		return "panic: " + r.Error()
	case fmt.Stringer:
		return "panic: " + r.String()
	case string:
		return "panic: " + r
	}
	return fmt.Sprintf("panic: %v", r)
}

var cellFile = regexp.MustCompile(`^cell-(\d+)\.go$`)

// frames are the places in cells that the panic has passed, innermost first.
func (c *Cell) frames() (list []string) {
	var pcs [1000]uintptr
	all := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	body := runtime.FuncForPC(reflect.ValueOf(c.Body).Pointer()).Name()
	timed := false
	for more := true; more; {
		var f runtime.Frame
		f, more = all.Next()
		m := cellFile.FindStringSubmatch(filepath.Base(f.File))
		if m == nil || timed { // what calls Timeit is no line of the cell
			timed = strings.HasPrefix(f.Function, "gopherlo/cells.Timing.")
			continue
		}
		text := fmt.Sprintf("cell %s, line %d", m[1], f.Line)
		if name := declared(f.Function, body); name != "" {
			text += ", in " + name
		}
		if len(list) == 0 || list[len(list)-1] != text {
			list = append(list, text)
		}
	}
	if n := len(list); n > maxFrames {
		list = append(append(list[:maxFrames/2:maxFrames/2], fmt.Sprintf("... %d frames left out ...", n-maxFrames)), list[n-maxFrames/2:]...)
	}
	return list
}

// maxFrames is how many frames of an error are shown.
const maxFrames = 40

// declared is the function or method that the runtime's name of a function, such as
// main.(*T).Get.func1, is part of; none for the cell's own lines, whose name is body.
func declared(name, body string) string {
	if name == body || strings.HasPrefix(name, body+".") {
		return ""
	}
	name = strings.NewReplacer("[...]", "", "(*", "", ")", "", "-fm", "").Replace(name)
	parts := strings.Split(name, ".")[1:]
	switch {
	case len(parts) == 0 || parts[0] == "glob" || parts[0] == "init":
		return ""
	case len(parts) == 1 || literal.MatchString(parts[1]):
		return parts[0]
	}
	return parts[0] + "." + parts[1]
}

// literal matches the runtime's name of a function literal in a function.
var literal = regexp.MustCompile(`^(func|gowrap|deferwrap)?\d+$`)
