package hloconv

import (
	"fmt"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// pass is a step over one function of the graph.
type pass struct {
	name string
	run  func(*fn) error
}

// passes are the steps between JAX's StableHLO and the HLO builder, in order
// (xla/pjrt/mlir_to_hlo.cc and xla/hlo/translate/stablehlo.cc).
var passes = []pass{
	{"place-constants", placeConstants},
	{"expand-chlo", expandCHLO},
	{"expand-complex", expandComplex},
	{"simplify-and-fold", simplify},
	{"sink-constants", sinkConstants},
	{"prepare", prepare},
	{"export-shardings", exportShardings},
}

// placeConstants unifies and hoists the constants before anything is expanded,
// as the rewriter does in the first of XLA's passes (ChloRecomposeOpsPass). A
// choice by a constant goes there with all its branches, and with it the calls in
// them; where the index has to be folded first, simplify comes too late for that.
// Without either simplify does the same.
func placeConstants(f *fn) error {
	chosen := false
	f.body.walk(func(o *op) {
		f.expands = f.expands || isExpanded(o)
		chosen = chosen || o.name == "stablehlo.case" && o.in(0).isConst() != nil
	})
	if f.expands || chosen {
		rewrite(f, canonical)
	}
	return nil
}

// canonical are the patterns that run before anything is folded.
var canonical = map[string][]pattern{"stablehlo.case": {chooseBranch}}

// isExpanded reports whether the op has an expansion.
func isExpanded(o *op) bool {
	_, ok := chloRules[o.name]
	return ok || isComplexMath(o)
}

func simplify(f *fn) error {
	rewrite(f, patterns)
	return nil
}

// PassError says which pass failed on which function.
type PassError struct {
	Pass, Func string
	Err        error
}

func (e *PassError) Error() string {
	return fmt.Sprintf("function %s: pass %s: %v", e.Func, e.Pass, e.Err)
}

func (e *PassError) Unwrap() error { return e.Err }

// Convert makes the HLO module that JAX's as_text("hlo") shows. It does not
// change m.
func Convert(m *stablehlo.Module) (*hlo.Module, error) {
	g := &graph{src: m}
	for _, f := range m.Funcs {
		n, err := importFunc(f)
		if err != nil {
			return nil, err
		}
		if err := check(n.body); err != nil {
			return nil, &PassError{"import", f.Name, err}
		}
		for _, p := range passes {
			if err := p.run(n); err != nil {
				return nil, &PassError{p.name, f.Name, err}
			}
			if err := check(n.body); err != nil {
				return nil, &PassError{p.name, f.Name, err}
			}
		}
		g.funcs = append(g.funcs, n)
	}
	return build(g)
}

// graph is the whole module.
type graph struct {
	src   *stablehlo.Module
	funcs []*fn
}

func (g *graph) fn(name string) *fn {
	for _, f := range g.funcs {
		if f.src.Name == name {
			return f
		}
	}
	return nil
}
