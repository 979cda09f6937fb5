package interp

import (
	"bufio"
	"errors"

	"gopherlo/interp/rt"
	"gopherlo/kernel/language"
)

// stdin is what fmt.Scan and its like read in cells: each line is asked of the
// user by the front end that sent the cell.
type stdin struct {
	in   *Interp
	left []byte // of the last line
	// lines is the one buffer through which all cells read.
	lines *bufio.Reader
}

func newStdin(in *Interp) *stdin {
	s := &stdin{in: in}
	s.lines = bufio.NewReader(s)
	return s
}

// begin drops the end of a line that the cell before has read but for its end,
// as fmt.Scan leaves it: in the next cell it would be an empty line.
func (s *stdin) begin() {
	if b, _ := s.lines.Peek(s.lines.Buffered()); string(b) == "\n" {
		_, _ = s.lines.Discard(1)
	}
}

// noStdin is the error of a cell whose front end cannot ask.
type noStdin struct{}

func (noStdin) Error() string   { return language.ErrNoStdin.Error() }
func (noStdin) JaxName() string { return "StdinNotImplementedError" }

// Read implements io.Reader.
func (s *stdin) Read(p []byte) (int, error) {
	if len(s.left) == 0 {
		run := s.in.rt.Current()
		if run == nil {
			panic(noStdin{})
		}
		ctx := run.Context()
		line, err := run.Host().Input(ctx, "", false)
		switch {
		case ctx.Err() != nil:
			panic(rt.Interrupted{})
		case errors.Is(err, language.ErrNoStdin):
			panic(noStdin{})
		case err != nil:
			return 0, err
		}
		s.left = append([]byte(line), '\n')
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}
