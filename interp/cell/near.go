package cell

import (
	"go/ast"
	"go/token"
	"strings"
)

// farAway is behind the positions of all cells of a session.
const farAway = 1 << 40

// Near parses a text that need not be finished nor right, for what stands around
// the word from start to end, in whose place another may be put. What is open
// behind the word is closed, and statements that cannot be parsed are left out.
// Positions of the cell are those of no other cell.
func Near(n int, text string, start, end int, word string) *Cell {
	fset := token.NewFileSet()
	fset.AddFile("", farAway, 0)
	before, after := text[:start]+word, text[end:]
	var best *Cell
	fewest := 0
	for _, t := range mendings(before, after) {
		c, errs := parseLoose(fset, n, t)
		found := c.Path(start, word) != nil
		if found && len(errs) == 0 {
			return c
		}
		if found && (best == nil || len(errs) < fewest) {
			best, fewest = c, len(errs)
		}
	}
	if best == nil { // an earlier statement has led the parser astray
		best, _ = parseLoose(fset, n, before+closingAll(before))
	}
	return lessWrong(fset, best, start, word)
}

// closingAll is what closes all that is open behind a text.
func closingAll(before string) string {
	c := At(MaskMagics(before))
	return c.closing(0, true)
}

// mendings are ways to end a text behind a place, those that leave most of it
// first.
func mendings(before, after string) []string {
	masked := MaskMagics(before)
	c := At(masked)
	line := strings.LastIndexByte(before, '\n') + 1
	_, below, _ := strings.Cut(after, "\n")
	list := []string{before + after}
	for _, blocks := range []bool{true, false} {
		list = append(list, before+c.closing(line, blocks)+"\n"+below, before+c.closing(0, blocks))
	}
	if strings.TrimSpace(after) == "" {
		list = []string{list[2], list[0], list[4]}
	}
	return list
}

// mostBlanked is how many wrong statements are left out.
const mostBlanked = 8

// lessWrong leaves out statements with syntax errors that are not about the
// place.
func lessWrong(fset *token.FileSet, best *Cell, start int, word string) *Cell {
	text := best.Go
	for range mostBlanked {
		errs := best.syntaxErrors(text)
		if len(errs) == 0 {
			return best
		}
		next, ok := without(text, errs[0])
		if !ok || len(next) < start+len(word) || next[start:start+len(word)] != word {
			return best
		}
		text = next
		c, _ := parseLoose(fset, best.N, text)
		if c.Path(start, word) != nil || best.Path(start, word) == nil {
			best = c
		}
	}
	return best
}

// parseLoose parses a text and keeps what can be parsed of it.
func parseLoose(fset *token.FileSet, n int, text string) (*Cell, Errors) {
	for {
		c, errs := parseCell(&Cell{N: n, Text: text, fset: fset, loose: true})
		if c.extra < 0 {
			return c, errs
		}
		text = text[:c.extra] + " " + text[c.extra+1:]
	}
}

// FileSet is where the cell's positions are from.
func (c *Cell) FileSet() *token.FileSet { return c.fset }

// Path is the way down the tree to the identifier of a name at an offset, which
// is last; nil when there is none.
func (c *Cell) Path(off int, name string) (path []ast.Node) {
	look := func(root ast.Node) {
		var stack []ast.Node
		ast.Inspect(root, func(n ast.Node) bool {
			if path != nil {
				return false
			}
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			if id, ok := n.(*ast.Ident); ok && id.Name == name && c.Offset(id.Pos()) == off {
				path = append(path, stack...)
			}
			return true
		})
	}
	for _, f := range c.Funcs {
		look(f)
	}
	for _, s := range c.Stmts {
		look(s)
	}
	return path
}
