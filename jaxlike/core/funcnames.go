package core

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// Names are a function's name and parameter names as texts show them.
type Names struct {
	Name   string
	Params []string
}

// functionNames are the names given to functions, by entry point of their code.
var functionNames sync.Map // uintptr -> *Names

// NameFunction says what f is called in texts: the library's functions have
// JAX's names, literals the names that their user gave them.
func NameFunction(f any, name string, params ...string) {
	if rv := reflect.ValueOf(f); rv.Kind() == reflect.Func && !rv.IsNil() {
		functionNames.Store(rv.Pointer(), &Names{name, params})
	}
}

// libraryNames are the tables of packages, by the packages' paths.
var libraryNames sync.Map // string -> map[string]string

// NameLibrary says what the functions of a package are called: Go name to
// JAX's name, followed by the names of parameters.
func NameLibrary(path string, names map[string]string) { libraryNames.Store(path, names) }

// FunctionNames gives the names of the function whose code begins at entry, nil
// when it was given none.
func FunctionNames(entry uintptr) *Names {
	if n, ok := functionNames.Load(entry); ok {
		return n.(*Names)
	}
	fn := runtime.FuncForPC(entry)
	if fn == nil {
		return nil
	}
	full := fn.Name()
	dot := strings.LastIndexByte(full, '/') + 1
	dot += strings.IndexByte(full[dot:]+".", '.')
	table, ok := libraryNames.Load(full[:min(dot, len(full))])
	if !ok {
		return nil
	}
	words := strings.Fields(table.(map[string]string)[full[dot+1:]])
	if len(words) == 0 {
		return nil
	}
	n := &Names{words[0], words[1:]}
	functionNames.Store(entry, n)
	return n
}
