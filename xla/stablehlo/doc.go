// Package stablehlo holds StableHLO modules in memory: the form that a traced
// function is lowered to, as JAX lowers to it, before package hloconv makes an
// HLO module of it.
//
// A [Module] has functions, a [Func] has one [Block], a Block has [Op]s in
// order, an Op has operands, results ([Value]s), attributes and regions. A
// [Builder] appends ops to a block and computes their result types:
//
//	m := stablehlo.NewModule("jit_f")
//	f := m.NewFunc("main", true)
//	x := f.AddArg(stablehlo.T(hlo.F32, 3), stablehlo.NamedLoc("x"))
//	b := stablehlo.NewBuilder(f)
//	b.SetLoc(stablehlo.NamedLoc("jit(f)/sin"))
//	y := b.Unary("sine", x)
//	b.Return(y)
//	f.SetResultAttr(0, "jax.result_info", stablehlo.String("result"))
//	fmt.Print(m.Text())
//
// [Module.Text] prints the text that JAX 0.12.0.1 gives as Lowered.as_text(),
// [Module.DebugText] that with locations (debug_info=True); [Parse] reads both
// back.
package stablehlo
