package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// capture runs the command line and gives its exit status and output.
func capture(t *testing.T, args ...string) (status int, out string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = file, file
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	status = run(args)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return status, string(text)
}

func TestCommandLine(t *testing.T) {
	prefix := t.TempDir()
	for _, test := range []struct {
		args   string
		status int
		out    string
	}{
		{"", 2, "usage: gopherlo COMMAND"},
		{"help", 0, "install"},
		{"--help", 0, "doctor"},
		{"help kernel", 0, "usage: gopherlo kernel -f FILE"},
		{"help help", 0, "usage: gopherlo COMMAND"},
		{"help nonsense", 2, `unknown command "nonsense"`},
		{"kernel -f x --limit PEERS=none", 2, "want a number above 0"},
		{"kernel -f x --limit NONE=1", 2, "there is no limit NONE"},
		{"doctor -h", 0, "usage: gopherlo doctor"},
		{"plugin install -h", 0, "usage: gopherlo plugin install"},
		{"nonsense", 2, `unknown command "nonsense"`},
		{"version", 0, "gopherlo "},
		{"install --prefix " + prefix, 0, "installed kernel gopherlo"},
		{"install --prefix " + prefix + " --env X", 2, "want NAME=VALUE"},
		{"install --prefix " + prefix + " --name a/b", 1, "kernel name"},
		{"install --user --prefix " + prefix, 1, "one of --user, --sys-prefix and --prefix"},
		{"install extra", 2, `unexpected argument "extra"`},
		{"uninstall --prefix " + prefix, 0, "removed kernel gopherlo"},
		{"uninstall --prefix " + prefix, 1, "no kernel"},
		{"install -h", 0, "-prefix"},
		{"source -h", 0, "usage: gopherlo source FILE.zip"},
		{"source", 2, "1 argument(s) wanted"},
	} {
		status, out := capture(t, strings.Fields(test.args)...)
		if status != test.status || !strings.Contains(out, test.out) {
			t.Errorf("gopherlo %s: status %d, want %d; output, which should hold %q:\n%s", test.args, status, test.status, test.out, out)
		}
	}
}

// Every command has a line of help and a usage text, and help lists all that are
// not hidden.
func TestHelpListsCommands(t *testing.T) {
	_, out := capture(t, "help")
	for name, cmd := range commands {
		if cmd.run == nil || !cmd.hidden && cmd.help == "" {
			t.Errorf("command %s lacks its function or its help", name)
		}
		if !cmd.hidden && !strings.Contains(out, "  "+name) {
			t.Errorf("help does not list %s", name)
		}
		if cmd.hidden || name == "version" {
			continue
		}
		if status, out := capture(t, "help", name); status != 0 || !strings.HasPrefix(out, "usage: gopherlo") && name != "help" {
			t.Errorf("help %s: status %d:\n%s", name, status, out)
		}
	}
}
