package stages

import (
	"container/list"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// traceKey is what a trace depends on besides the structure of the arguments.
type traceKey struct {
	id     unsafe.Pointer
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
	fn    *Callable
	trace *Trace
	ready chan struct{} // closed when the trace is made or has failed
	maker int64         // the goroutine that makes it
	place *list.Element
	gone  bool // from the cache
	eqns  int
}

// traceCache is bounded: least recently used traces are forgotten. It holds the
// functions, so that an identity is not reused while it is a key.
var traceCache = struct {
	sync.Mutex
	m     map[traceKey][]*traceEntry
	order *list.List
	byFn  map[unsafe.Pointer][]*traceEntry
	waits map[int64]*traceEntry // what a goroutine waits for
	eqns  int
}{
	m: map[traceKey][]*traceEntry{}, order: list.New(),
	byFn: map[unsafe.Pointer][]*traceEntry{}, waits: map[int64]*traceEntry{},
}

// The cache holds at most so many traces, with so many equations in all. A
// small executable takes about 0.25 MB.
const (
	maxTraces = 1024
	maxEqns   = 400_000
)

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
	clear(traceCache.m)
	clear(traceCache.byFn)
	traceCache.order.Init()
	traceCache.eqns = 0
	core.NewEpoch()
}

// ClearTraces forgets the traces of c.
func (c *Callable) ClearTraces() {
	traceCache.Lock()
	defer traceCache.Unlock()
	for _, e := range append([]*traceEntry{}, traceCache.byFn[c.ID]...) {
		e.remove()
	}
	core.NewEpoch()
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
	e.fn, e.args, e.meta = c, a.types(), core.Current().Metadata
	defer func() { e.done(t) }()
	noteRetrace(e)
	return c.trace(a, api), true
}

func (c *Callable) traceKey(a *Args, api string) traceKey {
	return traceKey{
		id: c.ID, api: api, avals: core.AvalsKey(a.Avals), static: a.staticKey(),
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
	traceCache.byFn[key.id] = append(traceCache.byFn[key.id], e)
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
	<-e.ready
	traceCache.Lock()
	delete(traceCache.waits, me)
	traceCache.Unlock()
	return e.trace
}

// done ends the making of a trace. One that closes over values of other traces
// is not kept, nor is one that failed.
func (e *traceEntry) done(t *Trace) {
	traceCache.Lock()
	defer traceCache.Unlock()
	if t == nil || !allConst(t.Consts) {
		e.remove()
	} else if e.trace = t; !e.gone {
		e.eqns = len(t.Jaxpr.Eqns)
		traceCache.eqns += e.eqns
		for traceCache.eqns > maxEqns && traceCache.order.Len() > 1 {
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
	traceCache.eqns -= e.eqns
	traceCache.order.Remove(e.place)
	if rest := without(traceCache.m[e.key], e); len(rest) > 0 {
		traceCache.m[e.key] = rest
	} else {
		delete(traceCache.m, e.key)
	}
	if rest := without(traceCache.byFn[e.key.id], e); len(rest) > 0 {
		traceCache.byFn[e.key.id] = rest
	} else {
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

func allConst(vs []core.Value) bool {
	for _, v := range vs {
		if _, ok := v.(*core.Const); !ok {
			return false
		}
	}
	return true
}
