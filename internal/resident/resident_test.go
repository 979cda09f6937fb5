package resident

import (
	"os"
	"strings"
	"testing"
)

const smaps = `00400000-00500000 r-xp 00000000 08:01 11                 /usr/bin/x
Rss:                 900 kB
Shared_Dirty:          0 kB
Private_Dirty:         0 kB
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me sd
00500000-00600000 r--p 00100000 08:01 11                 /usr/bin/x
Rss:                 900 kB
Private_Dirty:         4 kB
Anonymous:             4 kB
00600000-00700000 rw-p 00200000 08:01 11                 /usr/bin/x
Rss:                 900 kB
Private_Dirty:         0 kB
7f0000000000-7f0000100000 r--p 00000000 00:00 0
Rss:                 900 kB
7f0000200000-7f0000300000 r--s 00000000 08:01 12         /tmp/shared
Rss:                 900 kB
7f0000400000-7f0000500000 r--p 00000000 08:01 13         /usr/lib/a file.so
Rss:                   4 kB
7f0000600000-7f0000700000 r--p 00000000 08:01 13         /usr/lib/untouched.so
Rss:                   0 kB
ffffffffff600000-ffffffffff601000 r-xp 00000000 00:00 0  [vsyscall]
Rss:                   4 kB
`

func TestClean(t *testing.T) {
	got := clean([]byte(smaps))
	want := []mapping{{0x400000, 0x500000}, {0x7f0000400000, 0x7f0000500000}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %x, want %x", got, want)
	}
}

// TestTrim: the process goes on after its pages were taken away.
func TestTrim(t *testing.T) {
	if _, err := os.Stat("/proc/self/smaps"); err != nil {
		t.Skip(err)
	}
	kept := strings.Repeat("kept", 1000)
	for range 3 {
		Trim()
	}
	if kept != strings.Repeat("kept", 1000) {
		t.Error("memory of our own is lost")
	}
}
