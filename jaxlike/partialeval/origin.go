package partialeval

import (
	"strings"

	"gopherlo/jaxlike/core"
)

// Origin says which function was traced and which arguments the value depends
// on (jax: DynamicJaxprTracer._origin_msg).
func (t *DynamicTracer) Origin() string {
	d := t.trace.Debug
	if d == nil || d.FuncSource == "" {
		return ""
	}
	origin := "\nThe error occurred while tracing the function " + d.FuncSource + " for " + d.TracedFor + ". "
	args, eqns := t.progenitors()
	switch {
	case len(args) > 0:
		names := make([]string, 0, len(args))
		for _, i := range args {
			if i >= len(d.ArgNames) {
				return ""
			}
			names = append(names, d.ArgNames[i])
		}
		s := ""
		if len(names) > 1 {
			s = "s"
		}
		origin += "This concrete value was not available in Python because it depends on the value" + s + " of " + argList(names) + "."
	case len(eqns) > 0:
		origin += "This value became a tracer due to JAX operations on these lines:\n\n" + strings.Join(eqns, "\n\n")
	}
	return origin
}

func argList(names []string) string {
	switch n := len(names); n {
	case 1:
		return "the argument " + names[0]
	case 2:
		return "the arguments " + names[0] + " and " + names[1]
	default:
		return "the arguments " + strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
	}
}

// progenitors are the inputs that t depends on and, if there are none, the
// equations on constants that it came from (at most five).
func (t *DynamicTracer) progenitors() (args []int, eqns []string) {
	tr := t.trace
	tr.mu.Lock()
	defer tr.mu.Unlock()
	active := map[core.Atom]bool{t.atom: true}
	for i := len(tr.eqns) - 1; i >= 0; i-- {
		e := tr.eqns[i]
		made := false
		for _, v := range e.Out {
			made = made || active[v]
		}
		if !made {
			continue
		}
		constant := true
		for _, a := range e.In {
			if v, ok := a.(*core.Var); ok {
				active[v] = true
				constant = constant && tr.isConst(v)
			}
		}
		if constant && len(eqns) < 5 {
			eqns = append(eqns, "  operation "+core.EqnText(e)+"\n    from line "+e.Source.Summary())
		}
	}
	for i, v := range tr.in {
		if active[v] {
			args = append(args, i)
		}
	}
	return args, eqns
}

func (t *DynamicTrace) isConst(v *core.Var) bool {
	for _, c := range t.constVars {
		if c == v {
			return true
		}
	}
	return false
}
