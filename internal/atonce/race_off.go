//go:build !race

package atonce

// untold tells that calls need not be told.
const untold = true
