package cell

import (
	"go/ast"
	"go/token"
	"slices"
)

// orderVars puts the variables of a whole program, a cell that declares main
// and nothing but declarations, into the order in which Go initializes them:
// each after those that its value needs. The statements of other cells run in
// the order of their text.
func (c *Cell) orderVars() {
	if !c.isProgram() {
		return
	}
	var specs []*ast.ValueSpec
	var places []int // of the statements that stay, -1 for a variable
	var rest []ast.Stmt
	for _, st := range c.Stmts {
		d, ok := st.(*ast.DeclStmt)
		if !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR {
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
	own := map[string]bool{}
	for _, sp := range specs {
		for _, n := range sp.Names {
			own[n.Name] = true
		}
	}
	c.Free = slices.DeleteFunc(c.Free, func(id *ast.Ident) bool { return own[id.Name] })
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

// isProgram reports a cell with a function main and declarations only, but for
// the call of main.
func (c *Cell) isProgram() bool {
	hasMain := false
	for _, f := range c.Funcs {
		hasMain = hasMain || f.Recv == nil && f.Name.Name == "main"
	}
	for i, st := range c.Stmts {
		switch st.(type) {
		case *ast.DeclStmt:
		case *ast.ExprStmt:
			if i < len(c.Stmts)-1 {
				return false
			}
		default:
			return false
		}
	}
	return hasMain
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
