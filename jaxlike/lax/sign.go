package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SignP is the sign of each element: -1, 0 or 1.
var SignP = core.NewPrimitive("sign")

func init() {
	SignP.Define(core.Rules{
		AbstractEval: unop("sign", acceptNum, same),
		JVP:          jvpSign,
		Batch:        batching.Vectorized(SignP),
		Lower:        lowerSign,
	})
}

// Sign gives the sign of each element: -1, 0 or 1.
func Sign(x any) array.Array { return apply(SignP, x) }

func sign(x core.Value) core.Value { return SignP.Bind1(nil, x) }

// jvpSign: the sign of real numbers is constant but for jumps. That of complex
// numbers, z/|z|, turns with the angle of z (_sign_jvp_rule in JAX).
func jvpSign(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
	out := SignP.Bind1(p, in...)
	if !in[0].Aval().DType.IsComplex() || core.IsZero(ts[0]) {
		return []core.Value{out}, []core.Value{ad.ZeroOf(out)}
	}
	turn := div(imagPart(mul(conj(out), ts[0])), replaceZero(abs(in[0])))
	return []core.Value{out}, []core.Value{mul(out, ComplexP.Bind1(nil, fullLike(turn, 0), turn))}
}

// lowerSign: StableHLO's sign has no unsigned form.
func lowerSign(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
	if !c.In[0].DType.IsUnsigned() {
		return []hloValue{c.B.Unary("sign", args[0])}
	}
	isZero := c.B.CompareAs("EQ", "UNSIGNED", args[0], lowerFull(c, c.In[0], 0))
	return []hloValue{c.B.Select(isZero, lowerFull(c, c.In[0], 0), lowerFull(c, c.In[0], 1))}
}
