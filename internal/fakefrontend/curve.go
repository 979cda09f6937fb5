package fakefrontend

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"golang.org/x/crypto/nacl/box"
)

// This file is the client's side of CurveZMQ (RFC 26), written apart from the
// kernel's. What a test writes on a connection are frames of ZMTP; sealed makes
// MESSAGE commands of them, whole frame by whole frame.

var errCurve = errors.New("the server's step of CURVE does not fit")

// sealed is a connection that encrypts frames.
type sealed struct {
	net.Conn
	r      *bufio.Reader
	shared [32]byte
	count  uint64
	out    []byte       // written by the test, not yet a whole frame
	in     bytes.Buffer // decrypted frames
}

// DialCurve connects to a server whose public key is given in Z85 and does the
// handshake.
func DialCurve(network, addr, socketType, identity, serverKey string) (*Conn, error) {
	key, err := z85(serverKey)
	if err != nil {
		return nil, err
	}
	raw, err := net.DialTimeout(network, addr, timeout)
	if err != nil {
		return nil, err
	}
	_ = raw.SetDeadline(time.Now().Add(timeout))
	s := &sealed{Conn: raw, r: bufio.NewReaderSize(raw, 64<<10)}
	if err := s.handshake((*[32]byte)(key), socketType, identity); err != nil {
		return nil, errors.Join(fmt.Errorf("CURVE: %w", err), raw.Close())
	}
	_ = raw.SetDeadline(time.Time{})
	return &Conn{s, bufio.NewReaderSize(s, 64<<10)}, nil
}

func (s *sealed) handshake(server *[32]byte, socketType, identity string) error {
	greeting := Greeting()
	copy(greeting[12:], "CURVE")
	if _, err := s.Conn.Write(greeting); err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, s.r, 64); err != nil {
		return err
	}
	permanent, permanentSecret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	transient, transientSecret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	b := append([]byte("\x05HELLO\x01\x00"), make([]byte, 72)...)
	b = append(append(b, transient[:]...), s.short()...)
	b = box.Seal(b, make([]byte, 64), nonce("CurveZMQHELLO---", b[112:120]), server, transientSecret)
	if _, err := s.Conn.Write(Frame(4, b)); err != nil {
		return err
	}
	welcome, err := s.command(24)
	if err != nil {
		return err
	}
	plain, ok := box.Open(nil, welcome[24:], nonce("WELCOME-", welcome[8:24]), server, transientSecret)
	if !ok || len(plain) < 32 {
		return errCurve
	}
	theirs := (*[32]byte)(plain[:32])
	box.Precompute(&s.shared, theirs, transientSecret)
	vouch := box.Seal(make([]byte, 16), append(transient[:], server[:]...), nonce("VOUCH---", make([]byte, 16)), theirs, permanentSecret)
	_, metadata, _ := bytes.Cut(Ready(socketType, identity), []byte("READY"))
	inner := append(append(permanent[:], vouch...), metadata...)
	b = append(append([]byte("\x08INITIATE"), plain[32:]...), s.short()...)
	b = box.SealAfterPrecomputation(b, inner, nonce("CurveZMQINITIATE", b[len(b)-8:]), &s.shared)
	if _, err := s.Conn.Write(Frame(4, b)); err != nil {
		return err
	}
	ready, err := s.command(14)
	if err != nil {
		return err
	}
	if _, ok := box.OpenAfterPrecomputation(nil, ready[14:], nonce("CurveZMQREADY---", ready[6:14]), &s.shared); !ok {
		return errCurve
	}
	return nil
}

// short is the next short nonce.
func (s *sealed) short() []byte {
	s.count++
	return binary.BigEndian.AppendUint64(nil, s.count)
}

// command reads a command of at least that size.
func (s *sealed) command(size int) ([]byte, error) {
	c := Conn{s.Conn, s.r}
	_, b, err := c.frame()
	if err == nil && len(b) < size {
		err = errCurve
	}
	return b, err
}

// Write implements [net.Conn]. What is no whole frame waits for the rest.
func (s *sealed) Write(b []byte) (int, error) {
	s.out = append(s.out, b...)
	var whole []byte
	for {
		rest := bytes.NewReader(s.out)
		c := Conn{r: bufio.NewReaderSize(rest, 16)}
		flags, body, err := c.limited(len(s.out))
		if err != nil {
			break
		}
		head := 2
		if flags&2 != 0 {
			head = 9
		}
		s.out = s.out[head+len(body):]
		inside := flags & 1
		if flags&4 != 0 {
			inside |= 2
		}
		m := append([]byte("\x07MESSAGE"), s.short()...)
		m = box.SealAfterPrecomputation(m, append([]byte{inside}, body...), nonce("CurveZMQMESSAGEC", m[8:16]), &s.shared)
		whole = append(whole, Frame(0, m)...)
	}
	if _, err := s.Conn.Write(whole); err != nil {
		return 0, err
	}
	return len(b), nil
}

// limited reads a frame whose size must be within a bound.
func (c *Conn) limited(bound int) (flags byte, body []byte, err error) {
	head, err := c.r.Peek(2)
	if err != nil {
		return 0, nil, err
	}
	size := uint64(head[1])
	if head[0]&2 != 0 {
		long, err := c.r.Peek(9)
		if err != nil {
			return 0, nil, err
		}
		size = binary.BigEndian.Uint64(long[1:])
	}
	if size > uint64(bound) {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return c.frame()
}

// Read implements [net.Conn].
func (s *sealed) Read(b []byte) (int, error) {
	for s.in.Len() == 0 {
		m, err := s.command(16)
		if err != nil {
			return 0, err
		}
		plain, ok := box.OpenAfterPrecomputation(nil, m[16:], nonce("CurveZMQMESSAGES", m[8:16]), &s.shared)
		if !ok || len(plain) == 0 {
			return 0, errCurve
		}
		flags := plain[0] & 1
		if plain[0]&2 != 0 {
			flags |= 4
		}
		s.in.Write(Frame(flags, plain[1:]))
	}
	return s.in.Read(b)
}

func nonce(prefix string, rest []byte) *[24]byte {
	var n [24]byte
	copy(n[copy(n[:], prefix):], rest)
	return &n
}

// z85 decodes the text of a key (RFC 32).
func z85(text string) ([]byte, error) {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
	if len(text) != 40 {
		return nil, errors.New("a key has 40 characters")
	}
	var b []byte
	for ; text != ""; text = text[5:] {
		var n uint32
		for i := range 5 {
			n = n*85 + uint32(max(0, strings.IndexByte(digits, text[i])))
		}
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b, nil
}
