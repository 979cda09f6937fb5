package transport

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/nacl/box"
)

// Keys of a pair made by libzmq's zmq_curve_keypair.
const (
	testPublic = "6*NchrJEWsMV:>sKU:8mk:ihPTe]8.ypsvnl?#&V"
	testSecret = "Kg^:6LVe8c+Q9M0r&Fq+m5Okia%2#pUiPZEC9Va("
)

// curveClient is the client's side, written for the test.
type curveClient struct {
	net.Conn
	r      *bufio.Reader
	shared [keySize]byte
	count  uint64
}

// dialCurve does the handshake as a client that knows the given server key. At
// is called before each step and may change what is sent.
func dialCurve(conn net.Conn, server *[keySize]byte, change func(step string, b []byte) []byte) (*curveClient, error) {
	c := &curveClient{Conn: conn, r: bufio.NewReader(conn)}
	if change == nil {
		change = func(_ string, b []byte) []byte { return b }
	}
	greeting := make([]byte, 64)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "CURVE")
	_, _ = conn.Write(change("greeting", greeting))
	if _, err := io.CopyN(io.Discard, c.r, 64); err != nil {
		return nil, err
	}
	permanent, permanentSecret, _ := box.GenerateKey(rand.Reader)
	transient, transientSecret, _ := box.GenerateKey(rand.Reader)
	short := make([]byte, 8)
	short[7] = 1
	b := append([]byte("\x05HELLO\x01\x00"), make([]byte, 72)...)
	b = append(append(b, transient[:]...), short...)
	b = box.Seal(b, make([]byte, 64), nonce("CurveZMQHELLO---", short), server, transientSecret)
	_, _ = conn.Write(appendFrame(nil, bitCommand, change("HELLO", b)))
	welcome, err := c.frame()
	if err != nil {
		return nil, err
	}
	plain, ok := box.Open(nil, welcome[24:], nonce("WELCOME-", welcome[8:24]), server, transientSecret)
	if !ok {
		return nil, errCurve
	}
	theirs, cookie := (*[keySize]byte)(plain[:32]), plain[32:]
	box.Precompute(&c.shared, theirs, transientSecret)
	vouch := box.Seal(make([]byte, 16), append(transient[:], server[:]...), nonce("VOUCH---", make([]byte, 16)), theirs, permanentSecret)
	inner := append(append(append([]byte{}, permanent[:]...), vouch...), "\x0bSocket-Type\x00\x00\x00\x06DEALER"...)
	short[7] = 2
	b = append(append([]byte("\x08INITIATE"), cookie...), short...)
	b = box.SealAfterPrecomputation(b, inner, nonce("CurveZMQINITIATE", short), &c.shared)
	_, _ = conn.Write(appendFrame(nil, bitCommand, change("INITIATE", b)))
	ready, err := c.frame()
	if err != nil {
		return nil, err
	}
	if _, ok := box.OpenAfterPrecomputation(nil, ready[14:], nonce("CurveZMQREADY---", ready[6:14]), &c.shared); !ok {
		return nil, errCurve
	}
	c.count = 2
	return c, nil
}

func (c *curveClient) frame() ([]byte, error) {
	h := make([]byte, 2)
	if _, err := io.ReadFull(c.r, h); err != nil {
		return nil, err
	}
	size := uint64(h[1])
	if h[0]&bitLong != 0 {
		rest := make([]byte, 7)
		if _, err := io.ReadFull(c.r, rest); err != nil {
			return nil, err
		}
		size = binary.BigEndian.Uint64(append(h[1:], rest...))
	}
	b := make([]byte, size)
	_, err := io.ReadFull(c.r, b)
	return b, err
}

// message seals one frame.
func (c *curveClient) message(flags byte, body string) []byte {
	c.count++
	short := binary.BigEndian.AppendUint64(nil, c.count)
	b := append([]byte("\x07MESSAGE"), short...)
	b = box.SealAfterPrecomputation(b, append([]byte{flags}, body...), nonce("CurveZMQMESSAGEC", short), &c.shared)
	return appendFrame(nil, 0, b)
}

// curveChannel is an echo channel with CURVE.
func curveChannel(t *testing.T) (*Channel, *[keySize]byte) {
	t.Helper()
	cfg := &Config{Limits: DefaultLimits()}
	cfg.Limits.Handshake = 2 * time.Second
	cfg.Init()
	var err error
	if cfg.Secure, err = CurveServer(testPublic, testSecret, &cfg.Limits); err != nil {
		t.Fatal(err)
	}
	port := 0
	c, err := Listen(cfg, &Connection{Transport: "tcp", IP: "127.0.0.1"}, "hb", Echo, &port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(0) })
	key, err := decodeZ85(testPublic)
	if err != nil {
		t.Fatal(err)
	}
	return c, (*[keySize]byte)(key)
}

func dialChannel(t *testing.T, c *Channel) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", c.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	return conn
}

func TestCurveEcho(t *testing.T) {
	ch, key := curveChannel(t)
	c, err := dialCurve(dialChannel(t, ch), key, nil)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 50000)
	go func() { _, _ = c.Write(append(c.message(curveMore, ""), c.message(0, long)...)) }()
	for i, want := range []string{"\x01", "\x00" + long} {
		b, err := c.frame()
		if err != nil {
			t.Fatal(err)
		}
		plain, ok := box.OpenAfterPrecomputation(nil, b[16:], nonce("CurveZMQMESSAGES", b[8:16]), &c.shared)
		if !ok || string(plain) != want {
			t.Errorf("frame %d: %v, %d bytes", i, ok, len(plain))
		}
	}
}

// TestCurveRefused: each wrong step ends the connection, and nothing else.
func TestCurveRefused(t *testing.T) {
	ch, key := curveChannel(t)
	for _, step := range []string{"greeting", "HELLO", "INITIATE"} {
		for name, change := range map[string]func([]byte) []byte{
			"cut":     func(b []byte) []byte { return b[:len(b)-1] },
			"changed": func(b []byte) []byte { b[len(b)-1] ^= 1; b[len(b)/2] ^= 1; b[12] ^= 1; return b },
			"empty":   func([]byte) []byte { return nil },
			"long":    func(b []byte) []byte { return append(b, make([]byte, 9000)...) },
		} {
			if step == "greeting" && name != "changed" {
				continue // bytes of a stream: what is missing is waited for
			}
			conn := dialChannel(t, ch)
			_, err := dialCurve(conn, key, func(s string, b []byte) []byte {
				if s == step {
					return change(b)
				}
				return b
			})
			if err == nil {
				t.Errorf("%s %s: accepted", step, name)
			}
		}
	}
	if _, err := dialCurve(dialChannel(t, ch), new([keySize]byte), nil); err == nil {
		t.Error("a client with another server key is accepted")
	}
	if _, err := dialCurve(dialChannel(t, ch), key, nil); err != nil {
		t.Errorf("a good client after them: %v", err)
	}
}

// TestCurveReplay: a message that comes again ends the connection.
func TestCurveReplay(t *testing.T) {
	ch, key := curveChannel(t)
	c, err := dialCurve(dialChannel(t, ch), key, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := c.message(0, "a")
	go func() { _, _ = c.Write(bytes.Repeat(m, 2)) }()
	for {
		if _, err := c.frame(); err != nil {
			if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() {
				t.Error("the connection goes on")
			}
			return
		}
	}
}

func TestCurveKeys(t *testing.T) {
	l := DefaultLimits()
	for name, keys := range map[string][2]string{
		"short":     {"abc", testSecret},
		"character": {strings.Repeat("~", 40), testSecret},
		"no pair":   {testPublic, testPublic},
		"empty":     {"", testSecret},
	} {
		if _, err := CurveServer(keys[0], keys[1], &l); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestZ85 is the example of RFC 32.
func TestZ85(t *testing.T) {
	b, err := decodeZ85("HelloWorld")
	if err != nil || !bytes.Equal(b, []byte{0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B}) {
		t.Errorf("%x, %v", b, err)
	}
}
