package kernel

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"gopherlo/kernel/wire"
)

// maxSubshells bounds what clients may create.
const maxSubshells = 64

// laneOf returns the queue that a message is for, nil when its subshell does
// not exist (any more).
func (s *Session) laneOf(m *wire.Message) *lane {
	if m.Header.SubshellID == nil {
		return s.main
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lanes[*m.Header.SubshellID]
}

// createSubshell makes a queue that runs beside the main one.
func (c *call) createSubshell(wire.Empty) (wire.CreateSubshellReply, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.lanes) >= maxSubshells {
		return wire.CreateSubshellReply{}, fmt.Errorf("no more than %d subshells", maxSubshells)
	}
	l := newLane(s, uuid.NewString())
	s.lanes[l.id] = l
	go l.run()
	return wire.CreateSubshellReply{ReplyStatus: wire.OK, SubshellID: l.id}, nil
}

// deleteSubshell removes a queue once its current cell has ended; cells that
// wait in it are aborted.
func (c *call) deleteSubshell(req wire.DeleteSubshellRequest) (wire.ReplyStatus, error) {
	s := c.session
	s.mu.Lock()
	l, ok := s.lanes[req.SubshellID]
	delete(s.lanes, req.SubshellID)
	count := s.count
	s.mu.Unlock()
	if !ok {
		return wire.ReplyStatus{}, noSubshell(req.SubshellID)
	}
	for _, j := range l.stop() {
		if cell, ok := j.(*cellJob); ok {
			cell.abort(count)
		}
	}
	return wire.OK, nil
}

func (c *call) listSubshell(wire.Empty) (wire.ListSubshellReply, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, 0, len(s.lanes))
	for id := range s.lanes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return wire.ListSubshellReply{ReplyStatus: wire.OK, SubshellID: ids}, nil
}

func noSubshell(id string) error { return fmt.Errorf("there is no subshell %q", id) }
