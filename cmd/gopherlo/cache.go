package main

import (
	"fmt"
	"os"

	"gopherlo/xla/diskcache"
)

// envCache turns the executable cache off ("off") or names its folder.
const envCache = "GOPHERLO_CACHE"

// openCache opens the cache of compiled executables: in the user's cache
// folder, or where GOPHERLO_CACHE says; nil without an error when it is "off".
func openCache() (*diskcache.Cache, error) {
	dir := os.Getenv(envCache)
	switch dir {
	case "off", "0":
		return nil, nil
	case "":
		var err error
		if dir, err = diskcache.DefaultDir(); err != nil {
			return nil, err
		}
	}
	return diskcache.Open(dir, diskcache.DefaultLimit)
}

const cacheUsage = `usage: gopherlo cache stats
       gopherlo cache clear

The cache keeps compiled executables, so that a notebook that is run again
compiles nothing. GOPHERLO_CACHE=off turns it off, GOPHERLO_CACHE=DIR moves it.
`

// cacheCommand shows and clears the executable cache.
func cacheCommand(args []string) int {
	if len(args) != 1 {
		fmt.Fprint(os.Stderr, cacheUsage)
		return 2
	}
	if asksHelp(args[0]) || args[0] == "help" {
		fmt.Print(cacheUsage)
		return 0
	}
	cache, err := openCache()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gopherlo cache:", err)
		return 1
	}
	if cache == nil {
		fmt.Println("the executable cache is off (" + envCache + ")")
		return 0
	}
	defer cache.Close()
	switch args[0] {
	case "stats":
		s, err := cache.Stats()
		if err != nil {
			fmt.Fprintln(os.Stderr, "gopherlo cache:", err)
			return 1
		}
		fmt.Printf("%s\n%d executables, %.1f of at most %.0f MB\n", s.Dir, s.Entries, float64(s.Bytes)/(1<<20), float64(s.Limit)/(1<<20))
	case "clear":
		if err := cache.Clear(); err != nil {
			fmt.Fprintln(os.Stderr, "gopherlo cache:", err)
			return 1
		}
		fmt.Println("cleared", cache.Dir())
	default:
		fmt.Fprintf(os.Stderr, "gopherlo cache: unknown command %q\n%s", args[0], cacheUsage)
		return 2
	}
	return 0
}
