package kernel_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel"
	"gopherlo/kernel/transport"
)

// A gateway may say where to listen in the place of a connection file.
func TestAddress(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	shell := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	var file string
	_, c := start(t, func(o *kernel.Options) {
		o.Address = transport.Address{IP: "127.0.0.2", Shell: shell}
		file = o.ConnectionFile
	})
	if c.IP != "127.0.0.2" || c.ShellPort != shell || c.IOPubPort == 0 || c.Key == "" {
		t.Errorf("it listens on %s, shell port %d, iopub port %d", c.IP, c.ShellPort, c.IOPubPort)
	}
	fakefrontend.Connect(t, c)

	for name, test := range map[string]struct {
		file, ip, want string
	}{
		"a file that says it": {file, "127.0.0.2", "says where to listen"},
		"for all the world":   {filepath.Join(t.TempDir(), "k.json"), "0.0.0.0", "--allow-remote"},
	} {
		opts := options()
		opts.ConnectionFile, opts.Address.IP = test.file, test.ip
		if k, err := kernel.Start(opts); err == nil || !strings.Contains(err.Error(), test.want) {
			if k != nil {
				k.Close()
			}
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
