package fakefrontend

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"gopherlo/internal/atonce"
)

// Conn is a client connection that speaks ZMTP 3.0 with the NULL mechanism.
// It is written apart from the kernel's transport, so that the two check each
// other, and it lets a test send what no library would.
type Conn struct {
	net.Conn
	r *bufio.Reader
}

// Greeting is what a ZMTP 3.0 client says first.
func Greeting() []byte {
	g := make([]byte, 64)
	g[0], g[9], g[10] = 0xff, 0x7f, 3
	copy(g[12:], "NULL")
	return g
}

// Frame makes one frame; flags may have bits 1 (more) and 4 (command).
func Frame(flags byte, body []byte) []byte {
	if len(body) < 256 {
		return append([]byte{flags, byte(len(body))}, body...)
	}
	b := binary.BigEndian.AppendUint64([]byte{flags | 2}, uint64(len(body)))
	return append(b, body...)
}

// Ready makes the READY command of a socket type and identity.
func Ready(socketType, identity string) []byte {
	body := append([]byte{5}, "READY"...)
	for _, p := range [][2]string{{"Socket-Type", socketType}, {"Identity", identity}} {
		body = append(body, byte(len(p[0])))
		body = append(body, p[0]...)
		body = binary.BigEndian.AppendUint32(body, uint32(len(p[1])))
		body = append(body, p[1]...)
	}
	return Frame(4, body)
}

// Dial connects and does the handshake.
func Dial(network, addr, socketType, identity string) (*Conn, error) {
	raw, err := net.DialTimeout(network, addr, timeout)
	if err != nil {
		return nil, err
	}
	raw = atonce.Conn(raw)
	c := &Conn{raw, bufio.NewReaderSize(raw, 64<<10)}
	_ = raw.SetDeadline(time.Now().Add(timeout))
	if _, err := raw.Write(append(Greeting(), Ready(socketType, identity)...)); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	if _, err := io.CopyN(io.Discard, c.r, 64); err != nil {
		return nil, errors.Join(fmt.Errorf("greeting: %w", err), raw.Close())
	}
	flags, _, err := c.frame()
	if err != nil || flags&4 == 0 {
		return nil, errors.Join(fmt.Errorf("handshake: flags %d, %v", flags, err), raw.Close())
	}
	_ = raw.SetDeadline(time.Time{})
	return c, nil
}

// Send writes one message.
func (c *Conn) Send(frames ...[]byte) error {
	var b []byte
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = 1
		}
		b = append(b, Frame(flags, f)...)
	}
	_, err := c.Write(b)
	return err
}

// Receive reads one message, or one command as a message of one frame.
func (c *Conn) Receive(timeout time.Duration) ([][]byte, error) {
	_ = c.SetReadDeadline(time.Now().Add(timeout))
	var frames [][]byte
	for {
		flags, body, err := c.frame()
		if err != nil {
			return nil, err
		}
		frames = append(frames, body)
		if flags&1 == 0 {
			return frames, nil
		}
	}
}

func (c *Conn) frame() (flags byte, body []byte, err error) {
	if flags, err = c.r.ReadByte(); err != nil {
		return 0, nil, err
	}
	var size uint64
	if flags&2 == 0 {
		n, err := c.r.ReadByte()
		if err != nil {
			return 0, nil, err
		}
		size = uint64(n)
	} else {
		var b [8]byte
		if _, err := io.ReadFull(c.r, b[:]); err != nil {
			return 0, nil, err
		}
		size = binary.BigEndian.Uint64(b[:])
	}
	body = make([]byte, size)
	_, err = io.ReadFull(c.r, body)
	return flags, body, err
}
