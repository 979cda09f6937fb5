package stages

import (
	"container/list"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// traceKey is what a trace depends on besides the structure of the arguments.
type traceKey struct {
	id     identity
	api    string
	avals  string
	static string
	meta   string
	axes   string
	x64    bool
}

// traceEntry is a trace in the cache, or one that is being made.
type traceEntry struct {
	key   traceKey
	def   *tree.Def
	args  *Args // types, structure and static values; no values
	meta  *core.Metadata
	fn    *Callable // its names and types; it does not hold the function
	keep  any       // the function, where its identity is not weak
	trace *Trace
	ready chan struct{} // closed when the trace is made or has failed
	maker int64         // the goroutine that makes it
	place *list.Element
	gone  bool // from the cache
	size  int
}

// functionTraces are the traces of one function.
type functionTraces struct {
	list []*traceEntry
	end  runtime.Cleanup // forgets them when the function is unreachable
}

// traceCache is bounded: least recently used traces are forgotten, and those of
// a function that cannot be called any more.
var traceCache = struct {
	sync.Mutex
	m     map[traceKey][]*traceEntry
	order *list.List
	byFn  map[identity]*functionTraces
	waits map[int64]*traceEntry // what a goroutine waits for
	size  int
}{
	m: map[traceKey][]*traceEntry{}, order: list.New(),
	byFn: map[identity]*functionTraces{}, waits: map[int64]*traceEntry{},
}

// Counts counts traces and compilations since the process began; tests compare
// differences.
var Counts struct {
	sync.Mutex
	Traces, Compiles int
}

// ClearTraces forgets all traces (%reset jit).
func ClearTraces() {
	traceCache.Lock()
	defer traceCache.Unlock()
	for traceCache.order.Len() > 0 {
		traceCache.order.Back().Value.(*traceEntry).remove()
	}
	executables.clear()
	eager.Clear()
	core.NewEpoch()
}

// ClearTraces forgets the traces of c.
func (c *Callable) ClearTraces() {
	traceCache.Lock()
	defer traceCache.Unlock()
	forgetLocked(identityOf(c.ID))
	core.NewEpoch()
}

// forget forgets the traces of a function: it is dead.
func forget(id identity) {
	traceCache.Lock()
	defer traceCache.Unlock()
	forgetLocked(id)
}

func forgetLocked(id identity) {
	if f := traceCache.byFn[id]; f != nil {
		for _, e := range slices.Clone(f.list) {
			e.remove()
		}
	}
}

// TraceArgs stages c for the arguments' types, or gives the trace made before
// for equal types, structure, static values and context.
func (c *Callable) TraceArgs(a *Args, api string) *Trace {
	t, _ := c.traceArgs(a, api)
	return t
}

// traceArgs is TraceArgs that tells whether the function was run. Of several
// goroutines that want one trace, one makes it and the others wait.
func (c *Callable) traceArgs(a *Args, api string) (t *Trace, fresh bool) {
	key := c.traceKey(a, api)
	me := core.Goroutine()
	e, mine := claim(key, a.Def, me)
	if !mine {
		if t := e.wait(me); t != nil {
			return t, false
		}
		return c.trace(a, api), true // it failed elsewhere, or waiting for it would never end
	}
	e.fn, e.args, e.meta = c.described(), a.types(), core.Current().Metadata
	if key.id.static != nil {
		e.keep = c.keep
	}
	defer func() { e.done(t) }()
	noteRetrace(e)
	return c.trace(a, api), true
}

func (c *Callable) traceKey(a *Args, api string) traceKey {
	return traceKey{
		id: identityOf(c.ID), api: api, avals: core.AvalsKey(a.Avals), static: a.staticKey(),
		meta: core.Current().Metadata.Key(), axes: axesKey(), x64: core.X64(),
	}
}

// types is a without its values, which a cache must not keep alive.
func (a *Args) types() *Args {
	t := *a
	t.Leaves = nil
	return &t
}

// axesKey tells the named axes in scope apart, on which collectives depend.
func axesKey() string {
	axes := core.Current().Axes
	if len(axes) == 0 {
		return ""
	}
	var b strings.Builder
	for _, ax := range axes {
		if ax.Name != "" {
			b.WriteString("," + ax.Name + "=" + strconv.Itoa(ax.Size))
		}
	}
	return b.String()
}

// claim finds the entry of a key, or makes one that the caller has to fill.
func claim(key traceKey, def *tree.Def, me int64) (e *traceEntry, mine bool) {
	traceCache.Lock()
	defer traceCache.Unlock()
	for _, e := range traceCache.m[key] {
		if e.def == def || e.def.Equal(def) {
			traceCache.order.MoveToFront(e.place)
			return e, false
		}
	}
	e = &traceEntry{key: key, def: def, maker: me, ready: make(chan struct{})}
	e.place = traceCache.order.PushFront(e)
	traceCache.m[key] = append(traceCache.m[key], e)
	f := traceCache.byFn[key.id]
	if f == nil {
		f = &functionTraces{}
		traceCache.byFn[key.id] = f
		if p := key.id.heap.Value(); p != nil {
			f.end = runtime.AddCleanup(p, forget, key.id)
		}
	}
	f.list = append(f.list, e)
	for traceCache.order.Len() > maxTraces {
		traceCache.order.Back().Value.(*traceEntry).remove()
	}
	return e, true
}

// wait gives the entry's trace when it is made; nil when it could not be made,
// or when its maker waits, perhaps by way of others, for this goroutine.
func (e *traceEntry) wait(me int64) *Trace {
	select {
	case <-e.ready:
		return e.trace
	default:
	}
	traceCache.Lock()
	for x := e; x != nil; x = traceCache.waits[x.maker] {
		if x.maker == me {
			traceCache.Unlock()
			return nil
		}
	}
	traceCache.waits[me] = e
	traceCache.Unlock()
	defer func() {
		traceCache.Lock()
		delete(traceCache.waits, me)
		traceCache.Unlock()
	}()
	stop, reason := core.Stopped()
	select {
	case <-e.ready:
		return e.trace
	case <-stop:
		panic(reason)
	}
}

// done ends the making of a trace. One that failed is not kept. One that closes
// over values of other traces is: as long as these last, the function means the
// same by them.
func (e *traceEntry) done(t *Trace) {
	traceCache.Lock()
	defer traceCache.Unlock()
	if t == nil {
		e.remove()
	} else if e.trace = t; !e.gone {
		e.size = t.Jaxpr.Footprint()
		traceCache.size += e.size
		for traceCache.size > maxTraceBytes && traceCache.order.Len() > 1 {
			traceCache.order.Back().Value.(*traceEntry).remove()
		}
	}
	close(e.ready)
}

// remove takes the entry out of the cache, whose lock is held.
func (e *traceEntry) remove() {
	if e.gone {
		return
	}
	e.gone = true
	traceCache.size -= e.size
	traceCache.order.Remove(e.place)
	if rest := without(traceCache.m[e.key], e); len(rest) > 0 {
		traceCache.m[e.key] = rest
	} else {
		delete(traceCache.m, e.key)
	}
	f := traceCache.byFn[e.key.id]
	if f.list = without(f.list, e); len(f.list) == 0 {
		f.end.Stop()
		delete(traceCache.byFn, e.key.id)
	}
}

func without(list []*traceEntry, e *traceEntry) []*traceEntry {
	var out []*traceEntry
	for _, x := range list {
		if x != e {
			out = append(out, x)
		}
	}
	return out
}
