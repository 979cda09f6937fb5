package transport

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Limits bound what peers can make the kernel hold or wait for. The zero value
// of a field means its default.
type Limits struct {
	Handshake   time.Duration // from accept to the end of the ZMTP handshake
	BodySilence time.Duration // without a byte inside a message
	Stall       time.Duration // an output waits for a slow reader at most this long
	Peers       int           // connections per channel
	Frames      int           // frames per message
	Topics      int           // subscriptions per peer
	Frame       int64         // bytes per frame
	Message     int64         // bytes per message
	Inbound     int64         // bytes of large unfinished messages, all peers together
	Soft        int64         // queued bytes from where on outputs wait, then are dropped
	Hard        int64         // queued bytes at which a reader of iopub is cut
	HardReply   int64         // the same for the other channels
}

// DefaultLimits returns the limits that hold when nothing else is said. A
// variable GOPHERLO_LIMIT_<FIELD> (FRAME, MESSAGE, INBOUND, SOFT, HARD,
// HARDREPLY, PEERS, FRAMES, TOPICS in bytes or numbers; HANDSHAKE, STALL,
// BODYSILENCE as "10s") changes one.
func DefaultLimits() Limits {
	return Limits{
		Handshake: 10 * time.Second, BodySilence: 15 * time.Second, Stall: 3 * time.Second,
		Peers: 256, Frames: 4096, Topics: 1024,
		Frame: 256 << 20, Message: 512 << 20, Inbound: 512 << 20,
		Soft: 32 << 20, Hard: 256 << 20, HardReply: 32 << 20,
	}
}

// LimitsFromEnv returns the defaults with what the environment changes.
func LimitsFromEnv() (Limits, error) {
	l := DefaultLimits()
	durations := map[string]*time.Duration{
		"HANDSHAKE": &l.Handshake, "BODYSILENCE": &l.BodySilence, "STALL": &l.Stall,
	}
	counts := map[string]*int{"PEERS": &l.Peers, "FRAMES": &l.Frames, "TOPICS": &l.Topics}
	sizes := map[string]*int64{
		"FRAME": &l.Frame, "MESSAGE": &l.Message, "INBOUND": &l.Inbound,
		"SOFT": &l.Soft, "HARD": &l.Hard, "HARDREPLY": &l.HardReply,
	}
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		field, ok := strings.CutPrefix(name, "GOPHERLO_LIMIT_")
		if !ok {
			continue
		}
		var err error
		switch {
		case durations[field] != nil:
			*durations[field], err = time.ParseDuration(value)
		case counts[field] != nil:
			*counts[field], err = strconv.Atoi(value)
		case sizes[field] != nil:
			*sizes[field], err = strconv.ParseInt(value, 10, 64)
		default:
			return l, fmt.Errorf("%s: there is no such limit", name)
		}
		if err != nil {
			return l, fmt.Errorf("%s=%s: %w", name, value, err)
		}
	}
	return l, nil
}
