package kernel

import (
	"encoding/json"
	"errors"
	"sync"
	"time"

	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

// inputs are the cells that wait for a line from the user.
type inputs struct {
	mu      sync.Mutex
	waiting map[int64]*pendingInput
}

// pendingInput is an input_request that has not been answered.
type pendingInput struct {
	cell     int64
	request  string // id of the input_request
	identity string // of the client that was asked
}

// errNoClient is what a cell gets when the client that sent it has no stdin
// channel.
var errNoClient = errors.New("the client that sent this cell is not connected to stdin")

// stdinWait is how long a client may take to connect its stdin channel.
const stdinWait = 2 * time.Second

// askInput sends an input_request to the client that sent the cell.
func (k *Kernel) askInput(cell int64, content json.RawMessage) {
	j := k.session.running(cell)
	if j == nil {
		k.sup.Reply(cell, "", errors.New("only a running cell can ask for input"))
		return
	}
	k.iopub.flush(cell)
	identity := j.peer.Identity()
	peers := k.stdin.Find(identity)
	for end := time.Now().Add(stdinWait); len(peers) == 0 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		peers = k.stdin.Find(identity)
	}
	if len(peers) == 0 {
		k.sup.Reply(cell, "", errNoClient)
		return
	}
	m, err := k.origin.Message(wire.Input.Name, j.msg.RawHeader, content)
	if err != nil {
		k.sup.Reply(cell, "", err)
		return
	}
	k.inputs.add(&pendingInput{cell, m.Header.MsgID, identity})
	for _, peer := range peers { // identities are no secret: another may have taken the client's
		k.send(peer, m)
	}
}

// serveStdin takes the answers.
func (k *Kernel) serveStdin() {
	for {
		select {
		case <-k.stdin.Done():
			return
		case in := <-k.stdin.Receive():
			if m := k.receive(in); m != nil {
				k.takeInput(in.Peer, m)
			}
		}
	}
}

// takeInput hands an input_reply to the cell that waits for it. One that
// nobody asked for is dropped.
func (k *Kernel) takeInput(peer *transport.Peer, m *wire.Message) {
	if m.Header.MsgType != wire.Input.ReplyName() {
		k.log.Warn("unknown message type on stdin", "type", m.Header.MsgType)
		return
	}
	var reply wire.InputReply
	if err := json.Unmarshal(m.Content, &reply); err != nil {
		k.log.Warn("input_reply dropped", "err", err)
		return
	}
	if p := k.inputs.take(peer.Identity(), m.ParentID()); p != nil {
		k.sup.Reply(p.cell, reply.Value, nil)
	}
}

func (i *inputs) add(p *pendingInput) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.waiting == nil {
		i.waiting = map[int64]*pendingInput{}
	}
	i.waiting[p.cell] = p
}

// take finds what a reply answers. Clients need not name the request in the
// parent header (jupyter_client does not), but one that does must be right.
func (i *inputs) take(identity, parent string) *pendingInput {
	i.mu.Lock()
	defer i.mu.Unlock()
	for cell, p := range i.waiting {
		if p.identity == identity && (parent == "" || parent == p.request) {
			delete(i.waiting, cell)
			return p
		}
	}
	return nil
}

// cancel forgets the request of a cell that has ended.
func (i *inputs) cancel(cell int64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.waiting, cell)
}
