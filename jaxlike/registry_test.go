package jaxlike_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
)

// operand is an input of a case: its shape and the range of its values.
type operand struct {
	shape  []int
	lo, hi float64
}

// size is the number of elements.
func (o operand) size() int {
	n := 1
	for _, d := range o.shape {
		n *= d
	}
	return n
}

// ruleCase applies a primitive; the property tests check its rules with it.
type ruleCase struct {
	prim string // that must be in its jaxpr
	note string // tells cases of one primitive apart
	f    func(xs []arr) any
	in   []operand
	// kinds are the element types: "f" floats, "c" complex, "i" signed, "u"
	// unsigned, "b" booleans.
	kinds string
	// forward: reverse mode does not go through; flat: the derivative is zero
	// or does not exist, so that only the batching rule is checked.
	forward, flat bool
	// narrow: too ill-conditioned to compare 16-bit floats.
	narrow bool
}

func (c ruleCase) id() string {
	if c.note != "" {
		return c.prim + "-" + c.note
	}
	return c.prim
}

// withoutCase are the primitives that have no case, and why.
var withoutCase = map[string]string{
	"iota":                   "no operands; golden texts cover it",
	"empty2":                 "no operands; it is in gradients of cond",
	"eval_jaxpr":             "it exists in lowered loops only",
	"custom_lin":             "it is in linear programs of custom_vjp only, whose case runs it",
	"add_any":                "the backward pass makes it; every case with an operand used twice runs it",
	"axis_index":             "no operands; TestNamedAxes",
	"psum":                   "it needs a named axis; TestNamedAxes",
	"pmax":                   "it needs a named axis; TestNamedAxes",
	"pmin":                   "it needs a named axis; TestNamedAxes",
	"all_gather":             "it needs a named axis; TestMovesAlongAxes",
	"all_to_all":             "it needs a named axis; TestMovesAlongAxes",
	"ppermute":               "it needs a named axis; TestMovesAlongAxes",
	"reduce_scatter":         "it needs a named axis; TestMovesAlongAxes",
	"random_bits":            "keys are no numbers; golden results cover it",
	"random_wrap":            "keys are no numbers; golden results cover it",
	"random_seed":            "keys are no numbers; golden results cover it",
	"random_split":           "keys are no numbers; golden results cover it",
	"random_fold_in":         "keys are no numbers; golden results cover it",
	"eq_to":                  "total orders are integers' business inside sort's rules",
	"le_to":                  "as eq_to",
	"lt_to":                  "as eq_to",
	"reduce":                 "it has a body of the user's; golden texts cover it",
	"reduce_window":          "it has a body of the user's; golden texts cover it",
	"select_and_gather_add":  "reduce_window_max's derivative is made of it",
	"select_and_scatter_add": "reduce_window_max's transpose is made of it",
	"select_and_scatter":     "it has bodies of the user's; golden texts cover it",
	"iota_2x32_shape":        "no operands; golden results of random numbers cover it",
	"threefry2x32":           "bits are no numbers; golden results cover it",
	"nextafter":              "it has no derivative; golden results cover it",
	"random_unwrap":          "keys are no numbers; golden results cover it",
}

// kindTypes are the types of each kind; where no long test is asked for, the
// first of a case's first kind is enough.
var kindTypes = map[byte][]dtype.DType{
	'f': {dtype.Float64, dtype.BFloat16, dtype.Float32, dtype.Float16},
	'c': {dtype.Complex128, dtype.Complex64},
	'i': {dtype.Int32, dtype.Int8, dtype.Int64},
	'u': {dtype.Uint32, dtype.Uint8},
	'b': {dtype.Bool},
}

// long tells whether tests that take minutes are wanted.
func long() bool { return os.Getenv("GOPHERLO_LONG") != "" }

// TestRegistry walks the primitives: each has cases or a reason why not, and
// every case's derivative is compared with finite differences, its transpose
// checked by the dot-product test, its second derivative both ways, and its
// batching with a loop.
func TestRegistry(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some thousand programs")
	}
	jax.Update("jax_enable_x64", true)
	defer jax.Update("jax_enable_x64", false)
	covered := map[string]bool{}
	checks := 0
	for _, c := range ruleCases() {
		if core.Lookup(c.prim) == nil {
			continue
		}
		covered[c.prim] = true
		for i := range len(c.kinds) {
			types := kindTypes[c.kinds[i]]
			if !long() {
				if types = types[:1]; i > 0 {
					continue
				}
			}
			for _, dt := range types {
				t.Run(c.id()+"/"+dt.String(), func(t *testing.T) {
					if err := jax.Catch(func() { c.check(t, dt) }); err != nil {
						t.Error(err)
					}
				})
				checks++
			}
		}
	}
	for _, p := range core.Primitives() {
		if !covered[p.Name] && withoutCase[p.Name] == "" {
			t.Errorf("%s has no case and no reason for its lack", p.Name)
		}
	}
	t.Logf("%d primitives, %d cases at an element type", len(covered), checks)
}

// host is an operand's values, real and imaginary parts.
type host struct {
	shape  []int
	re, im []float64
}

func (o operand) draw(r *rand.Rand, dt dtype.DType) host {
	h := host{shape: o.shape, re: make([]float64, o.size())}
	if dt.IsComplex() {
		h.im = make([]float64, o.size())
	}
	for i := range h.re {
		h.re[i] = o.lo + (o.hi-o.lo)*r.Float64()
		switch {
		case dt.IsBool():
			h.re[i] = float64(r.IntN(2))
		case dt.IsInt():
			h.re[i] = math.Round(h.re[i] * 3)
			if !dt.IsSigned() {
				h.re[i] = math.Abs(h.re[i])
			}
		case dt.IsComplex():
			h.im[i] = .3 + .5*r.Float64()
		}
	}
	return h
}

// direction draws values around zero.
func direction(r *rand.Rand, shape []int, dt dtype.DType) host {
	h := operand{shape, -1, 1}.draw(r, dt)
	for i := range h.im {
		h.im[i] = 2*r.Float64() - 1
	}
	return h
}

// moved is h + e*d.
func (h host) moved(d host, e float64) host {
	n := host{shape: h.shape, re: slices.Clone(h.re), im: slices.Clone(h.im)}
	for i := range n.re {
		n.re[i] += e * d.re[i]
	}
	for i := range n.im {
		n.im[i] += e * d.im[i]
	}
	return n
}

func (h host) array(dt dtype.DType) arr {
	size := dt.Size()
	data := make([]byte, len(h.re)*size)
	for i := range h.re {
		var x any = h.re[i]
		switch {
		case dt.IsComplex():
			x = complex(h.re[i], h.im[i])
		case dt.IsBool():
			x = h.re[i] != 0
		case dt.IsInt():
			x = int64(h.re[i])
		}
		if err := dt.Put(data[i*size:], x); err != nil {
			panic(err)
		}
	}
	return array.New(core.NewHostConst(core.NewAval(dt, h.shape...), data))
}

func arraysOf(hs []host, dt dtype.DType) []arr {
	out := make([]arr, len(hs))
	for i, h := range hs {
		out[i] = h.array(dt)
	}
	return out
}

func moveAll(xs, vs []host, e float64) []host {
	out := make([]host, len(xs))
	for i := range xs {
		out[i] = xs[i].moved(vs[i], e)
	}
	return out
}

// leaves are the arrays of a result.
func leaves(a arr) []arr {
	r := a.Results()
	if r == nil {
		return []arr{a}
	}
	out := make([]arr, len(r.Leaves))
	for i, l := range r.Leaves {
		out[i] = array.New(l)
	}
	return out
}

// numbers are the elements of arrays as complex numbers.
func numbers(as []arr) []complex128 {
	var out []complex128
	for _, a := range as {
		dt, data := a.DType(), a.Bytes()
		if !dt.IsComplex() {
			for _, x := range a.Floats() {
				out = append(out, complex(x, 0))
			}
			continue
		}
		for ; len(data) > 0; data = data[dt.Size():] {
			out = append(out, dt.GetComplex(data))
		}
	}
	return out
}

// agree compares numbers to a tolerance relative to the largest.
func agree(t *testing.T, what string, got, want []complex128, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	scale := 1.
	for _, w := range want {
		if m := math.Hypot(real(w), imag(w)); !math.IsInf(m, 0) && !math.IsNaN(m) {
			scale = max(scale, m)
		}
	}
	for i := range got {
		if d := got[i] - want[i]; !(math.Hypot(real(d), imag(d)) <= tol*scale) && got[i] != want[i] {
			t.Errorf("%s: element %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

func dot(as, bs []complex128) float64 {
	sum := 0.
	for i := range as {
		sum += real(as[i] * bs[i])
	}
	return sum
}

func (c ruleCase) check(t *testing.T, dt dtype.DType) {
	r := rand.New(rand.NewPCG(7, uint64(len(c.id()))))
	xs := make([]host, len(c.in))
	for i, o := range c.in {
		xs[i] = o.draw(r, dt)
	}
	j := jax.MakeJaxpr(c.apply)(arraysOf(xs, dt))
	if !mentions(j, c.prim) {
		t.Fatalf("the case does not apply the primitive:\n%s", j)
	} else if err := core.Check(j); err != nil {
		t.Fatal(err)
	}
	c.checkBatch(t, dt, r)
	out := j.OutAvals()
	if c.flat || !dt.IsInexact() || !out[0].DType.IsInexact() {
		return
	}
	c.checkFirst(t, dt, r, xs, out)
	if dt == dtype.Float64 && !c.forward {
		c.checkSecond(t, r, xs)
	}
}

// apply is f as one function for all checks of the case.
func (c ruleCase) apply(xs []arr) any { return c.f(xs) }

func mentions(j *core.Jaxpr, prim string) bool {
	for _, e := range j.Eqns {
		if e.Prim.Name == prim {
			return true
		}
		for _, s := range e.SubJaxprs() {
			if mentions(s, prim) {
				return true
			}
		}
	}
	return false
}

// checkFirst compares the JVP with finite differences (or, for narrow types,
// with the JVP at float64) and the transpose with the JVP.
func (c ruleCase) checkFirst(t *testing.T, dt dtype.DType, r *rand.Rand, xs []host, out []*core.ShapedArray) {
	vs, ws := make([]host, len(xs)), make([]host, len(out))
	for i, x := range xs {
		vs[i] = direction(r, x.shape, dt)
	}
	for i, o := range out {
		ws[i] = direction(r, o.Shape, o.DType)
	}
	all := jax.Jit(func(xs, vs, ws []arr) any {
		y, ty := jax.Jvp(c.apply, jax.Args{xs}, jax.Args{vs})
		if c.forward {
			return jax.Tuple{y, ty, nil}
		}
		_, back := jax.Vjp(c.apply, xs)
		if y.Results() == nil {
			return jax.Tuple{y, ty, back(ws[0])}
		}
		ct := jax.Tuple{}
		for _, w := range ws {
			ct = append(ct, w)
		}
		return jax.Tuple{y, ty, back(ct)}
	})
	run := func(xs []host, dt dtype.DType) (y, ty, cts, wa []arr) {
		wa = make([]arr, len(ws))
		for i, w := range ws {
			of := out[i].DType
			if out[i].DType != dt && !of.IsComplex() {
				of = dt.Real()
			}
			wa[i] = w.array(of)
		}
		res := all(arraysOf(xs, dt), arraysOf(vs, dt), wa)
		return leaves(res.Out(0)), leaves(res.Out(1)), leaves(res.Out(2)), wa
	}
	y, ty, cts, wa := run(xs, dt)
	for i := range y {
		if y[i].DType() != ty[i].DType() || !slices.Equal(y[i].Shape(), ty[i].Shape()) {
			t.Errorf("the tangent of result %d is %s, the result %s", i, ty[i].Aval(), y[i].Aval())
		}
	}
	switch dt {
	case dtype.Float64, dtype.Complex128:
		const e = 1e-6
		up, _, _, _ := run(moveAll(xs, vs, e), dt)
		down, _, _, _ := run(moveAll(xs, vs, -e), dt)
		agree(t, "jvp against finite differences", numbers(ty), slopes(numbers(up), numbers(down), e), 1e-6)
	default:
		if wide := widest(dt); !c.narrow && out[0].DType == dt {
			_, want := c.jvpAt(xs, vs, wide)
			agree(t, "jvp against "+wide.String(), numbers(ty), numbers(want), tolerance(dt, 0))
		}
	}
	if c.forward {
		return
	}
	for i := range cts {
		if cts[i].DType() != dt || !slices.Equal(cts[i].Shape(), xs[i].shape) {
			t.Errorf("the cotangent of operand %d is %s", i, cts[i].Aval())
		}
	}
	left, right := dot(numbers(ty), numbers(wa)), dot(numbers(arraysOf(vs, dt)), numbers(cts))
	if tol := tolerance(dt, 1e-9); !(math.Abs(left-right) <= tol*max(1, math.Abs(left)+weight(cts))) {
		t.Errorf("dot-product test: %v by the jvp, %v by the transpose", left, right)
	}
}

func widest(dt dtype.DType) dtype.DType {
	if dt.IsComplex() {
		return dtype.Complex128
	}
	return dtype.Float64
}

func (c ruleCase) jvpAt(xs, vs []host, dt dtype.DType) (y, ty []arr) {
	res := jax.Jit(func(xs, vs []arr) (arr, arr) { return jax.Jvp(c.apply, jax.Args{xs}, jax.Args{vs}) })(arraysOf(xs, dt), arraysOf(vs, dt))
	return leaves(res.Out(0)), leaves(res.Out(1))
}

func slopes(up, down []complex128, e float64) []complex128 {
	for i := range up {
		up[i] = (up[i] - down[i]) / complex(2*e, 0)
	}
	return up
}

func weight(as []arr) float64 {
	sum := 0.
	for _, x := range numbers(as) {
		sum += math.Hypot(real(x), imag(x))
	}
	return sum
}

// tolerance is wide for the types of few bits; exact is for 64 bits.
func tolerance(dt dtype.DType, exact float64) float64 {
	switch dt {
	case dtype.Float64, dtype.Complex128:
		return exact
	case dtype.Float32, dtype.Complex64:
		return 1e-4
	case dtype.Float16:
		return 3e-2
	}
	return .15
}

// checkSecond differentiates the gradient of a weighted sum of the results:
// forward over reverse and reverse over reverse against finite differences.
func (c ruleCase) checkSecond(t *testing.T, r *rand.Rand, xs []host) {
	const dt = dtype.Float64
	vs := make([]host, len(xs))
	for i, x := range xs {
		vs[i] = direction(r, x.shape, dt)
	}
	g := func(xs []arr) arr {
		var sum arr
		for i, y := range leaves(jax.FuncOf(c.apply)(xs)) {
			y = lax.Mul(y, y).Add(y).Mul(float64(i + 1))
			if y.DType().IsComplex() {
				y = lax.Real(y)
			}
			y = jnp.Sum(y)
			if sum.IsZero() {
				sum = y
			} else {
				sum = sum.Add(y)
			}
		}
		return sum
	}
	grad := jax.Grad(g)
	inner := func(xs, vs []arr) arr {
		var sum arr
		for i, d := range leaves(grad(xs)) {
			if s := jnp.Sum(d.Mul(vs[i])); sum.IsZero() {
				sum = s
			} else {
				sum = sum.Add(s)
			}
		}
		return sum
	}
	both := jax.Jit(func(xs, vs []arr) (arr, arr, arr) {
		first, forward := jax.Jvp(grad, jax.Args{xs}, jax.Args{vs})
		return first, forward, jax.Grad(inner)(xs, vs)
	})
	const e = 1e-6
	run := func(xs []host) (first, forward, reverse []complex128) {
		res := both(arraysOf(xs, dt), arraysOf(vs, dt))
		return numbers(leaves(res.Out(0))), numbers(leaves(res.Out(1))), numbers(leaves(res.Out(2)))
	}
	up, _, _ := run(moveAll(xs, vs, e))
	down, _, _ := run(moveAll(xs, vs, -e))
	want := slopes(up, down, e)
	_, forward, reverse := run(xs)
	agree(t, "jvp of the gradient against finite differences", forward, want, 1e-5)
	agree(t, "gradient of the gradient", reverse, want, 1e-5)
}

// mapping says which dimension of each operand is mapped: none, the first or
// the last.
type mapping struct {
	name string
	axes []int
}

func (c ruleCase) mappings() []mapping {
	front, end := make([]int, len(c.in)), make([]int, len(c.in))
	for i, o := range c.in {
		end[i] = len(o.shape)
	}
	out := []mapping{{"in front", front}, {"at the end", end}}
	if len(c.in) == 1 {
		return out
	}
	for i := range c.in {
		axes := slices.Repeat([]int{core.NotMapped}, len(c.in))
		axes[i] = 0
		out = append(out, mapping{fmt.Sprintf("operand %d alone", i), axes})
	}
	return out
}

// checkBatch compares vmap with a loop: all operands mapped in front, all at
// the end, and each alone. All of it is one program.
func (c ruleCase) checkBatch(t *testing.T, dt dtype.DType, r *rand.Rand) {
	const n = 3
	ms := c.mappings()
	mapped := make([][]arr, len(ms))
	single := make([][][]arr, len(ms))
	for k, m := range ms {
		items := make([][]host, n)
		for b := range items {
			for i, o := range c.in {
				h := o.draw(r, dt)
				if b > 0 && m.axes[i] == core.NotMapped {
					h = items[0][i]
				}
				items[b] = append(items[b], h)
			}
			single[k] = append(single[k], arraysOf(items[b], dt))
		}
		for i := range c.in {
			h := items[0][i]
			if m.axes[i] != core.NotMapped {
				parts := make([]host, n)
				for b := range parts {
					parts[b] = items[b][i]
				}
				h = stacked(parts, m.axes[i])
			}
			mapped[k] = append(mapped[k], h.array(dt))
		}
	}
	res := jax.Jit(func(mapped [][]arr, single [][][]arr) jax.Tuple {
		var at, loop jax.Tuple
		for k, m := range ms {
			axes := make([]any, len(c.in))
			for i, a := range m.axes {
				if a != core.NotMapped {
					axes[i] = a
				}
			}
			at = append(at, jax.Vmap(c.apply, jax.InAxes([]any{axes}))(mapped[k]))
			var each jax.Tuple
			for _, xs := range single[k] {
				each = append(each, c.f(xs))
			}
			loop = append(loop, each)
		}
		return jax.Tuple{at, loop}
	})(mapped, single)
	for k, m := range ms {
		got := leaves(res.Out(0).Out(k))
		for i, y := range got {
			var want []complex128
			for b := range n {
				want = append(want, numbers(leaves(res.Out(1).Out(k).Out(b))[i:i+1])...)
			}
			agree(t, "vmap "+m.name, numbers([]arr{y}), want, tolerance(dt, 1e-12))
		}
	}
}

// stacked joins values along a new dimension, the first or the last.
func stacked(parts []host, axis int) host {
	h := host{shape: slices.Insert(slices.Clone(parts[0].shape), axis, len(parts))}
	if axis == 0 {
		for _, p := range parts {
			h.re, h.im = append(h.re, p.re...), append(h.im, p.im...)
		}
		return h
	}
	for i := range parts[0].re {
		for _, p := range parts {
			h.re = append(h.re, p.re[i])
			if p.im != nil {
				h.im = append(h.im, p.im[i])
			}
		}
	}
	return h
}
