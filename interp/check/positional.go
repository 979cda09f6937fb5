package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

const (
	kwPath = "gopherlo/jaxlike/kw"
	kwName = "‹kw›"

	dtypePath = "gopherlo/jaxlike/dtype"
)

// positional are the options that JAX 0.12.0.1 takes by position too, by the kind of
// the function, up to the first that has no place here (its signatures in
// jax/_src/numpy, lax, nn and random.py).
var positional = map[string]string{
	"Sum": "Axis DType", "Prod": "Axis DType", "ReduceMax": "Axis", "ReduceMin": "Axis", "Mean": "Axis DType",
	"All": "Axis", "Any": "Axis", "ArgMax": "Axis", "Creation": "DType", "Like": "DType Shape", "Array": "DType",
	"Linspace": "Num Endpoint", "Squeeze": "Axis", "Reshape": "Order", "Clip": "Min Max", "Round": "Decimals",
	"Close": "RTol ATol EqualNaN", "Concatenate": "Axis DType", "Scan": "Length Reverse Unroll",
	"AssociativeScan": "Reverse Axis", "Take": "Axis", "TakeAlongAxis": "Mode FillValue", "Variance": "Axis DType",
	"Cumulative": "Axis DType", "CumLax": "Axis Reverse", "Sort": "Axis", "Median": "Axis", "Stack": "Axis",
	"VStack": "DType", "Split": "Axis", "Eye": "M K DType", "Tri": "M K DType", "Triangle": "K", "Diag": "K",
	"Diagonal": "Offset Axis1 Axis2", "Trace": "Offset Axis1 Axis2 DType", "TensorDot": "Axes",
	"Norm": "Ord Axis KeepDims", "LogSumExp": "Axis B KeepDims", "Softmax": "Axis Where", "Gelu": "Approximate",
	"Slope": "NegativeSlope", "Elu": "Alpha", "Glu": "Axis", "Standardize": "Axis", "Pad": "Mode", "Repeat": "Axis",
	"Roll": "Axis", "Flip": "Axis", "Diff": "N Axis", "SearchSorted": "Side", "CountNonZero": "Axis KeepDims",
	"Average": "Axis Weights", "Quantile": "Axis", "Uniform": "Shape DType MinVal MaxVal", "Draw": "Shape DType",
	"RandInt": "DType", "Bernoulli": "P Shape", "Choice": "Shape Replace P Axis", "Permutation": "Axis Independent",
	"Categorical": "Axis Shape Replace", "SortLax": "Dimension IsStable NumKeys", "ArgLax": "Axis IndexDType",
}

// elsewhere are functions whose signature in JAX is another than that of their kind.
var elsewhere = []string{"ArrayEqual", "Unstack"}

// optionKind is the kind of options that a type of package kw stands for.
func optionKind(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != kwPath || !types.IsInterface(n) {
		return ""
	}
	return strings.TrimSuffix(n.Obj().Name(), "Option")
}

// byPosition writes the options of a call that stand without a name, as JAX has them,
// as calls of package kw: jnp.Sum(x, 0) is jnp.Sum(x, kw.Axis(0)).
func (r *rewriter) byPosition(call *ast.CallExpr, sig *types.Signature) {
	if !sig.Variadic() || call.Ellipsis.IsValid() {
		return
	}
	first := sig.Params().Len() - 1
	want := sig.Params().At(first).Type().(*types.Slice).Elem()
	names := strings.Fields(positional[optionKind(want)])
	if f := r.called(call.Fun); f == nil || slices.Contains(elsewhere, f.Name()) {
		return
	}
	for i := first; i < len(call.Args) && i-first < len(names); i++ {
		a := call.Args[i]
		if isNil(r.k.info, a) {
			continue // JAX's None, what the option is without
		}
		have := r.k.info.TypeOf(a)
		if have == nil || isInvalid(have) || types.AssignableTo(have, want) {
			return // those that follow have names
		}
		option := r.option(names[i-first], a, have)
		if option == nil {
			return
		}
		call.Args[i] = r.instead(option, a)
		r.changed = true
	}
}

// option is a call of package kw with a value of type have, nil if the option takes
// another.
func (r *rewriter) option(name string, value ast.Expr, have types.Type) ast.Expr {
	pkg, err := r.k.s.importer.Import(kwPath)
	if err != nil {
		return nil
	}
	f, ok := pkg.Scope().Lookup(name).(*types.Func)
	if !ok || f.Signature().Params().Len() != 1 {
		return nil
	}
	param := f.Signature().Params().At(0).Type()
	spread := false
	switch have = types.Default(have); {
	case f.Signature().Variadic():
		spread = types.Identical(have, param)
		if !spread && (name == "Shape" || !types.Identical(have, param.(*types.Slice).Elem())) {
			return nil
		}
	case types.IsInterface(param):
		if !r.isNumber(value) && !r.isArr(value) && name != "Axes" && name != "Ord" {
			return nil
		}
	case !types.Identical(have, param):
		return nil
	}
	call := r.function(kwName, name, value.Pos(), value)
	if spread {
		call.Ellipsis = value.End()
	}
	return call
}
