package descendants

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestKill ends a shell with all that it runs, also what takes no notice of a
// signal that can be caught.
func TestKill(t *testing.T) {
	for name, end := range map[string]func(int){
		"interrupted": func(pid int) { Signal(pid, syscall.SIGTERM) },
		"killed":      func(pid int) { Kill(pid) },
	} {
		t.Run(name, func(t *testing.T) {
			trap := ""
			if name == "killed" {
				trap = "trap '' TERM INT; "
			}
			cmd := exec.Command("/bin/sh", "-c", trap+"(sleep 1000; true) & sleep 1000 | cat; true")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for range 100 { // the shell, that of the parentheses, two sleeps and cat
				if len(of(cmd.Process.Pid)) >= 5 {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			all := of(cmd.Process.Pid)
			if len(all) < 5 {
				t.Fatalf("found %v", all)
			}
			end(cmd.Process.Pid)
			began := time.Now()
			_, _ = out.Read(make([]byte, 1)) // until the last of them is gone
			if d := time.Since(began); d > 5*time.Second {
				t.Errorf("the pipe was held for %v", d)
			}
			_ = cmd.Wait()
			for _, pid := range all {
				if !gone(pid) {
					t.Errorf("process %d goes on", pid)
				}
			}
		})
	}
}

// gone waits for the end of a process; whoever it was handed to may not collect it.
func gone(pid int) bool {
	for range 50 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || parent(stat) == 0 {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

func TestParent(t *testing.T) {
	for text, want := range map[string]int{
		"12 (a) b) (c) S 7 12 12 0": 7,
		"12 (sh) Z 7 12":            0,
		"":                          0,
		"12 (sh":                    0,
	} {
		if got := parent([]byte(text)); got != want {
			t.Errorf("parent of %q is %d, want %d", text, got, want)
		}
	}
}
