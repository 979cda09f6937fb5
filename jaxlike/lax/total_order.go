package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/xla/stablehlo"
)

// The comparisons of sorting: a total order in which -0 is below 0 and NaN at
// the ends.
var (
	LtToP = core.NewPrimitive("lt_to")
	LeToP = core.NewPrimitive("le_to")
	EqToP = core.NewPrimitive("eq_to")
)

func init() {
	for _, q := range []struct {
		prim      *core.Primitive
		direction string
	}{{LtToP, "LT"}, {LeToP, "LE"}, {EqToP, "EQ"}} {
		q.prim.Define(core.Rules{
			AbstractEval: nary(q.prim.Name, toBool, acceptAny, acceptAny),
			JVP:          ad.ZeroJVP(q.prim),
			Batch:        batching.Broadcasting(q.prim),
			Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
				xs := broadcastArgs(c, args)
				kind := stablehlo.CompareType(elem(c.In[0].DType))
				if kind == "FLOAT" {
					kind = "TOTALORDER"
				}
				return []hloValue{c.B.CompareAs(q.direction, kind, xs[0], xs[1])}
			},
		})
	}
}
