package interp

import (
	"go/ast"
	"go/token"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

// replayed says what a replay does with one cell of the journal.
type replayed struct {
	skip    bool     // it only set what is restored later
	restore []string // variables to restore instead of running it
}

// planReplay decides which cells need not run, from the last to the first: a
// cell that does nothing but set variables whose saved values come later, and
// that no cell in between reads. A cell that calls something with a saved struct,
// map, slice or pointer at hand may change it, and always runs. What a cell does is read off its text; one
// that calls anything for its effect, declares functions or types, or has magic
// lines always runs.
func planReplay(past []language.Past, kept saved) []replayed {
	plan := make([]replayed, len(past))
	have := map[string]bool{}    // variables whose value comes from a checkpoint below
	claimed := map[string]bool{} // variables whose last checkpoint was seen
	for i := len(past) - 1; i >= 0; i-- {
		if names, ok := checkpointCell(past[i].Code); ok && !past[i].Failed {
			for _, name := range names {
				if _, ok := kept[name]; ok && !claimed[name] {
					claimed[name], have[name] = true, true
					plan[i].restore = append(plan[i].restore, name)
				}
			}
			if plan[i].restore == nil { // a later one has saved the same names
				plan[i].skip = true
			}
			continue
		}
		e := effectsOf(past[i].Code)
		skip := e.plain && len(e.sets) > 0 && !past[i].Failed
		for name := range e.sets {
			skip = skip && have[name]
		}
		for name := range e.reads {
			skip = skip && !(e.calls && kept[name].Mutable)
		}
		if skip {
			plan[i].skip = true
			continue
		}
		for name := range e.reads {
			delete(have, name)
		}
	}
	return plan
}

// checkpointCell reports a cell that consists of one %checkpoint line.
func checkpointCell(code string) (names []string, ok bool) {
	args, ok := strings.CutPrefix(strings.TrimSpace(code), "%checkpoint ")
	if !ok || strings.Contains(args, "\n") {
		return nil, false
	}
	return strings.FieldsFunc(args, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' }), true
}

// effects is what a cell does to the session, as far as its text tells.
type effects struct {
	plain       bool // it only sets variables and prints
	calls       bool // it calls functions
	sets, reads map[string]bool
}

func effectsOf(code string) effects {
	e := effects{plain: true, sets: map[string]bool{}, reads: map[string]bool{}}
	c, errs := cell.Parse(token.NewFileSet(), 1, code)
	if len(errs) > 0 || len(c.Magics) > 0 || len(c.Funcs) > 0 || len(c.Imports) > 0 {
		e.plain = false
	}
	if c == nil {
		return e
	}
	for _, id := range c.Free {
		e.reads[id.Name] = true
	}
	for _, s := range c.Stmts {
		e.top(s)
	}
	return e
}

// top notes a statement of the cell's top level: what it declares belongs to
// the session.
func (e *effects) top(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, left := range s.Lhs {
			e.set(left)
		}
	case *ast.DeclStmt:
		decl, ok := s.Decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			e.plain = false
			return
		}
		for _, spec := range decl.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				e.set(name)
			}
		}
	}
	e.inside(s)
}

// inside notes what a statement does at any depth. Names declared in inner
// blocks are taken for the session's: the cell then runs, which is safe.
func (e *effects) inside(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, left := range n.Lhs {
					e.set(left)
				}
			}
		case *ast.IncDecStmt:
			e.set(n.X)
		case *ast.ExprStmt:
			if !prints(n.X) {
				e.plain = false
			}
		case *ast.CallExpr:
			e.calls = true
		case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt:
			e.plain = false
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				e.plain = false
			}
		}
		return true
	})
}

// set notes an assignment to a variable or to a part of it.
func (e *effects) set(x ast.Expr) {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			if y.Name != "_" {
				e.sets[y.Name] = true
			}
			return
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		default: // through a pointer, say
			e.plain = false
			return
		}
	}
}

// prints reports an expression statement that only shows something.
func prints(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return true
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && (pkg.Name == "fmt" && strings.HasPrefix(sel.Sel.Name, "Print") || pkg.Name == "display")
}
