package lax

import (
	"slices"
	"testing"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
)

// linear are the primitives that reverse mode must be able to transpose.
var linear = []*core.Primitive{
	NegP, AddP, SubP, MulP, DivP, ConvertElementTypeP, BroadcastInDimP, ReshapeP, TransposeP, SqueezeP, ReduceSumP,
	DotGeneralP, SelectNP, ConcatenateP, SplitP, SliceP, PadP, RevP, RealP, ImagP, ComplexP, ConjP, ad.AddAny,
	GatherP, ScatterP, ScatterAddP, ScatterSubP, ScatterMulP, CumSumP, StackP, UnstackP, TileP, ReduceWindowSumP,
	SelectAndGatherAddP, SelectAndScatterAddP,
}

// TestRulesComplete walks the registry: every primitive has each rule or a
// written reason why not.
func TestRulesComplete(t *testing.T) {
	prims := core.Primitives()
	if len(prims) < 90 {
		t.Fatalf("only %d primitives are registered", len(prims))
	}
	for _, p := range prims {
		if p == ad.CustomLin {
			continue // lives in linear programs alone and is never lowered
		}
		if p.AbstractEval == nil {
			t.Errorf("%s has no AbstractEval", p)
		}
		if p.JVP == nil && p.Linearize == nil && p.NotDifferentiable == "" {
			t.Errorf("%s has neither a JVP nor a reason for its lack", p)
		}
		if p.Batch == nil && p.NoBatch == "" {
			t.Errorf("%s has neither a Batch rule nor a reason for its lack", p)
		}
		if p.Lower == nil && p.Impl == nil {
			t.Errorf("%s cannot be lowered", p)
		}
		if slices.Contains(linear, p) && p.Transpose == nil && p.FancyTranspose == nil {
			t.Errorf("%s has no transpose", p)
		}
	}
}
