package interp

import (
	"go/types"

	"gopherlo/interp/check"
)

// CheckEnv is what cells can name without saying so, for those that check cells
// without running them.
func CheckEnv() check.Env { return checkEnv() }

// FuncText is the text of a cell's value that is a plain Go func.
func FuncText(res *check.Result) (string, bool) {
	if res.Tail == nil {
		return "", false
	}
	typ := types.Unalias(res.Info.TypeOf(res.Tail))
	if sig, ok := typ.(*types.Signature); ok {
		return signatureText(res.Tail, sig), true
	}
	named, ok := typ.(*types.Named)
	if !ok || named.NumMethods() > 0 { // it may have a text of its own
		return "", false
	}
	sig, ok := named.Underlying().(*types.Signature)
	if !ok {
		return "", false
	}
	return typeText(named) + ": " + typeText(sig), true
}
