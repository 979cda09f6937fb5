package kernel_test

import (
	"testing"

	"gopherlo/internal/fakefrontend"
)

// A client whose subscription comes after its first request's answer sees all of
// that answer: the kernel starts faster than ZeroMQ connects again.
func TestLateSubscription(t *testing.T) {
	_, conn := start(t, nil)
	f := fakefrontend.Deaf(t, conn)
	id := f.Post(f.Shell, "execute_request", map[string]any{"code": "let x 1"})
	f.Reply(id, "ok")
	f.Subscribe()
	f.Busy(id)
	f.Expect("execute_input")
	f.Idle(id)
	f.Run("let x 2")
	fakefrontend.Connect(t, conn) // nothing is kept for a second client
}
