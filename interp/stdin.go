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
}

func newStdin(in *Interp) (*stdin, *bufio.Reader) {
	s := &stdin{in: in}
	return s, bufio.NewReader(s)
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
