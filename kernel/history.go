package kernel

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopherlo/kernel/wire"
)

// entry is one cell of the history, a line of JSON in the session's file.
type entry struct {
	Line   int    `json:"n"`
	Input  string `json:"in"`
	Output string `json:"out,omitempty"`
}

// history keeps the cells of this session and reads those of earlier ones. A
// session is one append-only file of its own, so two kernels never wait for
// each other. When the disk fails, the history goes on in memory.
type history struct {
	dir string
	log *slog.Logger

	mu      sync.Mutex
	session int
	file    *os.File
	entries []entry
	limit   int // bytes of input still to be kept in memory
}

const (
	historySuffix = ".jsonl"
	// historyBytes bounds what one session keeps of its input.
	historyBytes = 64 << 20
)

// openHistory takes the next session number in dir, by creating its file.
func openHistory(dir string, log *slog.Logger) *history {
	h := &history{dir: dir, log: log, session: 1, limit: historyBytes}
	if dir == "" {
		return h
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		log.Warn("no history on disk", "err", err)
		h.dir = ""
		return h
	}
	if sessions := h.sessions(); len(sessions) > 0 {
		h.session = sessions[len(sessions)-1] + 1
	}
	for {
		f, err := os.OpenFile(h.path(h.session), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
		if errors.Is(err, fs.ErrExist) {
			h.session++
			continue
		}
		if err != nil {
			log.Warn("no history on disk", "err", err)
			return h
		}
		h.file = f
		return h
	}
}

func (h *history) path(session int) string {
	return filepath.Join(h.dir, fmt.Sprintf("%06d%s", session, historySuffix))
}

// sessions lists the numbers of the sessions on disk, ascending.
func (h *history) sessions() []int {
	if h.dir == "" {
		return nil
	}
	files, err := os.ReadDir(h.dir)
	if err != nil {
		return nil
	}
	var numbers []int
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), historySuffix)
		if n, err := strconv.Atoi(name); ok && err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// input notes a cell.
func (h *history) input(line int, code string) {
	if code == "" {
		return
	}
	h.add(entry{Line: line, Input: code})
}

// output notes the text of a cell's value: a second line for the same cell.
func (h *history) output(line int, text string) {
	h.add(entry{Line: line, Output: text})
}

func (h *history) add(e entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	size := len(e.Input) + len(e.Output)
	if size > h.limit {
		return
	}
	h.limit -= size
	h.entries = merge(h.entries, e)
	if h.file == nil {
		return
	}
	b, err := json.Marshal(e)
	if err == nil {
		_, err = h.file.Write(append(b, '\n'))
	}
	if err != nil {
		h.log.Warn("history goes on in memory only", "err", err)
		_ = h.file.Close()
		h.file = nil
	}
}

// merge adds an entry; an output joins the cell it belongs to.
func merge(entries []entry, e entry) []entry {
	if n := len(entries); e.Input == "" && n > 0 && entries[n-1].Line == e.Line {
		entries[n-1].Output = e.Output
		return entries
	}
	return append(entries, e)
}

// close ends the file; one without a cell is removed.
func (h *history) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil {
		return
	}
	_ = h.file.Close()
	h.file = nil
	if len(h.entries) == 0 {
		_ = os.Remove(h.path(h.session))
	}
}

// read returns the entries of a session.
func (h *history) read(session int) []entry {
	if session == h.session {
		return slices.Clone(h.entries)
	}
	if info, err := os.Lstat(h.path(session)); err != nil || !info.Mode().IsRegular() {
		return nil // a pipe would keep the reader for ever
	}
	f, err := os.Open(h.path(session))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	var entries []entry
	s := bufio.NewScanner(f)
	s.Buffer(nil, historyBytes)
	for s.Scan() {
		var e entry
		if json.Unmarshal(s.Bytes(), &e) == nil { // a line cut by a crash is left out
			entries = merge(entries, e)
		}
	}
	return entries
}

// find answers a history_request, oldest first.
func (h *history) find(req wire.HistoryRequest) ([][3]any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch req.HistAccessType {
	case "range":
		return h.findRange(req), nil
	case "tail":
		return h.findLast(req.N, req.Output, false, func(entry) bool { return true }), nil
	case "search":
		pattern := req.Pattern
		if pattern == "" {
			pattern = "*"
		}
		n := req.N
		if n <= 0 {
			n = int(^uint(0) >> 1)
		}
		return h.findLast(n, req.Output, req.Unique, func(e entry) bool { return glob(pattern, e.Input) }), nil
	}
	return nil, fmt.Errorf("hist_access_type %q is not one of range, tail, search", req.HistAccessType)
}

// glob matches as a shell does, over lines and slashes.
func glob(pattern, text string) bool {
	flat := strings.NewReplacer("/", "\x00").Replace
	ok, err := path.Match(flat(pattern), flat(text))
	return err == nil && ok
}

// item makes the form in which the protocol lists a cell.
func item(session int, e entry, output bool) [3]any {
	if !output {
		return [3]any{session, e.Line, e.Input}
	}
	var out any
	if e.Output != "" {
		out = e.Output
	}
	return [3]any{session, e.Line, [2]any{e.Input, out}}
}

func (h *history) findRange(req wire.HistoryRequest) [][3]any {
	session := req.Session
	if session <= 0 {
		session = h.session + req.Session
	}
	items := [][3]any{}
	for _, e := range h.read(session) {
		if e.Line >= req.Start && (req.Stop == nil || e.Line < *req.Stop) {
			items = append(items, item(session, e, req.Output))
		}
	}
	return items
}

// findLast returns the last n entries that match, over all sessions.
func (h *history) findLast(n int, output, unique bool, match func(entry) bool) [][3]any {
	items := [][3]any{}
	seen := map[string]bool{}
	sessions := h.sessions()
	if h.file == nil && !slices.Contains(sessions, h.session) {
		sessions = append(sessions, h.session)
	}
	for _, session := range slices.Backward(sessions) {
		if session > h.session {
			continue // of a kernel that was started later
		}
		if len(items) >= n {
			break
		}
		for _, e := range slices.Backward(h.read(session)) {
			if len(items) >= n {
				break
			}
			if match(e) && !(unique && seen[e.Input]) {
				seen[e.Input] = true
				items = append(items, item(session, e, output))
			}
		}
	}
	slices.Reverse(items)
	return items
}
