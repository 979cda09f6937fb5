package hloconv

import "gopherlo/xla/stablehlo"

// minSplat is the number of elements from which a splat constant becomes a
// scalar and a broadcast (prepare_for_export.cc).
const minSplat = 32

// prepare turns large splats into broadcasts and repeats constants inside the
// regions of reductions, sorts and scatters (PrepareForExportPass).
func prepare(f *fn) error {
	f.body.walk(func(o *op) {
		switch {
		case o.lit != nil:
			splitSplat(o)
		case closedRegions[o.name]:
			for _, r := range o.regions {
				sinkInto(r)
			}
		}
	})
	dropDeadConstants(f)
	return nil
}

// closedRegions are the ops whose regions become computations without captures.
var closedRegions = map[string]bool{
	"stablehlo.reduce": true, "stablehlo.reduce_window": true, "stablehlo.scatter": true,
	"stablehlo.select_and_scatter": true, "stablehlo.sort": true, "stablehlo.all_reduce": true,
	"stablehlo.reduce_scatter": true, "stablehlo.map": true,
}

func splitSplat(o *op) {
	if !o.lit.Splat || o.lit.Size() < minSplat {
		return
	}
	c := &op{name: o.name, loc: o.loc, lit: resize(o.lit, stablehlo.T(o.lit.Type.Elem))}
	b := &op{name: "stablehlo.broadcast_in_dim", loc: o.loc, frontend: o.frontend}
	b.attrs.Set("broadcast_dimensions", stablehlo.Ints{})
	b.setOperands([]*value{c.addResult(c.lit.Type)})
	o.block.insertBefore(c, o)
	o.block.insertBefore(b, o)
	o.out().replaceUses(b.addResult(o.out().typ))
	o.drop()
}
