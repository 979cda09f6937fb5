package worker

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// Kind says what a frame is.
type Kind uint8

// Frames to the worker.
const (
	KindExecute        Kind = iota + 1 // language.Request
	KindComplete                       // positionRequest; the cell is a call number
	KindInspect                        // positionRequest; the cell is a call number
	KindBusy                           // empty; the cell is a call number
	KindInterrupt                      // empty; its cell is the last that is meant
	KindInput                          // inputReply
	KindComm                           // content, kind, buffers
	KindBeside                         // language.Request of a subshell
	KindJournal                        // JSON list of cells; answers KindJournalRequest
	KindCommBeside                     // as KindComm, for what touches no user code, while a cell may run
	KindCommOfSubshell                 // as KindComm, while cells of other shells may run
)

// Frames from the worker. Those up to KindComms carry the content of the iopub
// message of the same name, final JSON that is forwarded as it is.
const (
	KindDisplay        Kind = iota + 32 // display_data
	KindUpdate                          // update_display_data
	KindClear                           // clear_output
	KindResult                          // execute_result
	KindError                           // error
	KindCommOpen                        // comm_open, with metadata and buffers
	KindCommMsg                         // comm_msg, with metadata and buffers
	KindCommClose                       // comm_close, with metadata and buffers
	KindStdout                          // raw text
	KindStderr                          // raw text
	KindInputRequest                    // inputRequest
	KindGrace                           // eight bytes: nanoseconds
	KindDone                            // Done; ends the cell
	KindAnswer                          // JSON; the cell is a call number
	KindReady                           // empty; the worker takes requests
	KindJournalRequest                  // empty
	KindForget                          // empty
	KindAutoReplay                      // one byte: 1 is on
	KindRestart                         // empty; the worker is replaced when its cell has ended
)

const (
	headerSize = 16
	chunkSize  = 256 << 10
	// maxMessage bounds a message on either pipe; a larger one means that the
	// pipe is out of step.
	maxMessage = 2 << 30

	flagMore  = 1 // the message goes on in the next frame of its lane
	flagParts = 2 // the body is a list of parts
	flagSize  = 4 // an empty frame: its cell is the size of the message that follows
)

// message is one message of the pipe: a kind, the cell (or call) it belongs
// to, its content and, for a few kinds, further parts.
type message struct {
	kind  Kind
	cell  int64
	parts [][]byte
	epoch int64 // in the worker: number of interrupts when it was read
}

// content is the first part.
func (m *message) content() []byte { return m.part(0) }

// part returns the part with the given index, nil when there is none.
func (m *message) part(i int) []byte {
	if i < len(m.parts) {
		return m.parts[i]
	}
	return nil
}

// lane returns the lane of a kind. Messages of one lane keep their order;
// answers need not wait for a long output, so they have a lane of their own.
func (k Kind) lane() int {
	if k == KindAnswer {
		return 1
	}
	return 0
}

// sender writes messages to a pipe. It is safe for concurrent use.
//
// A message is written before send returns, so that what a program said before
// it crashed is known. A flood of text is the exception: beyond the burst that
// tokens allow, text of one stream and cell is gathered for a moment and goes
// as one frame. Whatever else is sent takes the gathered text along.
type sender struct {
	lanes [2]chan struct{} // one message of a lane at a time: it holds the lane's only token
	mu    sync.Mutex       // one frame at a time; guards the rest
	w     io.Writer
	buf   []byte // frames that are not written yet
	tail  int    // where the last frame of buf begins
	text  bool   // buf holds a frame of text that may grow
	armed bool   // a timer will write buf
	err   error

	tokens int       // texts that may still be written at once
	filled time.Time // when tokens were added last
}

// errOver is the error of a message that was not sent: nobody waits for it.
var errOver = errors.New("worker pipe: no longer wanted")

const (
	textBurst  = 100                    // tokens at most
	textRefill = 100 * time.Microsecond // time for one token
	textPause  = 2 * time.Millisecond   // how long gathered text waits at most
	textSize   = 32 << 10               // and how much of it there may be
)

func newSender(w io.Writer) *sender {
	s := &sender{w: w}
	for i := range s.lanes {
		s.lanes[i] = make(chan struct{}, 1)
	}
	return s
}

// send writes one message; parts after the first are for the kinds that have
// them.
func (s *sender) send(kind Kind, cell int64, parts ...[]byte) error {
	return s.sendBefore(nil, kind, cell, parts...)
}

// sendBefore is send for a message that nobody wants any more once the channel is
// closed; then it is not begun.
func (s *sender) sendBefore(over <-chan struct{}, kind Kind, cell int64, parts ...[]byte) error {
	lane := s.lanes[kind.lane()]
	select {
	case lane <- struct{}{}:
	case <-over:
		return errOver
	}
	defer func() { <-lane }()
	var flags byte
	var body []byte
	switch len(parts) {
	case 0:
	case 1:
		body = parts[0]
	default:
		flags, body = flagParts, joinParts(parts)
	}
	if len(body) > chunkSize { // so that the receiver need not gather it as it grows
		if err := s.frame(kind, flagSize, int64(len(body)), nil); err != nil {
			return err
		}
	}
	for len(body) > chunkSize {
		if err := s.frame(kind, flags|flagMore, cell, body[:chunkSize]); err != nil {
			return err
		}
		body = body[chunkSize:]
	}
	return s.frame(kind, flags, cell, body)
}

// hold keeps a message until the next one that is sent, which must follow at
// once: both are then one write. A long message is not held.
func (s *sender) hold(kind Kind, cell int64, body []byte) error {
	if len(body) > textSize {
		return s.send(kind, cell, body)
	}
	lane := s.lanes[kind.lane()]
	lane <- struct{}{}
	defer func() { <-lane }()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(kind, 0, cell, body)
	s.text = false
	return s.err
}

// add puts a frame behind those that are not written yet.
func (s *sender) add(kind Kind, flags byte, cell int64, body []byte) {
	s.tail = len(s.buf)
	s.buf = append(s.buf, byte(kind), flags, 0, 0)
	s.buf = binary.LittleEndian.AppendUint32(s.buf, uint32(len(body)))
	s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(cell))
	s.buf = append(s.buf, body...)
}

// frame writes one frame with one write, or lets text wait.
func (s *sender) frame(kind Kind, flags byte, cell int64, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	isText := (kind == KindStdout || kind == KindStderr) && flags == 0
	if isText && s.grow(kind, cell, body) {
		return s.err
	}
	s.add(kind, flags, cell, body)
	if s.text = isText; isText && len(s.buf) < textSize && !s.token() {
		if !s.armed {
			s.armed = true
			time.AfterFunc(textPause, s.tick)
		}
		return s.err
	}
	return s.flush()
}

// grow adds text to the last frame, if it waits and is of the same kind.
func (s *sender) grow(kind Kind, cell int64, body []byte) bool {
	if !s.text || len(s.buf) == 0 || len(s.buf)+len(body) > textSize {
		return false
	}
	head := s.buf[s.tail:]
	if Kind(head[0]) != kind || int64(binary.LittleEndian.Uint64(head[8:])) != cell {
		return false
	}
	binary.LittleEndian.PutUint32(head[4:], binary.LittleEndian.Uint32(head[4:])+uint32(len(body)))
	s.buf = append(s.buf, body...)
	return true
}

// token takes a token, if there is one.
func (s *sender) token() bool {
	now := time.Now()
	if n := int(now.Sub(s.filled) / textRefill); n > 0 {
		s.tokens, s.filled = min(s.tokens+n, textBurst), now
	}
	if s.tokens == 0 {
		return false
	}
	s.tokens--
	return true
}

// tick writes what has waited long enough.
func (s *sender) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed = false
	_ = s.flush()
}

func (s *sender) flush() error {
	if len(s.buf) == 0 {
		return s.err
	}
	_, err := s.w.Write(s.buf)
	if err != nil {
		s.err = err
	}
	s.text = false
	if s.buf = s.buf[:0]; cap(s.buf) > 2*chunkSize {
		s.buf = nil
	}
	return err
}

// joinParts packs parts as count, lengths, bytes.
func joinParts(parts [][]byte) []byte {
	size := 4
	for _, p := range parts {
		size += 8 + len(p)
	}
	b := make([]byte, 0, size)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(parts)))
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(p)))
	}
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// splitParts undoes joinParts.
func splitParts(b []byte) ([][]byte, error) {
	bad := fmt.Errorf("worker pipe: malformed parts in a body of %d bytes", len(b))
	if len(b) < 4 {
		return nil, bad
	}
	n := int(binary.LittleEndian.Uint32(b))
	b = b[4:]
	if n > len(b)/8 {
		return nil, bad
	}
	lengths, data := b[:8*n], b[8*n:]
	parts := make([][]byte, n)
	for i := range parts {
		size := binary.LittleEndian.Uint64(lengths[8*i:])
		if size > uint64(len(data)) {
			return nil, bad
		}
		parts[i], data = data[:size:size], data[size:]
	}
	return parts, nil
}

// receiver reads messages from a pipe, for one goroutine.
type receiver struct {
	r     *bufio.Reader
	lanes [2][]byte // chunks of the unfinished message of each lane
}

func newReceiver(r io.Reader) *receiver {
	return &receiver{r: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next whole message. Its bytes are the caller's.
func (r *receiver) next() (*message, error) {
	for {
		var h [headerSize]byte
		if _, err := io.ReadFull(r.r, h[:]); err != nil {
			return nil, err
		}
		kind, flags := Kind(h[0]), h[1]
		size := int(binary.LittleEndian.Uint32(h[4:]))
		cell := int64(binary.LittleEndian.Uint64(h[8:]))
		lane := &r.lanes[kind.lane()]
		if size > chunkSize || len(*lane)+size > maxMessage || flags&flagSize != 0 && (cell < 0 || cell > maxMessage) {
			return nil, fmt.Errorf("worker pipe: frame of kind %d with %d bytes is out of bounds", kind, size)
		}
		if flags&flagSize != 0 {
			*lane = slices.Grow(*lane, int(cell))
			continue
		}
		start := len(*lane)
		body := slices.Grow(*lane, size)[:start+size]
		if _, err := io.ReadFull(r.r, body[start:]); err != nil {
			return nil, err
		}
		if flags&flagMore != 0 {
			*lane = body
			continue
		}
		*lane = nil
		m := &message{kind: kind, cell: cell, parts: [][]byte{body}}
		if flags&flagParts == 0 {
			return m, nil
		}
		var err error
		m.parts, err = splitParts(body)
		return m, err
	}
}
