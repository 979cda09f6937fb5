package rt

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"sync"

	"gopherlo/internal/bug"
)

// flagSymbols are the functions and variables of package flag for cells: the flags
// are the session's, a wrong one is a panic of its cell and does not end the process,
// and a cell that is run again defines its flags anew.
func (s *Session) flagSymbols() map[string]reflect.Value {
	set := flag.NewFlagSet("cell", flag.PanicOnError)
	usage := func() {
		fmt.Fprintf(set.Output(), "Usage of %s:\n", set.Name())
		set.PrintDefaults()
	}
	whole := func() { usage() } // as a cell may set it later
	set.Usage = whole
	set.SetOutput(writer{s, "stderr"})
	symbols := map[string]reflect.Value{
		"CommandLine": reflect.ValueOf(&set).Elem(),
		"Usage":       reflect.ValueOf(&usage).Elem(),
		"Parse":       reflect.ValueOf(func() { _ = set.Parse(os.Args[1:]) }),
		"NewFlagSet":  reflect.ValueOf(s.newFlagSet),
	}
	for _, name := range []string{"Arg", "Args", "Lookup", "NArg", "NFlag", "Parsed", "PrintDefaults", "Set", "Visit", "VisitAll"} {
		symbols[name] = onSet(&set, name, nil, nil)
	}
	var mu sync.Mutex // held while a flag is defined: cells may do so at once
	again := func(args []reflect.Value) {
		for _, a := range args { // the name is the first text
			if a.Kind() == reflect.String && set.Lookup(a.String()) != nil {
				undefine(set, a.String())
			}
			if a.Kind() == reflect.String {
				return
			}
		}
	}
	for _, name := range []string{
		"Bool", "BoolFunc", "BoolVar", "Duration", "DurationVar", "Float64", "Float64Var", "Func", "Int", "Int64", "Int64Var", "IntVar",
		"String", "StringVar", "TextVar", "Uint", "Uint64", "Uint64Var", "UintVar", "Var",
	} {
		symbols[name] = onSet(&set, name, &mu, again)
	}
	return symbols
}

// onSet is a method of the set that is current when it is called. It is called after
// before, with mu held, when there are such.
func onSet(set **flag.FlagSet, name string, mu *sync.Mutex, before func(args []reflect.Value)) reflect.Value {
	t := reflect.ValueOf(*set).MethodByName(name).Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		if before != nil {
			mu.Lock()
			defer mu.Unlock()
			before(args)
		}
		return reflect.ValueOf(*set).MethodByName(name).Call(args)
	})
}

// undefine takes a flag from a set, which flag has no way to do. What the others are
// and what has been parsed stays.
func undefine(set *flag.FlagSet, name string) {
	for _, field := range []string{"formal", "actual"} {
		v := reflect.ValueOf(set).Elem().FieldByName(field)
		if !v.IsValid() || v.Type() != reflect.TypeFor[map[string]*flag.Flag]() {
			bug.Panicf("flag.FlagSet has no flags in %s", field)
		}
		delete(*(*map[string]*flag.Flag)(v.Addr().UnsafePointer()), name)
	}
}

// newFlagSet is flag.NewFlagSet.
func (s *Session) newFlagSet(name string, h flag.ErrorHandling) *flag.FlagSet {
	set := flag.NewFlagSet(name, noExit(h))
	set.SetOutput(writer{s, "stderr"})
	return set
}

// initFlags is the method Init of a set.
func (s *Session) initFlags(set *flag.FlagSet, name string, h flag.ErrorHandling) {
	set.Init(name, noExit(h))
	if set.Output() == os.Stderr { // the process's, of which there is none in a cell
		set.SetOutput(writer{s, "stderr"})
	}
}

// noExit makes a wrong flag a panic of the cell where it would end the process.
func noExit(h flag.ErrorHandling) flag.ErrorHandling {
	if h == flag.ExitOnError {
		return flag.PanicOnError
	}
	return h
}
