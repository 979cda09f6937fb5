package metadata

import (
	"gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
)

// Context tags every operation that is traced inside it. Inner contexts join
// outer ones, inner keys win, nil removes a key.
type Context struct{ updates []core.KV }

// With makes a context with these attributes.
func With(attrs Attrs) Context { return Context{attrs.sortedKVs()} }

// FuseLimit is a context whose operations bound fusions (on TPU).
func FuseLimit() Context { return With(Attrs{"FUSE_LIMIT": true}) }

// Do runs body inside the context.
func (c Context) Do(body func()) {
	if len(c.updates) == 0 {
		body()
		return
	}
	core.With(func(s *core.State) { s.Metadata = core.UpdateMetadata(s.Metadata, c.updates) }, body)
}

// Scope runs the body of a range statement once inside the context:
//
//	for range metadata.With(attrs).Scope { y = jnp.Cos(x) }
func (c Context) Scope(yield func() bool) { c.Do(func() { yield() }) }

// Wrap is f run inside the context; the stages of a jitted f run inside too.
func (c Context) Wrap(f any) jaxlike.Func { return jaxlike.FuncOf(f).Within(c.Do) }
