package core

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"
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
	rv := reflect.ValueOf(f)
	if rv.Kind() != reflect.Func || rv.IsNil() || madeAtRunTime(rv.Pointer()) {
		return
	}
	old, known := functionNames.Load(rv.Pointer())
	if n, _ := old.(*Names); !known || n.Name != name || !slices.Equal(n.Params, params) {
		functionNames.Store(rv.Pointer(), &Names{name, params})
	}
}

// Title is what the source says of a function value: its names and where it
// was written.
type Title struct {
	Names
	File string
	Line int
}

// titles are those of functions that have been made at run time, by their
// closure words; all of them share one code.
var titles sync.Map // uintptr -> *Title

// SetTitle says what f, which reflect.MakeFunc has made, is called. It is
// forgotten with f.
func SetTitle(f any, t Title) {
	if rv := reflect.ValueOf(f); rv.Kind() != reflect.Func || rv.IsNil() || !madeAtRunTime(rv.Pointer()) {
		return
	}
	word := (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]
	if _, known := titles.Swap(uintptr(word), &t); !known {
		runtime.AddCleanup((*byte)(word), func(w uintptr) { titles.Delete(w) }, uintptr(word))
	}
}

// TitleOf gives the title of the function with a closure word, nil when it
// has none.
func TitleOf(word unsafe.Pointer) *Title {
	if t, ok := titles.Load(uintptr(word)); ok {
		return t.(*Title)
	}
	return nil
}

// madeAtRunTime reports the entry point that all functions of reflect.MakeFunc
// share.
func madeAtRunTime(entry uintptr) bool {
	fn := runtime.FuncForPC(entry)
	return fn != nil && strings.HasSuffix(fn.Name(), "makeFuncStub")
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
