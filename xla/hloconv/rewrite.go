package hloconv

import (
	"gopherlo/xla/stablehlo"
)

// maxRounds bounds the rounds of the rewriter, as MLIR's default does
// (GreedyRewriteConfig::maxIterations).
const maxRounds = 10

// pattern tries to rewrite an op; it reports whether it did.
type pattern func(r *rewriter, o *op) bool

// rewriter applies patterns to a function until nothing changes, in the order of
// MLIR's greedy driver (GreedyPatternRewriteDriver.cpp): a round unifies and
// hoists the constants, queues every op, and takes ops from the end of the
// queue; whatever an edit touches is queued again. The order decides names.
type rewriter struct {
	rules   map[string][]pattern
	body    *block
	queue   []*op
	changed bool
	at      *op // new ops go before it
}

// rewrite runs patterns, by the name of the op, over a function.
func rewrite(f *fn, rules map[string][]pattern) {
	r := &rewriter{rules: rules, body: f.body}
	for range maxRounds {
		r.changed = false
		r.unifyConstants()
		r.drain()
		if !r.changed {
			return
		}
	}
}

// constKey identifies equal constants.
type constKey struct {
	typ, data string
	splat     bool
}

func keyOf(d *stablehlo.Dense) constKey {
	return constKey{typ: d.Type.String(), data: string(d.Data), splat: d.Splat}
}

// unifyConstants merges equal constants, moves the others to the front of the
// function unless they are there already, and queues all ops
// (OperationFolder::insertKnownConstant). A constant loses its location when
// another merges into it or when it leaves its block.
func (r *rewriter) unifyConstants() {
	r.queue = r.queue[:0]
	r.body.walk(func(o *op) { o.owned, o.queued = false, 0 })
	seen := make(map[constKey]*op)
	r.body.walk(func(o *op) {
		if o.lit == nil {
			r.push(o)
			return
		}
		k := keyOf(o.lit)
		if c := seen[k]; c != nil {
			for u := o.out().uses; u != nil; u = u.next {
				r.push(u.op)
			}
			o.out().replaceUses(c.out())
			r.unqueue(o)
			o.drop()
			c.loc = nil
			return
		}
		if o.block != r.body {
			o.moveToFront(r.body)
			o.loc = nil
		} else if o.prev != nil && !o.prev.owned {
			o.moveToFront(r.body)
		}
		seen[k] = o
		o.owned = true
		r.push(o)
	})
}

// push queues an op unless it is queued.
func (r *rewriter) push(o *op) {
	if o.queued == 0 {
		r.queue = append(r.queue, o)
		o.queued = len(r.queue)
	}
}

func (r *rewriter) unqueue(o *op) {
	if o.queued > 0 {
		r.queue[o.queued-1] = nil
		o.queued = 0
	}
}

// drain rewrites ops until the queue is empty.
func (r *rewriter) drain() {
	for len(r.queue) > 0 {
		o := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		if o == nil {
			continue
		}
		o.queued = 0
		if isDead(o) {
			r.erase(o)
			r.changed = true
			continue
		}
		r.at = o
		for _, p := range r.rules[o.name] {
			if p(r, o) {
				r.changed = true
				break
			}
		}
	}
}

// isDead reports whether nothing needs o: no result is used and it has no effect.
func isDead(o *op) bool {
	for _, v := range o.results {
		if v.uses != nil {
			return false
		}
	}
	return !hasEffect(o)
}

// impure are the ops that stay though their results are not used.
var impure = map[string]bool{
	"stablehlo.return": true, "func.return": true, "sdy.return": true, "func.call": true,
	"stablehlo.rng": true, "stablehlo.infeed": true, "stablehlo.outfeed": true,
	"stablehlo.send": true, "stablehlo.recv": true, "stablehlo.create_token": true,
	"sdy.sharding_constraint": true, "sdy.manual_computation": true,
}

func hasEffect(o *op) bool {
	if impure[o.name] || o.name == "stablehlo.custom_call" && o.attrs.Bool("has_side_effect") {
		return true
	}
	for _, r := range o.regions {
		for in := r.first; in != nil; in = in.next {
			if in != r.last && hasEffect(in) {
				return true
			}
		}
	}
	return false
}

// erase removes an op and queues the ops that may be dead or simpler now.
func (r *rewriter) erase(o *op) {
	for _, reg := range o.regions {
		reg.walk(func(in *op) {
			r.queueOperands(in)
			r.unqueue(in)
		})
	}
	r.queueOperands(o)
	r.unqueue(o)
	o.drop()
}

// queueOperands queues the makers of o's operands that have at most one other
// user (GreedyPatternRewriteDriver::addOperandsToWorklist).
func (r *rewriter) queueOperands(o *op) {
	for _, u := range o.operands {
		def := u.val.def
		if def == nil {
			continue
		}
		var other *op
		many := false
		for w := u.val.uses; w != nil; w = w.next {
			if w.op == o || w.op == other {
				continue
			}
			if other != nil {
				many = true
				break
			}
			other = w.op
		}
		if !many {
			r.push(def)
		}
	}
}

// replace makes the uses of o's results uses of vs and erases o; a nil value
// stands for a result without uses.
func (r *rewriter) replace(o *op, vs ...*value) {
	for i, v := range vs {
		if v != nil {
			r.replaceUses(o.results[i], v)
		}
	}
	r.erase(o)
}

func (r *rewriter) replaceUses(from, to *value) {
	if from == to {
		return
	}
	for from.uses != nil {
		u := from.uses
		u.set(to)
		r.push(u.op)
	}
}

// replaceMerging is replace for a no-op: its discardable attributes go to the op
// that makes v.
func (r *rewriter) replaceMerging(o *op, v *value) {
	if v.def != nil {
		mergeAttrs(o, v.def)
	}
	r.replace(o, v)
}

// create makes an op before the one being rewritten.
func (r *rewriter) create(name string, loc *stablehlo.Loc, operands []*value, results []stablehlo.Type, attrs ...stablehlo.Named) *op {
	o := &op{name: name, loc: loc}
	o.setOperands(operands)
	for _, t := range results {
		o.addResult(t)
	}
	for _, a := range attrs {
		o.attrs.Set(a.Key, a.Value)
	}
	r.at.block.insertBefore(o, r.at)
	r.push(o)
	return o
}

// constant makes a constant before the op being rewritten.
func (r *rewriter) constant(loc *stablehlo.Loc, d *stablehlo.Dense) *value {
	o := r.create("stablehlo.constant", loc, nil, []stablehlo.Type{d.Type})
	o.lit = d
	return o.out()
}

// fold replaces o by a constant, which takes its location.
func (r *rewriter) fold(o *op, d *stablehlo.Dense) bool {
	if d == nil {
		return false
	}
	r.replace(o, r.constant(o.loc, d))
	return true
}

// mergeAttrs adds the discardable attributes of from to those of to; those of
// from win (mergeDiscardableAttributes in StablehloAggressiveSimplification.cpp).
func mergeAttrs(from, to *op) {
	for _, a := range from.attrs {
		if isDiscardable(a.Key) {
			to.attrs = append(stablehlo.Attrs(nil), to.attrs...)
			to.attrs.Set(a.Key, a.Value)
		}
	}
	if len(from.frontend) == 0 {
		return
	}
	m := make(map[string]string, len(from.frontend)+len(to.frontend))
	for k, v := range to.frontend {
		m[k] = v
	}
	for k, v := range from.frontend {
		m[k] = v
	}
	to.frontend = m
}

func isDiscardable(key string) bool {
	for i := range len(key) {
		if key[i] == '.' {
			return true
		}
	}
	return false
}

// fuse joins the locations of rewritten ops, outermost first: equal ones once,
// unknown ones not at all (FusedLoc::get).
func fuse(ops ...*op) *stablehlo.Loc {
	var all []*stablehlo.Loc
	add := func(l *stablehlo.Loc) {
		if l == nil {
			return
		}
		for _, a := range all {
			if a.Equal(l) {
				return
			}
		}
		all = append(all, l)
	}
	for _, o := range ops {
		if o.loc != nil && o.loc.Fused != nil {
			for _, l := range o.loc.Fused {
				add(l)
			}
			continue
		}
		add(o.loc)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &stablehlo.Loc{Fused: all}
}
