package cell

import (
	"go/ast"
	"go/token"
	"slices"
)

// orderVars puts the variables that a cell declares before it does anything else
// into the order in which Go initializes them, each after those that its value
// needs, if one needs a later one. What follows runs in the order of its text.
func (c *Cell) orderVars() {
	var specs []*ast.ValueSpec
	var places []int // of the statements that stay, -1 for a variable
	var rest []ast.Stmt
	for i, st := range c.Stmts {
		d, ok := st.(*ast.DeclStmt)
		if !ok {
			for j := range c.Stmts[i:] {
				places = append(places, len(rest)+j)
			}
			rest = append(rest, c.Stmts[i:]...)
			break
		}
		if d.Decl.(*ast.GenDecl).Tok != token.VAR {
			places = append(places, len(rest))
			rest = append(rest, st)
			continue
		}
		for _, sp := range d.Decl.(*ast.GenDecl).Specs {
			specs = append(specs, sp.(*ast.ValueSpec))
			places = append(places, -1)
		}
	}
	ordered := c.sortSpecs(specs)
	if ordered == nil {
		return
	}
	c.bindOwn(specs)
	c.Stmts = c.Stmts[:0:0]
	for _, p := range places {
		if p >= 0 {
			c.Stmts = append(c.Stmts, rest[p])
			continue
		}
		sp := ordered[0]
		ordered = ordered[1:]
		c.Stmts = append(c.Stmts, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: sp.Pos(), Tok: token.VAR, Specs: []ast.Spec{sp}}})
	}
}

// bindOwn takes the names of the variables out of those that may mean what an
// earlier cell declared, but for the name of a variable in its own value.
func (c *Cell) bindOwn(specs []*ast.ValueSpec) {
	own := map[string]*ast.ValueSpec{}
	for _, sp := range specs {
		for _, n := range sp.Names {
			own[n.Name] = sp
		}
	}
	c.Free = slices.DeleteFunc(c.Free, func(id *ast.Ident) bool {
		sp := own[id.Name]
		return sp != nil && (id.Pos() < sp.Pos() || id.Pos() >= sp.End())
	})
}

// sortSpecs orders variables by what they need; nil means that they are in
// order already.
func (c *Cell) sortSpecs(specs []*ast.ValueSpec) []*ast.ValueSpec {
	owner := map[string]int{}
	for i, sp := range specs {
		for _, n := range sp.Names {
			if n.Name != "_" {
				owner[n.Name] = i
			}
		}
	}
	bodies := map[string][]*ast.FuncDecl{}
	for _, f := range c.Funcs {
		bodies[f.Name.Name] = append(bodies[f.Name.Name], f)
	}
	d := dependencies{specs, owner, bodies}
	needs := make([]map[int]bool, len(specs))
	sorted := true
	for i, sp := range specs {
		needs[i] = map[int]bool{}
		seen := map[string]bool{}
		for _, v := range sp.Values {
			d.needed(v, seen, needs[i])
		}
		for j := range needs[i] {
			sorted = sorted && j <= i
		}
	}
	if sorted {
		return nil
	}
	var out []*ast.ValueSpec
	done := make([]bool, len(specs))
	for len(out) < len(specs) {
		next := -1
		for i := range specs {
			if !done[i] && next < 0 && ready(needs[i], done, i) {
				next = i
			}
		}
		if next < 0 {
			return nil // a cycle: the checker reports it
		}
		done[next] = true
		out = append(out, specs[next])
	}
	return out
}

func ready(needs map[int]bool, done []bool, self int) bool {
	for j := range needs {
		if j != self && !done[j] {
			return false
		}
	}
	return true
}

// dependencies finds what the values of variables need.
type dependencies struct {
	specs  []*ast.ValueSpec
	owner  map[string]int // of specs, by name
	bodies map[string][]*ast.FuncDecl
}

// needed adds the variables that an expression mentions, by way of functions
// and methods too.
func (d dependencies) needed(n ast.Node, seen map[string]bool, out map[int]bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		if kv, ok := m.(*ast.KeyValueExpr); ok {
			if _, field := kv.Key.(*ast.Ident); field {
				d.needed(kv.Value, seen, out)
				return false
			}
		}
		id, ok := m.(*ast.Ident)
		if !ok {
			return true
		}
		if id.Obj != nil { // a local name, or a variable that has been declared
			if i, ok := d.owner[id.Name]; ok && id.Obj.Decl == any(d.specs[i]) {
				out[i] = true
			}
			return true
		}
		if i, ok := d.owner[id.Name]; ok {
			out[i] = true
		}
		if !seen[id.Name] {
			seen[id.Name] = true
			for _, f := range d.bodies[id.Name] {
				if f.Body != nil {
					d.needed(f.Body, seen, out)
				}
			}
		}
		return true
	})
}
