package goldencases

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/random"
	"gopherlo/metadata"
)

// Programs as expression trees, so that one description runs here and in JAX.
// An expression is a list whose first element says what it is:
//
//	["v", name]  ["n", 2, "f"]  ["t", e...]  ["i", e, k]   variable, number, tuple, element of one
//	["o", "mul", a, b]  ["c", "jnp.sin", [e...], {keyword: value}]   operator, library call
//	["l", site, name, [parameters], {"s": statements, "r": e}]   function; site counts its runs
//	["T", "grad", f, options]  ["a", f, [e...]]   transformed function, call
//
// Statements: ["let", name or names, e], ["with", attributes, statements],
// ["scope", name, statements], ["if", e].
type (
	expr = []any
	// scope holds the variables of a function's run.
	scope struct {
		vars  map[string]any
		outer *scope
	}
	// evaluator counts how often each function of the program runs.
	evaluator struct{ ticks map[int]int }
)

func (s *scope) get(name string) any {
	for q := s; q != nil; q = q.outer {
		if v, ok := q.vars[name]; ok {
			return v
		}
	}
	if f, ok := library[name]; ok {
		return f
	}
	panic("unknown name " + name)
}

func (v *evaluator) list(xs []any, s *scope) []any {
	out := make([]any, len(xs))
	for i, x := range xs {
		out[i] = v.eval(x, s)
	}
	return out
}

func (v *evaluator) eval(x any, s *scope) any {
	e := x.(expr)
	switch e[0] {
	case "v":
		return s.get(e[1].(string))
	case "n":
		return plainNumber(e)
	case "str":
		return e[1].(string)
	case "none":
		return nil
	case "t":
		return jax.Tuple(v.list(e[1:], s))
	case "L":
		return v.list(e[1:], s)
	case "d":
		out := map[string]any{}
		for k, q := range e[1].(map[string]any) {
			out[k] = v.eval(q, s)
		}
		return out
	case "i":
		return element(v.eval(e[1], s), e[2])
	case "ix":
		return toArray(v.eval(e[1], s)).Index(indices(v.eval(e[2], s))...)
	case "o":
		return operate(e[1].(string), v.list(e[2:], s))
	case "c":
		kw := map[string]any{}
		if len(e) > 3 {
			kw = e[3].(map[string]any)
		}
		return callLibrary(e[1].(string), v.list(e[2].(expr), s), kw)
	case "f":
		return library[e[1].(string)]
	case "a":
		return apply(v.eval(e[1], s), v.list(e[2].(expr), s))
	case "sm":
		return metadata.SetAny(v.eval(e[1], s), attributes(e[2]))
	case "ckname":
		return jax.CheckpointNameAny(v.eval(e[1], s), e[2].(string))
	case "l":
		return v.function(e, s)
	case "T":
		return v.transform(e, s)
	}
	panic(fmt.Sprintf("unknown expression %v", e[0]))
}

func plainNumber(e expr) any {
	switch e[2] {
	case "f":
		return number(e[1])
	case "i":
		return int(number(e[1]))
	}
	return e[1].(bool)
}

// element is x[k] of a tuple, a map or the results of a call.
func element(x, k any) any {
	if name, ok := k.(string); ok {
		if m, ok := x.(map[string]any); ok {
			return m[name]
		}
		return x.(jax.Array).Results().Def.Unflatten(nil)
	}
	i := int(number(k))
	switch x := x.(type) {
	case jax.Tuple:
		return x[(i+len(x))%len(x)]
	case []any:
		return x[(i+len(x))%len(x)]
	case jax.Array:
		if x.Results() != nil {
			return x.Out(i)
		}
		return x.Index(i)
	}
	panic(fmt.Sprintf("element of %T", x))
}

func toArray(x any) jax.Array {
	if a, ok := x.(jax.Array); ok {
		return a
	}
	return jnp.AsArray(x)
}

func indices(x any) []any {
	if t, ok := x.(jax.Tuple); ok {
		return t
	}
	return []any{x}
}

func attributes(x any) metadata.Attrs {
	out := metadata.Attrs{}
	for k, v := range x.(map[string]any) {
		if n, ok := v.(json.Number); ok {
			if strings.ContainsAny(n.String(), ".eE") {
				v = number(n)
			} else {
				v = int(number(n))
			}
		}
		out[k] = v
	}
	return out
}

// function makes a Go function of the right number of parameters.
func (v *evaluator) function(e expr, s *scope) any {
	site, params, body := int(number(e[1])), texts(e[3]), e[4].(map[string]any)
	run := func(args ...any) any {
		v.ticks[site]++
		in := &scope{map[string]any{}, s}
		for i, p := range params {
			in.vars[p] = args[i]
		}
		v.run(body["s"].(expr), in)
		return v.eval(body["r"], in)
	}
	name, ok := e[2].(string)
	if !ok {
		name = "<lambda>"
	}
	var f any
	switch len(params) {
	case 0:
		f = func() any { return run() }
	case 1:
		f = func(a any) any { return run(a) }
	case 2:
		f = func(a, b any) any { return run(a, b) }
	case 3:
		f = func(a, b, c any) any { return run(a, b, c) }
	default:
		f = func(a, b, c, d any) any { return run(a, b, c, d) }
	}
	return jax.NamedFunc{F: f, Name: name, Params: params, File: "<string>", Line: 1}
}

func texts(x any) []string {
	var out []string
	for _, t := range x.(expr) {
		out = append(out, t.(string))
	}
	return out
}

func (v *evaluator) run(stmts expr, s *scope) {
	for _, x := range stmts {
		st := x.(expr)
		switch st[0] {
		case "let":
			val := v.eval(st[2], s)
			if name, ok := st[1].(string); ok {
				s.vars[name] = val
				continue
			}
			for i, n := range texts(st[1]) {
				s.vars[n] = element(val, json.Number(fmt.Sprint(i)))
			}
		case "with":
			metadata.With(attributes(st[1])).Do(func() { v.run(st[2].(expr), s) })
		case "scope":
			jax.NamedScope(st[1].(string), func() { v.run(st[2].(expr), s) })
		case "if":
			condition(v.eval(st[1], s))
		case "do":
			v.eval(st[1], s)
		}
	}
}

func condition(x any) bool {
	if b, ok := x.(bool); ok {
		return b
	}
	return toArray(x).Bool()
}

func apply(f any, args []any) any {
	switch f := f.(type) {
	case jax.Func:
		return f(args...)
	case jax.NamedFunc:
		return applyGo(f.F, args)
	}
	return applyGo(f, args)
}

func applyGo(f any, args []any) any {
	switch f := f.(type) {
	case func() any:
		return f()
	case func(a any) any:
		return f(args[0])
	case func(a, b any) any:
		return f(args[0], args[1])
	case func(a, b, c any) any:
		return f(args[0], args[1], args[2])
	case func(a, b, c, d any) any:
		return f(args[0], args[1], args[2], args[3])
	case func(any) array.Array:
		return f(args[0])
	case jax.Func:
		return f(args...)
	}
	panic(fmt.Sprintf("call of %T", f))
}

func (v *evaluator) transform(e expr, s *scope) any {
	f, o := v.eval(e[2], s), e[3].(map[string]any)
	attrs := func() metadata.Attrs { return attributes(o["attrs"]) }
	switch e[1] {
	case "jit":
		return jax.Jit(f, jitOptions(o)...)
	case "grad":
		return jax.Grad(f, gradOptions(o)...)
	case "value_and_grad":
		return jax.ValueAndGrad(f, gradOptions(o)...)
	case "jacfwd":
		return jax.Jacfwd(f, gradOptions(o)...)
	case "jacrev":
		return jax.Jacrev(f, gradOptions(o)...)
	case "hessian":
		return jax.Hessian(f, gradOptions(o)...)
	case "vmap":
		return jax.Vmap(f, vmapOptions(o)...)
	case "checkpoint":
		return jax.Checkpoint(f, checkpointOptions(o)...)
	case "meta":
		return metadata.Call(f, attrs())
	case "meta2":
		if ad, ok := o["ad"]; ok {
			if m, ok := ad.(map[string]any); ok {
				ad = attributes(m)
			}
			return metadata.Call2(f, attrs(), metadata.AdMetadata(ad))
		}
		return metadata.Call2(f, attrs())
	case "mustfuse":
		return metadata.MustFuseCall(o["name"])(f)
	case "group":
		return metadata.SchedulingGroup(o["name"].(string))(f)
	case "named":
		return jax.NamedCall(f, o["name"].(string))
	case "ctx":
		return metadata.With(attrs()).Wrap(f)
	case "cjvp":
		return jax.CustomJVP(f, v.eval(o["rule"], s), nondiffOptions(o)...)
	case "cvjp":
		return jax.CustomVJP(f, v.eval(o["fwd"], s), v.eval(o["bwd"], s), nondiffOptions(o)...)
	}
	panic(fmt.Sprintf("unknown transformation %v", e[1]))
}

// exprArg makes an argument of a program.
func exprArg(x any) any {
	e, ok := x.(expr)
	if !ok {
		return x
	}
	switch e[0] {
	case "tup":
		out := jax.Tuple{}
		for _, q := range e[1:] {
			out = append(out, exprArg(q))
		}
		return out
	case "dict":
		out := map[string]any{}
		for k, q := range e[1].(map[string]any) {
			out[k] = exprArg(q)
		}
		return out
	case "n":
		return plainNumber(e)
	case "cplx":
		return lax.Complex(exprArray(realPart(e[1])), exprArray(realPart(e[2])))
	case "key":
		return random.Key(int(number(e[1])))
	case "str":
		return e[1]
	}
	return exprArray(e)
}

// realPart is the array of the real or imaginary parts of a complex argument.
func realPart(x any) expr {
	if l, ok := x.(expr); ok {
		return expr{"arr", "f", l, expr{json.Number(fmt.Sprint(len(l)))}}
	}
	return expr{"arr", "f", expr{x}, expr{}}
}

func exprArray(e expr) any {
	var shape []int
	for _, n := range e[3].(expr) {
		shape = append(shape, int(number(n)))
	}
	var host any
	switch e[1] {
	case "b":
		host = nest(each(e[2].(expr), func(v any) bool { return v.(bool) }), shape)
	case "i":
		host = nest(each(e[2].(expr), func(v any) int32 { return int32(number(v)) }), shape)
	case "u":
		host = nest(each(e[2].(expr), func(v any) uint32 { return uint32(number(v)) }), shape)
	default:
		host = nest(each(e[2].(expr), func(v any) float32 { return float32(number(v)) }), shape)
	}
	a := jnp.Array(host)
	switch e[1] {
	case "h":
		return a.AsType(jnp.BFloat16)
	case "d":
		return a.AsType(jnp.Float16)
	}
	return a
}

func each[T any](xs []any, f func(any) T) []T {
	out := make([]T, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// nest puts row-major data in nested slices.
func nest[T any](data []T, shape []int) any {
	switch len(shape) {
	case 0:
		return data[0]
	case 1:
		return data
	}
	var rows []any
	for r := range slices.Chunk(data, max(1, len(data)/max(1, shape[0]))) {
		rows = append(rows, nest(r, shape[1:]))
	}
	return rows
}
