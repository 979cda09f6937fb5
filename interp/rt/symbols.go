package rt

import (
	"log"
	"os"
	"reflect"
	"runtime"
	"testing"

	"gopherlo/cells"
	"gopherlo/internal/processors"
)

// Path is the import path under which lowered code finds this package.
const Path = "gopherlo/rt"

// Symbols is the symbol table of the session: this package's functions, and
// replacements of standard functions that must know boxes or the cell.
func (s *Session) Symbols() map[string]map[string]reflect.Value {
	table := map[string]map[string]reflect.Value{}
	add := func(key string, symbols map[string]any) {
		m := map[string]reflect.Value{}
		for name, v := range symbols {
			m[name] = reflect.ValueOf(v)
		}
		table[key] = m
	}
	add(Path+"/rt", s.own())
	for name, f := range instances() {
		table[Path+"/rt"][name] = reflect.ValueOf(f)
	}
	table[Path+"/rt"]["Frame"] = reflect.ValueOf((*Frame)(nil))
	table[Path+"/rt"]["Select"] = reflect.ValueOf((*Select)(nil))
	table[Path+"/rt"]["AtomicPointer"] = reflect.ValueOf((*AtomicPointer)(nil))
	for name, v := range memorySymbols() {
		table[Path+"/rt"][name] = reflect.ValueOf(v)
	}
	add(Path+"/fmt/fmt", s.fmtSymbols())
	add(Path+"/errors/errors", map[string]any{"Is": s.errorsIs})
	add(Path+"/encoding/json/json", map[string]any{"Unmarshal": s.unmarshal})
	add(Path+"/log/log", s.logSymbols())
	add(Path+"/runtime/runtime", map[string]any{
		"SetFinalizer": s.setFinalizer, "GOMAXPROCS": processors.Set, "SetDefaultGOMAXPROCS": processors.SetDefault,
	})
	add(Path+"/runtime/debug/debug", s.limitSymbols())
	table[Path+"/flag/flag"] = s.flagSymbols()
	add(Path+"/testing/testing", map[string]any{
		"AllocsPerRun": func(runs int, f func()) float64 {
			processors.Wide() // it sets the number and sets it back
			return testing.AllocsPerRun(runs, f)
		},
		"Benchmark": func(f func(*testing.B)) testing.BenchmarkResult {
			processors.Wide()
			return testing.Benchmark(f)
		},
	})
	add(Path+"/os/os", map[string]any{
		"Exit": func(code int) { panic(Exit{code}) }, "FindProcess": os.FindProcess,
	})
	for key, symbols := range s.waitSymbols() {
		if table[Path+key] == nil {
			table[Path+key] = map[string]reflect.Value{}
		}
		for name, f := range symbols {
			table[Path+key][name] = reflect.ValueOf(f)
		}
	}
	for name, f := range s.waiters() {
		table[Path+"/rt"][name] = reflect.ValueOf(f)
	}
	out, errOut := s.file("stdout", os.Stdout), s.file("stderr", os.Stderr)
	s.stdout = &out
	s.ownStdout.Store(out)
	for _, p := range s.pipes {
		if p.at = &out; p.name == "stderr" {
			p.at = &errOut
		}
	}
	os.Args = os.Args[:1:1] // a cell has no arguments, so flag.Parse finds none
	table[Path+"/os/os"]["Args"] = reflect.ValueOf(&os.Args).Elem()
	table[Path+"/os/os"]["Stdout"] = reflect.ValueOf(&out).Elem()
	table[Path+"/os/os"]["Stderr"] = reflect.ValueOf(&errOut).Elem()
	return table
}

func (s *Session) own() map[string]any {
	return map[string]any{
		"Impl": s.Impl, "Mark": s.Mark, "Show": s.Show,
		"A": s.A, "B": s.B, "E": s.E, "I": s.I, "N": s.N, "P": s.P, "Raw": s.Raw,
		"Facade": s.Facade, "FacadeCopy": s.FacadeCopy, "FacadeInto": s.FacadeInto, "TypeFor": s.TypeFor,
		"As": s.As, "As2": s.As2, "Eq": s.Eq, "IsNil": s.IsNil, "TypeSwitch": s.TypeSwitch,
		"Dispatch": s.Dispatch, "Method": s.Method, "ErrorsAs": s.ErrorsAs, "ErrorsAsAny": s.ErrorsAsAny, "AsType": s.AsType,
		"Enter": s.Enter, "Call": s.Call, "Recover": s.Recover, "Go": s.Go, "Guard": s.Guard, "Callback": s.Callback,
		"Sleep": s.Sleep, "Wait": func(f func()) { s.Wait(f) }, "Lock": s.Lock, "RLock": s.RLock, "CondWait": s.CondWait, "Recv": s.Recv, "Send": s.Send, "NewSelect": s.NewSelect,
		"Fatal": func(log func()) { log(); panic(Exit{1}) }, "Bool": func(b bool) bool { return b }, "NilDeref": s.NilDeref, "Room": s.Room, "Same": s.Same, "Complex": func(re, im float64) complex128 { return complex(re, im) }, "Runes": s.Runes, "NotNil": s.NotNil, "Named": s.Named, "Fn": s.Fn, "Lit": s.Lit, "Into": s.Into, "At": s.At, "AtIn": s.AtIn, "In": s.In, "Back": s.Back, "Lines": s.Lines, "Set": s.Set, "BadIndex": s.BadIndex, "BadSlice": s.BadSlice, "BadSlice3": s.BadSlice3, "BadRange": s.BadRange, "Clear": s.Clear, "Shift": s.Shift, "Rune": s.Rune, "Copy": s.Copy,
		"Rows": cells.Rows, "Pack": cells.Pack, "Len": cells.Len, "Out": s.Out, "Outs": s.Outs, "Ins": s.Ins,
		"FromSlice": s.FromSlice, "Reinterpret": s.Reinterpret, "Print": s.Print, "Println": s.Println,
	}
}

// setFinalizer is runtime.SetFinalizer, which ends the process when it gets no
// pointer. A cell's own type is behind a box: its finalizer is not run, as Go
// allows.
func (s *Session) setFinalizer(obj, finalizer any) {
	p, f := reflect.ValueOf(obj), reflect.ValueOf(finalizer)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return
	}
	if f.Kind() != reflect.Func {
		runtime.SetFinalizer(obj, finalizer)
		return
	}
	call := reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
		var results []reflect.Value
		for t := range f.Type().Outs() {
			results = append(results, reflect.Zero(t))
		}
		s.Guard(func() { results = f.Call(args) })()
		return results
	})
	runtime.SetFinalizer(obj, nil) // a second one would end the process
	runtime.SetFinalizer(obj, call.Interface())
}

// logSymbols are the functions of package log: the standard logger writes to
// the cell's stderr, and Fatal ends the cell only.
func (s *Session) logSymbols() map[string]any {
	std := log.Default() // package slog writes to it too
	std.SetFlags(log.LstdFlags)
	std.SetPrefix("")
	std.SetOutput(writer{s, "stderr"})
	return map[string]any{
		"Default": func() *log.Logger { return std },
		"Print":   std.Print, "Printf": std.Printf, "Println": std.Println,
		"Panic": std.Panic, "Panicf": std.Panicf, "Panicln": std.Panicln,
		"Fatal":    func(a ...any) { std.Print(a...); panic(Exit{1}) },
		"Fatalf":   func(f string, a ...any) { std.Printf(f, a...); panic(Exit{1}) },
		"Fatalln":  func(a ...any) { std.Println(a...); panic(Exit{1}) },
		"SetFlags": std.SetFlags, "Flags": std.Flags, "SetPrefix": std.SetPrefix, "Prefix": std.Prefix,
		"SetOutput": std.SetOutput, "Writer": std.Writer, "Output": std.Output,
	}
}

// writer writes to a stream of the cell.
type writer struct {
	s    *Session
	name string
}

func (w writer) Write(p []byte) (int, error) {
	w.s.stream(w.name, string(p))
	return len(p), nil
}
