package goldencases

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/nn"
)

// library are the functions that programs use as values: the package's own.
var library = map[string]any{
	"jnp.sin": jnp.Sin, "jnp.cos": jnp.Cos, "jnp.exp": jnp.Exp, "jnp.tanh": jnp.Tanh, "jnp.square": jnp.Square,
	"jnp.negative": jnp.Negative, "jnp.abs": jnp.Abs, "jnp.sqrt": jnp.Sqrt, "jnp.log1p": jnp.Log1p, "jnp.log": jnp.Log,
	"jnp.expm1": jnp.Expm1, "jnp.sign": jnp.Sign, "jnp.floor": jnp.Floor, "jnp.sinh": jnp.Sinh, "jnp.arctan": jnp.ArcTan,
	"jnp.reciprocal": jnp.Reciprocal, "jnp.positive": jnp.Positive, "jnp.exp2": jnp.Exp2, "jnp.isnanf": jnp.IsNaN,
	"lax.sin": lax.Sin, "lax.cos": lax.Cos, "lax.exp": lax.Exp, "lax.neg": lax.Neg, "lax.tanh": lax.Tanh,
	"lax.logistic": lax.Logistic, "lax.rsqrt": lax.Rsqrt, "lax.square": lax.Square, "lax.erf": lax.Erf,
	"lax.log1p": lax.Log1p, "lax.cbrt": lax.Cbrt, "lax.stop_gradient": lax.StopGradientAny,
	"nn.relu": nn.Relu, "nn.sigmoid": nn.Sigmoid, "nn.softplus": nn.Softplus, "nn.silu": nn.Silu, "nn.relu6": nn.Relu6,
	"nn.log_sigmoid": nn.LogSigmoid, "nn.hard_tanh": nn.HardTanh,
	"jnp.real": jnp.Real, "jnp.imag": jnp.Imag, "jnp.conj": jnp.Conj, "jnp.angle": jnp.Angle, "lax.conj": lax.Conj,
	"jnp.log2": jnp.Log2, "jnp.cosh": jnp.Cosh, "jnp.arcsin": jnp.ArcSin, "jnp.arccos": jnp.ArcCos,
	"jnp.arctanh": jnp.ArcTanh, "jnp.arcsinh": jnp.ArcSinh, "jnp.tan": jnp.Tan, "jnp.ceil": jnp.Ceil, "jnp.invert": jnp.Invert,
	"jnp.int32": jnp.Int32, "jnp.float32": jnp.Float32, "jnp.bfloat16": jnp.BFloat16,
}

var binary = map[string]func(x, y any) array.Array{
	"add": jnp.Add, "sub": jnp.Subtract, "mul": jnp.Multiply, "div": jnp.Divide, "pow": jnp.Power, "mod": jnp.Remainder,
	"fdiv": jnp.FloorDivide, "lt": jnp.Less, "gt": jnp.Greater, "le": jnp.LessEqual, "ge": jnp.GreaterEqual, "eq": jnp.Equal,
	"ne": jnp.NotEqual, "and": jnp.BitwiseAnd, "or": jnp.BitwiseOr, "xor": jnp.BitwiseXor,
	"jnp.maximum": jnp.Maximum, "jnp.minimum": jnp.Minimum, "lax.max": lax.Max, "lax.add": lax.Add, "lax.mul": lax.Mul,
	"jnp.outer": jnp.Outer, "lax.sub": lax.Sub, "lax.min": lax.Min, "lax.div": lax.Div, "lax.pow": lax.Pow,
	"lax.complex": lax.Complex, "jnp.power": jnp.Power, "jnp.floor_divide": jnp.FloorDivide, "jnp.remainder": jnp.Remainder,
	"jnp.arctan2": jnp.ArcTan2, "jnp.logaddexp": jnp.LogAddExp,
}

// operate is a Python operator: a method of the left operand, or of the right
// one where that is the Array.
func operate(op string, xs []any) any {
	a, isArray := xs[0].(jax.Array)
	if len(xs) == 2 && !isArray {
		if _, other := xs[1].(jax.Array); !other {
			return plainOperation(op, xs[0], xs[1])
		}
	}
	switch {
	case op == "neg":
		return toArray(xs[0]).Neg()
	case op == "not":
		return toArray(xs[0]).Not()
	case op == "mm":
		return toArray(xs[0]).MatMul(xs[1])
	case !isArray:
		return binary[op](xs[0], xs[1])
	}
	b := xs[1]
	switch op {
	case "add":
		return a.Add(b)
	case "sub":
		return a.Sub(b)
	case "mul":
		return a.Mul(b)
	case "div":
		return a.Div(b)
	case "pow":
		return a.Pow(b)
	case "mod":
		return a.Mod(b)
	case "fdiv":
		return a.FloorDiv(b)
	case "lt":
		return a.Lt(b)
	case "gt":
		return a.Gt(b)
	case "le":
		return a.Le(b)
	case "ge":
		return a.Ge(b)
	case "eq":
		return a.Eq(b)
	case "ne":
		return a.Ne(b)
	}
	return binary[op](a, b)
}

// plainOperation is an operator between Python numbers.
func plainOperation(op string, a, b any) any {
	m, mInt := a.(int)
	n, nInt := b.(int)
	x, y := plainFloat(a), plainFloat(b)
	switch op {
	case "lt":
		return x < y
	case "gt":
		return x > y
	case "le":
		return x <= y
	case "ge":
		return x >= y
	case "div":
		return x / y
	}
	if mInt && nInt {
		return map[string]int{"add": m + n, "sub": m - n, "mul": m * n}[op]
	}
	return map[string]float64{"add": x + y, "sub": x - y, "mul": x * y, "pow": math.Pow(x, y)}[op]
}

func plainFloat(x any) float64 {
	switch x := x.(type) {
	case int:
		return float64(x)
	case float64:
		return x
	}
	panic(&jax.Error{Name: "TypeError", Message: fmt.Sprintf("no number: %T", x)})
}

func intsOf(x any) []int {
	var out []int
	switch x := x.(type) {
	case jax.Tuple:
		for _, v := range x {
			out = append(out, intsOf(v)...)
		}
	case []any:
		for _, v := range x {
			out = append(out, intsOf(v)...)
		}
	case int:
		out = []int{x}
	case json.Number:
		out = []int{int(number(x))}
	}
	return out
}

func axisOf(o map[string]any) []int {
	if v, ok := o["axis"]; ok {
		return intsOf(v)
	}
	return nil
}

func reduced[O any](f func(any, ...O) array.Array, x any, o map[string]any) array.Array {
	var opts []O
	if a := axisOf(o); a != nil {
		opts = append(opts, any(kw.Axis(a...)).(O))
	}
	if k, ok := o["keepdims"].(bool); ok {
		opts = append(opts, any(kw.KeepDims(k)).(O))
	}
	return f(x, opts...)
}

// calls are library functions with more than one argument or with keywords.
var calls map[string]func(x []any, o map[string]any) any

func init() {
	calls = map[string]func(x []any, o map[string]any) any{
		"jnp.sum":         func(x []any, o map[string]any) any { return reduced(jnp.Sum, x[0], o) },
		"jnp.mean":        func(x []any, o map[string]any) any { return reduced(jnp.Mean, x[0], o) },
		"jnp.max":         func(x []any, o map[string]any) any { return reduced(jnp.Max, x[0], o) },
		"jnp.min":         func(x []any, o map[string]any) any { return reduced(jnp.Min, x[0], o) },
		"jnp.prod":        func(x []any, o map[string]any) any { return reduced(jnp.Prod, x[0], o) },
		"jnp.var":         func(x []any, o map[string]any) any { return reduced(jnp.Var, x[0], o) },
		"jnp.std":         func(x []any, o map[string]any) any { return reduced(jnp.Std, x[0], o) },
		"nn.logsumexp":    func(x []any, o map[string]any) any { return reduced(nn.LogSumExp, x[0], o) },
		"jnp.ptp":         func(x []any, o map[string]any) any { return reduced(jnp.Ptp, x[0], o) },
		"jnp.argmax":      func(x []any, o map[string]any) any { return reduced(jnp.ArgMax, x[0], o) },
		"jnp.linalg.norm": func(x []any, o map[string]any) any { return jnp.Linalg.Norm(x[0]) },
		"lax.reduce_sum0": func(x []any, o map[string]any) any { return lax.ReduceSum(x[0], allAxes(x[0])) },
		"jnp.cumsum":      func(x []any, o map[string]any) any { return reduced(jnp.CumSum, x[0], o) },
		"jnp.cumprod":     func(x []any, o map[string]any) any { return reduced(jnp.CumProd, x[0], o) },
		"jnp.sort":        func(x []any, o map[string]any) any { return reduced(jnp.Sort, x[0], o) },
		"jnp.flip":        func(x []any, o map[string]any) any { return reduced(jnp.Flip, x[0], o) },
		"jnp.trace":       func(x []any, o map[string]any) any { return jnp.Trace(x[0]) },
		"jnp.median":      func(x []any, o map[string]any) any { return jnp.Median(x[0]) },
		"jnp.vdot":        func(x []any, o map[string]any) any { return jnp.VDot(x[0], x[1]) },
		"jnp.average":     func(x []any, o map[string]any) any { return jnp.Average(x[0]) },
		"jnp.diff":        func(x []any, o map[string]any) any { return jnp.Diff(x[0]) },
		"jnp.quantile":    func(x []any, o map[string]any) any { return jnp.Quantile(x[0], x[1]) },
		"jnp.squeeze":     func(x []any, o map[string]any) any { return jnp.Squeeze(x[0]) },
		"jnp.nanmax0":     func(x []any, o map[string]any) any { return jnp.Max(x[0]) },
		"nn.one_hot3":     func(x []any, o map[string]any) any { return nn.OneHot(x[0], 3) },
		"jnp.einsum_i_i":  func(x []any, o map[string]any) any { return jnp.Einsum("i,i->", x...) },
		"jnp.einsum_ij_j": func(x []any, o map[string]any) any { return jnp.Einsum("ij,j->ij", x...) },
		"jnp.hypot0":      func(x []any, o map[string]any) any { return jnp.LogAddExp(x[0], x[1]) },
		"jnp.take0":       func(x []any, o map[string]any) any { return jnp.Take(x[0], x[1]) },
		"jnp.atset0":      func(x []any, o map[string]any) any { return toArray(x[0]).At(0).Set(x[1]) },
		"jnp.atadd0":      func(x []any, o map[string]any) any { return toArray(x[0]).At(x[1]).Add(x[2]) },
		"jnp.tril_diag":   func(x []any, o map[string]any) any { return jnp.Diag(jnp.Diag(x[0])) },
		"jnp.argsortf":    func(x []any, o map[string]any) any { return jnp.ArgSort(x[0]).Mul(1.) },
		"jnp.convolve0":   func(x []any, o map[string]any) any { return jnp.Multiply(x[0], x[1]) },
		"jnp.interp0":     func(x []any, o map[string]any) any { return jnp.Clip(x[0], kw.Min(x[1]), kw.Max(x[2])) },
		"jnp.repeat0":     func(x []any, o map[string]any) any { return jnp.Repeat(x[0], 3) },
		"jnp.pad0":        func(x []any, o map[string]any) any { return jnp.Pad(x[0], []int{1, 2}).Index(jnp.Slice(1, 4)) },
		"jnp.nan_to_num":  func(x []any, o map[string]any) any { return jnp.NanToNum(x[0]) },
		"jnp.cross":       func(x []any, o map[string]any) any { return jnp.Cross(x[0], x[1]) },
		"lax.dynslice3": func(x []any, o map[string]any) any {
			return lax.DynamicSlice(x[0], []any{x[1], 0}, []int{1, 3}).Index(0)
		},
		"lax.cumsumrev":     func(x []any, o map[string]any) any { return lax.CumSum(x[0], 0, true) },
		"lax.cumprod0":      func(x []any, o map[string]any) any { return lax.CumProd(x[0], 0, false) },
		"lax.cumlogsumexp0": func(x []any, o map[string]any) any { return lax.CumLogSumExp(x[0], 0, false) },
		"lax.assoc":         func(x []any, o map[string]any) any { return lax.AssociativeScan(jnp.Multiply, x[0]) },
		"jnp.topk0":         func(x []any, o map[string]any) any { v, _ := lax.TopK(x[0], 3); return v },
		"jnp.linspace0":     func(x []any, o map[string]any) any { return jnp.Linspace(x[0], x[1], kw.Num(3)) },
		"jnp.tril":          func(x []any, o map[string]any) any { return jnp.TriL(x[0]) },
		"jnp.triu":          func(x []any, o map[string]any) any { return jnp.TriU(x[0]) },
		"nn.glu0":           func(x []any, o map[string]any) any { return nn.Glu(x[0]) },
		"jnp.concatenate2":  func(x []any, o map[string]any) any { return jnp.Concatenate([]any{x[0], x[0]}, kw.Axis(1)) },
		"jnp.roll1":         func(x []any, o map[string]any) any { return jnp.Roll(x[0], 1) },
		"nn.softmax":        func(x []any, o map[string]any) any { return nn.Softmax(x[0]) },
		"nn.log_softmax":    func(x []any, o map[string]any) any { return nn.LogSoftmax(x[0]) },
		"nn.standardize":    func(x []any, o map[string]any) any { return nn.Standardize(x[0]) },
		"nn.gelu":           func(x []any, o map[string]any) any { return nn.Gelu(x[0]) },
		"nn.elu":            func(x []any, o map[string]any) any { return nn.Elu(x[0]) },
		"nn.leaky_relu":     func(x []any, o map[string]any) any { return nn.LeakyRelu(x[0]) },
		"jnp.round":         func(x []any, o map[string]any) any { return jnp.Round(x[0]) },
		"lax.cumsum0":       func(x []any, o map[string]any) any { return lax.CumSum(x[0], 0, false) },
		"lax.cummax0":       func(x []any, o map[string]any) any { return lax.CumMax(x[0], 0, false) },
		"lax.rev0":          func(x []any, o map[string]any) any { return lax.Rev(x[0], []int{0}) },
		"lax.integer_pow2":  func(x []any, o map[string]any) any { return lax.IntegerPow(x[0], 2) },
		"jnp.where":         func(x []any, o map[string]any) any { return jnp.Where(x[0], x[1], x[2]) },
		"jnp.clip":          func(x []any, o map[string]any) any { return jnp.Clip(x[0], kw.Min(x[1]), kw.Max(x[2])) },
		"jnp.arange":        func(x []any, o map[string]any) any { return jnp.Arange(x...) },
		"jnp.ones":          func(x []any, o map[string]any) any { return jnp.Ones(dims(x[0]), dtypes(x[1:])...) },
		"jnp.zeros":         func(x []any, o map[string]any) any { return jnp.Zeros(dims(x[0]), dtypes(x[1:])...) },
		"jnp.full":          func(x []any, o map[string]any) any { return jnp.Full(dims(x[0]), x[1]) },
		"jnp.broadcast_to":  func(x []any, o map[string]any) any { return jnp.BroadcastTo(x[0], dims(x[1])) },
		"jnp.dot":           func(x []any, o map[string]any) any { return jnp.Dot(x[0], x[1]) },
		"jnp.matmul":        func(x []any, o map[string]any) any { return jnp.MatMul(x[0], x[1]) },
		"jnp.reshape":       func(x []any, o map[string]any) any { return jnp.Reshape(x[0], dims(x[1])) },
		"jnp.concatenate":   func(x []any, o map[string]any) any { return jnp.Concatenate(x[0]) },
		"jnp.stack":         func(x []any, o map[string]any) any { return jnp.Stack(x[0]) },
		"jnp.transpose":     func(x []any, o map[string]any) any { return jnp.Transpose(x[0]) },
		"jnp.array":         func(x []any, o map[string]any) any { return jnp.Array(intsOf(x[0])) },
		"lax.psum":          func(x []any, o map[string]any) any { return lax.PSum(x[0], axisNames(x[1])...) },
		"lax.pmax":          func(x []any, o map[string]any) any { return lax.PMax(x[0], axisNames(x[1])...) },
		"lax.pmin":          func(x []any, o map[string]any) any { return lax.PMin(x[0], axisNames(x[1])...) },
		"lax.pmean":         func(x []any, o map[string]any) any { return lax.PMean(x[0], axisNames(x[1])...) },
		"lax.axis_index":    func(x []any, o map[string]any) any { return lax.AxisIndex(axisNames(x[0])...) },
		"lax.scan":          callScan,
		"lax.associative_scan": func(x []any, o map[string]any) any {
			var opts []kw.AssociativeScanOption
			if r, ok := o["reverse"].(bool); ok {
				opts = append(opts, kw.Reverse(r))
			}
			return lax.AssociativeScan(x[0], x[1], opts...)
		},
		"lax.map":        func(x []any, o map[string]any) any { return lax.Map(x[0], x[1]) },
		"lax.fori_loop":  func(x []any, o map[string]any) any { return lax.ForiLoop(x[0], x[1], x[2], x[3]) },
		"lax.while_loop": func(x []any, o map[string]any) any { return lax.WhileLoop(x[0], x[1], x[2]) },
		"lax.cond":       func(x []any, o map[string]any) any { return lax.Cond(x[0], x[1], x[2], x[3:]...) },
		"lax.switch":     func(x []any, o map[string]any) any { return lax.Switch(x[0], x[1], x[2:]...) },
		"jax.jvp": func(x []any, o map[string]any) any {
			y, t := jax.Jvp(x[0], x[1], x[2])
			return jax.Tuple{y, t}
		},
		"jax.vjp": func(x []any, o map[string]any) any {
			y, pull := jax.Vjp(x[0], x[1:]...)
			return jax.Tuple{y, pull}
		},
		"jax.linearize": func(x []any, o map[string]any) any {
			y, lin := jax.Linearize(x[0], x[1:]...)
			return jax.Tuple{y, lin}
		},
		"jax.linear_transpose": func(x []any, o map[string]any) any { return jax.LinearTranspose(x[0], x[1:]...) },
	}
}

func axisNames(x any) []string {
	if t, ok := x.(jax.Tuple); ok {
		return each(t, func(v any) string { return v.(string) })
	}
	return []string{x.(string)}
}

func callScan(x []any, o map[string]any) any {
	var opts []kw.ScanOption
	if r, ok := o["reverse"].(bool); ok {
		opts = append(opts, kw.Reverse(r))
	}
	switch u := o["unroll"].(type) {
	case bool:
		opts = append(opts, kw.Unroll(u))
	case json.Number:
		opts = append(opts, kw.Unroll(int(number(u))))
	}
	if n, ok := o["length"]; ok {
		opts = append(opts, kw.Length(int(number(n))))
	}
	c, ys := lax.Scan(x[0], x[1], x[2], opts...)
	return jax.Tuple{c, ys}
}

func allAxes(x any) []int {
	var out []int
	for i := range toArray(x).NDim() {
		out = append(out, i)
	}
	return out
}

func dims(x any) any {
	if t, ok := x.(jax.Tuple); ok {
		return append([]int{}, intsOf(t)...)
	}
	return x
}

func dtypes(x []any) (opts []kw.CreationOption) {
	if len(x) > 0 {
		opts = append(opts, kw.DType(x[0].(dtype.DType)))
	}
	return opts
}

func callLibrary(name string, xs []any, o map[string]any) any {
	if f := calls[name]; f != nil {
		return f(xs, o)
	}
	if f := binary[name]; f != nil {
		return f(xs[0], xs[1])
	}
	switch f := library[name].(type) {
	case func(any) array.Array:
		return f(xs[0])
	case func(any) any:
		return f(xs[0])
	}
	panic("no library function " + name)
}

func gradOptions(o map[string]any) (opts []jax.Option) {
	for k, v := range o {
		switch k {
		case "argnums":
			if _, list := v.(expr); list {
				opts = append(opts, jax.ArgnumsTuple(intsOf(v)...))
			} else {
				opts = append(opts, jax.Argnums(intsOf(v)...))
			}
		case "has_aux":
			opts = append(opts, jax.HasAux(v.(bool)))
		case "allow_int":
			opts = append(opts, jax.AllowInt(v.(bool)))
		case "holomorphic":
			opts = append(opts, jax.Holomorphic(v.(bool)))
		}
	}
	return opts
}

func jitOptions(o map[string]any) (opts []jax.Option) {
	for k, v := range o {
		switch k {
		case "static_argnums":
			opts = append(opts, jax.StaticArgnums(intsOf(v)...))
		case "donate_argnums":
			opts = append(opts, jax.DonateArgnums(intsOf(v)...))
		case "static_argnames":
			opts = append(opts, jax.StaticArgnames(v.(string)))
		case "keep_unused":
			opts = append(opts, jax.KeepUnused(v.(bool)))
		case "inline":
			opts = append(opts, jax.Inline(v.(bool)))
		}
	}
	return opts
}

func vmapOptions(o map[string]any) (opts []jax.Option) {
	for k, v := range o {
		switch k {
		case "in_axes":
			opts = append(opts, jax.InAxes(axisSpec(v)))
		case "out_axes":
			opts = append(opts, jax.OutAxes(axisSpec(v)))
		case "axis_name":
			opts = append(opts, jax.AxisName(v.(string)))
		case "axis_size":
			opts = append(opts, jax.AxisSize(int(number(v))))
		}
	}
	return opts
}

func axisSpec(v any) any {
	switch v := v.(type) {
	case expr:
		out := jax.Tuple{} // of the arguments; deeper down lists
		for _, q := range v {
			if l, ok := q.(expr); ok {
				out = append(out, []any(axisSpec(l).(jax.Tuple)))
				continue
			}
			out = append(out, axisSpec(q))
		}
		return out
	case json.Number:
		if strings.Contains(v.String(), ".") {
			return number(v)
		}
		return int(number(v))
	}
	return v
}

// namedPolicies are the policies of checkpoint that programs use, as Python writes them.
var namedPolicies = map[string]*jax.CheckpointPolicy{
	"cp.dots_saveable":                    jax.CheckpointPolicies.DotsSaveable,
	"cp.everything_saveable":              jax.CheckpointPolicies.EverythingSaveable,
	"cp.nothing_saveable":                 jax.CheckpointPolicies.NothingSaveable,
	"cp.dots_with_no_batch_dims_saveable": jax.CheckpointPolicies.DotsWithNoBatchDimsSaveable,
	"cp.save_only_these_names('n1')":      jax.SaveOnlyTheseNames("n1"),
	"cp.save_any_names_but_these('n1')":   jax.SaveAnyNamesButThese("n1"),
	"cp.save_from_both_policies(cp.dots_saveable, cp.save_only_these_names('n2'))": jax.SaveFromBothPolicies(
		jax.CheckpointPolicies.DotsSaveable, jax.SaveOnlyTheseNames("n2")),
}

func checkpointOptions(o map[string]any) (opts []jax.Option) {
	for k, v := range o {
		switch k {
		case "policy":
			opts = append(opts, jax.Policy(namedPolicies[v.(string)]))
		case "prevent_cse":
			opts = append(opts, jax.PreventCSE(v.(bool)))
		case "static_argnums":
			opts = append(opts, jax.StaticArgnums(intsOf(v)...))
		}
	}
	return opts
}

func nondiffOptions(o map[string]any) (opts []jax.Option) {
	if v, ok := o["nondiff_argnums"]; ok {
		opts = append(opts, jax.NondiffArgnums(intsOf(v)...))
	}
	return opts
}
