package transport

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// Connection is the content of a connection file: where the kernel listens and
// the key that signs messages. It must not be printed: it holds the key.
type Connection struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	SignatureScheme string `json:"signature_scheme"`
	Key             string `json:"key"`
	KernelName      string `json:"kernel_name,omitempty"`
	CurvePublicKey  string `json:"curve_publickey,omitempty"`
	CurveSecretKey  string `json:"curve_secretkey,omitempty"`
}

// Address is where to listen when no connection file says it: zero ports are
// chosen, and without an IP that is loopback.
type Address struct {
	IP                               string
	Shell, IOPub, Stdin, Control, HB int
}

// At sets where c listens.
func (c *Connection) At(a Address) {
	if a.IP != "" {
		c.IP = a.IP
	}
	c.ShellPort, c.IOPubPort, c.StdinPort, c.ControlPort, c.HBPort = a.Shell, a.IOPub, a.Stdin, a.Control, a.HB
}

// Chooses reports whether a port is left for the kernel to choose.
func (c *Connection) Chooses() bool {
	return min(c.ShellPort, c.IOPubPort, c.StdinPort, c.ControlPort, c.HBPort) <= 0
}

// LoadConnection reads a connection file. When there is none at path it
// returns a fresh connection on loopback with ports to be chosen, and fresh is
// true: the caller saves it once it listens.
func LoadConnection(path string) (c *Connection, fresh bool, err error) {
	b, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		key := make([]byte, 32)
		if _, err := rand.Read(key); err != nil {
			return nil, false, err
		}
		return &Connection{
			Transport: "tcp", IP: "127.0.0.1", SignatureScheme: "hmac-sha256", Key: hex.EncodeToString(key),
		}, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("connection file: %w", err)
	}
	c = new(Connection)
	if err := json.Unmarshal(b, c); err != nil {
		return nil, false, fmt.Errorf("connection file %s: %w", path, err)
	}
	if c.Transport == "" {
		c.Transport = "tcp"
	}
	if c.SignatureScheme == "" {
		c.SignatureScheme = "hmac-sha256"
	}
	return c, false, nil
}

// maxConnectionFile bounds what is read: a connection file has some 300 bytes.
const maxConnectionFile = 1 << 20

// readSmall reads a regular file of moderate size; a pipe or a device in its
// place would keep the kernel for ever.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxConnectionFile:
		return nil, fmt.Errorf("%s has %d bytes: that is no connection file", path, info.Size())
	}
	return os.ReadFile(path)
}

// Save writes the connection file, readable by the user alone. What a file that
// is there says beyond a Connection stays.
func (c *Connection) Save(path string) error {
	fields := map[string]json.RawMessage{}
	if old, err := readSmall(path); err == nil {
		_ = json.Unmarshal(old, &fields) // one that is malformed is replaced
	}
	b, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(b, &fields)
	}
	if err == nil {
		b, err = json.MarshalIndent(fields, "", "  ")
	}
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".gopherlo-*") // mode 0600
	if err != nil {
		return fmt.Errorf("connection file: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	if _, err := tmp.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("connection file: %w", err)
	}
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("connection file: %w", err)
	}
	return os.Rename(tmp.Name(), path)
}

// Policy says what a connection may ask for beyond the safe default.
type Policy struct {
	Remote   bool // listen on an address that other machines reach
	Unsigned bool // serve without a key
}

// Check refuses a connection that would be open to strangers.
func (c *Connection) Check(p Policy) error {
	if c.SignatureScheme != "hmac-sha256" {
		return fmt.Errorf("signature scheme %q is not supported: only hmac-sha256 is", c.SignatureScheme)
	}
	switch c.Transport {
	case "ipc":
		return nil
	case "tcp":
	default:
		return fmt.Errorf("transport %q is not supported: use tcp or ipc", c.Transport)
	}
	if c.Key == "" && !p.Unsigned {
		return errors.New("the connection file has no key, so anyone on this machine could run code; start with --allow-unsigned to serve all the same")
	}
	if !p.Remote && !isLoopback(c.IP) {
		return fmt.Errorf("%q is an address that other machines may reach; start with --allow-remote to listen there", c.IP)
	}
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// listen opens the listener for a port of the connection. It returns the port
// too, which differs from the one given when that is 0.
func (c *Connection) listen(port int) (net.Listener, int, error) {
	if c.Transport == "ipc" {
		return listenIPC(c.IP, port)
	}
	host := c.IP
	if host == "*" {
		host = ""
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, 0, fmt.Errorf("port %d: %w (does another kernel use this connection file?)", port, err)
	}
	return ln, ln.Addr().(*net.TCPAddr).Port, nil
}

// listenIPC opens a local socket under jupyter_client's name for it,
// "<ip>-<port>". A socket file that a crashed kernel left is removed; one that
// answers belongs to a living kernel.
func listenIPC(base string, port int) (net.Listener, int, error) {
	if port == 0 {
		for port = 1; ; port++ {
			if _, err := os.Lstat(base + "-" + strconv.Itoa(port)); errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
	}
	path := base + "-" + strconv.Itoa(port)
	if st, err := os.Lstat(path); err == nil {
		if st.Mode()&fs.ModeSocket == 0 {
			return nil, 0, fmt.Errorf("%s exists and is no socket", path)
		}
		if peer, err := net.Dial("unix", path); err == nil {
			_ = peer.Close()
			return nil, 0, fmt.Errorf("%s: another kernel listens there", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, 0, err
		}
	}
	ln, err := net.Listen("unix", path)
	if err != nil {
		return nil, 0, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = ln.Close()
		return nil, 0, err
	}
	return ln, port, nil
}
