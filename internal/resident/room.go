package resident

import "os"

// room is memory that is never touched.
//
//lint:ignore U1000 it is held, not used
var room []byte

// Room has the garbage collector count n bytes more than are in use, unless GOGC
// says how it is to work. A small heap is collected each time that it has doubled, or
// trebled; with that it may grow by some times n more, and work that comes in small
// pieces is seldom held up. A large heap grows as before. The bytes themselves are
// never touched, and take none of the machine's memory.
func Room(n int) {
	if os.Getenv("GOGC") == "" {
		room = make([]byte, n)
	}
}
