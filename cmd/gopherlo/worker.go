package main

import (
	"gopherlo/interp"
	"gopherlo/kernel/worker"
	"gopherlo/xla/pjrt"
)

// workerCommand is the process that runs cells. The kernel starts it; by hand
// it ends at once with a message.
func workerCommand([]string) int {
	hooks := worker.Hooks{
		LineBuffer: pjrt.LineBufferStdout,
		Flush:      pjrt.FlushStdio,
		// Without a plugin there is nothing to load early; the first
		// compilation then says how to get one.
		Started: func() { _ = pjrt.Preload("cpu") },
	}
	if err := worker.Serve(interp.New(interp.Options{}), hooks); err != nil {
		return fail("worker", err)
	}
	return 0
}
