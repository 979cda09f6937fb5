// Package interp runs Go cells: it is the language of the kernel.
//
// A cell is split (package cell), checked by go/types against the session
// (package check), lowered to what yaegi runs rightly (package lower) and run
// with the help of package rt. Start with [New]:
//
//	in := interp.New(interp.Options{})
//	res := in.Execute(ctx, language.Request{Code: "1 + 2"}, host)
package interp

import (
	"go/token"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/internal/processors"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/rt"
	"gopherlo/interp/symbols"
	"gopherlo/kernel/language"
)

// Options configure an interpreter. The zero value is usable.
type Options struct {
	// Busy names the native work under way ("XLA execute"); nil means none.
	Busy func() string
	// Flags lists the compiler options known to the plugin, for completion.
	Flags func() []Flag
}

// Flag describes one compiler option to completion and inspection.
type Flag struct {
	Name, Type, Default, Doc string
}

// Interp is one session. It implements language.Interpreter.
type Interp struct {
	opts Options

	mu    sync.Mutex   // held while a cell of the main shell runs
	cells atomic.Int32 // that run, those of subshells too
	count atomic.Int64 // cells run, for requests without a number
	// names is held while the session's names are read or changed and while a
	// program is compiled and declared: completion and cells of subshells read
	// them beside a running cell. It guards what follows.
	names   sync.Mutex
	fset    *token.FileSet
	session *check.Session
	env     *lower.Env
	rt      *rt.Session
	yaegi   *yaegi.Interpreter
	trace   *traceLog
	stdin   *stdin
	seq     int // programs given to yaegi
	// Lines of the programs given to yaegi are numbered on from one to the
	// next: the last program's first line, and the next one's.
	firstLine, nextLine int
	// active are the runs that are under way; last is that of the last cell.
	active  map[*rt.Run]*check.Result
	last    *rt.Run
	globals globals
	// callMarks are the variables for the lines of calls, by the start of a function.
	callMarks sync.Map
	// nodeType and frameType are yaegi's.
	nodeType, frameType reflect.Type
	marked              bool // the marks of lines are in the kernel's memory
	values              values
	stops               stops
	guard               guard
	// bodies are the goroutines that run statements of cells.
	bodies sync.Map
	// watching tells that goroutines which cells have left are being watched.
	watching atomic.Bool
}

var _ language.Interpreter = (*Interp)(nil)

// New returns an interpreter with an empty session.
func New(opts Options) *Interp {
	watchCompilations()
	if len(symbols.Added()) > 0 { // packages of others may ask how many processors there are
		processors.Keep()
	}
	in := &Interp{opts: opts}
	in.reset()
	return in
}

// reset starts a new session.
func (in *Interp) reset() {
	in.names.Lock()
	defer in.names.Unlock()
	if in.rt != nil {
		in.rt.Close()
	}
	in.fset = token.NewFileSet()
	in.session = check.NewSession(in.fset, symbols.NewImporter(in.fset), checkEnv())
	in.session.Inputs = true
	in.env = lower.NewEnv(in.session.Context())
	in.session.Known = in.env.Types.Visit
	in.env.Raw, in.env.Reflects, in.env.Ours = rawPackage, reflectingPackage, ownPackage
	in.rt = rt.NewSession(in.env)
	in.trace = &traceLog{}
	in.callMarks.Clear() // they hold what they are of
	in.nextLine = 1
	in.active, in.last = map[*rt.Run]*check.Result{}, nil
	in.values.kept, in.values.places, in.values.recent = map[*check.Sym]keptValue{}, map[*check.Sym]int{}, nil
	in.env.NoLines = raceEnabled
	in.stdin = newStdin(in)
	in.yaegi = yaegi.New(yaegi.Options{Stdin: in.stdin.lines, Stdout: discard{}, Stderr: in.rt, Unrestricted: true})
	in.stops.id, in.globals = internals(in.yaegi)
	in.nodeType, in.frameType = yaegiTypes()
	in.rt.Numbers, in.rt.Outer, in.rt.CallLines = in.outOfRange, in.outermost, in.callLines
	in.marked = false
	in.rt.Watch(in.stops.id)
	own := in.rt.Symbols()
	rt.StdinSymbols(own, in.stdin.lines)
	for _, t := range symbols.Tables() {
		_ = in.yaegi.Use(t)
	}
	_ = in.yaegi.Use(own)
	in.env.HasSymbol = func(path, name string) bool {
		if _, ok := own[symbols.Key(path)][name]; ok {
			return true
		}
		_, ok := symbols.Lookup(path, name)
		return ok
	}
	in.env.Variable = func(path, name string) bool {
		key := symbols.Key(path)
		v, ok := own[key][name]
		if !ok {
			v, ok = symbols.Lookup(path, name)
		}
		if !ok || !v.CanAddr() {
			return false
		}
		_ = in.yaegi.Use(yaegi.Exports{lower.VarsPath + key: {name: v.Addr()}})
		return true
	}
	in.env.Sources = newSources()
	in.env.FileName = in.session.FileName
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// checkEnv tells the checker what cells can name without saying so.
func checkEnv() check.Env {
	env := check.Env{Preimported: map[string]string{}, Predeclared: map[string]check.Predeclared{}, Doc: symbols.Doc, Dir: workingDir}
	env.Packages, env.Names = symbols.Packages(), symbols.Added()
	for name, path := range preimported {
		if symbols.Known(path) {
			env.Preimported[name] = path
		}
	}
	for name, p := range predeclared {
		if symbols.Known(p.Path) {
			env.Predeclared[name] = p
		}
	}
	return env
}

// rawPackage reports packages that look into values by reflection and want
// them as they are in memory.
func rawPackage(path string) bool {
	switch path {
	case "sort", "unsafe":
		return true
	}
	return ownPackage(path) && path != "gopherlo/display"
}

// reflectingPackage reports packages that show or fill values by their type;
// those of others may.
func reflectingPackage(path string) bool {
	switch path {
	case "reflect", "text/template", "html/template", "log/slog", "net/rpc", "testing/quick", "database/sql", "database/sql/driver":
		return true
	}
	_, added := symbols.Added()[path]
	return added || strings.HasPrefix(path, "encoding/")
}

// ownPackage reports packages of the kernel itself.
func ownPackage(path string) bool { return strings.HasPrefix(path, "gopherlo/") }
