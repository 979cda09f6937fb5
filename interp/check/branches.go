package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
)

// branchRE finds what go/types says of labels and jumps, which the compiler has
// found before, by rules and words of its own: those of branches.
var branchRE = regexp.MustCompile(`^(label \S+ (declared and not used|not declared|already declared)|goto \S+ jumps |invalid (break|continue) label |(break|continue) not in for|fallthrough statement out of place|cannot fallthrough )`)

// branches checks the labels and jumps of the body of one function as the compiler
// does (cmd/compile/internal/syntax/branches.go, Go 1.26).
type branches struct {
	k      *checker
	labels map[string]*label
}

type label struct {
	in   *block
	stmt *ast.LabeledStmt
	used bool
}

// block is a list of statements; stmt is what labels it.
type block struct {
	parent *block
	start  token.Pos
	stmt   *ast.LabeledStmt
}

// jumpTargets are the statements around that jumps without a label go to, and
// which clause of a switch it is, -1 for none.
type jumpTargets struct {
	breaks    ast.Stmt
	continues ast.Stmt
	clause    int
}

// checkBranches notes what is wrong with the labels and jumps of the cell.
func (k *checker) checkBranches() {
	inside := func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			k.branchesOf(lit.Body.Lbrace, lit.Body.List)
		}
		return true
	}
	for _, f := range k.c.Funcs {
		if f.Body != nil {
			k.branchesOf(f.Body.Lbrace, f.Body.List)
			ast.Inspect(f.Body, inside)
		}
	}
	k.branchesOf(token.NoPos, k.c.Stmts)
	for _, st := range k.c.Stmts {
		ast.Inspect(st, inside)
	}
}

func (k *checker) branchesOf(start token.Pos, list []ast.Stmt) {
	b := &branches{k: k, labels: map[string]*label{}}
	for _, jump := range b.block(nil, jumpTargets{}, nil, start, list) {
		name := jump.Label.Name
		if l := b.labels[name]; l != nil {
			l.used = true
			b.errorf(jump.Label.Pos(), "goto %s jumps into block starting at line %d", name, k.line(l.in.start))
		} else {
			b.errorf(jump.Label.Pos(), "label %s not defined", name)
		}
	}
	for name, l := range b.labels {
		if !l.used {
			b.errorf(l.stmt.Label.Pos(), "label %s defined and not used", name)
		}
	}
}

func (k *checker) line(pos token.Pos) int {
	line, _ := k.c.Position(pos)
	return line
}

func (b *branches) errorf(pos token.Pos, format string, args ...any) {
	b.k.errs = append(b.k.errs, types.Error{Fset: b.k.s.Fset, Pos: pos, Msg: fmt.Sprintf(format, args...), Soft: true})
}

// blockState is what is known of a block at one of its statements.
type blockState struct {
	*branches
	in      *block
	around  jumpTargets
	last    bool // the statement is the last of the block
	varPos  token.Pos
	varName string
	// forward are the gotos whose labels have not come yet, over those of them
	// that a declaration of a variable follows.
	forward, over []*ast.BranchStmt
}

// block returns the gotos whose labels it has not found.
func (b *branches) block(parent *block, around jumpTargets, stmt *ast.LabeledStmt, start token.Pos, list []ast.Stmt) []*ast.BranchStmt {
	s := &blockState{branches: b, in: &block{parent, start, stmt}, around: around}
	for len(list) > 0 && isEmptyStmt(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	for i, st := range list {
		s.last = i == len(list)-1
		s.statement(st, nil)
	}
	return s.forward
}

func isEmptyStmt(s ast.Stmt) bool {
	_, ok := s.(*ast.EmptyStmt)
	return ok
}

func (s *blockState) statement(st ast.Stmt, labeled *ast.LabeledStmt) {
	inner := func(around jumpTargets, start token.Pos, list []ast.Stmt) {
		s.forward = append(s.forward, s.block(s.in, around, labeled, start, list)...)
	}
	same := jumpTargets{s.around.breaks, s.around.continues, -1}
	clauses := func(body *ast.BlockStmt) {
		for i, c := range body.List {
			around := jumpTargets{st, s.around.continues, i}
			switch c := c.(type) {
			case *ast.CaseClause:
				inner(around, c.Pos(), c.Body)
			case *ast.CommClause:
				inner(around, c.Pos(), c.Body)
			}
		}
	}
	switch st := st.(type) {
	case *ast.DeclStmt:
		if d := st.Decl.(*ast.GenDecl); d.Tok == token.VAR && len(d.Specs) > 0 {
			sp := d.Specs[0].(*ast.ValueSpec)
			s.variable(sp.Pos(), sp.Names[0])
		}
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE {
			s.variable(st.TokPos, st.Lhs...)
		}
	case *ast.LabeledStmt:
		if st.Label.Name != "_" {
			s.label(st)
			labeled = st
		}
		s.statement(st.Stmt, labeled)
	case *ast.BranchStmt:
		s.jump(st)
	case *ast.BlockStmt:
		inner(same, st.Pos(), st.List)
	case *ast.IfStmt:
		inner(same, st.Body.Pos(), st.Body.List)
		if st.Else != nil {
			inner(same, st.Else.Pos(), []ast.Stmt{st.Else})
		}
	case *ast.ForStmt:
		inner(jumpTargets{st, st, -1}, st.Body.Pos(), st.Body.List)
	case *ast.RangeStmt:
		inner(jumpTargets{st, st, -1}, st.Body.Pos(), st.Body.List)
	case *ast.SwitchStmt:
		clauses(st.Body)
	case *ast.TypeSwitchStmt:
		clauses(st.Body)
	case *ast.SelectStmt:
		clauses(st.Body)
	}
}

// variable is a declaration that no goto may jump over.
func (s *blockState) variable(pos token.Pos, names ...ast.Expr) {
	s.varPos, s.varName = pos, ""
	for i, n := range names {
		if i > 0 {
			s.varName += ", "
		}
		s.varName += types.ExprString(n)
	}
	s.over = slices.Clone(s.forward)
}

func (s *blockState) label(st *ast.LabeledStmt) {
	name := st.Label.Name
	l := s.labels[name]
	if l != nil {
		s.errorf(st.Label.Pos(), "label %s already defined at line %d", name, s.k.line(l.stmt.Label.Pos()))
	} else {
		l = &label{in: s.in, stmt: st}
		s.labels[name] = l
	}
	s.forward = slices.DeleteFunc(s.forward, func(jump *ast.BranchStmt) bool {
		if jump.Label.Name != name {
			return false
		}
		l.used = true
		if slices.Contains(s.over, jump) {
			s.errorf(jump.Label.Pos(), "goto %s jumps over declaration of %s at line %d", name, s.varName, s.k.line(s.varPos))
		}
		return true
	})
}

func (s *blockState) jump(st *ast.BranchStmt) {
	if st.Label == nil {
		s.plainJump(st)
		return
	}
	name, at := st.Label.Name, st.Label.Pos()
	l := s.labels[name]
	if l != nil {
		l.used = true
	}
	if st.Tok == token.GOTO {
		for b := s.in; b != nil && l != nil; b = b.parent {
			if l.in == b {
				return
			}
		}
		s.forward = append(s.forward, st)
		return
	}
	if l == nil {
		s.errorf(at, "%s label not defined: %s", st.Tok, name)
		return
	}
	for b := s.in; b != nil; b = b.parent {
		if b.stmt != l.stmt {
			continue
		}
		switch l.stmt.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if st.Tok == token.BREAK {
				return
			}
		}
	}
	s.errorf(at, "invalid %s label %s", st.Tok, name)
}

func (s *blockState) plainJump(st *ast.BranchStmt) {
	switch st.Tok {
	case token.BREAK:
		if s.around.breaks == nil {
			s.errorf(st.Pos(), "break is not in a loop, switch, or select")
		}
	case token.CONTINUE:
		if s.around.continues == nil {
			s.errorf(st.Pos(), "continue is not in a loop")
		}
	case token.FALLTHROUGH:
		if msg := s.fallthroughError(); msg != "" {
			s.errorf(st.Pos(), "%s", msg)
		}
	}
}

func (s *blockState) fallthroughError() string {
	switch sw := s.around.breaks.(type) {
	case *ast.TypeSwitchStmt:
		return "cannot fallthrough in type switch"
	case *ast.SwitchStmt:
		switch {
		case s.around.clause < 0 || !s.last:
		case s.around.clause == len(sw.Body.List)-1:
			return "cannot fallthrough final case in switch"
		default:
			return ""
		}
	}
	return "fallthrough statement out of place"
}
