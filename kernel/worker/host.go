package worker

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"gopherlo/internal/cellid"
	"gopherlo/kernel/language"
)

// host is the language.Host of the worker process. It is one for all cells:
// the cell that output belongs to is found from the goroutine.
type host struct {
	s     *server
	cell  int64 // the cell that the host was made for
	stdin bool  // whether that cell may ask for input
}

var (
	_ language.Host     = (*host)(nil)
	_ language.Settings = (*host)(nil)
	_ language.Journal  = (*host)(nil)
	_ language.Marked   = (*host)(nil)
)

// Marks implements [language.Marked].
func (h *host) Marks() *language.Marks { return h.s.marks }

// current is the cell of the calling goroutine, else the foreground cell.
func (h *host) current() int64 {
	if cell, ok := cellid.Current(); ok {
		return cell
	}
	return h.s.foreground.Load()
}

// send writes an output frame. A failed write means that the kernel is gone;
// the watcher of the request pipe then ends this process.
func (h *host) send(kind Kind, content any) {
	b, err := encode(content)
	if err != nil {
		b, kind = leftOut(err), KindStderr
	}
	_ = h.s.out.send(kind, h.current(), b)
}

// leftOut is the text that stands for output which cannot be encoded.
func leftOut(err error) []byte {
	return []byte("gopherlo: output left out: " + err.Error() + "\n")
}

// Stream implements [language.Host].
func (h *host) Stream(name, text string) {
	if text == "" {
		return
	}
	kind := KindStdout
	if name == "stderr" {
		kind = KindStderr
	}
	_ = h.s.out.send(kind, h.current(), []byte(text))
}

// Display implements [language.Host].
func (h *host) Display(data language.Bundle, metadata, transient map[string]any, update bool) {
	kind := KindDisplay
	if update {
		kind = KindUpdate
	}
	_ = h.s.out.send(kind, h.current(), displayContent(data, metadata, transient))
}

// Clear implements [language.Host].
func (h *host) Clear(wait bool) { h.send(KindClear, clearContent{wait}) }

// Comm implements [language.Host].
func (h *host) Comm(kind string, content, metadata map[string]any, buffers [][]byte) {
	kinds := map[string]Kind{"comm_open": KindCommOpen, "comm_msg": KindCommMsg, "comm_close": KindCommClose}
	k, ok := kinds[kind]
	if !ok {
		h.Stream("stderr", "gopherlo: no comm message is called "+kind+"\n")
		return
	}
	c, err := encode(content)
	if err != nil {
		h.Stream("stderr", "gopherlo: comm message left out: "+err.Error()+"\n")
		return
	}
	_ = h.s.out.send(k, h.current(), append([][]byte{c, encodeMap(metadata)}, buffers...)...)
}

// Input implements [language.Host].
func (h *host) Input(ctx context.Context, prompt string, password bool) (string, error) {
	if !h.stdin {
		return "", language.ErrNoStdin
	}
	b, err := encode(InputRequest{prompt, password})
	if err != nil {
		return "", err
	}
	reply, forget := h.s.awaitInput(h.cell)
	defer forget()
	h.s.flush()
	if err := h.s.out.send(KindInputRequest, h.cell, b); err != nil {
		return "", err
	}
	select {
	case raw := <-reply:
		var r inputReply
		if err := json.Unmarshal(raw, &r); err != nil {
			return "", err
		}
		if r.Error != "" {
			return "", errors.New(r.Error)
		}
		return r.Value, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// SetInterruptGrace implements [language.Settings].
func (h *host) SetInterruptGrace(grace time.Duration) {
	_ = h.s.out.send(KindGrace, h.cell, binary.LittleEndian.AppendUint64(nil, uint64(grace)))
}

// Journal implements [language.Journal].
func (h *host) Journal(ctx context.Context) ([]language.Past, error) {
	reply, forget := h.s.awaitInput(h.cell)
	defer forget()
	if err := h.s.out.send(KindJournalRequest, h.cell); err != nil {
		return nil, err
	}
	select {
	case raw := <-reply:
		var cells []language.Past
		err := json.Unmarshal(raw, &cells)
		return cells, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// AutoReplay implements [language.Journal].
func (h *host) AutoReplay(on bool) {
	b := []byte{0}
	if on {
		b[0] = 1
	}
	_ = h.s.out.send(KindAutoReplay, h.cell, b)
}

// Restart implements [language.Restarter].
func (h *host) Restart() { _ = h.s.out.send(KindRestart, h.cell) }

// Forget implements [language.Journal].
func (h *host) Forget() { _ = h.s.out.send(KindForget, h.cell) }
