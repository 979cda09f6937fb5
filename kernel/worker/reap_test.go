package worker

import (
	"os/exec"
	"testing"
	"time"
)

// TestEndedChild: the number of an ended child is read without collecting it.
func TestEndedChild(t *testing.T) {
	cmd := exec.Command("/bin/true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for range 200 {
		if pid = endedChild(); pid != 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if pid != cmd.Process.Pid {
		t.Errorf("ended child %d, want %d", pid, cmd.Process.Pid)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it was collected: %v", err)
	}
	if pid = endedChild(); pid != 0 {
		t.Errorf("ended child %d after it was collected", pid)
	}
}
