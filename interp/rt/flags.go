package rt

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
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
	}
	for _, name := range []string{"Arg", "Args", "Lookup", "NArg", "NFlag", "Parsed", "PrintDefaults", "Set", "Visit", "VisitAll"} {
		symbols[name] = onSet(&set, name, nil)
	}
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
		symbols[name] = onSet(&set, name, again)
	}
	return symbols
}

// onSet is a method of the set that is current when it is called.
func onSet(set **flag.FlagSet, name string, before func(args []reflect.Value)) reflect.Value {
	t := reflect.ValueOf(*set).MethodByName(name).Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		if before != nil {
			before(args)
		}
		return reflect.ValueOf(*set).MethodByName(name).Call(args)
	})
}

// undefine takes a flag from a set, which flag has no way to do.
func undefine(set *flag.FlagSet, name string) {
	var rest []*flag.Flag
	set.VisitAll(func(f *flag.Flag) { rest = append(rest, f) })
	rest = slices.DeleteFunc(rest, func(f *flag.Flag) bool { return f.Name == name })
	fresh := flag.NewFlagSet(set.Name(), set.ErrorHandling())
	fresh.Usage = set.Usage
	fresh.SetOutput(set.Output())
	for _, f := range rest {
		fresh.Var(f.Value, f.Name, f.Usage)
		fresh.Lookup(f.Name).DefValue = f.DefValue
	}
	*set = *fresh
}
