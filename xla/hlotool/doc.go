// Package hlotool is what the command `gopherlo hlo` does: it reads programs in
// any of their forms, prints and compares them, and runs them on a client.
// Start with [Read].
package hlotool
