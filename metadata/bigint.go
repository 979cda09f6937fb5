package metadata

import "math/big"

// bigInt prints integers beyond 64 bits, which Python writes in full.
func bigInt(v any) (string, bool) {
	switch v := v.(type) {
	case *big.Int:
		return v.String(), v != nil
	case big.Int:
		return v.String(), true
	}
	return "", false
}
