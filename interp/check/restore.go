package check

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rewritten is an expression that stands in the tree for one of the cell.
type rewritten struct{ now, was ast.Expr }

// instead notes that now stands for was, so that messages show what the cell
// says, and gives now back.
func (r *rewriter) instead(now, was ast.Expr) ast.Expr {
	if now != was {
		r.k.rewritten = append(r.k.rewritten, rewritten{now, was})
	}
	return now
}

// restore puts the cell's own expressions into a message of go/types about the
// rewritten tree, those of the statement at pos.
func (k *checker) restore(msg string, pos token.Pos) string {
	from, to := k.statementAt(pos)
	type pair struct{ now, was string }
	var pairs []pair
	for _, e := range k.rewritten {
		if at := e.was.Pos(); at < from || at >= to {
			continue
		}
		if p := (pair{types.ExprString(e.now), types.ExprString(e.was)}); !strings.Contains(p.was, p.now) { // +x is x
			pairs = append(pairs, p)
		}
	}
	if len(pairs) == 0 {
		return msg
	}
	// What is rewritten within another rewritten expression is shorter.
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(len(b.now), len(a.now)) })
	for _, p := range pairs {
		msg = replaceExpr(msg, p.now, p.was)
	}
	return msg
}

// replaceExpr replaces an expression where it is not the end of a longer one.
func replaceExpr(text, now, was string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, now)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		if before, _ := utf8.DecodeLastRuneInString(b.String()); before == '.' || before == '_' || unicode.IsLetter(before) || unicode.IsDigit(before) {
			b.WriteString(now)
		} else {
			b.WriteString(was)
		}
		text = text[i+len(now):]
	}
}

// statementAt is the extent of the innermost statement at a place of the cell,
// or of the function around it.
func (k *checker) statementAt(pos token.Pos) (from, to token.Pos) {
	from, to = pos, pos+1
	k.inspect(func(n ast.Node) bool {
		switch n.(type) {
		case ast.Stmt, *ast.FuncDecl:
			if n.Pos() > pos || n.End() < pos {
				return false
			}
			if _, block := n.(*ast.BlockStmt); !block {
				from, to = n.Pos(), n.End()
			}
		}
		return true
	})
	return from, to
}
