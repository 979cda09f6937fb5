package transport

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"golang.org/x/crypto/curve25519"
	"golang.org/x/crypto/nacl/box"
)

// This file is the server's side of CurveZMQ (RFC 26, mechanism CURVE of ZMTP
// 3, RFC 23). zmq4 cannot carry it: it writes a frame's length before it
// encrypts. So the handshake and the encryption are done below it, on the raw
// connection, and the engine sees a peer that speaks the mechanism NULL.

// errCurve is the error of every malformed or forged step: a stranger learns
// nothing from it.
var errCurve = errors.New("CURVE handshake or message that does not fit")

const (
	keySize    = 32
	helloSize  = 200
	cookieSize = 96
	// initiateFixed is the size of INITIATE without its metadata: command,
	// cookie, nonce, box overhead, client key, vouch.
	initiateFixed = 9 + cookieSize + 8 + box.Overhead + keySize + 96
	// messageFixed is what MESSAGE adds to a payload.
	messageFixed = 8 + 8 + box.Overhead + 1
	welcomePlain = keySize + cookieSize

	curveMore    = 1 // flags of a MESSAGE, inside the box
	curveCommand = 2
)

// CurveServer returns the security layer for [Config.Secure] from the Z85 keys
// of a connection file.
func CurveServer(publicKey, secretKey string, limits *Limits) (func(net.Conn) (net.Conn, error), error) {
	var public, secret [keySize]byte
	for _, k := range []struct {
		name, text string
		to         *[keySize]byte
	}{{"curve_publickey", publicKey, &public}, {"curve_secretkey", secretKey, &secret}} {
		b, err := decodeZ85(k.text)
		if err != nil || len(b) != keySize {
			return nil, fmt.Errorf("connection file: %s is not a Z85 key of 40 characters", k.name)
		}
		copy(k.to[:], b)
	}
	derived, err := curve25519.X25519(secret[:], curve25519.Basepoint)
	if err != nil || subtle.ConstantTimeCompare(derived, public[:]) != 1 {
		return nil, errors.New("connection file: curve_publickey and curve_secretkey are no pair")
	}
	return func(raw net.Conn) (net.Conn, error) {
		c := &curveConn{Conn: raw, r: bufio.NewReaderSize(raw, 8<<10), maxFrame: limits.Frame}
		return c, c.handshake(&public, &secret)
	}, nil
}

// curveConn is a connection that encrypts ZMTP frames.
type curveConn struct {
	net.Conn
	r        *bufio.Reader
	maxFrame int64
	shared   [keySize]byte // of the two transient keys

	out   bytes.Reader // decrypted, for the engine to read
	frame bytes.Buffer // backs out
	last  uint64       // the client's last short nonce

	skip   int    // bytes of the engine's greeting still to be swallowed
	ready  bool   // the engine's READY has been sent on
	plain  []byte // written by the engine, not yet a whole frame
	count  uint64 // our last short nonce
	sealed []byte // encrypted, to be written
}

// nonce puts a prefix and a short or long nonce together.
func nonce(prefix string, rest []byte) *[24]byte {
	var n [24]byte
	copy(n[copy(n[:], prefix):], rest)
	return &n
}

// handshake does the steps up to INITIATE; READY follows when the engine
// writes its own. The deadline is the caller's.
func (c *curveConn) handshake(public, secret *[keySize]byte) error {
	if err := c.greet(); err != nil {
		return err
	}
	client, err := c.hello(public, secret)
	if err != nil {
		return err
	}
	ourPublic, ourSecret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	cookie := make([]byte, cookieSize)
	if _, err := rand.Read(cookie); err != nil {
		return err
	}
	if err := c.welcome(client, secret, ourPublic, cookie); err != nil {
		return err
	}
	box.Precompute(&c.shared, client, ourSecret)
	metadata, err := c.initiate(client, public, ourSecret, cookie)
	if err != nil {
		return err
	}
	// The engine reads the greeting and the READY of a NULL peer.
	greeting := make([]byte, greetingSize)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "NULL")
	c.frame.Write(greeting)
	c.putFrame(bitCommand, append([]byte("\x05READY"), metadata...))
	c.out.Reset(c.frame.Bytes())
	c.skip = greetingSize
	return nil
}

// greet exchanges greetings.
func (c *curveConn) greet() error {
	ours := make([]byte, greetingSize)
	ours[0], ours[9], ours[10], ours[32] = 0xff, 0x7f, 3, 1
	copy(ours[12:], "CURVE")
	if _, err := c.Conn.Write(ours); err != nil {
		return err
	}
	theirs := make([]byte, greetingSize)
	if _, err := io.ReadFull(c.r, theirs); err != nil {
		return err
	}
	mechanism := string(bytes.TrimRight(theirs[12:32], "\x00"))
	if theirs[0] != 0xff || theirs[9] != 0x7f || theirs[10] < 3 || mechanism != "CURVE" {
		return errCurve
	}
	return nil
}

// hello reads HELLO and returns the client's transient key.
func (c *curveConn) hello(public, secret *[keySize]byte) (*[keySize]byte, error) {
	b, err := c.readCommand("\x05HELLO")
	if err != nil {
		return nil, err
	}
	if len(b) != helloSize || b[6] != 1 {
		return nil, errCurve
	}
	client := (*[keySize]byte)(b[80:112])
	plain, ok := box.Open(nil, b[120:200], nonce("CurveZMQHELLO---", b[112:120]), client, secret)
	if !ok || !bytes.Equal(plain, make([]byte, 64)) {
		return nil, errCurve
	}
	return client, nil
}

// welcome sends WELCOME: our transient key and a cookie. The cookie only has
// to come back: this connection remembers what others seal into it.
func (c *curveConn) welcome(client, secret, ourPublic *[keySize]byte, cookie []byte) error {
	var long [16]byte
	if _, err := rand.Read(long[:]); err != nil {
		return err
	}
	plain := make([]byte, 0, welcomePlain)
	plain = append(append(plain, ourPublic[:]...), cookie...)
	body := append([]byte("\x07WELCOME"), long[:]...)
	body = box.Seal(body, plain, nonce("WELCOME-", long[:]), client, secret)
	_, err := c.Conn.Write(appendFrame(nil, bitCommand, body))
	return err
}

// initiate reads INITIATE, checks cookie and vouch, and returns the client's
// metadata. Any client that knows the server's public key, which is in the
// connection file, is let in, as ipykernel does.
func (c *curveConn) initiate(client, public, ourSecret *[keySize]byte, cookie []byte) ([]byte, error) {
	b, err := c.readCommand("\x08INITIATE")
	if err != nil {
		return nil, err
	}
	if len(b) < initiateFixed || subtle.ConstantTimeCompare(b[9:9+cookieSize], cookie) != 1 {
		return nil, errCurve
	}
	b = b[9+cookieSize:]
	plain, ok := box.OpenAfterPrecomputation(nil, b[8:], nonce("CurveZMQINITIATE", b[:8]), &c.shared)
	if !ok {
		return nil, errCurve
	}
	c.last = binary.BigEndian.Uint64(b[:8])
	permanent, vouch, metadata := (*[keySize]byte)(plain[:32]), plain[32:128], plain[128:]
	said, ok := box.Open(nil, vouch[16:], nonce("VOUCH---", vouch[:16]), permanent, ourSecret)
	if !ok || !bytes.Equal(said, append(client[:], public[:]...)) {
		return nil, errCurve
	}
	return metadata, nil
}

// readCommand reads a command of the handshake and checks its name.
func (c *curveConn) readCommand(name string) ([]byte, error) {
	flags, body, err := c.readFrame(maxCommand)
	if err != nil {
		return nil, err
	}
	if flags&bitCommand == 0 || !bytes.HasPrefix(body, []byte(name)) {
		return nil, errCurve
	}
	return body, nil
}

// readFrame reads a frame of at most the given size; memory grows with what
// arrives, not with what is announced.
func (c *curveConn) readFrame(limit int64) (flags byte, body []byte, err error) {
	var h [9]byte
	if _, err := io.ReadFull(c.r, h[:2]); err != nil {
		return 0, nil, err
	}
	size := uint64(h[1])
	if h[0]&bitLong != 0 {
		if _, err := io.ReadFull(c.r, h[2:]); err != nil {
			return 0, nil, err
		}
		size = binary.BigEndian.Uint64(h[1:])
	}
	if size > uint64(limit) {
		return 0, nil, errTooLarge
	}
	if size <= direct {
		body = make([]byte, size)
		_, err = io.ReadFull(c.r, body)
		return h[0], body, err
	}
	var b bytes.Buffer
	_, err = io.CopyN(&b, c.r, int64(size))
	return h[0], b.Bytes(), err
}

// Read implements [net.Conn] for the guard: decrypted frames.
func (c *curveConn) Read(p []byte) (int, error) {
	for c.out.Len() == 0 {
		if err := c.open(); err != nil {
			return 0, err
		}
	}
	return c.out.Read(p)
}

// open reads one MESSAGE and puts its frame into out.
func (c *curveConn) open() error {
	_, b, err := c.readFrame(c.maxFrame + messageFixed)
	if err != nil {
		return err
	}
	if len(b) < messageFixed || !bytes.HasPrefix(b, []byte("\x07MESSAGE")) {
		return errCurve
	}
	short := binary.BigEndian.Uint64(b[8:16])
	plain, ok := box.OpenAfterPrecomputation(nil, b[16:], nonce("CurveZMQMESSAGEC", b[8:16]), &c.shared)
	if !ok || short <= c.last { // forged, or seen before
		return errCurve
	}
	c.last = short
	flags := plain[0] & curveMore // the same bit as in a frame
	if plain[0]&curveCommand != 0 {
		flags |= bitCommand
	}
	if c.frame.Reset(); c.frame.Cap() > direct {
		c.frame = bytes.Buffer{}
	}
	c.putFrame(flags, plain[1:])
	c.out.Reset(c.frame.Bytes())
	return nil
}

func (c *curveConn) putFrame(flags byte, body []byte) {
	c.frame.Write(appendFrameHeader(nil, flags, len(body)))
	c.frame.Write(body)
}

// Write implements [net.Conn] for the guard: it takes ZMTP frames, in whatever
// pieces, and sends what is whole as MESSAGEs.
func (c *curveConn) Write(p []byte) (int, error) {
	n := len(p)
	if skipped := min(c.skip, n); skipped > 0 {
		c.skip -= skipped
		p = p[skipped:]
	}
	c.plain = append(c.plain, p...)
	rest := c.plain
	for {
		flags, body, after, ok := cutFrame(rest)
		if !ok {
			break
		}
		c.seal(flags, body)
		rest = after
	}
	c.plain = append(c.plain[:0], rest...)
	if cap(c.plain) > 2*writePiece && len(c.plain) == 0 {
		c.plain = nil
	}
	if len(c.sealed) == 0 {
		return n, nil
	}
	_, err := c.Conn.Write(c.sealed)
	if c.sealed = c.sealed[:0]; cap(c.sealed) > 2*writePiece {
		c.sealed = nil
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}

// seal encrypts one frame of the engine. The first is its READY, whose
// metadata goes into CURVE's own.
func (c *curveConn) seal(flags byte, body []byte) {
	c.count++
	short := binary.BigEndian.AppendUint64(nil, c.count)
	if !c.ready {
		c.ready = true
		b := append([]byte("\x05READY"), short...)
		b = box.SealAfterPrecomputation(b, bytes.TrimPrefix(body, []byte("\x05READY")), nonce("CurveZMQREADY---", short), &c.shared)
		c.sealed = appendFrame(c.sealed, bitCommand, b)
		return
	}
	inner := flags & bitMore
	if flags&bitCommand != 0 {
		inner |= curveCommand
	}
	plain := append([]byte{inner}, body...)
	c.sealed = appendFrameHeader(c.sealed, 0, len(body)+messageFixed)
	c.sealed = append(append(c.sealed, "\x07MESSAGE"...), short...)
	c.sealed = box.SealAfterPrecomputation(c.sealed, plain, nonce("CurveZMQMESSAGES", short), &c.shared)
}

// cutFrame takes the first frame of b, if it is whole.
func cutFrame(b []byte) (flags byte, body, rest []byte, ok bool) {
	if len(b) < 2 {
		return 0, nil, b, false
	}
	size, head := uint64(b[1]), 2
	if b[0]&bitLong != 0 {
		if len(b) < 9 {
			return 0, nil, b, false
		}
		size, head = binary.BigEndian.Uint64(b[1:]), 9
	}
	if uint64(len(b)-head) < size {
		return 0, nil, b, false
	}
	end := head + int(size)
	return b[0], b[head:end], b[end:], true
}

func appendFrame(b []byte, flags byte, body []byte) []byte {
	return append(appendFrameHeader(b, flags, len(body)), body...)
}

func appendFrameHeader(b []byte, flags byte, size int) []byte {
	if size < 256 {
		return append(b, flags, byte(size))
	}
	return binary.BigEndian.AppendUint64(append(b, flags|bitLong), uint64(size))
}

// z85 is the alphabet of RFC 32.
const z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// decodeZ85 decodes the text form of keys.
func decodeZ85(s string) ([]byte, error) {
	if len(s)%5 != 0 {
		return nil, errors.New("not a multiple of five characters")
	}
	var out []byte
	for i := 0; i < len(s); i += 5 {
		var v uint64
		for _, c := range s[i : i+5] {
			digit := strings.IndexRune(z85, c)
			if digit < 0 {
				return nil, errors.New("a character that is not Z85's")
			}
			v = v*85 + uint64(digit)
		}
		if v > 1<<32-1 {
			return nil, errors.New("a group above 32 bits")
		}
		out = binary.BigEndian.AppendUint32(out, uint32(v))
	}
	return out, nil
}
