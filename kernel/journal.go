package kernel

// journal is the source of the cells that made the session, so that it can be
// made again in a fresh worker. It is kept in memory: the worker may die, the
// kernel does not.
type journal struct {
	cells []string
	size  int
}

// journalBytes bounds the journal. A session that outgrows it cannot be
// replayed, and says so instead of replaying a part.
const journalBytes = 16 << 20

func (j *journal) add(code string) {
	if j.size += len(code); j.size <= journalBytes {
		j.cells = append(j.cells, code)
	}
}

// Journal implements [worker.Sink]: the cells so far. The cell that asks is
// none of them.
func (s *sink) Journal(cell int64) []string {
	ses := s.session
	ses.mu.Lock()
	defer ses.mu.Unlock()
	if j := ses.active[cell]; j != nil {
		j.replays = true
	}
	if ses.journal.size > journalBytes {
		return nil
	}
	return append([]string(nil), ses.journal.cells...)
}

// Forget implements [worker.Sink].
func (s *sink) Forget() {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	s.session.journal = journal{}
}
