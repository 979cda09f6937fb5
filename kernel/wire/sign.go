package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"sync"
	"unicode/utf8"
)

// delimiter ends the routing frames of a message.
var delimiter = []byte("<IDS|MSG>")

// Errors of Decode. The text of each names what is wrong, never what was sent.
var (
	ErrDelimiter = errors.New("message without delimiter")
	ErrShort     = errors.New("message with fewer than five parts after the delimiter")
	ErrSignature = errors.New("message with a wrong or missing signature")
	ErrReplay    = errors.New("message that has been received before")
	ErrText      = errors.New("message part that is not UTF-8")
)

// historySize is how many signatures are remembered against replay, as many as
// jupyter_client's Session does.
const historySize = 65536

// Codec signs, checks and frames messages. It is safe for concurrent use.
type Codec struct {
	macs *sync.Pool // of hash.Hash; nil when there is no key

	mu   sync.Mutex
	seen map[[sha256.Size]byte]struct{}
	ring [][sha256.Size]byte // the signatures in seen, oldest at next
	next int
}

// NewCodec returns a codec with the given key. An empty key means that nothing
// is signed and everything is believed.
func NewCodec(key []byte) *Codec {
	c := &Codec{seen: map[[sha256.Size]byte]struct{}{}}
	if len(key) > 0 {
		c.macs = &sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}
	}
	return c
}

// digestPiece is digested at a time: the digest is assembly, within which no other
// goroutine gets its turn.
const digestPiece = 1 << 20

// digest signs the four JSON parts; buffers are not covered by the protocol.
func (c *Codec) digest(parts [][]byte) (sum [sha256.Size]byte) {
	mac := c.macs.Get().(hash.Hash)
	defer c.macs.Put(mac)
	mac.Reset()
	for _, p := range parts {
		for len(p) > digestPiece {
			mac.Write(p[:digestPiece])
			p = p[digestPiece:]
		}
		mac.Write(p)
	}
	mac.Sum(sum[:0])
	return sum
}

var emptyObject = []byte("{}")

func orEmpty(b []byte) []byte {
	if len(b) == 0 {
		return emptyObject
	}
	return b
}

// Encode returns the frames of a message, after the identities.
func (c *Codec) Encode(m *Message) ([][]byte, error) {
	header, err := m.Header.encode()
	if err != nil {
		return nil, err
	}
	parts := [][]byte{header, orEmpty(m.Parent), orEmpty(m.Metadata), orEmpty(m.Content)}
	signature := []byte{}
	if c.macs != nil {
		sum := c.digest(parts)
		signature = hex.AppendEncode(nil, sum[:])
	}
	frames := make([][]byte, 0, len(m.Identities)+2+len(parts)+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, delimiter, signature)
	frames = append(frames, parts...)
	return append(frames, m.Buffers...), nil
}

// Decode checks and reads the frames of a message. The signature is checked
// before anything is read, and remembered only when it is right.
func (c *Codec) Decode(frames [][]byte) (*Message, error) {
	at := 0
	for at < len(frames) && !bytes.Equal(frames[at], delimiter) {
		at++
	}
	if at == len(frames) {
		return nil, ErrDelimiter
	}
	rest := frames[at+1:]
	if len(rest) < 5 {
		return nil, ErrShort
	}
	signature, parts := rest[0], rest[1:5]
	if err := c.check(signature, parts); err != nil {
		return nil, err
	}
	for _, p := range parts {
		if !utf8.Valid(p) {
			return nil, ErrText
		}
	}
	m := &Message{
		Identities: frames[:at:at], RawHeader: parts[0],
		Parent: parts[1], Metadata: parts[2], Content: parts[3], Buffers: rest[5:],
	}
	if err := json.Unmarshal(parts[0], &m.Header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if m.Header.MsgType == "" || m.Header.MsgID == "" {
		return nil, errors.New("header without msg_type or msg_id")
	}
	for i, name := range []string{"parent header", "metadata", "content"} {
		if !json.Valid(parts[1+i]) {
			return nil, fmt.Errorf("%s: malformed JSON", name)
		}
	}
	return m, nil
}

// check verifies a signature in constant time, then refuses a repeated one.
func (c *Codec) check(signature []byte, parts [][]byte) error {
	if c.macs == nil {
		return nil
	}
	var got [sha256.Size]byte
	if len(signature) != 2*len(got) {
		return ErrSignature
	}
	if _, err := hex.Decode(got[:], signature); err != nil {
		return ErrSignature
	}
	want := c.digest(parts)
	if !hmac.Equal(got[:], want[:]) {
		return ErrSignature
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, again := c.seen[want]; again {
		return ErrReplay
	}
	c.seen[want] = struct{}{}
	if len(c.ring) < historySize {
		c.ring = append(c.ring, want)
		return nil
	}
	delete(c.seen, c.ring[c.next])
	c.ring[c.next] = want
	c.next = (c.next + 1) % historySize
	return nil
}
