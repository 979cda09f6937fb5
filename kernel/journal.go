package kernel

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"gopherlo/kernel/language"
)

// journal is the source of the cells that made the session, so that it can be
// made again in a fresh worker. It is kept in memory, as the worker may die and
// the kernel does not, and in a file for a kernel that is started again.
type journal struct {
	cells []language.Past
	size  int

	log    *slog.Logger
	dir    string // "" keeps no file
	file   *os.File
	before []language.Past // cells of the kernel that was here before
}

const (
	// journalBytes bounds the journal. A session that outgrows it cannot be
	// replayed, and says so instead of replaying a part.
	journalBytes = 16 << 20
	journalName  = "journal.jsonl"
	// sessionAge is how long a session that was not ended in order is kept.
	sessionAge = 30 * 24 * time.Hour
)

// openJournal reads what an earlier kernel left in dir, and clears away the
// neighbours that nobody has come back for.
func openJournal(dir string, log *slog.Logger) journal {
	j := journal{dir: dir, log: log}
	if dir == "" {
		return j
	}
	go dropOldSessions(filepath.Dir(dir))
	f, err := os.Open(filepath.Join(dir, journalName))
	if err != nil {
		return j
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 2*journalBytes)
	for lines.Scan() {
		var p language.Past
		if json.Unmarshal(lines.Bytes(), &p) == nil { // a line cut by a crash is left out
			j.before = append(j.before, p)
		}
	}
	return j
}

// dropOldSessions removes folders that have not changed for a long time.
func dropOldSessions(parent string) {
	folders, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, f := range folders {
		dir := filepath.Join(parent, f.Name())
		if f.IsDir() && time.Since(lastChange(dir)) > sessionAge && !inUse(dir) {
			_ = os.RemoveAll(dir)
		}
	}
}

// lastChange is when a file of a session was written last.
func lastChange(dir string) (last time.Time) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}

// inUse reports whether a kernel holds the session's journal, however old the
// clock makes it.
func inUse(dir string) bool {
	f, err := os.Open(filepath.Join(dir, journalName))
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}

// add notes a cell that has ended.
func (j *journal) add(p language.Past) {
	if j.size += len(p.Code); j.size > journalBytes {
		return
	}
	j.cells = append(j.cells, p)
	j.before = nil
	if j.dir == "" {
		return
	}
	if j.file == nil && !j.open() {
		return
	}
	line, err := json.Marshal(p)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err != nil {
		j.fail(err)
	}
}

// open starts the file anew, with the cells that there are before the next.
func (j *journal) open() bool {
	err := os.MkdirAll(j.dir, 0o700)
	if err == nil {
		j.file, err = os.OpenFile(filepath.Join(j.dir, journalName), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	}
	if err == nil {
		_ = syscall.Flock(int(j.file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	}
	for _, p := range j.cells[:max(0, len(j.cells)-1)] {
		if line, e := json.Marshal(p); e == nil && err == nil {
			_, err = j.file.Write(append(line, '\n'))
		}
	}
	if err != nil {
		j.fail(err)
		return false
	}
	return true
}

// fail goes on without a file.
func (j *journal) fail(err error) {
	j.log.Warn("no journal on disk", "err", err)
	j.close()
	j.dir = ""
}

func (j *journal) close() {
	if j.file != nil {
		_ = j.file.Close()
		j.file = nil
	}
}

// adopt makes the cells of the kernel before this one its own, when it has none.
func (j *journal) adopt() {
	if len(j.cells) == 0 && len(j.before) > 0 {
		j.cells, j.before = j.before, nil
		for _, p := range j.cells {
			j.size += len(p.Code)
		}
	}
}

// forget empties the journal, on disk too.
func (j *journal) forget() {
	j.close()
	if j.dir != "" {
		_ = os.Remove(filepath.Join(j.dir, journalName))
	}
	j.cells, j.size, j.before = nil, 0, nil
}

// end forgets the session for good: its user has ended it.
func (j *journal) end() {
	j.forget()
	if j.dir != "" {
		_ = os.RemoveAll(j.dir)
		j.dir = ""
	}
}

// Journal implements [worker.Sink]: the cells so far. The cell that asks is
// none of them.
func (s *sink) Journal(cell int64) []language.Past {
	ses := s.session
	ses.mu.Lock()
	defer ses.mu.Unlock()
	if j := ses.active[cell]; j == nil || !j.again { // the user asks
		if j != nil {
			j.replays = true
		}
		ses.journal.adopt()
	}
	if ses.journal.size > journalBytes {
		return nil
	}
	return append([]language.Past(nil), ses.journal.cells...)
}

// Forget implements [worker.Sink].
func (s *sink) Forget() {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	s.session.journal.forget()
}

// AutoReplay implements [worker.Sink].
func (s *sink) AutoReplay(on bool) {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	s.session.auto = on
}
