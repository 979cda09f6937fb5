//go:build race

package atonce

// untold is false where the race detector has to see calls: it takes a read for what
// comes after the write of what is read.
const untold = false
