package ad

import (
	"gopherlo/jaxlike/core"
)

// CustomLin stands in linear programs for a function whose backward rule the
// user gave: operands are the residuals, then the non-zero tangents.
var CustomLin = core.NewPrimitive("custom_lin")

func init() {
	CustomLin.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return p.Get("out_avals").([]*core.ShapedArray)
		},
		Impl:           func([]core.Value, core.Params) []core.Value { raiseForward(); return nil },
		FancyTranspose: customLinTranspose,
		Batch: func(core.AxisData, []core.Value, []int, core.Params) ([]core.Value, []int) {
			raiseForward()
			return nil, nil
		},
		Lower: core.LowerNever(raiseForward),
		PrintParams: func(e *core.Eqn) core.Params {
			p := core.SortedParams(e.Params, "out_avals")
			return p.With("bwd", p.Get("bwd").(*core.CustomVJP).BwdName)
		},
		NotDifferentiable: "forward mode cannot use a custom_vjp rule",
	})
}

func raiseForward() {
	core.TypeErrorf("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")
}

// runFwd runs the forward rule: results and residuals.
func runFwd(c *core.CustomVJP, primals, tangents []core.Value) (out, res []core.Value) {
	all := c.Fwd(primals)
	n := c.NumRes()
	return all[n:], all[:n]
}

func bindCustomLin(c *core.CustomVJP, res, tangents, out []core.Value) []core.Value {
	avals := make([]*core.ShapedArray, len(out))
	for i, o := range out {
		avals[i] = o.Aval().Tangent()
	}
	zeros := make([]bool, len(tangents))
	in := append([]core.Value{}, res...)
	for i, t := range tangents {
		zeros[i] = core.IsZero(t)
		if !zeros[i] {
			in = append(in, t)
		}
	}
	zs := make(core.List, len(zeros))
	for i, z := range zeros {
		zs[i] = z
	}
	return CustomLin.Bind(core.P("num_res", len(res), "bwd", c, "out_avals", avals,
		"symbolic_zeros", c.SymbolicZeros, "in_zeros", zs), in...)
}

func customLin(c *core.CustomVJP, primals, tangents []core.Value) (out, outT []core.Value) {
	out, res := runFwd(c, primals, tangents)
	return out, bindCustomLin(c, res, tangents, out)
}

func customLinTranspose(cts, args []core.Value, p core.Params) {
	c := p.Get("bwd").(*core.CustomVJP)
	n := p.Int("num_res")
	full := make([]core.Value, len(cts))
	for i, ct := range cts {
		full[i] = Instantiate(ct)
	}
	in := c.Bwd(append(append([]core.Value{}, args[:n]...), full...))
	accums := args[n:]
	for i, z := range p.Get("in_zeros").(core.List) {
		if z.(bool) {
			continue
		}
		if acc, ok := accums[0].(core.Accum); ok {
			acc.Accumulate(in[i])
		}
		accums = accums[1:]
	}
}
