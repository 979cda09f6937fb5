package notebook

import (
	"context"
	"strconv"

	"gopherlo/kernel/language"
)

// Options say how a notebook is run.
type Options struct {
	// KeepGoing runs the cells after one that has failed, too.
	KeepGoing bool
	// Silent writes no values of last expressions.
	Silent bool
}

// The ends of a run, as exit codes.
const (
	OK          = 0
	Failed      = 1
	Interrupted = 130 // 128 + SIGINT, as shells say it
)

// Run runs the code cells in order. An error ends the run unless the cell is
// tagged raises-exception.
func Run(ctx context.Context, nb *Notebook, in language.Interpreter, c *Console, opts Options) (status int) {
	for i, count := range nb.Count() {
		if count == 0 {
			continue
		}
		cell := &nb.Cells[i]
		res := in.Execute(ctx, language.Request{
			Code: cell.Source, Count: count, Cell: int64(count), AllowStdin: c.in != nil,
			Silent: opts.Silent,
		}, c)
		if res.Value != nil && !opts.Silent {
			c.Value(res.Value)
		}
		c.pages(res.Payload)
		code, exits := exitCode(res.Error)
		if exits && !cell.MayFail() {
			return code
		}
		if res.Error != nil {
			c.fail(res.Error)
		}
		switch {
		case ctx.Err() != nil:
			return Interrupted
		case res.Error == nil || cell.MayFail():
		case opts.KeepGoing:
			status = Failed
		default:
			return Failed
		}
	}
	return status
}

// exitCode is what os.Exit or log.Fatal of a cell gave: here they end the
// program, as in any other.
func exitCode(e *language.Error) (code int, exits bool) {
	if e == nil || e.Name != "SystemExit" {
		return 0, false
	}
	code, err := strconv.Atoi(e.Value)
	return code, err == nil
}

// pages writes what a front end would open in a pager.
func (c *Console) pages(payload []map[string]any) {
	for _, p := range payload {
		if data, ok := p["data"].(map[string]any); ok && p["source"] == "page" {
			if text, ok := data["text/plain"].(string); ok {
				c.Stream("stdout", text)
			}
		}
	}
}
