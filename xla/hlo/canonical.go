package hlo

import "strconv"

// canonicalizer recognises, in canonical text, the bodies that stand in place
// of a computation's name: such a body is the text of a computation that was
// defined before.
type canonicalizer struct {
	defined []*Computation // not in classes yet
	// classes has the computations with the same canonical text, in their order.
	classes map[string]*class
	of      map[*Computation]*class
}

type class struct {
	id      int
	members []*Computation
	next    int // the member that the next body at top level stands for
}

// define notes a computation that stands by itself.
func (k *canonicalizer) define(c *Computation) { k.defined = append(k.defined, c) }

// find returns the computation that the body of c stands for, nil if there is
// none. Of several equal ones, each body at top level takes the next.
func (k *canonicalizer) find(c *Computation, top bool) *Computation {
	k.classify()
	cl := k.classes[k.key(c)]
	if cl == nil {
		return nil
	}
	d := cl.members[cl.next]
	if top && cl.next < len(cl.members)-1 {
		cl.next++
	}
	return d
}

func (k *canonicalizer) classify() {
	if k.classes == nil {
		k.classes = map[string]*class{}
		k.of = map[*Computation]*class{}
	}
	for _, c := range k.defined {
		key := k.key(c)
		cl := k.classes[key]
		if cl == nil {
			cl = &class{id: len(k.classes)}
			k.classes[key] = cl
		}
		cl.members = append(cl.members, c)
		k.of[c] = cl
	}
	k.defined = nil
}

// key is the canonical text of c with the called computations by class.
func (k *canonicalizer) key(c *Computation) string {
	o := Canonical()
	o.FullBodies = false
	o.LargeConstants = true
	p := &printer{PrintOptions: o}
	p.class = func(d *Computation) string {
		if cl := k.of[d]; cl != nil {
			return "class" + strconv.Itoa(cl.id)
		}
		return d.Name
	}
	p.body(c, nil)
	return string(p.b)
}
