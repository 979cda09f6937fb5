package hloconv

// HLO's regions are functions of their own: what they use of the outside must
// be passed in. Constants are rather repeated inside.

// sinkConstants puts a copy of each constant that a while or case region uses
// at the region's front, in order of first use, so that the last comes first
// (SinkConstantsToControlFlowPass). Inner regions come first; of a while, the
// body before the condition.
func sinkConstants(f *fn) error {
	f.body.walk(func(o *op) {
		switch o.name {
		case "stablehlo.while":
			sinkInto(o.regions[1])
			sinkInto(o.regions[0])
		case "stablehlo.case", "stablehlo.if":
			for _, r := range o.regions {
				sinkInto(r)
			}
		}
	})
	dropDeadConstants(f)
	return nil
}

// sinkInto copies the outside constants that b uses to its front.
func sinkInto(b *block) {
	copies := make(map[*op]*op)
	b.walk(func(o *op) {
		for _, u := range o.operands {
			c := u.val.def
			if c == nil || c.lit == nil || isWithin(c.block, b) {
				continue
			}
			n := copies[c]
			if n == nil {
				n = &op{name: c.name, loc: c.loc, lit: c.lit}
				n.addResult(c.out().typ)
				b.insertBefore(n, b.first)
				copies[c] = n
			}
			u.set(n.out())
		}
	})
}

// isWithin reports whether block in is out or nested in it.
func isWithin(in, out *block) bool {
	for in != nil {
		if in == out {
			return true
		}
		if in.parent == nil {
			return false
		}
		in = in.parent.block
	}
	return false
}

func dropDeadConstants(f *fn) {
	f.body.walk(func(o *op) {
		if o.lit != nil && o.out().uses == nil {
			o.drop()
		}
	})
}
