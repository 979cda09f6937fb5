package transport

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
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
	Strangers   int64         // the same for peers that have not shown the key
	Soft        int64         // queued bytes from where on outputs wait, then are dropped
	Hard        int64         // queued bytes at which a reader of iopub is cut
	HardReply   int64         // the same for the other channels
}

// DefaultLimits returns the limits that hold when nothing else is said. A
// variable GOPHERLO_LIMIT_<FIELD> (FRAME, MESSAGE, INBOUND, STRANGERS, SOFT, HARD,
// HARDREPLY, PEERS, FRAMES, TOPICS in bytes or numbers; HANDSHAKE, STALL,
// BODYSILENCE as "10s") changes one.
func DefaultLimits() Limits {
	return Limits{
		Handshake: 10 * time.Second, BodySilence: 15 * time.Second, Stall: 3 * time.Second,
		Peers: 256, Frames: 4096, Topics: 1024,
		Frame: 256 << 20, Message: 512 << 20, Inbound: 512 << 20, Strangers: 32 << 20,
		Soft: 32 << 20, Hard: 256 << 20, HardReply: 32 << 20,
	}
}

// envLimit begins the variables that change a limit.
const envLimit = "GOPHERLO_LIMIT_"

// LimitsFromEnv returns the defaults with what the environment changes.
func LimitsFromEnv() (Limits, error) {
	l := DefaultLimits()
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		field, ok := strings.CutPrefix(name, envLimit)
		if !ok {
			continue
		}
		if err := l.Set(field, value); err != nil {
			return l, fmt.Errorf("%s=%s: %w", name, value, err)
		}
	}
	return l, nil
}

// fields are the limits by name.
func (l *Limits) fields() map[string]any {
	return map[string]any{
		"HANDSHAKE": &l.Handshake, "BODYSILENCE": &l.BodySilence, "STALL": &l.Stall,
		"PEERS": &l.Peers, "FRAMES": &l.Frames, "TOPICS": &l.Topics,
		"FRAME": &l.Frame, "MESSAGE": &l.Message, "INBOUND": &l.Inbound, "STRANGERS": &l.Strangers,
		"SOFT": &l.Soft, "HARD": &l.Hard, "HARDREPLY": &l.HardReply,
	}
}

// Set changes the limit of a name, "PEERS" or "peers": a time such as "10s" or
// a number above 0.
func (l *Limits) Set(name, value string) error {
	fields := l.fields()
	switch p := fields[strings.ToUpper(name)].(type) {
	case *time.Duration:
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return errors.New(`want a time such as "10s"`)
		}
		*p = d
	case *int:
		n, err := strconv.Atoi(value)
		if err != nil || n <= 0 {
			return errors.New("want a number above 0")
		}
		*p = n
	case *int64:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n <= 0 {
			return errors.New("want a number of bytes above 0")
		}
		*p = n
	default:
		return fmt.Errorf("there is no limit %s; there are %s", name, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
	}
	return nil
}

// fitDescriptors lowers the number of peers to what the process may have open,
// beside the rest of a kernel and a worker that replaces another.
func (l *Limits) fitDescriptors() {
	const (
		channels = 5
		rest     = 40
		least    = 2
	)
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil || files.Cur > 1<<30 {
		return
	}
	l.Peers = min(l.Peers, max(least, (int(files.Cur)-rest)/channels))
}
