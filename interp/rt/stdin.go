package rt

import (
	"bufio"
	"io"
	"os"
	"reflect"
)

// StdinSymbols adds to a symbol table what lets cells read standard input. As a
// file os.Stdin gives nothing, since nobody can tell that a file is being read
// from; the functions that read line by line, or less, get the front end's lines
// in its place, and so does os.Stdin.Read. (Those that read to the end would never come to it.) Who reads
// from it, in whatever cell and way, goes on where the last one has stopped.
func StdinSymbols(table map[string]map[string]reflect.Value, lines *bufio.Reader) {
	in := func(r io.Reader) io.Reader {
		if f, ok := r.(*os.File); ok && f == os.Stdin {
			return lines
		}
		return r
	}
	readOn := table["gopherlo/rt/rt"]["ReadOn"].Interface().(func(io.Reader, []byte) (int, error))
	readFull := table[Path+"/io/io"]["ReadFull"].Interface().(func(io.Reader, []byte) (int, error))
	readAtLeast := table[Path+"/io/io"]["ReadAtLeast"].Interface().(func(io.Reader, []byte, int) (int, error))
	scans := table[Path+"/fmt/fmt"]
	fscan := scans["Fscan"].Interface().(func(io.Reader, ...any) (int, error))
	fscanln := scans["Fscanln"].Interface().(func(io.Reader, ...any) (int, error))
	fscanf := scans["Fscanf"].Interface().(func(io.Reader, string, ...any) (int, error))
	table["gopherlo/rt/rt"]["Read"] = reflect.ValueOf(func(f *os.File, b []byte) (int, error) {
		if f != nil && f == os.Stdin {
			return lines.Read(b)
		}
		return readOn(f, b)
	})
	for key, symbols := range map[string]map[string]any{
		"/bufio/bufio": {
			"NewReader":     func(r io.Reader) *bufio.Reader { return bufio.NewReader(in(r)) },
			"NewReaderSize": func(r io.Reader, n int) *bufio.Reader { return bufio.NewReaderSize(in(r), n) },
			"NewScanner":    func(r io.Reader) *bufio.Scanner { return bufio.NewScanner(in(r)) },
		},
		"/io/io": {
			"ReadFull":    func(r io.Reader, b []byte) (int, error) { return readFull(in(r), b) },
			"ReadAtLeast": func(r io.Reader, b []byte, n int) (int, error) { return readAtLeast(in(r), b, n) },
			"LimitReader": func(r io.Reader, n int64) io.Reader { return io.LimitReader(in(r), n) },
			"TeeReader":   func(r io.Reader, w io.Writer) io.Reader { return io.TeeReader(in(r), w) },
		},
		"/fmt/fmt": {
			"Fscan":   func(r io.Reader, a ...any) (int, error) { return fscan(in(r), a...) },
			"Fscanf":  func(r io.Reader, f string, a ...any) (int, error) { return fscanf(in(r), f, a...) },
			"Fscanln": func(r io.Reader, a ...any) (int, error) { return fscanln(in(r), a...) },
		},
	} {
		key = Path + key
		if table[key] == nil {
			table[key] = map[string]reflect.Value{}
		}
		for name, f := range symbols {
			table[key][name] = reflect.ValueOf(f)
		}
	}
}
