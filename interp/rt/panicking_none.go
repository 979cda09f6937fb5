//go:build !(amd64 || arm64) || !go1.26 || go1.27

package rt

// panicking is what is known of a panic elsewhere: nothing.
type panicking struct {
	arg               any
	link              *panicking
	recovered, goexit bool
}

func currentPanic() *panicking { return nil }
