// Package cellscript runs notebook sessions that are written as text files.
//
// A script is cells separated by lines of three dashes. In a cell,
//
//	expr ### "regexp"      the line is where an error must be reported
//	// value: text         what the cell shows
//	// out: text           a line that it prints; "// err: text" on stderr
//	// interrupt: text     it is interrupted when it has printed that
//
// Start with [Run].
package cellscript

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Result is how a cell ended.
type Result struct {
	Stdout, Stderr string
	Value          string // "" when the cell shows none
	Mistakes       []Mistake
}

// Mistake is one reported error and its line and column in the cell, 0 when
// unknown.
type Mistake struct {
	Line, Col int
	Text      string
}

// Session runs cells.
type Session interface {
	Run(code string) Result
}

// Interrupter is a session that can interrupt a cell when it has printed a text.
type Interrupter interface {
	RunUntil(code, printed string) Result
}

// Cell is one cell of a script with what it must do.
type Cell struct {
	Line       int // in the script, from 1
	Code       string
	Wants      []Want
	Out, Err   string
	Value      string
	Interrupt  string // what it prints when it is to be interrupted
	ChecksTail bool   // the script says what is shown or printed
}

// Want is an error that must be reported at a line.
type Want struct {
	Line int
	RE   *regexp.Regexp
}

var wantRE = regexp.MustCompile(`\s*###\s*("(?:[^"\\]|\\.)*")\s*$`)

// Parse reads a script.
func Parse(text string) ([]Cell, error) {
	var cells []Cell
	line := 1
	for _, part := range strings.Split(text, "\n---\n") {
		c, err := parseCell(part)
		if err != nil {
			return nil, fmt.Errorf("cell at line %d: %w", line, err)
		}
		c.Line = line
		cells = append(cells, c)
		line += strings.Count(part, "\n") + 2
	}
	return cells, nil
}

func parseCell(text string) (Cell, error) {
	var c Cell
	var code []string
	for i, l := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(l, "// value: "):
			c.Value, c.ChecksTail = strings.TrimPrefix(l, "// value: "), true
			l = ""
		case strings.HasPrefix(l, "// out: "):
			c.Out, c.ChecksTail = c.Out+strings.TrimPrefix(l, "// out: ")+"\n", true
			l = ""
		case strings.HasPrefix(l, "// interrupt: "):
			c.Interrupt = strings.TrimPrefix(l, "// interrupt: ")
			l = ""
		case strings.HasPrefix(l, "// err: "):
			c.Err += strings.TrimPrefix(l, "// err: ") + "\n"
			l = ""
		}
		if m := wantRE.FindStringSubmatch(l); m != nil {
			pattern, err := strconv.Unquote(m[1])
			if err != nil {
				return c, err
			}
			re, err := regexp.Compile(pattern)
			if err != nil {
				return c, err
			}
			c.Wants = append(c.Wants, Want{i + 1, re})
			l = wantRE.ReplaceAllString(l, "")
		}
		code = append(code, l)
	}
	c.Code = strings.TrimRight(strings.Join(code, "\n"), "\n")
	return c, nil
}

// Run runs every script that matches the pattern, each in a session of its own,
// and reports what differs.
func Run(t *testing.T, pattern string, start func(t *testing.T) Session) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts match %s: %v", pattern, err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			cells, err := Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			s := start(t)
			for _, c := range cells {
				run := s.Run
				if c.Interrupt != "" {
					run = func(code string) Result { return s.(Interrupter).RunUntil(code, c.Interrupt) }
				}
				for _, problem := range c.Compare(run(c.Code)) {
					t.Errorf("%s:%d: %s", f, c.Line, problem)
				}
			}
		})
	}
}

// Compare lists what a result lacks.
func (c Cell) Compare(got Result) []string {
	var bad []string
	for _, w := range c.Wants {
		found := false
		for _, m := range got.Mistakes {
			found = found || (m.Line == w.Line || m.Line == 0) && w.RE.MatchString(m.Text)
		}
		if !found {
			bad = append(bad, fmt.Sprintf("line %d: no error matches %s; got %v", w.Line, w.RE, got.Mistakes))
		}
	}
	if len(got.Mistakes) > len(c.Wants) {
		bad = append(bad, fmt.Sprintf("%d errors, want %d: %v", len(got.Mistakes), len(c.Wants), got.Mistakes))
	}
	if c.ChecksTail && got.Value != c.Value {
		bad = append(bad, fmt.Sprintf("value %q, want %q", got.Value, c.Value))
	}
	if c.ChecksTail && got.Stdout != c.Out {
		bad = append(bad, fmt.Sprintf("printed %q, want %q", got.Stdout, c.Out))
	}
	if c.Err != "" && got.Stderr != c.Err {
		bad = append(bad, fmt.Sprintf("on stderr %q, want %q", got.Stderr, c.Err))
	}
	return bad
}
