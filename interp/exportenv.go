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
	sig, ok := types.Unalias(res.Info.TypeOf(res.Tail)).(*types.Signature)
	if !ok {
		return "", false
	}
	return signatureText(res.Tail, sig), true
}
