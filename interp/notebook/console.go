package notebook

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"gopherlo/kernel/language"
)

// Console is a host without a front end: streams go to two writers, what cells
// show goes to the first as text, questions are answered from a reader.
type Console struct {
	mu       sync.Mutex
	out, err io.Writer
	in       *bufio.Reader
	reading  sync.Once
	lines    chan line
}

type line struct {
	text string
	err  error
}

var (
	_ language.Host     = (*Console)(nil)
	_ language.Settings = (*Console)(nil)
)

// NewConsole returns a console. A nil reader answers no questions.
func NewConsole(in io.Reader, out, err io.Writer) *Console {
	c := &Console{out: out, err: err, lines: make(chan line)}
	if in != nil {
		c.in = bufio.NewReader(in)
	}
	return c
}

// Stream implements [language.Host].
func (c *Console) Stream(name, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.out
	if name == "stderr" {
		w = c.err
	}
	_, _ = io.WriteString(w, text)
}

// Display writes the text form. What replaces an earlier output is not written:
// a progress bar would fill the output with its states. A note about the run
// goes to standard error.
func (c *Console) Display(data language.Bundle, metadata, _ map[string]any, update bool) {
	text, ok := data["text/plain"].(string)
	switch note := metadata["gopherlo"]; {
	case update:
	case note != nil && ok:
		c.Stream("stderr", text+"\n")
	default:
		c.Value(data)
	}
}

// Value writes the text form of a value, on lines of its own.
func (c *Console) Value(data language.Bundle) {
	if text, ok := data["text/plain"].(string); ok {
		c.Stream("stdout", text+"\n")
	}
}

// Clear implements [language.Host]; what is written stays.
func (c *Console) Clear(bool) {}

// Comm implements [language.Host]; nobody listens.
func (c *Console) Comm(string, map[string]any, map[string]any, [][]byte) {}

// SetInterruptGrace implements [language.Settings]. There is no worker to kill.
func (c *Console) SetInterruptGrace(time.Duration) {}

// Input reads a line.
func (c *Console) Input(ctx context.Context, prompt string, _ bool) (string, error) {
	if c.in == nil {
		return "", language.ErrNoStdin
	}
	if prompt != "" {
		c.Stream("stdout", prompt)
	}
	c.reading.Do(func() { go c.read() })
	select {
	case l := <-c.lines:
		return l.text, l.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// read gives the lines of the reader to those who ask.
func (c *Console) read() {
	for {
		text, err := c.in.ReadString('\n')
		if errors.Is(err, io.EOF) && text != "" {
			err = nil
		}
		if n := len(text); n > 0 && text[n-1] == '\n' {
			text = text[:n-1]
		}
		c.lines <- line{text, err}
	}
}

// fail writes an error as the cell shows it.
func (c *Console) fail(e *language.Error) {
	for _, text := range e.Traceback {
		c.Stream("stderr", fmt.Sprintln(text))
	}
}

func readAll(r io.Reader) (string, error) {
	text, err := io.ReadAll(r)
	return string(text), err
}
