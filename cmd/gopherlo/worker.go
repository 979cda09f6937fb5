package main

import (
	"fmt"
	"os"

	"gopherlo/internal/resident"
	"gopherlo/interp"
	"gopherlo/kernel/worker"
	"gopherlo/xla/pjrt"
)

// envPreload is "off" for a worker that loads the plugin when a cell needs it
// and not before: the one before died of something at its start.
const envPreload = "GOPHERLO_PRELOAD"

// workerRoom is about what a session without data has in use: it is collected half
// as often.
const workerRoom = 32 << 20

// workerCommand is the process that runs cells. The kernel starts it; by hand
// it ends at once with a message.
func workerCommand([]string) int {
	resident.Room(workerRoom)
	rest := new(resident.Rest)
	hooks := worker.Hooks{
		LineBuffer: pjrt.LineBufferStdout,
		Flush:      pjrt.FlushStdio,
		// Without a plugin there is nothing to load early; the first
		// compilation then says how to get one.
		Started: func() {
			if os.Getenv(envPreload) != "off" {
				_ = pjrt.Preload("cpu")
			}
		},
		Activity: rest.Activity,
	}
	stop := startCache()
	defer stop()
	if err := worker.Serve(interp.New(interp.Options{Busy: pjrt.Busy}), hooks); err != nil {
		return fail("worker", err)
	}
	return 0
}

// startCache lets compilations go through the cache on disk. Where that is not
// safe or not possible the worker says why, once, and goes on without.
func startCache() (stop func()) {
	cache, err := openCache()
	if err != nil {
		fmt.Fprintf(os.Stderr, "gopherlo: compiled programs are not kept on disk: %v (%s=off says nothing)\n", err, envCache)
		return func() {}
	}
	if cache == nil {
		return func() {}
	}
	pjrt.UseCache(cache)
	return func() {
		pjrt.FlushCache()
		cache.Close()
	}
}
